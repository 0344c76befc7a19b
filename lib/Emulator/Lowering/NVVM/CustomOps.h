//===- CustomOps.h - NVVM operations with own rules -------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_NVVM_CUSTOMOPS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_NVVM_CUSTOMOPS_H

#include "../OpCall.h"
#include "../OpTable.h"

namespace mlir::lpgemm::emulator {

/// What is done with an operation of kind Custom.
struct CustomOp {
  llvm::StringLiteral name;
  /// Builds the call and replaces the operation.
  void (*lower)(Operation *op, OpCall &call);
  /// Reports what is not modelled; may be null.
  LogicalResult (*check)(Operation *op, const EmulatedChip &chip) = nullptr;
};

// One table for each group of operations.
ArrayRef<CustomOp> getAsyncCopyOps();
ArrayRef<CustomOp> getBarrierOps();
ArrayRef<CustomOp> getConversionOps();
ArrayRef<CustomOp> getFenceOps();
ArrayRef<CustomOp> getRegisterOps();
ArrayRef<CustomOp> getMBarrierOps();
ArrayRef<CustomOp> getMatrixOps();
ArrayRef<CustomOp> getWarpOps();

LogicalResult checkCustomOp(Operation *op, const EmulatedChip &chip);
void lowerCustomOp(Operation *op, OpCall &call);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_NVVM_CUSTOMOPS_H
