//===- AtomicOps.h - atomic accesses of NVIDIA ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_NVVM_ATOMICOPS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_NVVM_ATOMICOPS_H

#include "../OpCall.h"

namespace mlir::lpgemm::emulator {

/// Whether a load or store is atomic.
bool isAtomicAccess(Operation *op);

/// Checks that the host can do an atomic access without a library.
LogicalResult checkAtomicSize(Operation *op);

/// Announces an atomic access to the runtime. It stays, without the scope: the
/// host's own operation is atomic too, among the threads that run workgroups.
void callAtomic(Operation *op, OpCall &call);

void lowerNvidiaFence(LLVM::FenceOp op, OpCall &call);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_NVVM_ATOMICOPS_H
