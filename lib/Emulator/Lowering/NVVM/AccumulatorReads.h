//===- AccumulatorReads.h - early reads of accumulators ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_NVVM_ACCUMULATORREADS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_NVVM_ACCUMULATORREADS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lpgemm::emulator {

/// Reports the uses of a result of nvvm.wgmma.mma_async that some path reaches
/// without a wait for the group that the wgmma is committed in. A wgmma may use
/// it as its accumulator (PTX ISA, "wgmma.mma_async").
LogicalResult checkAccumulatorReads(LLVM::LLVMFuncOp function);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_NVVM_ACCUMULATORREADS_H
