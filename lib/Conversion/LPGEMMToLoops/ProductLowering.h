//===- ProductLowering.h - the meaning of the matrix products ---*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A product is lowered in three steps, for each batch element or group:
// SumEmitter decodes the operands once, into panels, and forms Acc;
// ProductEpilogue makes D of Acc. docs/spec.md gives the formulas, and the
// order of the sums.

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_PRODUCTLOWERING_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_PRODUCTLOWERING_H

#include "Operands.h"
#include "lpgemm/Conversion/Passes.h"

namespace mlir::lpgemm {

/// One matrix product of an op: that of one batch element or group.
struct ProductInstance {
  /// Batch indices, or the group.
  SmallVector<Value> ivs;
  Value rows, columns, k;
  /// The first row of lhs and D, and the first element of K; null: 0.
  Value rowBase, kBase;
  /// The row of lhs scales that belongs to the first row, and the first blocks
  /// of K of both sides; null: 0.
  Value scaleRowBase, lhsBlockBase, rhsBlockBase;
};

/// The scales of one side that do not vary along K, or those that do; none if
/// the side has others, or no scales.
std::optional<ScaleAccess> getLhsScales(ImplicitLocOpBuilder &b,
                                        ProductInterface op,
                                        const ProductInstance &instance,
                                        bool blocked);
std::optional<ScaleAccess> getRhsScales(ImplicitLocOpBuilder &b,
                                        ProductInterface op,
                                        const ProductInstance &instance,
                                        bool blocked);

/// Emits Acc of one product: a new memref of rows x columns in f64 or f32, or
/// in i32 for i8 operands without block scales.
Value emitSums(ImplicitLocOpBuilder &b, NumericFunctions &functions,
               ProductInterface op, const ProductInstance &instance,
               Accumulation accumulation);

/// Emits D, its scales and amax from `sums`, which is null where alpha is zero.
void emitEpilogue(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                  ProductInterface op, const ProductInstance &instance,
                  FloatType type, Value sums);

/// Emits loops for `op`, which is on memrefs, and erases it. Fails, with an
/// error, if `accumulation` does not know its types.
LogicalResult lowerProduct(ProductInterface op, NumericFunctions &functions,
                           Accumulation accumulation);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_PRODUCTLOWERING_H
