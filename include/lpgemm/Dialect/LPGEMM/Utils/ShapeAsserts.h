//===- ShapeAsserts.h - checks of extents at run time -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_SHAPEASSERTS_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_SHAPEASSERTS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Emits a cf.assert for each constraint (C3), (C4) and (C9) of a product on
/// memrefs: what its verifier left to run time. `m`, `n` and `k` are M and K of
/// lhs and N of rhs.
void buildShapeAsserts(OpBuilder &b, MatmulOp op, Value m, Value n, Value k);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_SHAPEASSERTS_H
