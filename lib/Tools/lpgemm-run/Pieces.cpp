//===- Pieces.cpp - products and matrices in pieces -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Expected;

namespace {
class Evaluator : public AffineExprVisitor<Evaluator, int64_t> {
public:
  explicit Evaluator(ArrayRef<int64_t> dims) : dims(dims) {}

  int64_t visitDimExpr(AffineDimExpr expr) { return dims[expr.getPosition()]; }
  int64_t visitConstantExpr(AffineConstantExpr expr) { return expr.getValue(); }
  int64_t visitCeilDivExpr(AffineBinaryOpExpr expr) {
    return llvm::divideCeilSigned(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  int64_t visitFloorDivExpr(AffineBinaryOpExpr expr) {
    return llvm::divideFloorSigned(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  int64_t visitMulExpr(AffineBinaryOpExpr expr) {
    return visit(expr.getLHS()) * visit(expr.getRHS());
  }
  int64_t visitAddExpr(AffineBinaryOpExpr expr) {
    return visit(expr.getLHS()) + visit(expr.getRHS());
  }
  int64_t visitModExpr(AffineBinaryOpExpr expr) {
    return llvm::mod(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  int64_t visitSymbolExpr(AffineSymbolExpr) {
    llvm_unreachable("contracts have no symbols");
  }

private:
  ArrayRef<int64_t> dims;
};
} // namespace

int64_t mlir::lpgemm::evaluate(AffineExpr expr, ArrayRef<int64_t> dims) {
  return Evaluator(dims).visit(expr);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static int64_t getNumElements(ArrayRef<int64_t> shape) {
  return ShapedType::getNumElements(shape);
}

Expected<Ranges> mlir::lpgemm::computeRanges(const GroupInfo &info,
                                             ArrayRef<int64_t> groups,
                                             int64_t limit,
                                             const Twine &intro) {
  bool isMasked = info.mode == GroupMode::Masked;
  StringRef name = info.mode == GroupMode::KGrouped ? "K" : "M";
  Ranges ranges;
  int64_t last = 0;
  for (auto [g, value] : llvm::enumerate(groups)) {
    if (value < last || value > limit)
      return createStringError(
          intro + ": expected element " + Twine(g) + " to be from " +
          Twine(last) +
          (isMasked || g == 0 ? "" : ", the end of the group before,") +
          " to " + name + " = " + Twine(limit) + ", but it is " + Twine(value));
    int64_t begin = llvm::alignTo(last, info.align);
    ranges.push_back({std::min(begin, value), value});
    if (!isMasked)
      last = value;
  }
  return ranges;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

unsigned mlir::lpgemm::getNumScaleDims(const ScaledMatrix &matrix) {
  if (!matrix.kind)
    return 0;
  AffineExpr zero = getAffineConstantExpr(0, matrix.kind.getContext());
  return matrix.kind
      .getStorageShape(zero, zero, matrix.kFirst, matrix.scaleType)
      .size();
}

int64_t mlir::lpgemm::broadcastSlice(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> leading, int64_t index) {
  int64_t slice = 0, stride = 1;
  for (size_t i = 0, e = leading.size(); i != e; ++i) {
    int64_t extent = leading[e - 1 - i];
    int64_t position = index % extent;
    index /= extent;
    if (i >= shape.size())
      break;
    int64_t own = shape[shape.size() - 1 - i];
    slice += own == 1 ? 0 : position * stride;
    stride *= own;
  }
  return slice;
}

/// Where the scales of a group begin that has its own blocks.
static void placeGroups(const ScaledMatrix &matrix, bool isLhs,
                        const GroupInfo &info, MutableArrayRef<Piece> pieces) {
  if (!matrix.kind)
    return;
  int64_t rows = 0, blocks = 0;
  for (Piece &piece : pieces) {
    if (info.mode == GroupMode::Contiguous && isLhs &&
        matrix.kind.getKind() != ScaleKind::Tensor) {
      bool isSwizzled = matrix.kind.getLayout() == ScaleLayout::Swz128x4;
      piece.scaleRow = isSwizzled ? rows : piece.rows.begin;
      rows += llvm::alignTo(piece.rows.size(), 128);
    }
    if (info.mode == GroupMode::KGrouped && matrix.kind.hasKBlocks()) {
      piece.scaleBlock = blocks;
      blocks += llvm::divideCeil(piece.k.size(), matrix.kind.getKBlock());
    }
  }
}

SmallVector<Piece>
mlir::lpgemm::getPieces(const ScaledMatrix &matrix, bool isLhs,
                        const std::optional<GroupInfo> &groups,
                        ArrayRef<Span> ranges, const MatrixExtents &extents,
                        const MatrixShapes &shapes) {
  Shape leading = extents.leading;
  if (groups)
    leading = {static_cast<int64_t>(ranges.size())};
  auto slice = [&](ArrayRef<int64_t> shape, unsigned numDims, int64_t index) {
    return broadcastSlice(
        shape.drop_back(std::min<size_t>(numDims, shape.size())), leading,
        index);
  };
  SmallVector<Piece> pieces;
  for (int64_t i = 0, e = getNumElements(leading); i != e; ++i) {
    Piece piece;
    piece.slice = slice(shapes.elements, 2, i);
    piece.scaleSlice = slice(shapes.scale, getNumScaleDims(matrix), i);
    piece.tensorSlice = slice(shapes.tensorScale, 0, i);
    piece.rows = {0, extents.rows};
    piece.k = {0, extents.k};
    if (groups && groups->mode == GroupMode::KGrouped)
      piece.k = ranges[i];
    else if (groups && isLhs)
      piece.rows = ranges[i];
    pieces.push_back(piece);
  }
  if (groups)
    placeGroups(matrix, isLhs, *groups, pieces);
  return pieces;
}

Shape mlir::lpgemm::getGroupedScaleShape(const ScaledMatrix &matrix, bool isLhs,
                                         const GroupInfo &groups,
                                         ArrayRef<Span> ranges, int64_t rows,
                                         int64_t k) {
  ScaleAttr kind = matrix.kind;
  int64_t outer = llvm::divideCeil(rows, kind.getOuterBlock());
  int64_t blocks = llvm::divideCeil(k, kind.getKBlock());
  if (groups.mode == GroupMode::KGrouped) {
    blocks = 0;
    for (Span range : ranges)
      blocks += llvm::divideCeil(range.size(), kind.getKBlock());
  } else if (isLhs && kind.getLayout() == ScaleLayout::Swz128x4) {
    outer = 0;
    for (Span range : ranges)
      outer += llvm::alignTo(range.size(), 128);
  }
  MLIRContext *context = kind.getContext();
  Shape shape;
  for (AffineExpr expr :
       kind.getLayoutShape(getAffineConstantExpr(outer, context),
                           getAffineConstantExpr(blocks, context),
                           matrix.kFirst, matrix.scaleType))
    shape.push_back(evaluate(expr, {}));
  return shape;
}

/// Row-major strides.
static Shape computeStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

void mlir::lpgemm::forEachScale(const ScaledMatrix &matrix, const Piece &piece,
                                ArrayRef<int64_t> scaleShape,
                                function_ref<void(int64_t, Span, Span)> visit) {
  MLIRContext *context = matrix.kind.getContext();
  SmallVector<AffineExpr> index =
      matrix.kind.getStorageIndex(getAffineDimExpr(0, context),
                                  getAffineDimExpr(1, context), matrix.kFirst);
  ArrayRef<int64_t> own = scaleShape.take_back(index.size());
  Shape strides = computeStrides(own);
  int64_t first = piece.scaleSlice * getNumElements(own);
  // Without an extent one block spans all.
  int64_t outerBlock = matrix.kind.getOuterBlock();
  int64_t kBlock = matrix.kind.getKBlock();
  Span rows = piece.rows, k = piece.k;
  for (int64_t r = 0; r == 0 || (outerBlock && r * outerBlock < rows.size());
       ++r) {
    if (outerBlock && rows.size() == 0)
      return;
    Span blockRows = rows;
    if (outerBlock)
      blockRows = {rows.begin + r * outerBlock,
                   std::min(rows.end, rows.begin + (r + 1) * outerBlock)};
    for (int64_t b = 0; b == 0 || (kBlock && b * kBlock < k.size()); ++b) {
      if (kBlock && k.size() == 0)
        return;
      Span blockK = k;
      if (kBlock)
        blockK = {k.begin + b * kBlock,
                  std::min(k.end, k.begin + (b + 1) * kBlock)};
      int64_t dims[] = {piece.scaleRow + r, piece.scaleBlock + b};
      int64_t offset = first;
      for (auto [expr, stride] : llvm::zip_equal(index, strides))
        offset += evaluate(expr, dims) * stride;
      visit(offset, blockRows, blockK);
    }
  }
}

ElementIndex::ElementIndex(const ScaledMatrix &matrix,
                           ArrayRef<int64_t> shape) {
  int64_t columns = shape.back();
  sliceSize = shape[shape.size() - 2] * columns;
  rowStride = matrix.kFirst ? 1 : columns;
  kStride = matrix.kFirst ? columns : 1;
}
