//===- Kernel.cpp - threads and arithmetic of a kernel --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

const AMDGPUMachine &lpgemm::getMachine(Operation *op) {
  return *lookupTargetRecord(lookupTarget(op).getChip())->amdgpu;
}

int64_t lpgemm::getWorkgroupSize(Operation *op) {
  return op->getParentOfType<gpu::GPUFuncOp>().getKnownBlockSize()->front();
}

Value lpgemm::buildThread(ImplicitLocOpBuilder &b) {
  return indexToI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
}

Value lpgemm::buildLane(ImplicitLocOpBuilder &b, Operation *op) {
  return remI32(b, buildThread(b), getMachine(op).waveSize);
}
