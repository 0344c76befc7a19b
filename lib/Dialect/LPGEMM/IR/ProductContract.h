//===- ProductContract.h - shapes of the matrix products --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_IR_PRODUCTCONTRACT_H
#define LPGEMM_LIB_DIALECT_LPGEMM_IR_PRODUCTCONTRACT_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// The leading dimensions of the operands of a product, in front of those that
/// a matrix, a vector or a scale has.
struct LeadingDims {
  SmallVector<AffineExpr> lhs, rhs, init;
  /// Of scales, which may be one for each group where their operand has no
  /// group dimension.
  SmallVector<AffineExpr> lhsScale, rhsScale;
  SmallVector<AffineExpr> bias;
  /// Whether lhs, rhs and C may leave dimensions out or give a static 1.
  bool broadcast = false;
  /// Whether blocks of lhs scales start anew with each group of rows.
  bool rowGroups = false;
  /// Whether blocks along K do.
  bool kGroups = false;
};

/// The contract of `op`. `contract` has the extents of the leading dimensions
/// already; M, N and K are added.
void buildProductContract(ProductInterface op, const LeadingDims &leading,
                          ShapeContract &contract);

/// Checks all constraints but those on leading dimensions and groups.
LogicalResult verifyProduct(ProductInterface op);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_IR_PRODUCTCONTRACT_H
