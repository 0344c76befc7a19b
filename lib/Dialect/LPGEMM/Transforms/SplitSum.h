//===- SplitSum.h - sums of K in parts, added by a kernel -------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_SPLITSUM_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_SPLITSUM_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Makes of `op`, which is in a kernel, one whose result is the sum over K
/// alone, in `init`. What is constant along K is left to the kernel that adds.
void keepSumOnly(MatmulOp op, Value init);

/// Writes in front of `op`, which is in a kernel with `schedule`, what adds
/// `parts` of its sum in their order and makes its result of that. If there are
/// `workgroups`, those of the schedule of `op` share out K tiles evenly, so
/// that tiles have some of the parts only.
void createSumOfParts(OpBuilder &b, MatmulOp op, ValueRange parts,
                      ScheduleAttr schedule, bool isBatched, Value workgroups);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_SPLITSUM_H
