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

/// The values of the extents of a contract on memrefs.
SmallVector<Value> buildExtents(OpBuilder &b, Location loc,
                                const ShapeContract &contract);

/// An expression in which AffineDimExpr i is extents[i], all not negative.
Value buildExtentExpr(OpBuilder &b, Location loc, AffineExpr expr,
                      ValueRange extents);

/// Emits a cf.assert for each dimension of an operand that the verifier of `op`
/// left to run time. `extents` are those of `buildExtents`.
void buildShapeAsserts(OpBuilder &b, Operation *op,
                       const ShapeContract &contract, ValueRange extents);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_SHAPEASSERTS_H
