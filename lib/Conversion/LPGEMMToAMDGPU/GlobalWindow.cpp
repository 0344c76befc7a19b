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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Word 3 of the resource: 32-bit data, untyped ("raw") access; the same value
// as MLIR's amdgpu.fat_raw_buffer_cast makes for gfx9. With stride 0 an access
// whose byte offset is not below num_records reads 0 and writes nothing (AMD
// "CDNA3 ISA", Buffer range checking); the scalar offset takes no part in it.
static constexpr int64_t kResourceFlags = 0x27000;

// An access at this byte offset, less its size, is outside of every window.
static constexpr int64_t kOutside = 0x80000000;

// The byte of the scale 1.0 (OCP Microscaling Formats 1.0, E8M0: bias 127).
static constexpr int64_t kScaleOne = 127;

GlobalValues::GlobalValues(ValueRange values)
    : ptr(values[0]), rows(values[1]), cols(values[2]), pitch(values[3]) {}

static Value constantI64(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

static Value indexToI64(ImplicitLocOpBuilder &b, Value index) {
  return b.createOrFold<arith::IndexCastOp>(b.getI64Type(), index);
}

/// The part of [start, start + size) that is below `extent`, as i64. Not the
/// plain clamp of extent - start: LLVM has only a vector instruction for that
/// (v_med3), and resources must stay in scalar registers.
static Value buildLeft(ImplicitLocOpBuilder &b, Value extent, Value start,
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
                             int64_t tileCols, int64_t elementBytes) {
  Value single = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, rows,
                                       constantI64(b, 1));
  Value used =
      arith::SelectOp::create(b, single, constantI64(b, tileCols), pitch);
  return b.createOrFold<arith::MulIOp>(used, constantI64(b, elementBytes));
}

/// Bytes from the first to the last element of `rows` x `cols` elements.
static Value buildNumRecords(ImplicitLocOpBuilder &b, Value rows, Value cols,
                             Value pitchBytes, Value elementBytes) {
  Value zero = constantI64(b, 0), one = constantI64(b, 1);
  Value upToLastRow = b.createOrFold<arith::MulIOp>(
      b.createOrFold<arith::SubIOp>(rows, one), pitchBytes);
  Value bytes = b.createOrFold<arith::AddIOp>(
      upToLastRow, b.createOrFold<arith::MulIOp>(cols, elementBytes));
  Value empty = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq, arith::MulIOp::create(b, rows, cols), zero);
  return arith::SelectOp::create(b, empty, zero, bytes);
}

GlobalWindow::GlobalWindow(ImplicitLocOpBuilder &b, const GlobalValues &global,
                           Value row, Value col, ShapedType type,
                           bool transpose)
    : b(b), shape(type.getShape()), elementType(type.getElementType()),
      elementBytes(getElementBytes(elementType)),
      fillsOne(isa<Float8E8M0FNUType>(elementType)), checksRows(transpose) {
  if (transpose)
    std::swap(shape[0], shape[1]);
  Value size = constantI64(b, elementBytes);
  Value rows = buildLeft(b, global.rows, row, shape[0]);
  Value cols = buildLeft(b, global.cols, col, shape[1]);
  pitchBytes = buildPitchBytes(b, rows, global.pitch, shape[1], elementBytes);
  // 64 bits: only offsets inside the window may be assumed to fit 32.
  Value element = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(indexToI64(b, row), global.pitch),
      indexToI64(b, col));
  Value offset = b.createOrFold<arith::MulIOp>(element, size);
  base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(), global.ptr,
                             offset);
  Value records = buildNumRecords(b, rows, cols, pitchBytes, size);
  Value stride = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
  resource = ROCDL::MakeBufferRsrcOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), /*addressSpace=*/8), base,
      stride, records, constantI32(b, kResourceFlags));
  rowsLeft = b.createOrFold<arith::TruncIOp>(b.getI32Type(), rows);
  colsLeft = b.createOrFold<arith::TruncIOp>(b.getI32Type(), cols);
  pitchBytes32 = b.createOrFold<arith::TruncIOp>(b.getI32Type(), pitchBytes);
}

/// Byte offset of the first element. The part that all segments of a tile have
/// in common comes first, the constant last: it becomes the immediate.
Value GlobalWindow::getOffset(const Segment &s) {
  Value lane = addI32(b, b.createOrFold<arith::MulIOp>(s.row, pitchBytes32),
                      mulI32(b, s.col, elementBytes));
  Value rows = mulI32(b, pitchBytes32, s.rowConst);
  Value start = constantI32(b, s.colConst * elementBytes);
  return addI32(b, addI32(b, lane, rows), start);
}

static Value isBelow(ImplicitLocOpBuilder &b, Value position, int64_t constant,
                     Value limit) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                               addI32(b, position, constantI32(b, constant)),
                               limit);
}

Value GlobalWindow::isInsideRows(const Segment &s) {
  return isBelow(b, s.row, s.rowConst, rowsLeft);
}

Value GlobalWindow::isInsideCols(const Segment &s) {
  return isBelow(b, s.col, s.colConst, colsLeft);
}

/// The offset of the first element, or one that is out of bounds where the
/// column is: the range check alone would let it run into the next row. Rows
/// need help of that kind only where rows overlap, which makes no difference
/// unless rows are summed over, as those of a transposed tile are.
Value GlobalWindow::getCheckedOffset(const Segment &s) {
  Value inside = isInsideCols(s);
  if (checksRows)
    inside = arith::AndIOp::create(b, inside, isInsideRows(s));
  return arith::SelectOp::create(b, inside, getOffset(s),
                                 constantI32(b, kOutside - elementBytes));
}

/// Whether every 4-byte word of a row is either inside the matrix or in a row
/// that is outside.
Value GlobalWindow::buildWideCondition() {
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

static VectorType getWideType(ImplicitLocOpBuilder &b, int64_t bytes) {
  return VectorType::get(bytes / 4, b.getI32Type());
}

Value GlobalWindow::loadWide(const Segment &s) {
  Value zero = constantI32(b, 0);
  return ROCDL::RawPtrBufferLoadOp::create(
      b, getWideType(b, s.length * elementBytes), resource, getOffset(s), zero,
      zero, ArrayAttr(), ArrayAttr(), ArrayAttr());
}

Value GlobalWindow::loadElement(const Segment &s) {
  Value zero = constantI32(b, 0);
  IntegerType type = b.getIntegerType(elementBytes * 8);
  Value value = ROCDL::RawPtrBufferLoadOp::create(
      b, type, resource, getCheckedOffset(s), zero, zero, ArrayAttr(),
      ArrayAttr(), ArrayAttr());
  if (!fillsOne)
    return value;
  Value inside = arith::AndIOp::create(b, isInsideRows(s), isInsideCols(s));
  Value one = arith::ConstantOp::create(b, IntegerAttr::get(type, kScaleOne));
  return arith::SelectOp::create(b, inside, value, one);
}

Value GlobalWindow::loadElements(const Segment &s) {
  if (s.length == 1)
    return loadElement(s);
  SmallVector<Value> elements;
  for (int64_t e = 0; e != s.length; ++e)
    elements.push_back(loadElement(s.slice(e, 1)));
  auto type = VectorType::get(s.length, elements.front().getType());
  return vector::FromElementsOp::create(b, type, elements);
}

/// As the attribute of llvm.br, which convert-scf-to-cf makes of the loop.
static void disableUnrolling(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(
                                       context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {}));
}

/// The segments element by element, in a loop over their 4-byte words that
/// shifts them in at the end. Unrolled, the loads of all elements would take
/// registers from the common path: LLVM moves their offsets out of the K loop.
SmallVector<Value> GlobalWindow::loadByWords(ArrayRef<Segment> segments) {
  int64_t perWord = 4 / elementBytes;
  int64_t numWords = segments.front().length / perWord;
  auto type = VectorType::get(numWords, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  auto loop = scf::ForOp::create(
      b, constantI32(b, 0), constantI32(b, numWords), constantI32(b, 1),
      SmallVector<Value>(segments.size(), zero),
      [&](OpBuilder &, Location, Value word, ValueRange shifted) {
        auto mask = llvm::to_vector(llvm::seq<int64_t>(1, numWords + 1));
        Value start = mulI32(b, word, perWord);
        SmallVector<Value> next;
        for (auto [segment, value] : llvm::zip_equal(segments, shifted)) {
          Segment s = segment.slice(0, perWord);
          Value &along = s.downColumn ? s.row : s.col;
          along = addI32(b, along, start);
          Value loaded = loadElements(s);
          loaded = b.createOrFold<vector::BitCastOp>(
              VectorType::get(1, b.getI32Type()), loaded);
          next.push_back(vector::ShuffleOp::create(b, value, loaded, mask));
        }
        scf::YieldOp::create(b, next);
      });
  disableUnrolling(loop);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value> GlobalWindow::load(ArrayRef<Segment> segments) {
  int64_t bytes = segments.front().length * elementBytes;
  auto loadAll = [&](auto loadOne) {
    return llvm::map_to_vector(segments, loadOne);
  };
  auto elements = [&](const Segment &s) { return loadElements(s); };
  if (segments.front().length == 1 || (bytes != 8 && bytes != 16))
    return loadAll(elements);
  if (segments.front().downColumn)
    return loadByWords(segments);
  auto wide = [&](const Segment &s) { return loadWide(s); };
  auto ifOp = scf::IfOp::create(
      b, buildWideCondition(),
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, loadAll(wide)); },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, loadByWords(segments));
      });
  return llvm::to_vector_of<Value>(ifOp.getResults());
}

void GlobalWindow::store(const Segment &s, Value value) {
  Value zero = constantI32(b, 0);
  ROCDL::RawPtrBufferStoreOp::create(b, value, resource, getCheckedOffset(s),
                                     zero, zero, ArrayAttr(), ArrayAttr(),
                                     ArrayAttr());
}
