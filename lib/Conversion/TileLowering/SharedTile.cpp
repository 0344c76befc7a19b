//===- SharedTile.cpp - tiles in shared memory ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

Value lpgemm::buildTileOffset(ImplicitLocOpBuilder &b, BufType type, Value row,
                              Value byte) {
  SmemAttr layout = type.getLayout();
  if (layout.getMask() != 0) {
    BitOps bits{b};
    Value key = bits.and_(bits.shr(row, layout.getShift()), layout.getMask());
    Value piece =
        b.createOrFold<arith::XOrIOp>(divI32(b, byte, layout.getUnit()), key);
    byte = addI32(b, mulI32(b, piece, layout.getUnit()),
                  remI32(b, byte, layout.getUnit()));
  }
  return addI32(b, mulI32(b, row, getPitchBytes(type)), byte);
}

SharedTile::SharedTile(ImplicitLocOpBuilder &b, BufType type)
    : b(b), type(type), unitBytes(getUnitBytes(type.getElementType())) {}

SharedTile::~SharedTile() = default;

/// Of a byte of the segment. Rows that are swizzled alike differ by a constant,
/// which comes last: it becomes the immediate.
Value SharedTile::getOffset(const Segment &s, int64_t inSegment) {
  SmemAttr layout = type.getLayout();
  int64_t period = llvm::PowerOf2Ceil(layout.getMask() + 1)
                   << layout.getShift();
  int64_t swizzled = s.rowConst % period;
  Value row = addI32(b, s.row, constantI32(b, swizzled));
  Value byte = addI32(b, mulI32(b, s.col, unitBytes),
                      constantI32(b, s.colConst * unitBytes + inSegment));
  return addI32(b, buildTileOffset(b, type, row, byte),
                constantI32(b, (s.rowConst - swizzled) * getPitchBytes(type)));
}

static VectorType getBytesType(ImplicitLocOpBuilder &b, int64_t bytes) {
  return VectorType::get(bytes, b.getI8Type());
}

/// `bytes`, a power of two, as a vector of words if there are enough.
Value SharedTile::loadAccess(Value offset, int64_t bytes) {
  Value loaded = loadBytes(offset, bytes);
  if (bytes == 1)
    return vector::BroadcastOp::create(b, getBytesType(b, 1), loaded);
  if (bytes < 4)
    return loaded;
  return vector::BitCastOp::create(
      b, VectorType::get(bytes / 4, b.getI32Type()), loaded);
}

Value SharedTile::load(const Segment &s, int64_t alignment) {
  int64_t bytes = s.length * unitBytes;
  if (bytes == 1)
    return loadBytes(getOffset(s, 0), 1);
  int64_t access = std::gcd(bytes, std::gcd(alignment, 16));
  SmallVector<Value> parts;
  for (int64_t byte = 0; byte != bytes; byte += access)
    parts.push_back(loadAccess(getOffset(s, byte), access));
  return joinVectors(b, parts);
}

/// All pieces are in the 16 bytes around the first one. Where that is says
/// which neighbours, and which pairs of them, are exchanged.
Value SharedTile::loadPiece(const Segment &s, const CopyPlan &plan) {
  constexpr int64_t kBytes = 16, kWords = 4;
  bool isWhole = plan.pieceBytes == kBytes &&
                 getPitchBytes(type) % kBytes == 0 &&
                 type.getLayout().getUnit() % (kBytes / kWords) == 0;
  if (!isWhole)
    return load(s, plan.alignment);
  if (type.getLayout().getMask() == 0)
    return load(s, kBytes);
  BitOps bits{b};
  Value first = getOffset(s, 0);
  Value words = loadAccess(bits.and_(first, ~uint32_t(kBytes - 1)), kBytes);
  for (int64_t unit = type.getLayout().getUnit(); unit < kBytes; unit *= 2) {
    SmallVector<int64_t> order;
    for (int64_t word = 0; word != kWords; ++word)
      order.push_back(word ^ (unit * kWords / kBytes));
    Value isExchanged = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne, bits.and_(first, unit), constantI32(b, 0));
    words = arith::SelectOp::create(
        b, isExchanged, vector::ShuffleOp::create(b, words, words, order),
        words);
  }
  return words;
}

void SharedTile::storeAccess(Value offset, Value value, int64_t bytes) {
  if (bytes == 1)
    value = b.createOrFold<vector::ExtractOp>(value, 0);
  storeBytes(offset, value, bytes);
}

/// `value`, an integer or a vector of integers, as bytes.
static Value toBytes(ImplicitLocOpBuilder &b, Value value, int64_t bytes) {
  if (!isa<VectorType>(value.getType()))
    value = vector::BroadcastOp::create(b, VectorType::get(1, value.getType()),
                                        value);
  return b.createOrFold<vector::BitCastOp>(getBytesType(b, bytes), value);
}

/// Element by element.
void SharedTile::storeColumn(const Segment &s, Value value) {
  if (s.length > 1)
    value = b.createOrFold<vector::BitCastOp>(
        VectorType::get(s.length, b.getIntegerType(8 * unitBytes)), value);
  for (int64_t e = 0; e != s.length; ++e) {
    Value element =
        s.length == 1 ? value : b.createOrFold<vector::ExtractOp>(value, e);
    storeAccess(getOffset(s.slice(e, 1), 0), toBytes(b, element, unitBytes),
                unitBytes);
  }
}

/// In accesses of at most 16 bytes, of all segments in turn: of two that are
/// rows at the same place LLVM makes one instruction, if nothing is between
/// them.
void SharedTile::store(ArrayRef<Segment> segments, ValueRange values,
                       int64_t alignment) {
  if (segments.front().downColumn) {
    for (auto [segment, value] : llvm::zip_equal(segments, values))
      storeColumn(segment, value);
    return;
  }
  int64_t bytes = segments.front().length * unitBytes;
  int64_t access = std::gcd(bytes, std::gcd(alignment, 16));
  for (int64_t byte = 0; byte != bytes; byte += access)
    for (auto [segment, value] : llvm::zip_equal(segments, values))
      storeAccess(getOffset(segment, byte),
                  sliceVector(b, toBytes(b, value, bytes), byte, access),
                  access);
}
