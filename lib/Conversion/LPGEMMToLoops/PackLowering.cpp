//===- PackLowering.cpp - loops that pack scales and weights --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackLowering.h"

#include "Operands.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// A memref with the place of an element by its logical position.
struct PlacedElements {
  Value memref;
  /// AffineDimExpr i is coordinate i.
  SmallVector<AffineExpr> indices;
};

/// The copy that an op makes, in a space of batch, row and column.
class Copy {
public:
  Copy(Operation *op, const ShapeContract &contract)
      : op(op), b(op->getLoc(), op), contract(contract) {
    extents = buildExtents(b, b.getLoc(), contract);
    for (unsigned dim = 0; dim != extents.size(); ++dim)
      position.push_back(b.getAffineDimExpr(dim));
  }

  ImplicitLocOpBuilder &getBuilder() { return b; }
  AffineExpr getRow() const { return position[position.size() - 2]; }
  AffineExpr getColumn() const { return position.back(); }
  /// Elements with these indices behind those of the batch.
  PlacedElements place(Value memref, ArrayRef<AffineExpr> indices) const;

  void emitAsserts() { buildShapeAsserts(b, op, contract, extents); }
  /// Checks an extent that the verifier left to run time.
  void emitMultipleAssert(unsigned extent, int64_t unit, StringRef name);
  /// Copies every element and erases the op.
  void emit(const PlacedElements &source, const PlacedElements &target);

private:
  Operation *op;
  ImplicitLocOpBuilder b;
  ShapeContract contract;
  SmallVector<Value> extents;
  SmallVector<AffineExpr> position;
};

} // namespace

PlacedElements Copy::place(Value memref, ArrayRef<AffineExpr> indices) const {
  PlacedElements elements{memref, SmallVector<AffineExpr>(position)};
  elements.indices.pop_back_n(2);
  llvm::append_range(elements.indices, indices);
  return elements;
}

void Copy::emitMultipleAssert(unsigned extent, int64_t unit, StringRef name) {
  const ShapeContract::Extent &source = contract.extents[extent];
  if (!ShapedType::isDynamic(source.getStatic()))
    return;
  Value rest = buildExtentExpr(b, b.getLoc(), b.getAffineDimExpr(extent) % unit,
                               extents);
  Value isMultiple = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, rest, arith::ConstantIndexOp::create(b, 0));
  cf::AssertOp::create(b, isMultiple,
                       (op->getName().getStringRef() + ": " + name + " of " +
                        source.sourceName + " is not a multiple of " +
                        Twine(unit))
                           .str());
}

void Copy::emit(const PlacedElements &source, const PlacedElements &target) {
  emitLoops(b, extents, [&](ValueRange ivs) {
    auto locate = [&](const PlacedElements &elements) {
      SmallVector<Value> indices;
      for (AffineExpr expr : elements.indices)
        indices.push_back(buildExtentExpr(b, b.getLoc(), expr, ivs));
      return indices;
    };
    Value element = memref::LoadOp::create(b, source.memref, locate(source));
    memref::StoreOp::create(b, element, target.memref, locate(target));
  });
  op->erase();
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

namespace {
/// Scales in layout row and in that of the kind.
struct ScalePair {
  PlacedElements rows, packed;
};
} // namespace

template <typename OpTy>
static ScalePair placeScales(const Copy &copy, OpTy op, Value rows,
                             Value packed) {
  AffineExpr row = copy.getRow(), block = copy.getColumn();
  bool kFirst = op.getTransposed();
  SmallVector<AffineExpr> rowIndices = {row, block};
  if (kFirst)
    std::swap(rowIndices[0], rowIndices[1]);
  return {copy.place(rows, rowIndices),
          copy.place(packed, op.getKind().getStorageIndex(row, block, kFirst))};
}

void lpgemm::lowerPackScales(PackScalesOp op) {
  Copy copy(op, op.getShapeContract());
  copy.emitAsserts();
  emitScalePadding(copy.getBuilder(), op.getInit(), op.getKind());
  ScalePair scales = placeScales(copy, op, op.getInput(), op.getInit());
  copy.emit(scales.rows, scales.packed);
}

void lpgemm::lowerUnpackScales(UnpackScalesOp op) {
  Copy copy(op, op.getShapeContract());
  copy.emitAsserts();
  ScalePair scales = placeScales(copy, op, op.getInit(), op.getInput());
  copy.emit(scales.packed, scales.rows);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

namespace {
/// Weights in rows and in tiles.
struct WeightPair {
  PlacedElements rows, tiles;
};
} // namespace

/// L-9: tiles of 16 rows by 16 bytes, and a byte for each element of a memref.
static WeightPair placeWeights(Copy &copy, Value rows, Value tiles) {
  const int64_t tile = 16;
  AffineExpr n = copy.getRow(), k = copy.getColumn();
  unsigned numBatch = cast<MemRefType>(rows.getType()).getRank() - 2;
  copy.emitMultipleAssert(numBatch, tile, "N");
  copy.emitMultipleAssert(numBatch + 1, 2 * tile, "K");
  copy.emitAsserts();
  return {copy.place(rows, {n, k}),
          copy.place(tiles,
                     {n.floorDiv(tile), k.floorDiv(tile), n % tile, k % tile})};
}

void lpgemm::lowerPackWeights(PackWeightsOp op) {
  Copy copy(op, op.getShapeContract());
  WeightPair weights = placeWeights(copy, op.getInput(), op.getInit());
  copy.emit(weights.rows, weights.tiles);
}

void lpgemm::lowerUnpackWeights(UnpackWeightsOp op) {
  Copy copy(op, op.getShapeContract());
  WeightPair weights = placeWeights(copy, op.getInit(), op.getInput());
  copy.emit(weights.tiles, weights.rows);
}
