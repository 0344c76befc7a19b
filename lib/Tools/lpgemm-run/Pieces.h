//===- Pieces.h - products and matrices in pieces ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_PIECES_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_PIECES_H

#include "Signature.h"

namespace mlir::lpgemm {

/// The value of an expression of dimensions.
int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims);

/// A range of rows or of K.
struct Span {
  int64_t begin;
  int64_t end;

  int64_t size() const { return end - begin; }
};

/// The ranges of groups; empty where an op has none.
using Ranges = SmallVector<Span>;

/// The ranges that the elements of a groups operand stand for. `limit` is what
/// they divide, M or K. An error starts with `intro`.
llvm::Expected<Ranges> computeRanges(const GroupInfo &info,
                                     ArrayRef<int64_t> groups, int64_t limit,
                                     const Twine &intro);

/// A part of a matrix with consecutive scales: R x K elements of one slice.
struct Piece {
  /// Which matrix of the stored elements, of the scales and of the scales of
  /// the tensor.
  int64_t slice = 0, scaleSlice = 0, tensorSlice = 0;
  Span rows, k;
  /// The outer block and the block of K at which its scales begin.
  int64_t scaleRow = 0, scaleBlock = 0;
};

/// The shapes of what a scaled matrix is made of.
struct MatrixShapes {
  Shape elements, scale, tensorScale;
};

/// The shapes of the extents of a matrix: `leading` of the op's batch, R and K.
struct MatrixExtents {
  Shape leading;
  int64_t rows;
  int64_t k;
};

/// The dimensions of scales behind the leading ones.
unsigned getNumScaleDims(const ScaledMatrix &matrix);

/// Which of the slices of an array with the leading extents `shape` belongs to
/// `index` in `leading`, to which the array is broadcast.
int64_t broadcastSlice(ArrayRef<int64_t> shape, ArrayRef<int64_t> leading,
                       int64_t index);

/// The pieces of lhs or rhs, one for each product that an op consists of: for
/// each matrix of the batch, or for each group.
SmallVector<Piece> getPieces(const ScaledMatrix &matrix, bool isLhs,
                             const std::optional<GroupInfo> &groups,
                             ArrayRef<Span> ranges,
                             const MatrixExtents &extents,
                             const MatrixShapes &shapes);

/// Scales along each dimension of a matrix in blocks that start anew with each
/// group: what a shape of scales follows from where the op does not say it.
Shape getGroupedScaleShape(const ScaledMatrix &matrix, bool isLhs,
                           const GroupInfo &groups, ArrayRef<Span> ranges,
                           int64_t rows, int64_t k);

/// Calls `visit` with the offset in the scales, and the rows and the range of K
/// that share it, of each scale of a piece.
void forEachScale(const ScaledMatrix &matrix, const Piece &piece,
                  ArrayRef<int64_t> scaleShape,
                  function_ref<void(int64_t offset, Span rows, Span k)> visit);

/// The offset of element (r, k) of a slice of a matrix.
struct ElementIndex {
  ElementIndex(const ScaledMatrix &matrix, ArrayRef<int64_t> shape);

  int64_t get(int64_t slice, int64_t r, int64_t k) const {
    return slice * sliceSize + r * rowStride + k * kStride;
  }

  int64_t sliceSize, rowStride, kStride;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_PIECES_H
