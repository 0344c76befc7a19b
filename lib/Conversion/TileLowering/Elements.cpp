//===- Elements.cpp - codes and values of narrow floats -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "lpgemm/Target/KnownTargets.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Decoding
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

Value lpgemm::decodeCode(ImplicitLocOpBuilder &b, Value code, Type type) {
  FormatBits format = getFormatBits(type);
  BitOps bits{b};
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
  Type type = element.getType();
  Value code = arith::ExtUIOp::create(
      b, b.getI32Type(),
      arith::BitcastOp::create(
          b, b.getIntegerType(type.getIntOrFloatBitWidth()), element));
  return arith::BitcastOp::create(b, b.getF32Type(),
                                  BitOps{b}.shl(decodeCode(b, code, type), 16));
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

namespace {
/// How a format is encoded (docs/spec.md, Formats).
struct EncodingInfo {
  int64_t width, mantissa, bias;
  int64_t largest;  // code of the largest finite magnitude
  int64_t nan;      // code of NaN, also of one with a sign
  int64_t overflow; // (C-4) code of a magnitude beyond the largest
  bool hasNegativeZero;
};
} // namespace

static EncodingInfo getEncodingInfo(Type type) {
  return llvm::TypeSwitch<Type, EncodingInfo>(type)
      .Case([](Float8E4M3FNType) {
        return EncodingInfo{8, 3, 7, 0x7E, 0x7F, 0x7F, true};
      })
      .Case([](Float8E5M2Type) {
        return EncodingInfo{8, 2, 15, 0x7B, 0x7F, 0x7C, true};
      })
      .Case([](Float8E4M3FNUZType) {
        return EncodingInfo{8, 3, 8, 0x7F, 0x80, 0x80, false};
      })
      .Case([](Float8E5M2FNUZType) {
        return EncodingInfo{8, 2, 16, 0x7F, 0x80, 0x80, false};
      })
      // (C-5)
      .Case([](Float6E2M3FNType) {
        return EncodingInfo{6, 3, 1, 0x1F, 0x1F, 0x1F, true};
      })
      .Case([](Float6E3M2FNType) {
        return EncodingInfo{6, 2, 3, 0x1F, 0x1F, 0x1F, true};
      })
      .Case([](Float4E2M1FNType) {
        return EncodingInfo{4, 1, 1, 0x7, 0x7, 0x7, true};
      });
}

namespace {
/// The bits of the f32 that is encoded, and of its code, as i32.
class Encoder {
public:
  Encoder(ImplicitLocOpBuilder &b, EncodingInfo format)
      : b(b), format(format) {}

  Value encode(Value value, bool nosat);

private:
  Value roundNormal(Value magnitude);
  Value roundSubnormal(Value magnitude);
  Value isAbove(Value bits, int64_t limit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, bits,
                                 constantI32(b, limit));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }

  static constexpr int64_t kMantissa = 23, kBias = 127; // of f32

  ImplicitLocOpBuilder &b;
  EncodingInfo format;
};
} // namespace

/// A carry out of the mantissa runs into the exponent field as it should.
Value Encoder::roundNormal(Value magnitude) {
  int64_t shift = kMantissa - format.mantissa;
  Value rebased =
      addI32(b, magnitude, constantI32(b, (format.bias - kBias) * (1 << 23)));
  Value place = constantI32(b, shift);
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, rebased, place), constantI32(b, 1));
  Value almostHalf = constantI32(b, (int64_t(1) << (shift - 1)) - 1);
  Value rounded = addI32(b, addI32(b, rebased, almostHalf), odd);
  return arith::ShRUIOp::create(b, rounded, place);
}

/// Added to an f32 whose last place is the smallest number of the format, the
/// magnitude is rounded as it should be, and is the difference of the bits.
Value Encoder::roundSubnormal(Value magnitude) {
  double power = std::ldexp(1.0, kMantissa + 1 - format.bias - format.mantissa);
  Value large =
      arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), power));
  Value sum = arith::AddFOp::create(
      b, arith::BitcastOp::create(b, b.getF32Type(), magnitude), large);
  return arith::SubIOp::create(
      b, arith::BitcastOp::create(b, b.getI32Type(), sum),
      constantI32(b, llvm::bit_cast<int32_t>(static_cast<float>(power))));
}

/// (C-1) to (C-7)
Value Encoder::encode(Value value, bool nosat) {
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  Value magnitude = arith::AndIOp::create(b, bits, constantI32(b, 0x7FFFFFFF));
  Value sign = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, constantI32(b, 32 - format.width)),
      constantI32(b, int64_t(1) << (format.width - 1)));
  int64_t largestSubnormal = ((kBias + 1 - format.bias) << kMantissa) - 1;
  Value code = select(isAbove(magnitude, largestSubnormal),
                      roundNormal(magnitude), roundSubnormal(magnitude));
  code = select(isAbove(code, format.largest),
                constantI32(b, nosat ? format.overflow : format.largest), code);
  if (!format.hasNegativeZero) // (C-7)
    sign = select(isAbove(code, 0), sign, constantI32(b, 0));
  code = arith::OrIOp::create(b, code, sign);
  return select(isAbove(magnitude, 0x7F800000), constantI32(b, format.nan),
                code);
}

Value lpgemm::encodeElement(ImplicitLocOpBuilder &b, Value value, Type type,
                            bool nosat) {
  return Encoder(b, getEncodingInfo(type)).encode(value, nosat);
}

bool lpgemm::isConvertedByChip(Operation *op, Type type) {
  const TargetRecord &record = *lookupTargetRecord(lookupTarget(op).getChip());
  std::optional<ElementKind> kind = getElementKind(type);
  return kind &&
         record.lookupProduct(*kind, *kind) == OperandKinds{*kind, *kind};
}
