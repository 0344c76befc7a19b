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

/// The resource covers the window where K is counted from: the scalar offset
/// takes no part in the range check, so that this is the same for all windows.
/// Rows outside are beyond its end, columns outside of a transposed tile are
/// put there.
WholeWindow::WholeWindow(ImplicitLocOpBuilder &b, const GlobalValues &global,
                         Value row, Value col, ShapedType type, bool transpose,
                         Value distance)
    : b(b), unitBytes(getUnitBytes(type.getElementType())),
      checksCols(transpose) {
  SmallVector<int64_t, 2> shape(type.getShape());
  int64_t bits = type.getElementTypeBitWidth();
  auto toBytes = [&](Value elements) {
    Value all = b.createOrFold<arith::MulIOp>(indexToI64(b, elements),
                                              constantI64(b, bits));
    return b.createOrFold<arith::ShRUIOp>(all, constantI64(b, 3));
  };
  if (transpose)
    std::swap(shape[0], shape[1]);
  Value rows = transpose ? constantI64(b, shape[0])
                         : buildLeft(b, global.rows, row, shape[0]);
  Value cols = transpose ? buildLeft(b, global.cols, col, shape[1])
                         : constantI64(b, shape[1] * bits / 8 / unitBytes);
  Value pitchBytes = buildPitchBytes(
      b, rows, global.pitch, shape[1] * bits / 8 / unitBytes, unitBytes);
  Value offset = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(
          b.createOrFold<arith::MulIOp>(indexToI64(b, row), global.pitch),
          constantI64(b, unitBytes)),
      toBytes(col));
  Value base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(),
                                   global.ptr, offset);
  resource = buildBufferResource(
      b, base,
      buildNumRecords(b, rows, cols, pitchBytes, constantI64(b, unitBytes)));
  Type i32 = b.getI32Type();
  colsLeft = b.createOrFold<arith::TruncIOp>(i32, cols);
  pitch32 = b.createOrFold<arith::TruncIOp>(i32, pitchBytes);
  // A window of one row is not moved by the pitch of a window of one row.
  Value moved =
      b.createOrFold<arith::MulIOp>(global.pitch, constantI64(b, unitBytes));
  scalarOffset = transpose
                     ? b.createOrFold<arith::MulIOp>(
                           indexToI32(b, distance),
                           b.createOrFold<arith::TruncIOp>(i32, moved))
                     : b.createOrFold<arith::TruncIOp>(i32, toBytes(distance));
}

/// The part that all segments have in common comes first, the constant last: it
/// becomes the immediate.
Value WholeWindow::getOffset(const Segment &s) {
  Value lane = addI32(b, b.createOrFold<arith::MulIOp>(s.row, pitch32),
                      mulI32(b, s.col, unitBytes));
  Value offset = addI32(b, addI32(b, lane, mulI32(b, pitch32, s.rowConst)),
                        constantI32(b, s.colConst * unitBytes));
  if (!checksCols)
    return offset;
  return arith::SelectOp::create(b, isBelow(b, s.col, s.colConst, colsLeft),
                                 offset, constantI32(b, kOutside - 16));
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
