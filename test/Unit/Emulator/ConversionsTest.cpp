//===- ConversionsTest.cpp - tests of conversions -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The codes are decoded here once more from the definitions of the formats, and
// the nearest one is found by trying all.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <cmath>
#include <random>

using namespace mlir::lpgemm::emulator;

namespace {

struct Format {
  const char *name;
  Chip chip;
  int exponentBits, mantissaBits, bias;
  double largest;
  /// What too large values become.
  double overflow;
};
constexpr Format kFormats[] = {{"fp8", Chip::Gfx950, 4, 3, 7, 448, NAN},
                               {"bf8", Chip::Gfx950, 5, 2, 15, 57344, INFINITY},
                               {"fp8", Chip::Gfx942, 4, 3, 8, 240, NAN},
                               {"bf8", Chip::Gfx942, 5, 2, 16, 57344, NAN}};

/// A code below 0x80.
double decode(const Format &format, unsigned code) {
  int exponent = code >> format.mantissaBits;
  double fraction =
      std::ldexp(code & ((1 << format.mantissaBits) - 1), -format.mantissaBits);
  return exponent ? std::ldexp(1 + fraction, exponent - format.bias)
                  : std::ldexp(fraction, 1 - format.bias);
}

/// The nearest number, of two the one with the even code.
double round(const Format &format, double value) {
  if (std::isnan(value))
    return value;
  double magnitude = std::fabs(value);
  unsigned best = 0, top = 0;
  for (unsigned code = 0; code < 0x80; ++code)
    if (decode(format, code) <= format.largest) {
      double distance = std::fabs(decode(format, code) - magnitude);
      double bestDistance = std::fabs(decode(format, best) - magnitude);
      if (distance < bestDistance ||
          (distance == bestDistance && code % 2 == 0))
        best = code;
      top = code;
    }
  // As if there were one number more.
  double step = format.largest - decode(format, top - 1);
  double limit = format.largest + step / 2;
  bool isTooLarge = top % 2 ? magnitude >= limit : magnitude > limit;
  return std::copysign(isTooLarge ? format.overflow : decode(format, best),
                       value);
}

struct Functions {
  explicit Functions(const Format &format) : chip(uint32_t(format.chip)) {
    std::string name(format.name);
    encode = find<Encode>(("emu_rocdl_cvt_pk_" + name + "_f32").c_str());
    decodePair = find<DecodePair>(("emu_rocdl_cvt_pk_f32_" + name).c_str());
    decodeOne = find<DecodeOne>(("emu_rocdl_cvt_f32_" + name).c_str());
  }
  using Encode = uint32_t(uint32_t, float, float, uint32_t, uint32_t, uint32_t);
  using DecodePair = void(uint32_t, float *, uint32_t, uint32_t, uint32_t,
                          uint32_t);
  using DecodeOne = float(uint32_t, uint32_t, uint32_t, uint32_t);
  Encode *encode;
  DecodePair *decodePair;
  DecodeOne *decodeOne;
  uint32_t chip;
};

void expectSame(double got, double expected) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << got;
  else
    EXPECT_EQ(got, expected);
  if (!std::isnan(expected) && expected != 0)
    EXPECT_EQ(std::signbit(got), std::signbit(expected));
}

class ConversionTest : public testing::TestWithParam<Format> {};

TEST_P(ConversionTest, DecodesEveryCode) {
  const Format &format = GetParam();
  Functions functions(format);
  for (unsigned code = 0; code < 0x80; ++code) {
    double value = decode(format, code);
    if (value > format.largest) {
      // OCP E5M2 has infinity, 0x7c; the rest is NaN.
      value = format.overflow == INFINITY && code == 0x7c ? INFINITY : NAN;
    }
    for (unsigned byte = 0; byte < 4; ++byte)
      expectSame(functions.decodeOne(0, code << 8 * byte, byte, functions.chip),
                 value);
    float pair[2];
    functions.decodePair(0, pair, 8, code << 24, ~0u, functions.chip);
    expectSame(pair[1], value);
    functions.decodePair(0, pair, 8, code << 24 | (code | 0x80), 0,
                         functions.chip);
    bool isFnuz = format.chip == Chip::Gfx942;
    expectSame(pair[0], isFnuz && code == 0 ? NAN : -value);
  }
}

TEST_P(ConversionTest, RoundsToNearest) {
  const Format &format = GetParam();
  Functions functions(format);
  auto check = [&](float a, float b) {
    SCOPED_TRACE(testing::Message() << a << " " << b);
    uint32_t low = functions.encode(0, a, b, 0xabcd1234, 0, functions.chip);
    EXPECT_EQ(low >> 16, 0xabcdu);
    uint32_t high = functions.encode(0, a, b, 0xabcd1234, ~0u, functions.chip);
    EXPECT_EQ(high & 0xffff, 0x1234u);
    EXPECT_EQ(high >> 16, low & 0xffff);
    float pair[2];
    functions.decodePair(0, pair, 8, high, 1, functions.chip);
    expectSame(pair[0], round(format, a));
    expectSame(pair[1], round(format, b));
  };
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    // All exponents that are of interest, and those around.
    auto draw = [&] {
      float value = std::ldexp(1 + random() % 4096 / 4096.0,
                               static_cast<int>(random() % 40) - 22);
      return random() % 2 ? value : -value;
    };
    check(draw(), draw());
  }
  for (unsigned code = 0; code < 0x7f; ++code) {
    // Ties, and what is just beside them.
    float middle = (decode(format, code) + decode(format, code + 1)) / 2;
    check(middle, -middle);
    check(std::nextafter(middle, 0.0f), std::nextafter(middle, INFINITY));
  }
  check(NAN, INFINITY);
  check(0.0f, -0.0f);
}

INSTANTIATE_TEST_SUITE_P(Formats, ConversionTest, testing::ValuesIn(kFormats),
                         [](const auto &info) {
                           return std::string(info.param.name) +
                                  (info.param.chip == Chip::Gfx942 ? "Fnuz"
                                                                   : "Ocp");
                         });

//===----------------------------------------------------------------------===//
// With a scale
//===----------------------------------------------------------------------===//

using Scaled = void(uint32_t, void *, uint32_t, uint32_t, float, uint32_t);
using Scaled32 = void(uint32_t, void *, uint32_t, const void *, uint32_t,
                      float);

TEST(ScaledConversionTest, SelectsAndScales) {
  float pair[2];
  // Of the scale only the exponent counts: 2^3.
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f32_fp8")(0, pair, 8, 0xb8400000,
                                                    15.5f, ~0u);
  EXPECT_EQ(pair[0], 16.0f);
  EXPECT_EQ(pair[1], -8.0f);
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f32_bf8")(0, pair, 8, 0x40007c01,
                                                    0.5f, 0);
  EXPECT_EQ(pair[0], 0x1p-17f);
  EXPECT_EQ(pair[1], INFINITY);
  // Byte 2: codes 6 (4.0) and 9 (-0.5).
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f32_fp4")(0, pair, 8, 0x0096ffff,
                                                    2.0f, 2);
  EXPECT_EQ(pair[0], 8.0f);
  EXPECT_EQ(pair[1], -1.0f);
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f32_fp4")(0, pair, 8, 0, NAN, 0);
  EXPECT_TRUE(std::isnan(pair[0]));
}

TEST(ScaledConversionTest, RoundsTo16Bits) {
  uint16_t pair[2];
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f16_fp8")(0, pair, 4, 0x38b8, 1.0f,
                                                    0);
  EXPECT_EQ(pair[0], 0xbc00);
  EXPECT_EQ(pair[1], 0x3c00);
  // 1.125 * 2^-23 is between 2 and 3 steps of a subnormal number.
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f16_fp8")(0, pair, 4, 0x7e39,
                                                    0x1p-23f, 0);
  EXPECT_EQ(pair[0], 0x0002);
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_f16_bf8")(0, pair, 4, 0x7b, 2.0f, 0);
  EXPECT_EQ(pair[0], 0x7c00);
  find<Scaled>("emu_rocdl_cvt_scalef32_pk_bf16_fp4")(0, pair, 4, 0xf2, 1.0f, 0);
  EXPECT_EQ(pair[0], 0x3f80);
  EXPECT_EQ(pair[1], 0xc0c0);
}

TEST(ScaledConversionTest, SixBits) {
  // Code e is e, packed without gaps.
  uint8_t codes[24] = {};
  for (unsigned bit = 0; bit < 192; ++bit)
    codes[bit / 8] |= (bit / 6 >> bit % 6 & 1) << bit % 8;
  float values[32];
  find<Scaled32>("emu_rocdl_cvt_scalef32_pk32_f32_fp6")(0, values, 128, codes,
                                                        24, 1.0f);
  for (unsigned e = 0; e < 32; ++e)
    EXPECT_EQ(values[e],
              e < 8 ? e / 8.0f : std::ldexp(8 + e % 8, int(e / 8) - 4))
        << e;
  find<Scaled32>("emu_rocdl_cvt_scalef32_pk32_f32_bf6")(0, values, 128, codes,
                                                        24, 4.0f);
  for (unsigned e = 0; e < 32; ++e)
    EXPECT_EQ(values[e],
              4 * (e < 4 ? e / 16.0f : std::ldexp(4 + e % 4, int(e / 4) - 5)))
        << e;
}

} // namespace
