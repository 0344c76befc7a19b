//===- MatrixOps.h - choosing matrix instructions ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_MATRIXOPS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_MATRIXOPS_H

#include "OpTable.h"
#include "mlir/IR/Operation.h"

namespace mlir::lpgemm::emulator {

/// The number in MfmaTable.h of the instruction that a matrix operation is on
/// this chip. Fails with an error if the chip does not have it, if the chip is
/// not known and matters, or if the operands are not those of the instruction.
FailureOr<unsigned> selectInstruction(Operation *op, const EmulatedChip &chip);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_MATRIXOPS_H
