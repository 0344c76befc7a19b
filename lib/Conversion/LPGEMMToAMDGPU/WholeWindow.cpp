//===- WholeWindow.cpp - a tile that is whole along K ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Offsets of vectors are below 2^31, scalar ones below 2^30. Whether the latter
// take part in the range check is told in two ways: LLVM excludes them
// (IntrinsicsAMDGPU.td, raw buffers), the ISA documents of gfx9 subtract them
// from num_records (Buffer range checking). This end is right in both.
static constexpr int64_t kEnd = 0xC0000000;

/// Addresses are made where K is counted from. Rows outside, and columns of a
/// transposed window, are put beyond the end of the resource.
WholeWindow::WholeWindow(ImplicitLocOpBuilder &b, const GlobalValues &global,
                         Value row, Value col, ShapedType type, bool transpose,
                         Value distance, bool checksK)
    : b(b), unitBytes(getUnitBytes(type.getElementType())),
      isTransposed(transpose), checksK(checksK && transpose),
      kLength(type.getDimSize(1)) {
  int64_t bits = type.getElementTypeBitWidth();
  auto toBytes = [&](Value elements) {
    Value all = b.createOrFold<arith::MulIOp>(indexToI64(b, elements),
                                              constantI64(b, bits));
    return b.createOrFold<arith::ShRUIOp>(all, constantI64(b, 3));
  };
  Value pitchBytes =
      b.createOrFold<arith::MulIOp>(global.pitch, constantI64(b, unitBytes));
  Value offset = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(indexToI64(b, row), pitchBytes),
      toBytes(col));
  Value base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(),
                                   global.ptr, offset);
  resource = buildBufferResource(b, base, constantI64(b, kEnd));
  Type i32 = b.getI32Type();
  Value left = transpose ? buildLeft(b, global.cols, col, type.getDimSize(0))
                         : buildLeft(b, global.rows, row, type.getDimSize(0));
  rowsLeft = b.createOrFold<arith::TruncIOp>(i32, left);
  pitch32 = b.createOrFold<arith::TruncIOp>(i32, pitchBytes);
  scalarOffset =
      transpose
          ? b.createOrFold<arith::MulIOp>(indexToI32(b, distance), pitch32)
          : b.createOrFold<arith::TruncIOp>(i32, toBytes(distance));
}

/// The part that all segments have in common comes first.
Value WholeWindow::getOffset(const Segment &s) {
  Value lane = addI32(b, b.createOrFold<arith::MulIOp>(s.row, pitch32),
                      mulI32(b, s.col, unitBytes));
  Value offset = addI32(b, addI32(b, lane, mulI32(b, pitch32, s.rowConst)),
                        constantI32(b, s.colConst * unitBytes));
  Value isInside = isTransposed ? isBelow(b, s.col, s.colConst, rowsLeft)
                                : isBelow(b, s.row, s.rowConst, rowsLeft);
  if (checksK)
    isInside = arith::AndIOp::create(
        b, isInside, isBelow(b, s.row, s.rowConst, constantI32(b, kLength)));
  return arith::SelectOp::create(b, isInside, offset, constantI32(b, kEnd));
}

Value WholeWindow::buildLoad(Type type, Value offset) {
  return ROCDL::RawPtrBufferLoadOp::create(
      b, type, resource, offset, scalarOffset, constantI32(b, 0), ArrayAttr(),
      ArrayAttr(), ArrayAttr());
}

/// An element, or words in accesses of at most 16 bytes.
Value WholeWindow::loadSegment(const Segment &s) {
  if (s.length == 1)
    return buildLoad(b.getIntegerType(8 * unitBytes), getOffset(s));
  int64_t bytes = s.length * unitBytes;
  SmallVector<Value> parts;
  for (int64_t start = 0; start < bytes; start += 16) {
    int64_t words = std::min<int64_t>(16, bytes - start) / 4;
    Value offset = getOffset(s.slice(start / unitBytes, 4 * words / unitBytes));
    auto type = VectorType::get(words, b.getI32Type());
    // There is no access to a vector of one word.
    Value loaded = buildLoad(words == 1 ? b.getI32Type() : Type(type), offset);
    if (words == 1)
      loaded = vector::BroadcastOp::create(b, type, loaded);
    parts.push_back(loaded);
  }
  return joinVectors(b, parts);
}

SmallVector<Value> WholeWindow::load(ArrayRef<Segment> segments) {
  return llvm::map_to_vector(segments,
                             [&](const Segment &s) { return loadSegment(s); });
}
