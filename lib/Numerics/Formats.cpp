//===- Formats.cpp - Low-precision number formats -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Formats.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::lpgemm;

using EF = ElementFormat;
using SC = SpecialCodes;

static constexpr FormatInfo formatInfos[] = {
    // name, bits, mantissa bits, bias, emax, qmax, its code, specials, signed
    {EF::F8E4M3FN, "f8E4M3FN", 8, 3, 7, 8, 448.0, 0x7E, SC::AllOnesNaN, true},
    {EF::F8E5M2, "f8E5M2", 8, 2, 15, 15, 57344.0, 0x7B, SC::IEEE, true},
    {EF::F8E4M3FNUZ, "f8E4M3FNUZ", 8, 3, 8, 7, 240.0, 0x7F, SC::NegativeZeroNaN,
     true},
    {EF::F8E5M2FNUZ, "f8E5M2FNUZ", 8, 2, 16, 15, 57344.0, 0x7F,
     SC::NegativeZeroNaN, true},
    {EF::F6E2M3FN, "f6E2M3FN", 6, 3, 1, 2, 7.5, 0x1F, SC::None, true},
    {EF::F6E3M2FN, "f6E3M2FN", 6, 2, 3, 4, 28.0, 0x1F, SC::None, true},
    {EF::F4E2M1FN, "f4E2M1FN", 4, 1, 1, 2, 6.0, 0x7, SC::None, true},
    {EF::F8E8M0FNU, "f8E8M0FNU", 8, 0, 127, 127, 0x1p127, 0xFE, SC::AllOnesNaN,
     false},
    {EF::I8, "i8", 8, 6, 0, 6, 127.0, 0x7F, SC::TwosComplement, true},
    {EF::I4, "i4", 4, 2, 0, 2, 7.0, 0x7, SC::TwosComplement, true},
    {EF::MXI8, "mxint8", 8, 6, 0, 0, 127.0 / 64, 0x7F, SC::TwosComplement,
     true},
};

ArrayRef<FormatInfo> mlir::lpgemm::getFormatInfos() { return formatInfos; }

const FormatInfo &mlir::lpgemm::getFormatInfo(ElementFormat format) {
  const FormatInfo &info = formatInfos[static_cast<unsigned>(format)];
  assert(info.format == format && "the table is not in the enum's order");
  return info;
}

std::optional<ElementFormat> mlir::lpgemm::parseElementFormat(StringRef name) {
  for (const FormatInfo &info : formatInfos)
    if (info.name == name)
      return info.format;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static bool isNaNCode(const FormatInfo &info, unsigned code) {
  unsigned magnitude = code & ~info.getSignMask();
  switch (info.specials) {
  case SC::None:
  case SC::TwosComplement:
    return false;
  case SC::AllOnesNaN:
    return magnitude > info.qmaxCode;
  case SC::IEEE:
    return magnitude > info.qmaxCode + 1u;
  case SC::NegativeZeroNaN:
    return code == info.getSignMask();
  }
  llvm_unreachable("unknown kind of special codes");
}

/// The exponent of the unit that the codes of an integer format count.
static int getUnitExponent(const FormatInfo &info) {
  return info.emax - static_cast<int>(info.mantissaBits);
}

double mlir::lpgemm::decode(ElementFormat format, uint8_t code) {
  const FormatInfo &info = getFormatInfo(format);
  assert(code < info.getNumCodes() && "code out of range");
  if (info.isInteger())
    return std::ldexp(SignExtend32(code, info.bits), getUnitExponent(info));
  if (isNaNCode(info, code))
    return std::numeric_limits<double>::quiet_NaN();
  unsigned sign = code & info.getSignMask();
  unsigned magnitude = code ^ sign;
  unsigned mantissa = magnitude & ((1u << info.mantissaBits) - 1);
  int exponent = magnitude >> info.mantissaBits;
  double value;
  if (info.specials == SC::IEEE && magnitude > info.qmaxCode) {
    value = std::numeric_limits<double>::infinity();
  } else {
    // F8E8M0FNU has no subnormal range: its code 0 is 2^-127.
    bool isSubnormal = exponent == 0 && info.isSigned;
    if (isSubnormal)
      exponent = 1;
    else
      mantissa += 1u << info.mantissaBits;
    value = std::ldexp(mantissa, exponent - info.bias -
                                     static_cast<int>(info.mantissaBits));
  }
  return sign ? -value : value;
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

/// floor(log2(value)) of a positive finite value.
static int floorLog2(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return exponent - 1;
}

uint8_t mlir::lpgemm::encodeE8M0(double value, PowerRounding rounding,
                                 Overflow overflow) {
  const FormatInfo &info = getFormatInfo(EF::F8E8M0FNU);
  const uint8_t nanCode = 0xFF;
  if (std::isnan(value))
    return nanCode;
  value = std::fabs(value);
  if (value == 0.0)
    return 0;
  int exponent = info.emax + 1;
  if (std::isfinite(value)) {
    exponent = floorLog2(value);
    if (rounding == PowerRounding::Up && std::ldexp(1.0, exponent) != value)
      ++exponent;
  }
  if (exponent > info.emax)
    return overflow == Overflow::Saturate ? info.qmaxCode : nanCode;
  return std::max(exponent + info.bias, 0);
}

/// Rounds a non-negative number to an integer.
using RoundFn = function_ref<double(double)>;

/// The magnitude of a finite non-negative value rounded to the format, as if
/// there were no largest one. The scalings are exact, so that the value is
/// rounded once (C-1).
static double roundMagnitude(const FormatInfo &info, double value,
                             RoundFn round) {
  if (info.isInteger())
    return round(std::ldexp(value, -getUnitExponent(info)));
  if (value == 0.0)
    return 0;
  const int minExponent = 1 - info.bias;
  const int mantissaBits = info.mantissaBits;
  int exponent = std::max(floorLog2(value), minExponent);
  double places = round(std::ldexp(value, mantissaBits - exponent));
  // A carry out of the mantissa runs into the exponent field as it should.
  return std::ldexp(exponent - minExponent, mantissaBits) + places;
}

/// The code of the positive NaN, or of what stands for it.
static uint8_t getNaNCode(const FormatInfo &info) {
  switch (info.specials) {
  case SC::None:
    return info.qmaxCode;
  case SC::AllOnesNaN:
  case SC::IEEE:
    return 0x7F;
  case SC::NegativeZeroNaN:
    return info.getSignMask();
  case SC::TwosComplement:
    return 0;
  }
  llvm_unreachable("unknown kind of special codes");
}

/// The code of a magnitude beyond qmax, without its sign (C-3 to C-5, C-9).
static uint8_t getOverflowCode(const FormatInfo &info, Overflow overflow) {
  bool hasOverflow = info.specials != SC::None && !info.isInteger();
  if (overflow == Overflow::Saturate || !hasOverflow)
    return info.qmaxCode;
  // Infinity, and the NaN of E4M3FN, follow the largest finite code.
  return info.specials == SC::NegativeZeroNaN ? getNaNCode(info)
                                              : info.qmaxCode + 1;
}

static uint8_t attachSign(const FormatInfo &info, uint8_t magnitude) {
  if (info.isInteger())
    return -magnitude & (info.getNumCodes() - 1);
  // There is no negative zero where its code means NaN (C-7).
  if (info.specials == SC::NegativeZeroNaN && magnitude == 0)
    return 0;
  return magnitude | info.getSignMask();
}

static uint8_t encodeWith(ElementFormat format, double value, Overflow overflow,
                          RoundFn round) {
  const FormatInfo &info = getFormatInfo(format);
  if (std::isnan(value))
    return getNaNCode(info);
  double magnitude = std::isinf(value)
                         ? std::fabs(value)
                         : roundMagnitude(info, std::fabs(value), round);
  // Overflow is judged after rounding (C-2).
  uint8_t code = magnitude > info.qmaxCode ? getOverflowCode(info, overflow)
                                           : static_cast<uint8_t>(magnitude);
  return std::signbit(value) ? attachSign(info, code) : code;
}

uint8_t mlir::lpgemm::encode(ElementFormat format, double value,
                             Overflow overflow) {
  if (format == EF::F8E8M0FNU)
    return encodeE8M0(value, PowerRounding::Up, overflow);
  // The default rounding mode is to nearest, ties to even.
  return encodeWith(format, value, overflow,
                    [](double places) { return std::nearbyint(places); });
}

uint8_t mlir::lpgemm::encodeStochastic(ElementFormat format, double value,
                                       uint32_t random, Overflow overflow) {
  assert(format != EF::F8E8M0FNU && "no stochastic rounding of scales");
  return encodeWith(format, value, overflow, [random](double places) {
    double below = std::floor(places);
    double fraction = std::floor(std::ldexp(places - below, 32));
    return fraction > random ? below + 1 : below;
  });
}

uint32_t mlir::lpgemm::getRandomBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed + 0x9E3779B97F4A7C15 * (index + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return (z ^ (z >> 31)) >> 32;
}

//===----------------------------------------------------------------------===//
// OCP and FNUZ formats
//===----------------------------------------------------------------------===//

/// The FNUZ formats' NaN, which is the negative zero of the others.
static constexpr uint8_t fnuzNaN = 0x80;

uint8_t mlir::lpgemm::relabelAsFNUZ(ElementFormat format, uint8_t code) {
  assert((format == EF::F8E4M3FN || format == EF::F8E5M2) &&
         "not an OCP format");
  if (code == fnuzNaN)
    return 0x00;
  return std::isfinite(decode(format, code)) ? code : fnuzNaN;
}

std::optional<uint8_t> mlir::lpgemm::relabelFromFNUZ(ElementFormat format,
                                                     uint8_t code) {
  assert((format == EF::F8E4M3FN || format == EF::F8E5M2) &&
         "not an OCP format");
  if (code == fnuzNaN || !std::isfinite(decode(format, code)))
    return std::nullopt;
  return code;
}
