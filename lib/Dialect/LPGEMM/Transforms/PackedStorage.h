//===- PackedStorage.h - elements of less than a byte -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rules L-2, L-5 and L-11 of docs/spec.md.

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_PACKEDSTORAGE_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_PACKEDSTORAGE_H

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::lpgemm {

/// A tensor or memref of such elements that `op` takes, gives or names; null if
/// there is none.
Type findUnpackedType(Operation *op);

/// One of them that cannot become bytes: not a ranked tensor with rows, or with
/// an encoding.
Type findUnpackableType(Operation *op);

/// The bytes of a tensor; null if it has no rows, or an encoding.
RankedTensorType getPackedType(RankedTensorType type);

/// The bytes of a constant.
DenseElementsAttr packElements(DenseElementsAttr elements);

/// The byte that all bytes of a filled tensor have; none if they differ.
std::optional<uint8_t> getFillByte(linalg::FillOp op);

/// Bytes of so many elements, and the most elements that so many bytes hold.
OpFoldResult packExtent(OpBuilder &b, Location loc, OpFoldResult elements,
                        Type element);
OpFoldResult unpackExtent(OpBuilder &b, Location loc, OpFoldResult bytes,
                          Type element);

/// The elements of a row of an unpacked tensor: a constant, or an operand of
/// the op that made it. None if its type and that op do not tell.
std::optional<OpFoldResult> findRowExtent(Value tensor);

/// Offset and size of a slice along the rows of a tensor, in elements.
struct RowSlice {
  OpFoldResult offset, size, stride;
  /// Whether the size is that of the tensor, by its type or a tensor.dim.
  bool isWhole;
};
RowSlice getRowSlice(OffsetSizeAndStrideOpInterface slice, Value tensor);

/// A side of a product.
struct ProductSide {
  Value value;
  /// The attribute that tells the elements of packed bytes.
  TypeAttr packed;
  Type element;
  /// The dimension, behind the batch, that is K.
  unsigned kDim;

  /// Whether its bytes, now or when it is packed, lie along K.
  bool isPackedAlongK() const { return kDim == 1 && isSubByteFloat(element); }
  int64_t getKPosition() const;
};
SmallVector<ProductSide, 2> getSides(ProductInterface op);

/// K of a product: an extent that is known, or a dimension of a side. Null if
/// there are only bytes to tell it.
struct ProductExtent {
  OpFoldResult size;
  Value tensor;
  int64_t dim = 0;

  explicit operator bool() const { return size || tensor; }
};
ProductExtent findK(ProductInterface op);

/// Checks that an op with unpacked tensors can work on their bytes.
LogicalResult verifyPackable(Operation *op);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_PACKEDSTORAGE_H
