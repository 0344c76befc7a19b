//===- FormatsTest.cpp - Low-precision number formats ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Formats.h"

#include "ConversionGoldens.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::lpgemm;

using EF = ElementFormat;

namespace {

const double inf = std::numeric_limits<double>::infinity();
const double quietNaN = std::numeric_limits<double>::quiet_NaN();

/// APFloat's idea of a floating point format.
const fltSemantics &getSemantics(ElementFormat format) {
  switch (format) {
  case EF::F8E4M3FN:
    return APFloat::Float8E4M3FN();
  case EF::F8E5M2:
    return APFloat::Float8E5M2();
  case EF::F8E4M3FNUZ:
    return APFloat::Float8E4M3FNUZ();
  case EF::F8E5M2FNUZ:
    return APFloat::Float8E5M2FNUZ();
  case EF::F6E2M3FN:
    return APFloat::Float6E2M3FN();
  case EF::F6E3M2FN:
    return APFloat::Float6E3M2FN();
  case EF::F4E2M1FN:
    return APFloat::Float4E2M1FN();
  case EF::F8E8M0FNU:
    return APFloat::Float8E8M0FNU();
  case EF::I8:
  case EF::I4:
  case EF::MXI8:
    break;
  }
  llvm_unreachable("not a floating point format");
}

/// The formats that APFloat has.
auto getFloatInfos() {
  return make_filter_range(getFormatInfos(), [](const FormatInfo &info) {
    return !info.isInteger();
  });
}

/// The formats of elements that APFloat has.
auto getFloatElementInfos() {
  return make_filter_range(
      getFloatInfos(), [](const FormatInfo &info) { return info.isSigned; });
}

/// Codes are equal, or both mean NaN: the code of a NaN is not specified (C-6).
testing::AssertionResult isSameCode(EF format, uint8_t actual,
                                    uint8_t expected) {
  if (actual == expected || (std::isnan(decode(format, actual)) &&
                             std::isnan(decode(format, expected))))
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << formatv("{0}: {1:x2} instead of {2:x2}", getFormatInfo(format).name,
                    actual, expected)
                .str();
}

/// The finite and infinite values of all f32 whose lower half is zero, which
/// are the bf16 values, and of all f16.
template <typename Fn>
void forEachShortFloat(Fn fn) {
  for (uint32_t bits = 0; bits != 0x10000; ++bits) {
    fn(bit_cast<float>(bits << 16));
    fn(APFloat(APFloat::IEEEhalf(), APInt(16, bits)).convertToFloat());
  }
}

} // namespace

TEST(FormatsTest, NamesRoundTrip) {
  for (const FormatInfo &info : getFormatInfos()) {
    EXPECT_EQ(parseElementFormat(info.name), info.format);
    EXPECT_EQ(&getFormatInfo(info.format), &info);
  }
  // The IEEE-like f8E4M3 is another format (E-2).
  EXPECT_EQ(parseElementFormat("f8E4M3"), std::nullopt);
  EXPECT_EQ(parseElementFormat("F8E4M3FN"), std::nullopt);
}

TEST(FormatsTest, TableAgreesWithAPFloat) {
  for (const FormatInfo &info : getFloatInfos()) {
    const fltSemantics &semantics = getSemantics(info.format);
    SCOPED_TRACE(info.name.str());
    EXPECT_EQ(info.bits, APFloat::getSizeInBits(semantics));
    EXPECT_EQ(info.mantissaBits + 1, APFloat::semanticsPrecision(semantics));
    EXPECT_EQ(info.emax, APFloat::semanticsMaxExponent(semantics));
    EXPECT_EQ(info.qmax, APFloat::getLargest(semantics).convertToDouble());
    EXPECT_EQ(info.qmax, decode(info.format, info.qmaxCode));
  }
}

TEST(FormatsTest, DecodesEveryCodeAsAPFloat) {
  for (const FormatInfo &info : getFloatInfos()) {
    for (unsigned code = 0; code != info.getNumCodes(); ++code) {
      APFloat expected(getSemantics(info.format), APInt(info.bits, code));
      double actual = decode(info.format, code);
      SCOPED_TRACE(info.name.str() + " code " + std::to_string(code));
      // Ask before converting: the NaN of Float8E8M0FNU, which has no mantissa
      // to tell NaN from infinity, converts to infinity.
      EXPECT_EQ(std::isnan(actual), expected.isNaN());
      if (!expected.isNaN())
        EXPECT_EQ(bit_cast<uint64_t>(actual),
                  bit_cast<uint64_t>(expected.convertToDouble()));
    }
  }
}

TEST(FormatsTest, DecodesNotableCodes) {
  // Codes that are easily taken for something else.
  const struct {
    EF format;
    uint8_t code;
    double value;
  } cases[] = {
      {EF::F8E4M3FN, 0x7F, quietNaN},   {EF::F8E4M3FN, 0xFF, quietNaN},
      {EF::F8E5M2, 0x7C, inf},          {EF::F8E5M2, 0x7D, quietNaN},
      {EF::F8E4M3FNUZ, 0x80, quietNaN}, {EF::F8E4M3FNUZ, 0x7F, 240},
      {EF::F8E4M3FNUZ, 0xFF, -240},     {EF::F8E5M2FNUZ, 0x7C, 32768},
      {EF::F8E5M2FNUZ, 0x7D, 40960},    {EF::F8E5M2FNUZ, 0x7E, 49152},
      {EF::F8E5M2FNUZ, 0x7F, 57344},    {EF::F8E8M0FNU, 0x00, 0x1p-127},
      {EF::F8E8M0FNU, 0xFE, 0x1p127},   {EF::F8E8M0FNU, 0xFF, quietNaN},
      {EF::F8E4M3FNUZ, 0x38, 0.5},      {EF::F8E4M3FN, 0x38, 1},
      {EF::F6E2M3FN, 0x20, -0.0},       {EF::F4E2M1FN, 0x01, 0.5},
  };
  for (const auto &c : cases) {
    double value = decode(c.format, c.code);
    if (std::isnan(c.value))
      EXPECT_TRUE(std::isnan(value));
    else
      EXPECT_EQ(value, c.value);
  }
}

/// Whether encode never writes `code`: saturating turns an infinity into the
/// maximum, and integers stay away from the code without a negation (C-9).
static bool isNeverWritten(const FormatInfo &info, unsigned code,
                           Overflow overflow) {
  if (info.isInteger())
    return code == info.getSignMask();
  return std::isinf(decode(info.format, code)) &&
         overflow == Overflow::Saturate;
}

TEST(FormatsTest, EncodeInvertsDecode) {
  for (const FormatInfo &info : getFormatInfos())
    for (unsigned code = 0; code != info.getNumCodes(); ++code)
      for (Overflow overflow : {Overflow::Saturate, Overflow::NoSaturate}) {
        if (isNeverWritten(info, code, overflow))
          continue;
        double value = decode(info.format, code);
        EXPECT_TRUE(isSameCode(info.format,
                               encode(info.format, value, overflow), code));
      }
}

TEST(FormatsTest, EncodesShortFloatsAsAPFloat) {
  // APFloat does not saturate (C-4). It turns an infinity into zero in the FP6
  // and FP4 formats, where C-5 asks for the maximum. It rounds F8E8M0FNU to
  // nearest (C-13).
  for (const FormatInfo &info : getFloatElementInfos()) {
    forEachShortFloat([&](float value) {
      if (!std::isfinite(value))
        return;
      bool losesInfo;
      APFloat expected(value);
      expected.convert(getSemantics(info.format), APFloat::rmNearestTiesToEven,
                       &losesInfo);
      EXPECT_TRUE(isSameCode(info.format,
                             encode(info.format, value, Overflow::NoSaturate),
                             expected.bitcastToAPInt().getZExtValue()))
          << value;
    });
  }
}

TEST(FormatsTest, RoundsToNearestEvenBetweenNeighbours) {
  for (const FormatInfo &info : getFloatElementInfos()) {
    for (uint8_t code = 0; code != info.qmaxCode; ++code) {
      // C-1: the midpoint and the closest doubles around it, both signs.
      double middle =
          (decode(info.format, code) + decode(info.format, code + 1)) / 2;
      uint8_t even = code + code % 2;
      EXPECT_EQ(encode(info.format, middle), even);
      EXPECT_EQ(encode(info.format, std::nextafter(middle, 0)), code);
      EXPECT_EQ(encode(info.format, std::nextafter(middle, inf)), code + 1);
      if (code != 0)
        EXPECT_EQ(encode(info.format, -middle), even | info.getSignMask());
    }
  }
}

TEST(FormatsTest, SaturatesWhateverIsTooLarge) {
  for (const FormatInfo &info : getFloatInfos()) {
    for (double value : {2 * info.qmax, 1e300, inf}) {
      EXPECT_EQ(encode(info.format, value), info.qmaxCode); // C-3, C-5
      EXPECT_EQ(encode(info.format, -value),
                info.qmaxCode | info.getSignMask());
    }
  }
}

TEST(FormatsTest, EncodesGoldens) {
  unsigned count = 0;
  for (const auto &[format, conversions] : conversionGoldens)
    for (const ConversionGolden &c : conversions) {
      double value = bit_cast<float>(c.bits);
      EXPECT_TRUE(isSameCode(format, encode(format, value), c.saturated))
          << value;
      EXPECT_TRUE(isSameCode(
          format, encode(format, value, Overflow::NoSaturate), c.unsaturated))
          << value;
      ++count;
    }
  EXPECT_EQ(count, 382u);
}

TEST(FormatsTest, EncodesE8M0Goldens) {
  // C-11, C-12: rounded up saturating, rounded up not saturating, rounded down.
  const struct {
    uint32_t bits;
    uint8_t up, upUnsaturated, down;
  } cases[] = {
      {0x00000000, 0x00, 0x00, 0x00}, {0x00000001, 0x00, 0x00, 0x00},
      {0x00400000, 0x00, 0x00, 0x00}, {0x00400001, 0x01, 0x01, 0x00},
      {0x007FFFFF, 0x01, 0x01, 0x00}, {0x00800000, 0x01, 0x01, 0x01},
      {0x00800001, 0x02, 0x02, 0x01}, {0x3F800000, 0x7F, 0x7F, 0x7F},
      {0x3F800001, 0x80, 0x80, 0x7F}, {0xBF800000, 0x7F, 0x7F, 0x7F},
      {0x7F000000, 0xFE, 0xFE, 0xFE}, {0x7F000001, 0xFE, 0xFF, 0xFE},
      {0x7F7FFFFF, 0xFE, 0xFF, 0xFE}, {0x7F800000, 0xFE, 0xFF, 0xFE},
      {0x7FC00000, 0xFF, 0xFF, 0xFF}, {0xFFC00000, 0xFF, 0xFF, 0xFF},
  };
  for (const auto &c : cases) {
    float value = bit_cast<float>(c.bits);
    SCOPED_TRACE(value);
    EXPECT_EQ(encodeE8M0(value, PowerRounding::Up), c.up);
    EXPECT_EQ(encodeE8M0(value, PowerRounding::Up, Overflow::NoSaturate),
              c.upUnsaturated);
    EXPECT_EQ(encodeE8M0(value, PowerRounding::Down), c.down);
    EXPECT_EQ(encode(EF::F8E8M0FNU, value), c.up);
  }
  EXPECT_EQ(encodeE8M0(inf, PowerRounding::Down, Overflow::NoSaturate), 0xFF);
}

static const std::pair<EF, EF> relabelings[] = {{EF::F8E4M3FN, EF::F8E4M3FNUZ},
                                                {EF::F8E5M2, EF::F8E5M2FNUZ}};

TEST(FormatsTest, RelabelsAsFNUZ) {
  // C-17: half the value, and NaN for what is not finite.
  for (auto [fn, fnuz] : relabelings)
    for (unsigned code = 0; code != 256; ++code) {
      double value = decode(fn, code);
      double relabeled = decode(fnuz, relabelAsFNUZ(fn, code));
      EXPECT_EQ(std::isnan(relabeled), !std::isfinite(value)) << code;
      if (std::isfinite(value))
        EXPECT_EQ(relabeled, value / 2) << code;
    }
  EXPECT_EQ(relabelAsFNUZ(EF::F8E4M3FN, 0x38), 0x38);
  EXPECT_EQ(relabelAsFNUZ(EF::F8E4M3FN, 0x80), 0x00);
  EXPECT_EQ(relabelAsFNUZ(EF::F8E4M3FN, 0x7F), 0x80);
  EXPECT_EQ(relabelAsFNUZ(EF::F8E5M2, 0xFC), 0x80);
  EXPECT_EQ(decode(EF::F8E4M3FNUZ, relabelAsFNUZ(EF::F8E4M3FN, 0xFE)), -224);
}

TEST(FormatsTest, RelabelsFromFNUZ) {
  // C-20: not every code has one with twice its value.
  for (auto [fn, fnuz] : relabelings) {
    unsigned without = 0;
    for (unsigned code = 0; code != 256; ++code) {
      std::optional<uint8_t> relabeled = relabelFromFNUZ(fn, code);
      if (relabeled)
        EXPECT_EQ(decode(fn, *relabeled), 2 * decode(fnuz, code)) << code;
      else
        ++without;
    }
    EXPECT_EQ(without, fn == EF::F8E4M3FN ? 3u : 9u);
  }
  EXPECT_EQ(relabelFromFNUZ(EF::F8E4M3FN, 0x7F), std::nullopt);
  EXPECT_EQ(relabelFromFNUZ(EF::F8E4M3FN, 0x80), std::nullopt);
  EXPECT_EQ(relabelFromFNUZ(EF::F8E5M2, 0x7C), std::nullopt);
}

TEST(FormatsTest, IntegersCountUnits) {
  // C-9, E-4: i8, i4 and multiples of 2^-6.
  const std::pair<EF, double> units[] = {
      {EF::I8, 1}, {EF::I4, 1}, {EF::MXI8, 0x1p-6}};
  for (auto [format, unit] : units) {
    const FormatInfo &info = getFormatInfo(format);
    int count = info.getNumCodes();
    for (int value = -count / 2; value != count / 2; ++value)
      EXPECT_EQ(decode(format, value & (count - 1)), value * unit)
          << info.name.str();
    EXPECT_EQ(decode(format, info.qmaxCode), info.qmax);
    EXPECT_EQ(std::ilogb(info.qmax), info.emax);
  }
  EXPECT_EQ(decode(EF::MXI8, 0x80), -2);
  EXPECT_EQ(decode(EF::MXI8, 0x7F), 1.984375);
}

TEST(FormatsTest, IntegersRoundToEvenAndClamp) {
  // C-9: symmetric limits, and zero for NaN, whatever the overflow mode.
  const struct {
    double value;
    uint8_t i8, i4;
  } cases[] = {
      {0.5, 0x00, 0x0},      {1.5, 0x02, 0x2},     {2.5, 0x02, 0x2},
      {-0.5, 0x00, 0x0},     {-1.5, 0xFE, 0xE},    {-2.5, 0xFE, 0xE},
      {-1, 0xFF, 0xF},       {0.50001, 0x01, 0x1}, {7.4, 0x07, 0x7},
      {126.5, 0x7E, 0x7},    {127.5, 0x7F, 0x7},   {128, 0x7F, 0x7},
      {-127.5, 0x81, 0x9},   {-128, 0x81, 0x9},    {1e30, 0x7F, 0x7},
      {-inf, 0x81, 0x9},     {inf, 0x7F, 0x7},     {quietNaN, 0x00, 0x0},
      {-quietNaN, 0x00, 0x0}};
  for (const auto &c : cases)
    for (Overflow overflow : {Overflow::Saturate, Overflow::NoSaturate}) {
      EXPECT_EQ(encode(EF::I8, c.value, overflow), c.i8) << c.value;
      EXPECT_EQ(encode(EF::I4, c.value, overflow), c.i4) << c.value;
      EXPECT_EQ(encode(EF::MXI8, c.value / 64, overflow), c.i8) << c.value;
    }
  EXPECT_EQ(encode(EF::I8, decode(EF::I8, 0x80)), 0x81);
}
