//===- FormatsTest.cpp - Low-precision number formats ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Formats.h"

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
  }
  llvm_unreachable("unknown format");
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
  for (const FormatInfo &info : getFormatInfos()) {
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
  for (const FormatInfo &info : getFormatInfos()) {
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

TEST(FormatsTest, EncodeInvertsDecode) {
  for (const FormatInfo &info : getFormatInfos())
    for (unsigned code = 0; code != info.getNumCodes(); ++code)
      for (Overflow overflow : {Overflow::Saturate, Overflow::NoSaturate}) {
        double value = decode(info.format, code);
        if (std::isinf(value) && overflow == Overflow::Saturate)
          continue;
        EXPECT_TRUE(isSameCode(info.format,
                               encode(info.format, value, overflow), code));
      }
}

TEST(FormatsTest, EncodesShortFloatsAsAPFloat) {
  // APFloat does not saturate (C-4). It turns an infinity into zero in the FP6
  // and FP4 formats, where C-5 asks for the maximum.
  for (const FormatInfo &info : getFormatInfos()) {
    if (!info.isSigned)
      continue; // APFloat rounds F8E8M0FNU to nearest (C-13).
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
  for (const FormatInfo &info : getFormatInfos()) {
    if (!info.isSigned)
      continue;
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
  for (const FormatInfo &info : getFormatInfos()) {
    for (double value : {2 * info.qmax, 1e300, inf}) {
      EXPECT_EQ(encode(info.format, value), info.qmaxCode); // C-3, C-5
      EXPECT_EQ(encode(info.format, -value),
                info.qmaxCode | info.getSignMask());
    }
  }
}

namespace {
struct Conversion {
  EF format;
  uint32_t bits;
  uint8_t saturated;
  uint8_t unsaturated;
};
} // namespace

static const Conversion conversions[] = {
    // C-1, C-2, C-7: ties, the threshold of overflow, the sign of zero.
    {EF::F8E4M3FN, 0x80000000, 0x80, 0x80},
    {EF::F8E4M3FN, 0x3F880000, 0x38, 0x38},
    {EF::F8E4M3FN, 0x3F880001, 0x39, 0x39},
    {EF::F8E4M3FN, 0x3F980000, 0x3A, 0x3A},
    {EF::F8E4M3FN, 0x41880000, 0x58, 0x58},
    {EF::F8E4M3FN, 0x43E7FFFF, 0x7E, 0x7E},
    {EF::F8E4M3FN, 0x43E80000, 0x7E, 0x7E},
    {EF::F8E4M3FN, 0x43E80001, 0x7E, 0x7F},
    {EF::F8E4M3FN, 0x44000000, 0x7E, 0x7F},
    {EF::F8E4M3FN, 0xC3E80001, 0xFE, 0xFF},
    {EF::F8E4M3FN, 0x7F800000, 0x7E, 0x7F},
    {EF::F8E4M3FN, 0xFF800000, 0xFE, 0xFF},
    {EF::F8E4M3FN, 0x7FC00000, 0x7F, 0x7F},
    {EF::F8E4M3FN, 0xFFC00000, 0x7F, 0x7F},
    {EF::F8E4M3FN, 0x3C780000, 0x08, 0x08},
    {EF::F8E4M3FN, 0x3B000000, 0x01, 0x01},
    {EF::F8E4M3FN, 0x3A800000, 0x00, 0x00},
    {EF::F8E4M3FN, 0x3A800001, 0x01, 0x01},
    {EF::F8E4M3FN, 0x3B400000, 0x02, 0x02},
    {EF::F8E4M3FN, 0xBA800000, 0x80, 0x80},
    {EF::F8E4M3FN, 0xBA800001, 0x81, 0x81},
    {EF::F8E4M3FN, 0x00000001, 0x00, 0x00},
    {EF::F8E5M2, 0x3F900000, 0x3C, 0x3C},
    {EF::F8E5M2, 0x3F900001, 0x3D, 0x3D},
    {EF::F8E5M2, 0x3FB00000, 0x3E, 0x3E},
    {EF::F8E5M2, 0x476FFFFF, 0x7B, 0x7B},
    {EF::F8E5M2, 0x47700000, 0x7B, 0x7C},
    {EF::F8E5M2, 0x477FE000, 0x7B, 0x7C},
    {EF::F8E5M2, 0x7F800000, 0x7B, 0x7C},
    {EF::F8E5M2, 0xFF800000, 0xFB, 0xFC},
    {EF::F8E5M2, 0x37000000, 0x00, 0x00},
    {EF::F8E5M2, 0x37000001, 0x01, 0x01},
    {EF::F8E5M2, 0x37C00000, 0x02, 0x02},
    {EF::F8E5M2, 0x38700000, 0x04, 0x04},
    {EF::F8E5M2, 0x7FC00000, 0x7F, 0x7F},
    {EF::F8E4M3FNUZ, 0x80000000, 0x00, 0x00},
    {EF::F8E4M3FNUZ, 0xBA000000, 0x00, 0x00},
    {EF::F8E4M3FNUZ, 0xBA000001, 0x81, 0x81},
    {EF::F8E4M3FNUZ, 0x3F800000, 0x40, 0x40},
    {EF::F8E4M3FNUZ, 0x43700000, 0x7F, 0x7F},
    {EF::F8E4M3FNUZ, 0x4377FFFF, 0x7F, 0x7F},
    {EF::F8E4M3FNUZ, 0x43780000, 0x7F, 0x80},
    {EF::F8E4M3FNUZ, 0x43E00000, 0x7F, 0x80},
    {EF::F8E4M3FNUZ, 0x7F800000, 0x7F, 0x80},
    {EF::F8E4M3FNUZ, 0x7FC00000, 0x80, 0x80},
    {EF::F8E5M2FNUZ, 0x80000000, 0x00, 0x00},
    {EF::F8E5M2FNUZ, 0x47600000, 0x7F, 0x7F},
    {EF::F8E5M2FNUZ, 0x476FFFFF, 0x7F, 0x7F},
    {EF::F8E5M2FNUZ, 0x47700000, 0x7F, 0x80},
    {EF::F8E5M2FNUZ, 0x36800000, 0x00, 0x00},
    {EF::F8E5M2FNUZ, 0x36800001, 0x01, 0x01},
    {EF::F8E5M2FNUZ, 0xB6800000, 0x00, 0x00},
    {EF::F8E5M2FNUZ, 0x7F800000, 0x7F, 0x80},
    // C-5: FP6 and FP4 always saturate; NaN gives the positive maximum.
    {EF::F6E2M3FN, 0x80000000, 0x20, 0x20},
    {EF::F6E2M3FN, 0x3F880000, 0x08, 0x08},
    {EF::F6E2M3FN, 0x3F980000, 0x0A, 0x0A},
    {EF::F6E2M3FN, 0x40F40000, 0x1F, 0x1F},
    {EF::F6E2M3FN, 0x40F80000, 0x1F, 0x1F},
    {EF::F6E2M3FN, 0x3D800000, 0x00, 0x00},
    {EF::F6E2M3FN, 0x3D800001, 0x01, 0x01},
    {EF::F6E2M3FN, 0xBD800000, 0x20, 0x20},
    {EF::F6E2M3FN, 0x7F800000, 0x1F, 0x1F},
    {EF::F6E2M3FN, 0xFF800000, 0x3F, 0x3F},
    {EF::F6E2M3FN, 0xFFC00000, 0x1F, 0x1F},
    {EF::F6E3M2FN, 0x3F900000, 0x0C, 0x0C},
    {EF::F6E3M2FN, 0x3FB00000, 0x0E, 0x0E},
    {EF::F6E3M2FN, 0x41EFFFFF, 0x1F, 0x1F},
    {EF::F6E3M2FN, 0x42000000, 0x1F, 0x1F},
    {EF::F6E3M2FN, 0x3D000000, 0x00, 0x00},
    {EF::F6E3M2FN, 0x3D000001, 0x01, 0x01},
    {EF::F6E3M2FN, 0x3E700000, 0x04, 0x04},
    {EF::F6E3M2FN, 0x7FC00000, 0x1F, 0x1F},
    {EF::F4E2M1FN, 0x3E800000, 0x0, 0x0},
    {EF::F4E2M1FN, 0x3F400000, 0x2, 0x2},
    {EF::F4E2M1FN, 0x3FA00000, 0x2, 0x2},
    {EF::F4E2M1FN, 0x3FE00000, 0x4, 0x4},
    {EF::F4E2M1FN, 0x40200000, 0x4, 0x4},
    {EF::F4E2M1FN, 0x40600000, 0x6, 0x6},
    {EF::F4E2M1FN, 0x40A00000, 0x6, 0x6},
    {EF::F4E2M1FN, 0xBE800000, 0x8, 0x8},
    {EF::F4E2M1FN, 0xC0200000, 0xC, 0xC},
    {EF::F4E2M1FN, 0xC0A00000, 0xE, 0xE},
    {EF::F4E2M1FN, 0x3E800001, 0x1, 0x1},
    {EF::F4E2M1FN, 0x3F3FFFFF, 0x1, 0x1},
    {EF::F4E2M1FN, 0x3FA00001, 0x3, 0x3},
    {EF::F4E2M1FN, 0x40200001, 0x5, 0x5},
    {EF::F4E2M1FN, 0x409FFFFF, 0x6, 0x6},
    {EF::F4E2M1FN, 0x40A00001, 0x7, 0x7},
    {EF::F4E2M1FN, 0x40E00000, 0x7, 0x7},
    {EF::F4E2M1FN, 0x7F800000, 0x7, 0x7},
    {EF::F4E2M1FN, 0xFF800000, 0xF, 0xF},
    {EF::F4E2M1FN, 0x7FC00000, 0x7, 0x7},
    {EF::F4E2M1FN, 0xFFC00000, 0x7, 0x7},
    {EF::F4E2M1FN, 0x80000000, 0x8, 0x8},
    // C-8: a detour through bf16 would round to 0x38 and 0x4.
    {EF::F8E4M3FN, 0x3F880800, 0x39, 0x39},
    {EF::F4E2M1FN, 0x40201000, 0x5, 0x5},
};

TEST(FormatsTest, EncodesGoldens) {
  for (const Conversion &c : conversions) {
    float value = bit_cast<float>(c.bits);
    EXPECT_TRUE(isSameCode(c.format, encode(c.format, value), c.saturated))
        << value;
    EXPECT_TRUE(isSameCode(
        c.format, encode(c.format, value, Overflow::NoSaturate), c.unsaturated))
        << value;
  }
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

TEST(FormatsTest, RelabelsFNAsFNUZ) {
  // C-17: with equal bits a finite FN value is twice the FNUZ value.
  const std::pair<EF, EF> pairs[] = {{EF::F8E4M3FN, EF::F8E4M3FNUZ},
                                     {EF::F8E5M2, EF::F8E5M2FNUZ}};
  for (auto [fn, fnuz] : pairs)
    for (unsigned code = 0; code != 256; ++code)
      if (double value = decode(fn, code); std::isfinite(value) && code != 0x80)
        EXPECT_EQ(value, 2 * decode(fnuz, code)) << code;
}
