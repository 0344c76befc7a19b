//===- CastPattern.cpp - pattern of lpgemm.cast ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// `atom`, a vector of codes or one code, as 32-bit words; the last one may be
/// filled up with zeros.
static SmallVector<Value> getWords(ImplicitLocOpBuilder &b, Value atom) {
  auto type = dyn_cast<VectorType>(atom.getType());
  int64_t bits = type ? type.getNumElements() * type.getElementTypeBitWidth()
                      : atom.getType().getIntOrFloatBitWidth();
  if (bits % 32 != 0) {
    IntegerType whole = b.getIntegerType(bits);
    Value integer =
        type
            ? vector::ExtractOp::create(
                  b,
                  vector::BitCastOp::create(b, VectorType::get(1, whole), atom),
                  int64_t(0))
                  .getResult()
            : arith::BitcastOp::create(b, whole, atom).getResult();
    return {arith::ExtUIOp::create(b, b.getI32Type(), integer)};
  }
  Value words = b.createOrFold<vector::BitCastOp>(
      VectorType::get(bits / 32, b.getI32Type()), atom);
  SmallVector<Value> result;
  for (int64_t i = 0; i != bits / 32; ++i)
    result.push_back(b.createOrFold<vector::ExtractOp>(words, i));
  return result;
}

//===----------------------------------------------------------------------===//
// OCP to FNUZ (C-17)
//===----------------------------------------------------------------------===//

/// Bit 7 of every byte of `word` whose other bits are all zero, and which are
/// the only ones that may be set.
static Value findZeroBytes(BitOps bits, Value word) {
  return bits.and_(bits.not_(bits.add(word, 0x7F7F7F7F)), 0x80808080);
}

/// Four codes at a time. A code 0x80 becomes 0, and one that is not finite
/// becomes 0x80, the NaN of FNUZ formats.
static Value convertWordToFNUZ(ImplicitLocOpBuilder &b, Value word, Type from) {
  BitOps bits{b};
  Value magnitude = bits.and_(word, 0x7F7F7F7F);
  Value isNonZero = bits.add(magnitude, 0x7F7F7F7F);
  Value negativeZero =
      bits.and_(bits.and_(word, bits.not_(isNonZero)), 0x80808080);
  Value notFinite = isa<Float8E5M2Type>(from)
                        // Infinity is 0x7C, and all above it is NaN.
                        ? bits.and_(bits.add(magnitude, 0x04040404), 0x80808080)
                        : findZeroBytes(bits, bits.xor_(magnitude, 0x7F7F7F7F));
  Value wholeBytes =
      bits.or_(notFinite, bits.sub(notFinite, bits.shr(notFinite, 7)));
  Value kept = bits.and_(word, bits.not_(negativeZero));
  kept = bits.and_(kept, bits.not_(wholeBytes));
  return bits.or_(kept, notFinite);
}

static Value convertToFNUZ(ImplicitLocOpBuilder &b, Value atom, Type from,
                           VectorType atomType) {
  SmallVector<Value> words = getWords(b, atom);
  for (Value &word : words)
    word = convertWordToFNUZ(b, word, from);
  Value joined = vector::FromElementsOp::create(
      b, VectorType::get(words.size(), b.getI32Type()), words);
  return b.createOrFold<vector::BitCastOp>(atomType, joined);
}

//===----------------------------------------------------------------------===//
// To bf16 (C-10)
//===----------------------------------------------------------------------===//

/// Code `index` of a little-endian stream of codes (L-2, L-3).
static Value extractCode(BitOps bits, ArrayRef<Value> words, int64_t index,
                         int64_t width) {
  int64_t start = index * width, word = start / 32, shift = start % 32;
  Value code = bits.shr(words[word], shift);
  if (shift + width > 32)
    code = bits.or_(code, bits.shl(words[word + 1], 32 - shift));
  return bits.and_(code, (1u << width) - 1);
}

static Value convertToBF16(ImplicitLocOpBuilder &b, Value atom, Type from,
                           VectorType atomType) {
  SmallVector<Value> words = getWords(b, atom), elements;
  for (int64_t i = 0; i != atomType.getNumElements(); ++i) {
    Value code = extractCode(BitOps{b}, words, i, from.getIntOrFloatBitWidth());
    elements.push_back(
        arith::TruncIOp::create(b, b.getI16Type(), decodeCode(b, code, from)));
  }
  Value joined = vector::FromElementsOp::create(
      b, atomType.clone(Type(b.getI16Type())), elements);
  return vector::BitCastOp::create(b, atomType, joined);
}

//===----------------------------------------------------------------------===//
// FP8 to f16 (C-10)
//===----------------------------------------------------------------------===//

/// Two codes in the upper bytes of the halves of a word. As f16, shifted to its
/// exponent, a magnitude of f8E4M3FN is 2^(15 - 7) times too small, also where
/// it is subnormal; 0x7F is NaN. f8E5M2 is the upper half of f16.
static Value decodePair(ImplicitLocOpBuilder &b, Value codes, Type from) {
  BitOps bits{b};
  auto type = VectorType::get(2, b.getF16Type());
  auto bitcast = [&](Value value, VectorType to) {
    return b.createOrFold<vector::BitCastOp>(to, value);
  };
  auto wordType = VectorType::get(1, b.getI32Type());
  if (isa<Float8E5M2Type>(from))
    return bitcast(vector::BroadcastOp::create(b, wordType, codes), type);
  Value magnitude = bits.shr(bits.and_(codes, 0x7F007F00), 1);
  Value small =
      bitcast(vector::BroadcastOp::create(b, wordType, magnitude), type);
  Attribute power = b.getFloatAttr(b.getF16Type(), 256.0);
  Value scaled = arith::MulFOp::create(
      b, small,
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, power)));
  Value value =
      b.createOrFold<vector::ExtractOp>(bitcast(scaled, wordType), int64_t(0));
  // Only that of NaN carries into bit 14, from which on 0x7E00 is filled.
  Value isNaN = bits.and_(bits.add(magnitude, 0x00800080), 0x40004000);
  Value nan = bits.or_(isNaN, bits.sub(isNaN, bits.shr(isNaN, 5)));
  value = bits.or_(bits.or_(value, nan), bits.and_(codes, 0x80008000));
  return bitcast(vector::BroadcastOp::create(b, wordType, value), type);
}

static Value convertToF16(ImplicitLocOpBuilder &b, Value atom, Type from,
                          VectorType atomType) {
  BitOps bits{b};
  SmallVector<Value> pairs;
  for (Value word : getWords(b, atom)) {
    Value low = bits.or_(bits.shl(bits.and_(word, 0xFF), 8),
                         bits.shl(bits.and_(word, 0xFF00), 16));
    Value high = bits.or_(bits.and_(bits.shr(word, 8), 0xFF00),
                          bits.and_(word, 0xFF000000));
    for (Value codes : {low, high})
      if (2 * static_cast<int64_t>(pairs.size()) != atomType.getNumElements())
        pairs.push_back(decodePair(b, codes, from));
  }
  return joinVectors(b, pairs);
}

namespace {
struct CastPattern : OpConversionPattern<CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type from = op.getSource().getType().getElementType();
    auto atomType = cast<VectorType>(RegisterTile(op.getType()).getAtomType());
    Type to = atomType.getElementType();
    auto convert = to.isBF16()  ? convertToBF16
                   : to.isF16() ? convertToF16
                                : convertToFNUZ;
    SmallVector<Value> atoms;
    for (Value atom : adaptor.getSource())
      atoms.push_back(convert(b, atom, from, atomType));
    rewriter.replaceOpWithMultiple(op, {atoms});
    return success();
  }
};
} // namespace

void lpgemm::populateCastPattern(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<CastPattern>(converter, patterns.getContext());
}
