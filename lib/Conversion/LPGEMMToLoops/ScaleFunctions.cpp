//===- ScaleFunctions.cpp - scales of quantized blocks --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericTypes.h"
#include "ScalarExpr.h"
#include "lpgemm/Conversion/NumericFunctions.h"
#include <cassert>
#include <cfloat>
#include <iterator>
#include <limits>

using namespace mlir;
using namespace mlir::lpgemm;

static ElementFormat getFormat(Type type) {
  return *parseElementFormat(printType(type));
}

/// The format that elements have under an f8E8M0FNU scale.
static const FormatInfo &getPowerScaledInfo(Type type) {
  return getFormatInfo(
      getScaledFormat(getFormat(type), ScaleFormat::F8E8M0FNU));
}

/// An i8 element under an f8E8M0FNU scale counts the inverse of this (E-4).
static constexpr double unitsPerOne = 64;

static ScalarExpr isFinite(ScalarExpr magnitude) {
  return magnitude <
         magnitude.floatConstant(std::numeric_limits<double>::infinity());
}

/// A NaN of the type of `value`.
static ScalarExpr getNaN(ScalarExpr value) {
  return value.floatConstant(std::numeric_limits<double>::quiet_NaN());
}

//===----------------------------------------------------------------------===//
// f8E8M0FNU
//===----------------------------------------------------------------------===//

/// The exponent, biased as in f8E8M0FNU, of the power of two next to the f32
/// `value`, which is not negative (C-11, C-12). As an f64 every f32 but zero,
/// which is far below every scale, has a leading one.
static ScalarExpr getPowerExponent(ImplicitLocOpBuilder &b, ScalarExpr value,
                                   PowerRounding rounding) {
  using namespace binary64;
  const int scaleBias = getFormatInfo(ElementFormat::F8E8M0FNU).bias;
  ScalarExpr bits = value.extendFloat(b.getF64Type()).bitcast(b.getI64Type());
  // Every bit of the mantissa carries into the exponent.
  if (rounding == PowerRounding::Up)
    bits = bits + mantissaMask;
  return (bits >> mantissaBits) - (bias - scaleBias);
}

static ScalarExpr emitRCeil(ImplicitLocOpBuilder &b, ScalarExpr amax,
                            const FormatInfo &info) {
  return getPowerExponent(b, amax / amax.floatConstant(info.qmax),
                          PowerRounding::Up);
}

static ScalarExpr emitFloor(ImplicitLocOpBuilder &b, ScalarExpr amax,
                            const FormatInfo &info) {
  return getPowerExponent(b, amax, PowerRounding::Down) - info.emax;
}

static ScalarExpr emitCeil(ImplicitLocOpBuilder &b, ScalarExpr amax,
                           const FormatInfo &info) {
  return getPowerExponent(b, amax, PowerRounding::Up) - info.emax;
}

static ScalarExpr emitEven(ImplicitLocOpBuilder &b, ScalarExpr amax,
                           const FormatInfo &info) {
  // Half a place of the mantissa carries into the exponent field exactly if
  // amax rounds to the next power of two.
  const int mantissaBits = 23;
  ScalarExpr bits = amax.bitcast(b.getI32Type());
  bits = bits + (int64_t(1)
                 << (mantissaBits - 1 - static_cast<int>(info.mantissaBits)));
  return (bits >> mantissaBits).extendUnsigned(b.getI64Type()) - info.emax;
}

namespace {

/// A rule of S-14: the exponent of the scale before it is clamped, as i64.
struct RuleInfo {
  StringLiteral name;
  ScalarExpr (*emit)(ImplicitLocOpBuilder &b, ScalarExpr amax,
                     const FormatInfo &info);
};

} // namespace

/// Indexed by ScaleRule, whose other rules make no f8E8M0FNU scales.
static constexpr RuleInfo ruleInfos[] = {
    {"rceil", emitRCeil},
    {"floor", emitFloor},
    {"ceil", emitCeil},
    {"even", emitEven},
};

/// The f8E8M0FNU code that a rule gives for elements of `info`.
static ScalarExpr emitPowerCode(ImplicitLocOpBuilder &b, const RuleInfo &rule,
                                const FormatInfo &info, ScalarExpr amax) {
  ScalarExpr code = rule.emit(b, amax, info).max(0).min(0xFE); // S-15
  code = isFinite(amax).select(code, code.constant(0xFF));     // S-13
  return code.truncate(b.getI8Type());
}

Value NumericFunctions::computeE8M0Scale(ImplicitLocOpBuilder &b, Type type,
                                         ScaleRule rule, Value amax) {
  assert(static_cast<unsigned>(rule) < std::size(ruleInfos) &&
         "not a rule for powers of two");
  const RuleInfo &info = ruleInfos[static_cast<unsigned>(rule)];
  return call(b, "scale_" + info.name + "_" + printType(type), b.getI8Type(),
              amax,
              [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
                return emitPowerCode(b, info, getPowerScaledInfo(type),
                                     {b, arguments[0]});
              });
}

Value NumericFunctions::scaleByE8M0(ImplicitLocOpBuilder &b, Type type,
                                    Value value, Value scale) {
  // In f64 the division is exact for every scale, also where f32 would have to
  // represent a subnormal quotient.
  Type f64 = b.getF64Type();
  ScalarExpr quotient = ScalarExpr(b, value).extendFloat(f64) /
                        ScalarExpr(b, scale).extendFloat(f64);
  if (!type.isInteger(8))
    return quotient;
  return quotient * quotient.floatConstant(unitsPerOne);
}

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

Value NumericFunctions::computeF32Scale(ImplicitLocOpBuilder &b, Type type,
                                        Value amax) {
  double qmax = getFormatInfo(getFormat(type)).qmax;
  return call(b, "scale_f32_" + printType(type), b.getF32Type(), amax,
              [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
                ScalarExpr amax(b, arguments[0]);
                ScalarExpr scale = amax / amax.floatConstant(qmax);
                ScalarExpr zero = amax.floatConstant(0);
                scale = (amax == zero).select(amax.floatConstant(1), scale);
                return isFinite(amax).select(scale, getNaN(scale)); // S-13
              });
}

Value NumericFunctions::computePow2Scale(ImplicitLocOpBuilder &b, Type type,
                                         Value amax) {
  // Of the format itself: only f8E8M0FNU scales make i8 another one.
  const FormatInfo &format = getFormatInfo(getFormat(type));
  return call(
      b, "scale_pow2_" + printType(type), b.getF32Type(), amax,
      [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
        ScalarExpr amax(b, arguments[0]);
        ScalarExpr code =
            emitPowerCode(b, ruleInfos[static_cast<unsigned>(ScaleRule::RCeil)],
                          format, amax);
        ScalarExpr scale(b, decode(b, Float8E8M0FNUType::get(b.getContext()),
                                   code, b.getF32Type()));
        return (amax == amax.floatConstant(0))
            .select(scale.floatConstant(1), scale);
      });
}

/// A value divided by its scale, given the product with a factor in its place
/// or the quotient itself. A scale of zero gives zero (S-3), and zeros must not
/// see that the factor of a tiny scale is infinite.
static Value finishQuotient(ImplicitLocOpBuilder &b, ScalarExpr value,
                            ScalarExpr scale, ScalarExpr quotient) {
  ScalarExpr zero = scale.floatConstant(0);
  quotient = (value == zero).select(value / scale, quotient);
  quotient = (scale == zero).select(zero, quotient);
  quotient = value.isNaN().select(value, quotient);
  return quotient.extendFloat(b.getF64Type());
}

Value NumericFunctions::scaleByF32(ImplicitLocOpBuilder &b, Value value,
                                   Value scale, bool reciprocal) {
  ScalarExpr dividend(b, value), divisor(b, scale);
  ScalarExpr quotient = reciprocal
                            ? dividend * (divisor.floatConstant(1) / divisor)
                            : dividend / divisor;
  return finishQuotient(b, dividend, divisor, quotient);
}

//===----------------------------------------------------------------------===//
// f8E4M3FN under an f32 scale of the tensor
//===----------------------------------------------------------------------===//

/// The largest f4E2M1FN value, and its product with the largest f8E4M3FN value.
static constexpr double elementMax = 6;
static constexpr double tensorMax = 448 * elementMax;

/// The f32 next to an f32 that must not be infinite.
static ScalarExpr clampToFinite(ScalarExpr value) {
  ScalarExpr max = value.floatConstant(FLT_MAX);
  ScalarExpr min = value.floatConstant(-FLT_MAX);
  value = (value > max).select(max, value);
  return (value < min).select(min, value);
}

Value NumericFunctions::computeTensorFactor(ImplicitLocOpBuilder &b,
                                            Value tensorAmax) {
  return call(b, "tensor_factor", b.getF32Type(), tensorAmax,
              [&](ImplicitLocOpBuilder &b, ValueRange arguments) -> Value {
                ScalarExpr amax(b, arguments[0]);
                ScalarExpr factor =
                    clampToFinite(amax.floatConstant(tensorMax) / amax);
                ScalarExpr zero = amax.floatConstant(0);
                factor = (amax == zero).select(amax.floatConstant(1), factor);
                return isFinite(amax).select(factor, getNaN(amax)); // S-13
              });
}

Value NumericFunctions::invertTensorScale(ImplicitLocOpBuilder &b,
                                          Value scale) {
  ScalarExpr divisor(b, scale);
  return clampToFinite(divisor.floatConstant(1) / divisor);
}

Value NumericFunctions::computeE4M3Scale(ImplicitLocOpBuilder &b,
                                         Value tensorFactor, Value amax,
                                         float minScale) {
  ScalarExpr factor(b, tensorFactor), largest(b, amax);
  ScalarExpr scale =
      (largest * (factor / factor.floatConstant(elementMax))).magnitude();
  if (minScale != 0)
    scale = scale.maximum(scale.floatConstant(minScale));
  scale = isFinite(largest).select(scale, getNaN(scale)); // S-13
  return encode(b, Float8E4M3FNType::get(b.getContext()),
                scale.extendFloat(b.getF64Type()));
}

Value NumericFunctions::scaleByE4M3(ImplicitLocOpBuilder &b, Value value,
                                    Value tensorFactor, Value scale) {
  ScalarExpr dividend(b, value), divisor(b, scale);
  ScalarExpr quotient = dividend * (ScalarExpr(b, tensorFactor) / divisor);
  return finishQuotient(b, dividend, divisor, quotient);
}
