//===- StochasticTest.cpp - Stochastic rounding ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Formats.h"
#include "lpgemm/Numerics/Quantize.h"

#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;

using EF = ElementFormat;

namespace {

const uint32_t neverUp = std::numeric_limits<uint32_t>::max();

/// The formats of elements, without the code that integers never write.
template <typename Fn>
void forEachElementFormat(Fn fn) {
  for (const FormatInfo &info : getFormatInfos())
    if (info.isSigned)
      fn(info);
}

} // namespace

TEST(StochasticTest, RandomBitsAreThoseOfSplitMix64) {
  // C-16: the state 0 gives 0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, ... and the
  // state 1234567 gives 6457827717110365317 first (the published vectors of
  // SplitMix64); the upper halves are used.
  EXPECT_EQ(getRandomBits(0, 0), 0xE220A839u);
  EXPECT_EQ(getRandomBits(0, 1), 0x6E789E6Au);
  EXPECT_EQ(getRandomBits(0, 2), 0x06C45D18u);
  EXPECT_EQ(getRandomBits(1234567, 0), 6457827717110365317u >> 32);
  EXPECT_EQ(getRandomBits(1234567, 1), 3203168211198807973u >> 32);
}

TEST(StochasticTest, ExactValuesNeverChange) {
  forEachElementFormat([](const FormatInfo &info) {
    for (unsigned code = 0; code != info.getNumCodes(); ++code) {
      double value = decode(info.format, code);
      for (uint32_t random : {0u, 0x80000000u, neverUp})
        EXPECT_EQ(encodeStochastic(info.format, value, random),
                  encode(info.format, value))
            << info.name.str() << " " << value;
    }
  });
}

TEST(StochasticTest, RoundsUpExactlyAboveTheRandomNumber) {
  // Between each pair of neighbours of either sign: the fraction in units of
  // 2^-32 decides, and a smaller one never rounds up.
  forEachElementFormat([](const FormatInfo &info) {
    for (unsigned code = 0; code != info.qmaxCode; ++code) {
      double below = decode(info.format, code);
      double step = decode(info.format, code + 1) - below;
      for (uint32_t units : {1u, 5u, 0x40000000u, neverUp})
        for (double rest : {0.0, 0.5})
          for (double sign : {1.0, -1.0}) {
            double value =
                sign * (below + std::ldexp(units + rest, -32) * step);
            EXPECT_EQ(encodeStochastic(info.format, value, units - 1),
                      encode(info.format, sign * (below + step)));
            EXPECT_EQ(encodeStochastic(info.format, value, units),
                      encode(info.format, sign * below));
          }
      double tiny = below + std::ldexp(0.75, -32) * step;
      EXPECT_EQ(encodeStochastic(info.format, tiny, 0), code);
    }
  });
}

TEST(StochasticTest, OverflowsAsRoundingToNearest) {
  // C-3, C-4: beyond the maximum the value may round back to it.
  EXPECT_EQ(encodeStochastic(EF::F8E4M3FN, 479, neverUp - 1), 0x7E);
  EXPECT_EQ(encodeStochastic(EF::F8E4M3FN, 479, 0, Overflow::NoSaturate), 0x7F);
  EXPECT_EQ(encodeStochastic(EF::F8E4M3FN, 450, neverUp, Overflow::NoSaturate),
            0x7E);
  EXPECT_EQ(encodeStochastic(EF::F8E5M2, -65535, 0, Overflow::NoSaturate),
            0xFC);
  EXPECT_EQ(encodeStochastic(EF::F4E2M1FN, -100, neverUp), 0xF);
  EXPECT_EQ(encodeStochastic(EF::I8, 127.5, 0), 0x7F);
  EXPECT_EQ(encodeStochastic(EF::F8E5M2, -INFINITY, 0, Overflow::NoSaturate),
            0xFC);
  EXPECT_EQ(encodeStochastic(EF::F4E2M1FN, NAN, neverUp), 0x7);
}

TEST(StochasticTest, IsUnbiased) {
  // C-16: over 2^16 draws the mean errs by less than four standard errors.
  const int draws = 1 << 16;
  forEachElementFormat([](const FormatInfo &info) {
    for (double fraction : {0.03125, 0.3, 0.5, 0.9}) {
      unsigned code = info.qmaxCode / 2;
      double below = decode(info.format, code);
      double step = decode(info.format, code + 1) - below;
      double value = below + fraction * step, sum = 0;
      for (int i = 0; i != draws; ++i) {
        double result =
            decode(info.format,
                   encodeStochastic(info.format, value, getRandomBits(7, i)));
        ASSERT_TRUE(result == below || result == below + step);
        sum += result - value;
      }
      double deviation = step * std::sqrt(fraction * (1 - fraction) / draws);
      EXPECT_LT(std::abs(sum / draws), 4 * deviation) << info.name.str();
    }
  });
}

TEST(StochasticTest, QuantizerDrawsByElement) {
  // The number of an element depends on its place and on the seed alone, so
  // that a slice of the rows of a matrix keeps its codes only at the top.
  std::mt19937 engine(3);
  std::normal_distribution<float> normal;
  std::vector<float> values(8 * 96);
  for (float &value : values)
    value = normal(engine);
  QuantizeOptions options;
  options.seed = 11;
  QuantizedMatrix matrix = quantize(values, 8, 96, options);
  for (size_t i = 0; i != values.size(); ++i) {
    float quotient = values[i] / matrix.scales[i / 32];
    EXPECT_EQ(matrix.codes[i],
              encodeStochastic(EF::F8E4M3FN, quotient, getRandomBits(11, i)));
  }
  options.seed = 12;
  QuantizedMatrix other = quantize(values, 8, 96, options);
  EXPECT_EQ(other.scales, matrix.scales);
  EXPECT_NE(other.codes, matrix.codes);
}
