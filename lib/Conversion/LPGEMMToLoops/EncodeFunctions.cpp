//===- EncodeFunctions.cpp - conversions from f64 to shorter types --------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericTypes.h"
#include "ScalarExpr.h"
#include "lpgemm/Conversion/NumericFunctions.h"
#include <limits>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// A format by its binary layout, as far as rounding to it goes.
struct Layout {
  unsigned bits;
  unsigned mantissaBits;
  int bias;
  /// The largest finite code, and the one that stands for what is larger.
  int64_t maxCode;
  int64_t overflowCode;
  int64_t nanCode;
  bool hasNegativeZero;
  /// Two's complement instead of a sign and a magnitude.
  bool isInteger = false;
};

} // namespace

static Layout getLayout(Type type, Overflow overflow) {
  if (type.isBF16())
    return {16, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, true};
  if (type.isF16())
    return {16, 10, 15, 0x7BFF, 0x7C00, 0x7E00, true};
  ElementFormat format = *parseElementFormat(printType(type));
  const FormatInfo &info = getFormatInfo(format);
  using Limits = std::numeric_limits<double>;
  Layout layout = {info.bits,
                   info.mantissaBits,
                   info.bias,
                   info.qmaxCode,
                   encode(format, Limits::infinity(), overflow),
                   encode(format, Limits::quiet_NaN()),
                   info.specials != SpecialCodes::NegativeZeroNaN,
                   info.isInteger()};
  if (layout.isInteger) {
    // The magnitudes are the subnormals of a format whose last place is 1, and
    // whose normal values are out of range.
    layout.mantissaBits = info.bits - 1;
    layout.bias = 1 - static_cast<int>(layout.mantissaBits);
  }
  return layout;
}

/// Whether what was cut off below the last of the `kept` bits rounds up: the
/// lower `shift` bits `cut` of an integer of 53 bits. `shift` may be larger
/// than the width of its type.
static ScalarExpr roundsUp(ScalarExpr kept, ScalarExpr cut, ScalarExpr shift,
                           Value random, ImplicitLocOpBuilder &b) {
  if (!random) {
    ScalarExpr half = kept.constant(1) << (shift.min(63) - 1);
    return cut + (kept & 1) > half;
  }
  // C-16: the fraction in units of 2^-32. At least 45 bits are cut off.
  ScalarExpr fraction = cut >> (shift - 32).min(63);
  return fraction > ScalarExpr(b, random).extendUnsigned(cut.getType());
}

/// The code of a magnitude whose sign is the bit `negative`.
static ScalarExpr applySign(const Layout &layout, ScalarExpr negative,
                            ScalarExpr magnitude) {
  if (layout.isInteger) {
    ScalarExpr opposite = magnitude.constant(0) - magnitude;
    return (negative == 0).select(magnitude, opposite) &
           ((1 << layout.bits) - 1);
  }
  ScalarExpr sign = negative << (layout.bits - 1);
  if (!layout.hasNegativeZero)
    sign = (magnitude == 0).select(0, sign); // C-7
  return sign | magnitude;
}

/// The code of the f64 `value`, as i64.
static ScalarExpr encodeBits(ImplicitLocOpBuilder &b, const Layout &layout,
                             Value value, Value random) {
  using namespace binary64;
  const int minExponent = 1 - layout.bias;
  ScalarExpr bits = ScalarExpr(b, value).bitcast(b.getI64Type());
  ScalarExpr magnitude = bits & std::numeric_limits<int64_t>::max();
  ScalarExpr exponent = (magnitude >> mantissaBits) - bias;
  // What has no leading one, zero and the subnormals of f64, is so far below
  // every format that the wrong one does not matter.
  ScalarExpr significand =
      (magnitude & mantissaMask) | (int64_t(1) << mantissaBits);

  // In the subnormal range of the format the last place has a fixed exponent.
  ScalarExpr roundedExponent = exponent.max(minExponent);
  ScalarExpr shift = roundedExponent - exponent +
                     (mantissaBits - static_cast<int>(layout.mantissaBits));
  ScalarExpr kept = significand >> shift.min(63);
  ScalarExpr cut = significand - (kept << shift.min(63));
  ScalarExpr up = roundsUp(kept, cut, shift, random, b);
  // A carry out of the mantissa runs into the exponent field as it should, and
  // the exponent of infinity lies above every format.
  ScalarExpr code = ((roundedExponent - minExponent) << layout.mantissaBits) +
                    kept + up.extendUnsigned(kept.getType());

  code = (code > layout.maxCode).select(layout.overflowCode, code); // C-2
  code = applySign(layout, bits >> 63, code);
  return (magnitude > infinity).select(layout.nanCode, code); // C-5, C-6, C-9
}

Value NumericFunctions::encode(ImplicitLocOpBuilder &b, Type type, Value value,
                               Overflow overflow, Value random) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return ScalarExpr(b, value).roundToF32();
  bool isShort = type.getIntOrFloatBitWidth() <= 8;
  assert((!random || isShort) &&
         "only formats of Formats.h are rounded stochastically");
  SmallVector<Value> arguments = {value};
  std::string name = "encode_" + printType(type);
  if (isShort && overflow == Overflow::NoSaturate)
    name += "_nosat";
  if (random) {
    name += "_sr";
    arguments.push_back(random);
  }
  Type codeType = isShort ? b.getI8Type() : b.getI16Type();
  Type resultType = isShort ? codeType : type;
  return call(b, name, resultType, arguments,
              [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
                Value random = arguments.size() > 1 ? arguments[1] : Value();
                ScalarExpr code = encodeBits(b, getLayout(type, overflow),
                                             arguments[0], random)
                                      .truncate(codeType);
                return isShort ? code : code.bitcast(resultType);
              });
}

Value NumericFunctions::drawRandomBits(ImplicitLocOpBuilder &b, Value seed,
                                       Value index) {
  Value position = arith::IndexCastUIOp::create(b, b.getI64Type(), index);
  return call(b, "random_bits", b.getI32Type(), {seed, position},
              [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
                ScalarExpr seed(b, arguments[0]), position(b, arguments[1]);
                ScalarExpr z = seed + (position + 1) * static_cast<int64_t>(
                                                           0x9E3779B97F4A7C15);
                z = (z ^ (z >> 30)) * static_cast<int64_t>(0xBF58476D1CE4E5B9);
                z = (z ^ (z >> 27)) * static_cast<int64_t>(0x94D049BB133111EB);
                z = z ^ (z >> 31);
                return (z >> 32).truncate(b.getI32Type());
              });
}
