//===- GlobalWindow.cpp - a tile of global memory -------------------------===//
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
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Word 3 of the resource: 32-bit data, untyped ("raw") access; the same value
// as MLIR's amdgpu.fat_raw_buffer_cast makes for gfx9. With stride 0 an access
// whose byte offset is not below num_records reads 0 and writes nothing (AMD
// "CDNA3 ISA", Buffer range checking); the scalar offset takes no part in it.
static constexpr int64_t kResourceFlags = 0x27000;

/// Not the plain clamp of extent - start: LLVM has only a vector instruction
/// for that (v_med3), and resources must stay in scalar registers.
Value lpgemm::buildLeft(ImplicitLocOpBuilder &b, Value extent, Value start,
                        int64_t size) {
  Value end = b.createOrFold<arith::MaxSIOp>(extent, start);
  Value left =
      b.createOrFold<arith::MinSIOp>(b.createOrFold<arith::SubIOp>(end, start),
                                     arith::ConstantIndexOp::create(b, size));
  return indexToI64(b, left);
}

/// The bytes from one row to the next, where there is a next one. Else the
/// pitch of the matrix may be anything, but rows outside must be out of bounds.
static Value buildPitchBytes(ImplicitLocOpBuilder &b, Value rows, Value pitch,
                             int64_t tileUnits, int64_t unitBytes) {
  Value single = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, rows,
                                       constantI64(b, 1));
  Value used =
      arith::SelectOp::create(b, single, constantI64(b, tileUnits), pitch);
  return b.createOrFold<arith::MulIOp>(used, constantI64(b, unitBytes));
}

/// Bytes from the first to the last unit of `rows` x `cols` units.
static Value buildNumRecords(ImplicitLocOpBuilder &b, Value rows, Value cols,
                             Value pitchBytes, Value unitBytes) {
  Value zero = constantI64(b, 0), one = constantI64(b, 1);
  Value upToLastRow = b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::SubIOp>(rows, one), pitchBytes);
  Value bytes = b.createOrFold<arith::AddIOp>(
      upToLastRow, b.createOrFold<arith::MulIOp>(cols, unitBytes));
  Value empty = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, arith::MulIOp::create(b, rows, cols), zero);
  return arith::SelectOp::create(b, empty, zero, bytes);
}

/// The bytes that so many packed elements of a row take.
static Value buildPackedBytes(ImplicitLocOpBuilder &b, Value elements,
                              int64_t bits) {
  Value allBits = b.createOrFold<arith::MulIOp>(elements, constantI64(b, bits));
  return b.createOrFold<arith::ShRUIOp>(
      b.createOrFold<arith::AddIOp>(allBits, constantI64(b, 7)),
      constantI64(b, 3));
}

Value lpgemm::isBelow(ImplicitLocOpBuilder &b, Value position, int64_t constant,
                      Value limit) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                               addI32(b, position, constantI32(b, constant)),
                               limit);
}

Value lpgemm::buildBufferResource(ImplicitLocOpBuilder &b, Value base,
                                  Value records) {
  Value stride = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
  return ROCDL::MakeBufferRsrcOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), /*addressSpace=*/8), base,
      stride, records, constantI32(b, kResourceFlags));
}

GlobalWindow::GlobalWindow(ImplicitLocOpBuilder &b, const GlobalValues &global,
                           Value row, Value col, ShapedType type,
                           bool transpose)
    : WindowLoads(b), shape(type.getShape()),
      bits(type.getElementTypeBitWidth()),
      unitBytes(getUnitBytes(type.getElementType())),
      isPacked(isSubByteFloat(type.getElementType())),
      fillsOne(isa<Float8E8M0FNUType>(type.getElementType())),
      checksRows(transpose) {
  if (transpose)
    std::swap(shape[0], shape[1]);
  Value size = constantI64(b, unitBytes);
  Value rows = buildLeft(b, global.rows, row, shape[0]);
  Value cols = buildLeft(b, global.cols, col, shape[1]);
  // In units; a tile of packed elements starts with a byte.
  Value units = cols, start = indexToI64(b, col);
  int64_t tileUnits = shape[1];
  if (isPacked) {
    units = buildPackedBytes(b, cols, bits);
    start = buildPackedBytes(b, start, bits);
    tileUnits = llvm::divideCeil(shape[1] * bits, 8);
  }
  pitchBytes = buildPitchBytes(b, rows, global.pitch, tileUnits, unitBytes);
  // 64 bits: only offsets inside the window may be assumed to fit 32.
  Value unit = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(indexToI64(b, row), global.pitch), start);
  Value offset = b.createOrFold<arith::MulIOp>(unit, size);
  base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(), global.ptr,
                             offset);
  Value records = buildNumRecords(b, rows, units, pitchBytes, size);
  resource = buildBufferResource(b, base, records);
  rowsLeft = b.createOrFold<arith::TruncIOp>(b.getI32Type(), rows);
  colsLeft = b.createOrFold<arith::TruncIOp>(b.getI32Type(), cols);
  unitsLeft = isPacked ? b.createOrFold<arith::TruncIOp>(b.getI32Type(), units)
                       : colsLeft;
  pitchBytes32 = b.createOrFold<arith::TruncIOp>(b.getI32Type(), pitchBytes);
}

/// Byte offset of the first unit. The part that all segments of a tile have
/// in common comes first, the constant last: it becomes the immediate.
Value GlobalWindow::getOffset(const Segment &s) {
  Value lane = addI32(b, b.createOrFold<arith::MulIOp>(s.row, pitchBytes32),
                      mulI32(b, s.col, unitBytes));
  Value rows = mulI32(b, pitchBytes32, s.rowConst);
  Value start = constantI32(b, s.colConst * unitBytes);
  return addI32(b, addI32(b, lane, rows), start);
}

Value GlobalWindow::isInsideRows(const Segment &s) {
  return isBelow(b, s.row, s.rowConst, rowsLeft);
}

Value GlobalWindow::isInsideCols(const Segment &s) {
  return isBelow(b, s.col, s.colConst, unitsLeft);
}

Value GlobalWindow::isInside(const Segment &s) {
  return arith::AndIOp::create(b, isInsideRows(s),
                               isBelow(b, s.col, s.colConst, colsLeft));
}

/// The offset of the first unit, or one that is out of bounds.
Value GlobalWindow::selectOffset(Value inside, const Segment &s) {
  return arith::SelectOp::create(b, inside, getOffset(s),
                                 constantI32(b, kOutside - unitBytes));
}

/// Whether every 4-byte word of a row is either inside the matrix or in a row
/// that is outside.
Value GlobalWindow::buildWideCondition(const Segment &) {
  Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), base);
  Value low = arith::AndIOp::create(
      b, arith::OrIOp::create(b, address, pitchBytes), constantI64(b, 3));
  Value wide = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, low,
                                     constantI64(b, 0));
  auto requireAll = [&](Value left, int64_t size) {
    Value all = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, left,
                                      constantI32(b, size));
    wide = arith::AndIOp::create(b, wide, all);
  };
  requireAll(colsLeft, shape[1]);
  if (checksRows || fillsOne) // the range check fills with 0
    requireAll(rowsLeft, shape[0]);
  return wide;
}

Value GlobalWindow::buildLoad(Type type, Value offset) {
  Value zero = constantI32(b, 0);
  return ROCDL::RawPtrBufferLoadOp::create(b, type, resource, offset, zero,
                                           zero, ArrayAttr(), ArrayAttr(),
                                           ArrayAttr());
}

/// In accesses of at most 16 bytes.
Value GlobalWindow::loadWide(const Segment &s) {
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

/// The range check alone would let a column outside run into the next row. Rows
/// need help of that kind only where rows overlap, which makes no difference
/// unless rows are summed over, as those of a transposed tile are.
Value GlobalWindow::loadUnit(const Segment &s) {
  IntegerType type = b.getIntegerType(unitBytes * 8);
  Value inside = isInsideCols(s);
  if (checksRows)
    inside = arith::AndIOp::create(b, inside, isInsideRows(s));
  Value value = buildLoad(type, selectOffset(inside, s));
  if (isPacked)
    return clearPadding(s, value);
  if (!fillsOne)
    return value;
  inside = isInside(s);
  Value one = arith::ConstantOp::create(b, IntegerAttr::get(type, kScaleOne));
  return arith::SelectOp::create(b, inside, value, one);
}

/// (C13) `byte` without the bits behind the last element of its row.
Value GlobalWindow::clearPadding(const Segment &s, Value byte) {
  Value position = addI32(b, s.col, constantI32(b, s.colConst));
  Value bitsLeft = arith::SubIOp::create(b, mulI32(b, colsLeft, bits),
                                         mulI32(b, position, 8));
  Value valid = arith::MaxSIOp::create(
      b, arith::MinSIOp::create(b, bitsLeft, constantI32(b, 8)),
      constantI32(b, 0));
  Value invalid = arith::ShLIOp::create(b, constantI32(b, -1), valid);
  Value mask = arith::XOrIOp::create(b, invalid, constantI32(b, -1));
  return arith::AndIOp::create(b, byte,
                               arith::TruncIOp::create(b, b.getI8Type(), mask));
}

/// One element of a column of packed ones, in an i32. It may lie across two
/// bytes, of which only its own bits are kept.
Value GlobalWindow::loadCode(const Segment &s) {
  Value inside = arith::AndIOp::create(
      b, isBelow(b, s.col, s.colConst, colsLeft), isInsideRows(s));
  Value bit = mulI32(b, addI32(b, s.col, constantI32(b, s.colConst)), bits);
  Segment first{s.row, divI32(b, bit, 8), s.rowConst, /*colConst=*/0,
                /*length=*/1};
  auto loadByte = [&](const Segment &byte) -> Value {
    return arith::ExtUIOp::create(
        b, b.getI32Type(),
        buildLoad(b.getI8Type(), selectOffset(inside, byte)));
  };
  Value word = loadByte(first);
  if (8 % bits != 0) {
    Segment second = first;
    second.colConst = 1;
    word = arith::OrIOp::create(
        b, word, arith::ShLIOp::create(b, loadByte(second), constantI32(b, 8)));
  }
  Value code = arith::ShRUIOp::create(b, word, remI32(b, bit, 8));
  return arith::AndIOp::create(b, code, constantI32(b, (1 << bits) - 1));
}

bool GlobalWindow::isColumnOfCodes(const Segment &s) const {
  return isPacked && s.downColumn;
}

Value GlobalWindow::loadPieces(const Segment &s) {
  bool isCodes = isColumnOfCodes(s);
  if (s.length == 1 && !isCodes)
    return loadUnit(s);
  SmallVector<Value> pieces;
  for (int64_t e = 0; e != s.length; ++e)
    pieces.push_back(isCodes ? loadCode(s.slice(e, 1))
                             : loadUnit(s.slice(e, 1)));
  if (isCodes)
    return packCodes(b, pieces, bits);
  auto type = VectorType::get(s.length, pieces.front().getType());
  return vector::FromElementsOp::create(b, type, pieces);
}

GlobalWindow::Round GlobalWindow::getRound(const Segment &s) const {
  return isColumnOfCodes(s) ? bits : 8 * unitBytes;
}

/// In accesses of at most 16 bytes.
void GlobalWindow::storeWide(const Segment &s, Value value) {
  int64_t words = s.length * unitBytes / 4;
  value = b.createOrFold<vector::BitCastOp>(
      VectorType::get(words, b.getI32Type()), value);
  for (int64_t word = 0; word < words; word += 4) {
    int64_t count = std::min<int64_t>(4, words - word);
    // There is no access to a vector of one word.
    Value part = count == 1 ? b.createOrFold<vector::ExtractOp>(value, word)
                            : sliceVector(b, value, word, count);
    int64_t perWord = 4 / unitBytes;
    buildStore(part, getOffset(s.slice(word * perWord, count * perWord)));
  }
}

/// Element by element, column by column: the mask of a column is in scalar
/// registers, of which there are too few for those of all columns. Buffer
/// stores of less than a word take integers.
void GlobalWindow::storePieces(ArrayRef<Segment> segments,
                               ArrayRef<Value> values) {
  Type bits = b.getIntegerType(8 * unitBytes);
  SmallVector<std::pair<Segment, Value>> units;
  for (auto [s, value] : llvm::zip_equal(segments, values)) {
    Value integers = b.createOrFold<vector::BitCastOp>(
        VectorType::get(s.length, bits), value);
    for (int64_t e = 0; e != s.length; ++e)
      units.emplace_back(s.slice(e, 1),
                         b.createOrFold<vector::ExtractOp>(integers, e));
  }
  llvm::stable_sort(units, [](const auto &lhs, const auto &rhs) {
    return lhs.first.colConst < rhs.first.colConst;
  });
  for (auto &[unit, value] : units)
    buildStore(value, selectOffset(isInsideCols(unit), unit));
}

void GlobalWindow::buildStore(Value value, Value offset) {
  Value zero = constantI32(b, 0);
  ROCDL::RawPtrBufferStoreOp::create(b, value, resource, offset, zero, zero,
                                     ArrayAttr(), ArrayAttr(), ArrayAttr());
}

void GlobalWindow::store(ArrayRef<Segment> segments, ArrayRef<Value> values) {
  if (segments.front().length * unitBytes % 4 != 0)
    return storePieces(segments, values);
  scf::IfOp::create(
      b, buildWideCondition(segments.front()),
      [&](OpBuilder &, Location) {
        for (auto [segment, value] : llvm::zip_equal(segments, values))
          storeWide(segment, value);
        scf::YieldOp::create(b);
      },
      [&](OpBuilder &, Location) {
        storePieces(segments, values);
        scf::YieldOp::create(b);
      });
}
