//===- FenceOps.cpp - fences ----------------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "lpgemm/Emulator/Ordering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

static bool isAsync(NVVM::ProxyKind kind) {
  return kind == NVVM::ProxyKind::async ||
         kind == NVVM::ProxyKind::async_global ||
         kind == NVVM::ProxyKind::async_shared;
}

/// Fences of the other proxies order what the emulator does not tell apart.
static void lowerFenceProxy(Operation *op, OpCall &call) {
  if (!isAsync(cast<NVVM::FenceProxyOp>(op).getKind()))
    return call.replaceWith({});
  call.passSite();
  call.replace("emu_nvvm_fence_proxy_async");
}

static void lowerFenceProxyRestricted(Operation *op, OpCall &call) {
  call.passSite();
  call.replace("emu_nvvm_fence_proxy_async");
}

/// All scopes are at least a workgroup's, see AtomicOrder.h.
template <int64_t kFlags>
static void lowerFence(Operation *, OpCall &call) {
  call.passConstant(kFlags);
  call.replace("emu_nvvm_fence");
}

static void lowerFenceRestricted(Operation *op, OpCall &call) {
  bool isAcquire = cast<NVVM::FenceSyncRestrictOp>(op).getOrder() ==
                   NVVM::MemOrderKind::ACQUIRE;
  call.passConstant(isAcquire ? kAcquires : kReleases);
  call.replace("emu_nvvm_fence");
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getFenceOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.fence.proxy", lowerFenceProxy},
      {"nvvm.fence.proxy.sync_restrict", lowerFenceProxyRestricted},
      {"nvvm.fence.proxy.acquire", lowerFence<kAcquires>},
      {"nvvm.fence.proxy.release", lowerFence<kReleases>},
      {"nvvm.fence.sync_restrict", lowerFenceRestricted},
      {"nvvm.fence.sc.cluster", lowerFence<kAcquires | kReleases>},
      {"nvvm.memory.barrier", lowerFence<kAcquires | kReleases>},
      // What is before it is released by what follows.
      {"nvvm.fence.mbarrier.init", lowerFence<kReleases>},
  };
  return kOps;
}
