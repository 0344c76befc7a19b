//===- ShapeContract.h - shapes that belong together ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_SHAPECONTRACT_H
#define LPGEMM_DIALECT_LPGEMM_IR_SHAPECONTRACT_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace mlir::lpgemm {

/// How the shapes of an op's operands follow from a few extents, such as M, N
/// and K. Written once for each op; the verifier checks what is static, a
/// lowering what is not.
struct ShapeContract {
  /// An extent and the place where it is found.
  struct Extent {
    StringRef name;
    /// A shaped value, of which `dim` is the extent, or the extent itself as an
    /// index value (`dim` is then 0).
    Value source;
    int64_t dim;
    /// The operand that a message names as its source.
    StringRef sourceName;

    /// The extent if it is static, else ShapedType::kDynamic.
    int64_t getStatic() const;
  };

  /// An operand and the dimensions it must have, in terms of the extents
  /// (AffineDimExpr i is extents[i]); null where nothing is asked.
  struct Operand {
    StringRef name;
    Value value;
    SmallVector<AffineExpr> dims;
  };

  SmallVector<Extent> extents;
  /// Where one value is given for several operands, in the order of the op.
  SmallVector<Operand> operands;

  /// Adds an extent; gives the expression that stands for it.
  AffineExpr addExtent(StringRef name, Value source, int64_t dim,
                       StringRef sourceName);
  /// Adds an operand if `value` is not null.
  void addOperand(StringRef name, Value value, ArrayRef<AffineExpr> dims);

  /// The value of `expr` where all extents in it are static, else kDynamic.
  int64_t evaluate(AffineExpr expr) const;
  /// Such as "4, ceil(K / 32) with K = 128 of lhs" for a static `value`, or
  /// "ceil(K / 32)" for kDynamic.
  std::string describe(AffineExpr expr, int64_t value) const;
};

/// The last dimensions of `batch` that `value`, with `numTrailing` dimensions
/// of its own behind them, gives; a static 1 stands for any extent.
SmallVector<AffineExpr> broadcastBatch(Value value, unsigned numTrailing,
                                       ArrayRef<AffineExpr> batch);

/// Checks what is static; emits an error on `op` that names operand, dimension,
/// expected and actual extent.
LogicalResult verifyShapeContract(Operation *op, const ShapeContract &contract);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_IR_SHAPECONTRACT_H
