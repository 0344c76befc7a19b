//===- CastPattern.cpp - pattern of lpgemm.cast ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Integer arithmetic on i32 values and constants.
struct Bits {
  Value and_(Value x, uint32_t mask) {
    return b.createOrFold<arith::AndIOp>(x, constantI32(b, mask));
  }
  Value and_(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value or_(Value x, Value y) { return b.createOrFold<arith::OrIOp>(x, y); }
  Value or_(Value x, uint32_t mask) { return or_(x, constantI32(b, mask)); }
  Value xor_(Value x, uint32_t mask) {
    return b.createOrFold<arith::XOrIOp>(x, constantI32(b, mask));
  }
  Value not_(Value x) { return xor_(x, 0xFFFFFFFF); }
  Value add(Value x, uint32_t y) { return addI32(b, x, constantI32(b, y)); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value shl(Value x, int64_t by) {
    return b.createOrFold<arith::ShLIOp>(x, constantI32(b, by));
  }
  Value shr(Value x, int64_t by) {
    return b.createOrFold<arith::ShRUIOp>(x, constantI32(b, by));
  }

  ImplicitLocOpBuilder &b;
};
} // namespace

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
static Value findZeroBytes(Bits bits, Value word) {
  return bits.and_(bits.not_(bits.add(word, 0x7F7F7F7F)), 0x80808080);
}

/// Four codes at a time. A code 0x80 becomes 0, and one that is not finite
/// becomes 0x80, the NaN of FNUZ formats.
static Value convertWordToFNUZ(ImplicitLocOpBuilder &b, Value word, Type from) {
  Bits bits{b};
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
                           Type atomType) {
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

namespace {
/// How the codes of a format are decoded. As the upper bits of an f32, behind
/// the sign, a magnitude is 2^(127 - bias) times too small, also where it is
/// subnormal.
struct FormatBits {
  int64_t width, mantissa, bias;
  /// Magnitudes from here on are not finite; one beyond all of them if all are.
  int64_t firstNotFinite;
  /// Whether the code of -0 is NaN.
  bool isFNUZ;
};
} // namespace

static FormatBits getFormatBits(Type type) {
  auto floatType = cast<FloatType>(type);
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  int64_t width = floatType.getWidth();
  int64_t mantissa = floatType.getFPMantissaWidth() - 1;
  int64_t bias = 1 - llvm::APFloat::semanticsMinExponent(semantics);
  int64_t all = int64_t(1) << (width - 1);
  bool isFNUZ = isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type);
  int64_t firstNotFinite = isa<Float8E4M3FNType>(type) ? all - 1
                           : isa<Float8E5M2Type>(type) ? 0x7C
                                                       : all;
  return {width, mantissa, bias, firstNotFinite, isFNUZ};
}

/// Code `index` of a little-endian stream of codes (L-2, L-3).
static Value extractCode(Bits bits, ArrayRef<Value> words, int64_t index,
                         int64_t width) {
  int64_t start = index * width, word = start / 32, shift = start % 32;
  Value code = bits.shr(words[word], shift);
  if (shift + width > 32)
    code = bits.or_(code, bits.shl(words[word + 1], 32 - shift));
  return bits.and_(code, (1u << width) - 1);
}

/// The bits of the code's value as a bf16, in an i32.
static Value decodeCode(ImplicitLocOpBuilder &b, Value code,
                        const FormatBits &format) {
  Bits bits{b};
  uint32_t signBit = 1u << (format.width - 1);
  Value magnitude = bits.and_(code, signBit - 1);
  Value small = arith::BitcastOp::create(
      b, b.getF32Type(), bits.shl(magnitude, 23 - format.mantissa));
  Value power = arith::ConstantOp::create(
      b, b.getFloatAttr(b.getF32Type(), std::ldexp(1.0, 127 - format.bias)));
  Value value = arith::BitcastOp::create(
      b, b.getI32Type(), arith::MulFOp::create(b, small, power));
  // All values have at most 8 significant bits: the rest is zero.
  value = bits.shr(value, 16);
  auto select = [&](arith::CmpIPredicate predicate, Value x, int64_t y,
                    Value then) {
    Value condition = arith::CmpIOp::create(b, predicate, x, constantI32(b, y));
    value = arith::SelectOp::create(b, condition, then, value);
  };
  // The bits of an infinity and of a NaN are those behind exponents of ones.
  if (format.firstNotFinite < signBit)
    select(arith::CmpIPredicate::uge, magnitude, format.firstNotFinite,
           bits.or_(bits.shl(magnitude, 7 - format.mantissa), 0x7F80));
  value =
      bits.or_(value, bits.shl(bits.and_(code, signBit), 16 - format.width));
  if (format.isFNUZ)
    select(arith::CmpIPredicate::eq, code, signBit, constantI32(b, 0x7FC0));
  return value;
}

Value lpgemm::decodeElement(ImplicitLocOpBuilder &b, Value element) {
  FormatBits format = getFormatBits(element.getType());
  Value code = arith::ExtUIOp::create(
      b, b.getI32Type(),
      arith::BitcastOp::create(b, b.getIntegerType(format.width), element));
  return arith::BitcastOp::create(b, b.getF32Type(),
                                  Bits{b}.shl(decodeCode(b, code, format), 16));
}

static Value convertToBF16(ImplicitLocOpBuilder &b, Value atom, Type from,
                           VectorType atomType) {
  FormatBits format = getFormatBits(from);
  SmallVector<Value> words = getWords(b, atom), elements;
  for (int64_t i = 0; i != atomType.getNumElements(); ++i) {
    Value code = extractCode(Bits{b}, words, i, format.width);
    elements.push_back(arith::TruncIOp::create(b, b.getI16Type(),
                                               decodeCode(b, code, format)));
  }
  Value joined = vector::FromElementsOp::create(
      b, atomType.clone(Type(b.getI16Type())), elements);
  return vector::BitCastOp::create(b, atomType, joined);
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
    SmallVector<Value> atoms;
    for (Value atom : adaptor.getSource())
      atoms.push_back(atomType.getElementType().isBF16()
                          ? convertToBF16(b, atom, from, atomType)
                          : convertToFNUZ(b, atom, from, atomType));
    rewriter.replaceOpWithMultiple(op, {atoms});
    return success();
  }
};
} // namespace

void lpgemm::populateCastPattern(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<CastPattern>(converter, patterns.getContext());
}
