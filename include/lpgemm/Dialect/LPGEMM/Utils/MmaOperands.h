//===- MmaOperands.h - operands of matrix instructions ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_MMAOPERANDS_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_MMAOPERANDS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Target/KnownTargets.h"

namespace mlir::lpgemm {

/// One side of a product on its way to a matrix instruction, which takes it
/// with K innermost: lhs by the rows of the result, rhs by the columns.
struct MmaOperand {
  Value matrix;
  /// Whether K is the first dimension of the matrix in memory.
  bool isKFirst;
  /// Element types in memory and in the instruction.
  Type stored, multiplied;
  /// The instruction's values are those in memory times 2^-exponent.
  int64_t exponent;

  /// Null unless there are scales that vary along K.
  Value scales;
  bool areScalesKFirst;
  ScaleLayout scaleLayout;
  /// Elements along K, and along the other dimension, that share a scale.
  int64_t kBlock, outerBlock;
};

struct MmaOperands {
  MmaOperand lhs, rhs;

  /// The product of the instruction's values lacks 2^exponent.
  int64_t getExponent() const { return lhs.exponent + rhs.exponent; }
  /// The shortest block whose scales the instruction does not apply itself; 0
  /// if there is none.
  int64_t getShortestPromotedBlock(MmaInstr instr) const;
};

/// Whether `instr` multiplies by scales of `type` for each `kBlock` elements.
bool appliesScales(MmaInstr instr, int64_t kBlock, Type type);

/// That of the schedule of `op`, or the one that the chip prefers.
MmaInstr getPreferredInstr(MatmulOp op, const TargetRecord &record);

/// What `instr` forms the sum over K of `op` in: with scales along K in f32.
Type getSumType(MatmulOp op, MmaInstr instr);

/// How `instr` multiplies lhs and rhs of `op`; none if it does not on the chip.
std::optional<MmaOperands> getMmaOperands(ProductInterface op, MmaInstr instr,
                                          const TargetRecord &record);

/// The same for the instruction of `schedule`. Fails at `op` if the chip does
/// not have it, or it does not take the operands or their scales in K tiles of
/// the schedule.
FailureOr<MmaOperands> checkMmaOperands(ProductInterface op,
                                        ScheduleAttr schedule,
                                        const TargetRecord &record);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_MMAOPERANDS_H
