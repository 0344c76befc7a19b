//===- Operands.h - matrices and scales in memory ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the reference reads and writes: operands by their logical position,
// whatever their storage is.

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_OPERANDS_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_OPERANDS_H

#include "lpgemm/Conversion/NumericFunctions.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Emits `extents.size()` nested loops from 0, the last one innermost, around
/// what `body` emits.
void emitLoops(ImplicitLocOpBuilder &b, ValueRange extents,
               llvm::function_ref<void(ValueRange ivs)> body);

/// The indices of the leading dimensions of `memref`, which has `numTrailing`
/// dimensions behind them: the last ones of `ivs`, 0 where the extent is a
/// static 1 (it is broadcast).
SmallVector<Value> getLeadingIndices(ImplicitLocOpBuilder &b, Value memref,
                                     unsigned numTrailing, ValueRange ivs);

/// A matrix, or a vector or scalar for which row and column are ignored.
class MatrixAccess {
public:
  /// `type`: of an element, also where the memref holds packed bytes.
  /// `transposed`: the column is the first index of the storage.
  MatrixAccess(Value memref, SmallVector<Value> lead, Type type,
               bool transposed)
      : memref(memref), lead(std::move(lead)), type(type),
        transposed(transposed) {}

  Type getElementType() const { return type; }
  /// Rows and columns are counted from here on.
  void setBase(Value row, Value column) {
    rowBase = row;
    columnBase = column;
  }

  /// An element as it is stored: a code, or a value of a wider type.
  Value loadElement(ImplicitLocOpBuilder &b, Value row, Value column) const;
  /// Its value.
  Value load(ImplicitLocOpBuilder &b, NumericFunctions &functions, Value row,
             Value column, FloatType resultType) const;
  /// `element` as NumericFunctions::encode gives it.
  void store(ImplicitLocOpBuilder &b, Value element, Value row,
             Value column) const;

  /// Clears the bytes that hold `rows` x `columns` packed codes, so that the
  /// bits behind the last code of a row are zero (L-2, L-3). Nothing to do
  /// where codes are not packed.
  void clearPacked(ImplicitLocOpBuilder &b, Value rows, Value columns) const;

private:
  /// Row and column in the order of the storage.
  std::pair<Value, Value> locate(ImplicitLocOpBuilder &b, Value row,
                                 Value column) const;
  bool isPacked() const;

  Value memref;
  SmallVector<Value> lead;
  Type type;
  bool transposed;
  Value rowBase, columnBase;
};

/// Scales of one operand in any layout.
class ScaleAccess {
public:
  ScaleAccess(Value memref, SmallVector<Value> lead, ScaleAttr kind,
              bool kFirst)
      : memref(memref), lead(std::move(lead)), kind(kind), kFirst(kFirst) {}

  ScaleAttr getKind() const { return kind; }
  Type getElementType() const {
    return cast<MemRefType>(memref.getType()).getElementType();
  }
  /// Elements along M or N, and blocks along K, are counted from here on.
  void setBase(Value outer, Value block) {
    outerBase = outer;
    blockBase = block;
  }

  /// The scale of the block that has element `outer` along M or N and is block
  /// `block` along K, as it is stored.
  Value loadElement(ImplicitLocOpBuilder &b, Value outer, Value block) const;
  /// Its value; the sign of an f8E4M3FN scale is ignored.
  Value load(ImplicitLocOpBuilder &b, NumericFunctions &functions, Value outer,
             Value block, FloatType resultType) const;
  /// `element` as NumericFunctions::encode gives it.
  void store(ImplicitLocOpBuilder &b, Value element, Value outer,
             Value block) const;

private:
  SmallVector<Value> locate(ImplicitLocOpBuilder &b, Value outer,
                            Value block) const;

  Value memref;
  SmallVector<Value> lead;
  ScaleAttr kind;
  bool kFirst;
  Value outerBase, blockBase;
};

/// The scales in `memref` behind leading dimensions at `ivs`.
ScaleAccess accessScales(ImplicitLocOpBuilder &b, Value memref, ScaleAttr kind,
                         bool kFirst, ValueRange ivs);

/// Fills a scale tensor whose layout has padding with what the padding must
/// hold (L-7); scales are to be stored afterwards.
void emitScalePadding(ImplicitLocOpBuilder &b, Value memref, ScaleAttr kind);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_OPERANDS_H
