//===- NarrowConversionsTest.cpp - tests of conversions -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Conversions to narrow formats with a scale. The nearest code is found by
// trying all, which are decoded here from the definitions of the formats.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <array>
#include <cmath>
#include <random>
#include <type_traits>

using namespace mlir::lpgemm::emulator;

namespace {

struct Format {
  const char *name;
  int exponentBits, mantissaBits, bias;
  /// The codes of the largest number, of what is too large, and of NaN.
  unsigned largest, overflow, nan;
  int bits() const { return 1 + exponentBits + mantissaBits; }
};
constexpr Format kFormats[] = {{"fp8", 4, 3, 7, 0x7e, 0x7f, 0x7f},
                               {"bf8", 5, 2, 15, 0x7b, 0x7c, 0x7f},
                               {"fp6", 2, 3, 1, 31, 31, 31},
                               {"bf6", 3, 2, 3, 31, 31, 31},
                               {"fp4", 2, 1, 1, 7, 7, 7}};
constexpr Format kF16 = {"f16", 5, 10, 15, 0x7bff, 0x7c00, 0x7e00};

/// A code without a sign.
double decode(const Format &format, unsigned code) {
  int exponent = code >> format.mantissaBits;
  double fraction =
      std::ldexp(code & ((1 << format.mantissaBits) - 1), -format.mantissaBits);
  return exponent ? std::ldexp(1 + fraction, exponent - format.bias)
                  : std::ldexp(fraction, 1 - format.bias);
}

unsigned encode(const Format &format, double value) {
  unsigned sign = std::signbit(value) ? 1u << (format.bits() - 1) : 0;
  if (std::isnan(value))
    return sign | format.nan;
  double magnitude = std::fabs(value);
  double last = decode(format, format.largest);
  double limit = last + (last - decode(format, format.largest - 1)) / 2;
  if (format.largest % 2 ? magnitude >= limit : magnitude > limit)
    return sign | format.overflow;
  unsigned best = 0;
  for (unsigned code = 1; code <= format.largest; ++code) {
    double distance = std::fabs(decode(format, code) - magnitude);
    double bestDistance = std::fabs(decode(format, best) - magnitude);
    if (distance < bestDistance || (distance == bestDistance && code % 2 == 0))
      best = code;
  }
  return sign | best;
}

/// Half, as its code.
double decodeF16(unsigned code) {
  unsigned magnitude = code & 0x7fff;
  double value = magnitude > 0x7c00    ? NAN
                 : magnitude == 0x7c00 ? INFINITY
                                       : decode(kF16, magnitude);
  return code & 0x8000 ? -value : value;
}

/// The upper half of a float.
double decodeBf16(unsigned code) {
  uint32_t bits = code << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

//===----------------------------------------------------------------------===//
// The functions, all as one of 32 values
//===----------------------------------------------------------------------===//

constexpr unsigned kCount = 32;
using Codes = std::array<unsigned, kCount>;

std::string nameOf(const char *kind, const Format &format, const char *large) {
  return std::string("emu_rocdl_cvt_scalef32_") + kind + "_" + format.name +
         "_" + large;
}

/// `T` is float, or uint16_t for the codes of f16 and bf16.
template <typename T>
Codes toEight(const Format &format, const char *large, const T *values,
              float scale) {
  Codes codes;
  std::string name = nameOf("pk", format, large);
  for (unsigned i = 0; i < kCount; i += 2) {
    uint32_t old = 0xabcd1234, result = 0, half = i % 4 ? ~0u : 0;
    const T *pair = values + i;
    if constexpr (std::is_same_v<T, float>)
      find<void(uint32_t, void *, uint32_t, const void *, uint32_t, float,
                float, float, uint32_t)>(name.c_str())(
          0, &result, 4, &old, 4, pair[0], pair[1], scale, half);
    else
      find<void(uint32_t, void *, uint32_t, const void *, uint32_t,
                const void *, uint32_t, float, uint32_t)>(name.c_str())(
          0, &result, 4, &old, 4, pair, 4, scale, half);
    EXPECT_EQ(half ? result & 0xffff : result >> 16, half ? 0x1234u : 0xabcdu);
    uint32_t both = half ? result >> 16 : result & 0xffff;
    codes[i] = both & 255;
    codes[i + 1] = both >> 8;
  }
  return codes;
}

template <typename T>
Codes toFour(const Format &format, const char *large, const T *values,
             float scale) {
  Codes codes;
  std::string name = nameOf("pk", format, large);
  for (unsigned i = 0; i < kCount; i += 2) {
    uint32_t old = 0xabcd1234, byte = i / 2 % 4, result;
    const T *pair = values + i;
    if constexpr (std::is_same_v<T, float>)
      result =
          find<uint32_t(uint32_t, uint32_t, float, float, float, uint32_t)>(
              name.c_str())(0, old, pair[0], pair[1], scale, byte);
    else
      result =
          find<uint32_t(uint32_t, uint32_t, const void *, uint32_t, float,
                        uint32_t)>(name.c_str())(0, old, pair, 4, scale, byte);
    EXPECT_EQ((result ^ old) & ~(255u << 8 * byte), 0u);
    codes[i] = result >> 8 * byte & 15;
    codes[i + 1] = result >> (8 * byte + 4) & 15;
  }
  return codes;
}

template <typename T>
Codes toSix(const Format &format, const char *large, const T *values,
            float scale) {
  uint8_t result[24] = {};
  if constexpr (std::is_same_v<T, float>) {
    // Of two sources, which alternate.
    float even[16], odd[16];
    for (unsigned i = 0; i < 16; ++i) {
      even[i] = values[2 * i];
      odd[i] = values[2 * i + 1];
    }
    find<void(uint32_t, void *, uint32_t, const void *, uint32_t, const void *,
              uint32_t, float)>(nameOf("2xpk16", format, large).c_str())(
        0, result, 24, even, 64, odd, 64, scale);
  } else {
    find<void(uint32_t, void *, uint32_t, const void *, uint32_t, float)>(
        nameOf("pk32", format, large).c_str())(0, result, 24, values, 64,
                                               scale);
  }
  Codes codes = {};
  for (unsigned bit = 0; bit < 6 * kCount; ++bit)
    codes[bit / 6] |= (result[bit / 8] >> bit % 8 & 1) << bit % 6;
  return codes;
}

template <typename T>
Codes convert(const Format &format, const char *large, const T *values,
              float scale) {
  switch (format.bits()) {
  case 8:
    return toEight(format, large, values, scale);
  case 6:
    return toSix(format, large, values, scale);
  default:
    return toFour(format, large, values, scale);
  }
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// A scale, and the power of two that it stands for.
struct Scale {
  float operand;
  double value;
};
const Scale kScales[] = {{1.0f, 1.0},         {15.5f, 8.0},
                         {-0.75f, 0.5},       {0x1p-60f, 0x1p-60},
                         {0x1.8p90f, 0x1p90}, {0.0f, 0x1p-127},
                         {INFINITY, NAN},     {0x1p-130f, 0x1p-127}};

class NarrowConversionTest : public testing::TestWithParam<Format> {};

TEST_P(NarrowConversionTest, Every16BitCode) {
  const Format &format = GetParam();
  for (const Scale &scale : kScales)
    for (bool isF16 : {true, false})
      for (unsigned first = 0; first < 0x10000; first += kCount) {
        uint16_t values[kCount];
        for (unsigned i = 0; i < kCount; ++i)
          values[i] = first + i;
        Codes codes =
            convert(format, isF16 ? "f16" : "bf16", values, scale.operand);
        for (unsigned i = 0; i < kCount; ++i) {
          double value = isF16 ? decodeF16(first + i) : decodeBf16(first + i);
          // Not the sign of NaN.
          unsigned expected = encode(format, value / scale.value);
          unsigned magnitude = (1u << (format.bits() - 1)) - 1;
          bool isNan = std::isnan(value / scale.value);
          ASSERT_EQ(codes[i] & (isNan ? magnitude : ~0u),
                    expected & (isNan ? magnitude : ~0u))
              << value << " scale " << scale.operand;
        }
      }
}

TEST_P(NarrowConversionTest, FloatsAndTies) {
  const Format &format = GetParam();
  std::mt19937 random(5);
  auto check = [&](const float *values, const Scale &scale) {
    Codes codes = convert(format, "f32", values, scale.operand);
    for (unsigned i = 0; i < kCount; ++i)
      ASSERT_EQ(codes[i], encode(format, values[i] / scale.value))
          << values[i] << " scale " << scale.operand;
  };
  constexpr Scale kFinite[] = {{1.0f, 1.0}, {3.0f, 2.0}, {0x1p-20f, 0x1p-20}};
  for (const Scale &scale : kFinite) {
    // Every code, the ties between two, and what is just beside them.
    for (unsigned code = 0; code <= format.largest; ++code) {
      float exact = decode(format, code) * scale.value;
      float next = decode(format, code + 1) * scale.value;
      float tie = (exact + next) / 2;
      float values[kCount];
      for (unsigned i = 0; i < kCount; ++i) {
        float below = std::nextafter(tie, 0.0f);
        float above = std::nextafter(tie, INFINITY);
        float choice[] = {exact, tie, below, above};
        values[i] = choice[i / 2 % 4] * (i % 2 ? -1.0f : 1.0f);
      }
      check(values, scale);
    }
    for (int i = 0; i < 500; ++i) {
      float values[kCount];
      for (float &value : values) {
        value = std::ldexp(1 + random() % 65536 / 65536.0,
                           static_cast<int>(random() % 44) - 24) *
                scale.value;
        value = random() % 2 ? value : -value;
      }
      check(values, scale);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, NarrowConversionTest,
                         testing::ValuesIn(kFormats), [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(OneValueTest, SelectsByteAndHalf) {
  // Bytes 0x38, 0xb8, 0x40, 0x7f: 1, -1, 2, NaN in E4M3; of the scale, 2.
  auto *toFloat = find<float(uint32_t, uint32_t, float, uint32_t)>(
      "emu_rocdl_cvt_scalef32_f32_fp8");
  EXPECT_EQ(toFloat(0, 0x7f40b838, 3.0f, 0), 2.0f);
  EXPECT_EQ(toFloat(0, 0x7f40b838, 3.0f, 1), -2.0f);
  EXPECT_EQ(toFloat(0, 0x7f40b838, 3.0f, 2), 4.0f);
  EXPECT_TRUE(std::isnan(toFloat(0, 0x7f40b838, 3.0f, 3)));
  // 0x3c is 1 in E5M2, and 0xb800 is -0.5 in f16.
  auto *toHalf =
      find<void(uint32_t, void *, uint32_t, const void *, uint32_t, uint32_t,
                float, uint32_t, uint32_t)>("emu_rocdl_cvt_scalef32_f16_bf8");
  uint32_t old = 0xabcd1234, result;
  toHalf(0, &result, 4, &old, 4, 0x00bc0000, 0.5f, 2, 0);
  EXPECT_EQ(result, 0xabcdb800u);
  toHalf(0, &result, 4, &old, 4, 0x00bc0000, 0.5f, 2, ~0u);
  EXPECT_EQ(result, 0xb8001234u);
}

} // namespace
