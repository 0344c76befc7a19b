//===- BarrierOps.cpp - barriers ------------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

static void lowerBarrier0(Operation *, OpCall &call) {
  call.passSite();
  call.passConstant(0);
  call.passConstant(0);
  call.replace("emu_nvvm_barrier");
}

static void lowerBarrier(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::BarrierOp>(operation);
  call.passSite();
  call.passOr(op.getBarrierId(), 0);
  call.passOr(op.getNumberOfThreads(), 0);
  if (!op.getReductionOp())
    return call.replace("emu_nvvm_barrier");
  call.pass(op.getReductionPredicate());
  call.passConstant(static_cast<int64_t>(*op.getReductionOp()) + 1);
  call.replace("emu_nvvm_barrier_reduction");
}

static void lowerBarrierArrive(Operation *operation, OpCall &call) {
  auto op = cast<NVVM::BarrierArriveOp>(operation);
  call.passSite();
  call.passOr(op.getBarrierId(), 0);
  call.pass(op.getNumberOfThreads());
  call.replace("emu_nvvm_barrier_arrive");
}

static void lowerClusterArrive(Operation *op, OpCall &call) {
  call.passSite();
  call.passConstant(isa<NVVM::ClusterArriveRelaxedOp>(op));
  call.replace("emu_nvvm_cluster_arrive");
}

static void lowerClusterWait(Operation *, OpCall &call) {
  call.passSite();
  call.replace("emu_nvvm_cluster_wait");
}

ArrayRef<CustomOp> mlir::lpgemm::emulator::getBarrierOps() {
  static constexpr CustomOp kOps[] = {
      {"nvvm.barrier0", lowerBarrier0},
      {"nvvm.barrier", lowerBarrier},
      {"nvvm.barrier.arrive", lowerBarrierArrive},
      {"nvvm.cluster.arrive", lowerClusterArrive},
      {"nvvm.cluster.arrive.relaxed", lowerClusterArrive},
      {"nvvm.cluster.wait", lowerClusterWait},
  };
  return kOps;
}
