//===- RegisterTile.cpp - register tiles as vectors -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

Segment Segment::slice(int64_t element, int64_t newLength) const {
  Segment part = *this;
  (downColumn ? part.rowConst : part.colConst) += element;
  part.length = newLength;
  return part;
}

Segment Segment::transposed() const {
  return {col, row, colConst, rowConst, length, !downColumn};
}

Segment Segment::inBytes(ImplicitLocOpBuilder &b, int64_t bits) const {
  Segment bytes = *this;
  bytes.col = divI32(b, mulI32(b, col, bits), 8);
  bytes.colConst = colConst * bits / 8;
  bytes.length = length * bits / 8;
  return bytes;
}

RegisterTile::RegisterTile(FragType type)
    : layout(&getMmaInfo(type.getLanes().getInstr())
                  .layout(type.getLanes().getRole(), type.getElementType())),
      elementType(type.getElementType()),
      gridRows(type.getDimSize(0) / layout->rows),
      gridCols(type.getDimSize(1) / layout->cols) {}

Type RegisterTile::getAtomType() const {
  if (layout->numElements() == 1)
    return elementType;
  return VectorType::get(layout->numElements(), elementType);
}

/// Where a lane's first element lies along `vectorDim`, and across.
static std::pair<Value, Value>
getLanePosition(ImplicitLocOpBuilder &b, const LaneLayout &layout, Value lane) {
  if (layout.innerLanes == 0) {
    Value along =
        mulI32(b, divI32(b, lane, layout.outerLanes), layout.laneStride);
    Value across = remI32(b, lane, layout.outerLanes);
    int64_t extent = layout.vectorDim == 0 ? layout.cols : layout.rows;
    if (extent < layout.outerLanes)
      across = remI32(b, across, extent);
    return {along, across};
  }
  Value along =
      mulI32(b, remI32(b, lane, layout.innerLanes), layout.laneStride);
  Value inWarp =
      remI32(b, divI32(b, lane, layout.innerLanes), layout.outerLanes);
  Value warp = mulI32(b, divI32(b, lane, 32), layout.warpStride);
  return {along, addI32(b, warp, inWarp)};
}

SmallVector<Segment> RegisterTile::getSegments(ImplicitLocOpBuilder &b,
                                               Value lane) const {
  bool alongRows = layout->vectorDim == 0;
  auto [along, across] = getLanePosition(b, *layout, lane);
  // Down a column the elements of a lane are rows apart: one segment each.
  int64_t length = getSegmentLength();
  SmallVector<Segment> segments;
  for (int64_t i = 0; i != gridRows; ++i)
    for (int64_t j = 0; j != gridCols; ++j)
      for (int64_t e = 0; e != layout->numElements(); e += length) {
        int64_t chunk = layout->chunkStart[e / layout->chunkLen];
        bool chunksAcross = layout->innerLanes != 0;
        Segment s{across, along, i * layout->rows, j * layout->cols, length};
        int64_t *acrossConst = &s.rowConst, *alongConst = &s.colConst;
        if (alongRows) {
          std::swap(s.row, s.col);
          std::swap(acrossConst, alongConst);
        }
        *(chunksAcross ? acrossConst : alongConst) += chunk;
        *alongConst +=
            layout->alongStart[e / layout->chunkLen] + e % layout->chunkLen;
        segments.push_back(s);
      }
  return segments;
}

Value lpgemm::joinVectors(ImplicitLocOpBuilder &b, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  auto type = cast<VectorType>(parts.front().getType());
  if (parts.size() == 2 && parts.back().getType() == type) {
    auto mask = llvm::to_vector(llvm::seq(2 * type.getNumElements()));
    return vector::ShuffleOp::create(b, parts.front(), parts.back(), mask);
  }
  SmallVector<Value> elements;
  for (Value part : parts)
    for (int64_t i :
         llvm::seq(cast<VectorType>(part.getType()).getNumElements()))
      elements.push_back(b.createOrFold<vector::ExtractOp>(part, i));
  return vector::FromElementsOp::create(
      b, VectorType::get(elements.size(), type.getElementType()), elements);
}

Value lpgemm::sliceVector(ImplicitLocOpBuilder &b, Value vector, int64_t start,
                          int64_t count) {
  if (count == cast<VectorType>(vector.getType()).getNumElements())
    return vector;
  auto mask = llvm::to_vector(llvm::seq(start, start + count));
  return vector::ShuffleOp::create(b, vector, vector, mask);
}

SmallVector<Value> RegisterTile::assemble(ImplicitLocOpBuilder &b,
                                          ArrayRef<Value> segments) const {
  Type atomType = getAtomType();
  size_t perAtom = segments.size() / getNumAtoms();
  SmallVector<Value> atoms;
  for (; !segments.empty(); segments = segments.drop_front(perAtom)) {
    ArrayRef<Value> parts = segments.take_front(perAtom);
    if (!isa<VectorType>(atomType)) {
      atoms.push_back(
          b.createOrFold<arith::BitcastOp>(atomType, parts.front()));
      continue;
    }
    Type partType = parts.front().getType();
    Value joined = isa<VectorType>(partType)
                       ? joinVectors(b, parts)
                       : vector::FromElementsOp::create(
                             b, VectorType::get(perAtom, partType), parts);
    atoms.push_back(b.createOrFold<vector::BitCastOp>(atomType, joined));
  }
  return atoms;
}

Value RegisterTile::extract(ImplicitLocOpBuilder &b, Value atom,
                            int64_t index) const {
  if (!isa<VectorType>(atom.getType()))
    return atom;
  return b.createOrFold<vector::ExtractOp>(atom, index);
}
