//===- QuantizeTest.cpp - Block quantization ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockGoldens.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;
using testing::ElementsAre;
using testing::ElementsAreArray;

using EF = ElementFormat;

namespace {

constexpr ScaleRule allRules[] = {ScaleRule::RCeil, ScaleRule::Floor,
                                  ScaleRule::Ceil, ScaleRule::Even};
const float inf = std::numeric_limits<float>::infinity();
const float quietNaN = std::numeric_limits<float>::quiet_NaN();

QuantizeOptions makeOptions(EF format, ScaleRule rule = ScaleRule::RCeil) {
  QuantizeOptions options;
  options.format = format;
  options.scale.rule = rule;
  return options;
}

/// A row of at most one block.
BlockResult quantizeBlock(ArrayRef<float> values,
                          const QuantizeOptions &options) {
  QuantizedMatrix matrix = quantize(values, 1, values.size(), options);
  EXPECT_EQ(matrix.scales.size(), 1u);
  uint32_t scale = encodeScale(options.scale.format, matrix.scales.front());
  return {static_cast<uint8_t>(scale), matrix.codes};
}

uint8_t computeMXScale(float amax, EF format, ScaleRule rule) {
  ScaleOptions options;
  options.rule = rule;
  return encodeScale(options.format, computeScale(amax, format, options));
}

void checkBlock(EF format, std::vector<float> values, ScaleRule rule,
                BlockResult expected) {
  // Missing values count as zeros, whose code is zero (S-7).
  for (size_t size : {values.size(), size_t(mxBlockSize)}) {
    values.resize(size);
    expected.codes.resize(size);
    BlockResult result = quantizeBlock(values, makeOptions(format, rule));
    EXPECT_EQ(result.scale, expected.scale);
    EXPECT_THAT(result.codes, ElementsAreArray(expected.codes));
  }
}

std::vector<float> makeNormal(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(engine);
  return values;
}

} // namespace

TEST(QuantizeTest, BlockGoldens) {
  for (const BlockGolden &golden : blockGoldens) {
    SCOPED_TRACE(golden.values.front());
    for (const auto &[rule, result] : golden.getResults()) {
      SCOPED_TRACE(static_cast<int>(rule));
      checkBlock(golden.format, golden.values, rule, result);
    }
  }
}

TEST(QuantizeTest, NonFiniteValuesPoisonTheBlock) {
  // S-10, S-13: wherever the value stands, and the next block stays clean.
  for (float poison : {inf, -inf, quietNaN, -quietNaN})
    for (size_t place : {0, 5, 31})
      for (ScaleRule rule : allRules)
        for (EF format : {EF::F8E4M3FN, EF::F8E5M2, EF::F4E2M1FN, EF::I8}) {
          std::vector<float> values(2 * mxBlockSize, 1.0f);
          values[place] = poison;
          QuantizeOptions options = makeOptions(format, rule);
          QuantizedMatrix matrix = quantize(values, 1, values.size(), options);
          EXPECT_TRUE(std::isnan(matrix.scales[0]));
          EXPECT_EQ(encodeScale(ScaleFormat::F8E8M0FNU, matrix.scales[0]),
                    0xFFu);
          EXPECT_FALSE(std::isnan(matrix.scales[1]));
          EXPECT_EQ(std::isnan(matrix.amax), std::isnan(poison));
          std::vector<double> result = dequantize(matrix, options);
          for (size_t i = 0; i != values.size(); ++i)
            EXPECT_EQ(std::isnan(result[i]), i < size_t(mxBlockSize));
        }
}

TEST(QuantizeTest, NonFiniteValuesMaySaturate) {
  // S-13, the other variant: infinity takes the largest E8M0 scale, NaN stays.
  QuantizeOptions options = makeOptions(EF::F8E4M3FN);
  options.scale.nonFinite = NonFinite::Saturate;
  BlockResult result = quantizeBlock({inf, 0x1p127f}, options);
  EXPECT_EQ(result.scale, 0xFE);
  EXPECT_THAT(result.codes, ElementsAre(0x7E, 0x38));
  EXPECT_EQ(quantizeBlock({quietNaN, inf}, options).scale, 0xFF);
  // f32 scales fall back to 1 for both.
  options.scale.format = ScaleFormat::F32;
  options.scale.rule = ScaleRule::Amax;
  QuantizedMatrix matrix = quantize({-inf, 3, quietNaN}, 1, 3, options);
  EXPECT_THAT(matrix.scales, ElementsAre(1.0f));
  EXPECT_THAT(matrix.codes, ElementsAre(0xFE, 0x44, 0x7F));
}

TEST(QuantizeTest, ZeroBlocksHaveZeroCodes) {
  // S-12: in all modes and formats, and for zeros of both signs.
  for (ScaleRule rule : allRules)
    for (const FormatInfo &info : getFormatInfos())
      if (info.isSigned)
        checkBlock(info.format, {0.0f, -0.0f}, rule, {0x00, {0x00, 0x00}});
}

TEST(QuantizeTest, RCeilIsFloorOrTwiceFloor) {
  // S-14: RCEIL doubles the scale of FLOOR exactly if FLOOR would clamp amax.
  for (const FormatInfo &info : getFormatInfos()) {
    if (!info.isSigned)
      continue;
    float qmax =
        getFormatInfo(getScaledFormat(info.format, ScaleFormat::F8E8M0FNU))
            .qmax;
    for (float amax : {qmax, std::nextafter(qmax, 0.0f),
                       std::nextafter(qmax, inf), qmax * 0.75f}) {
      uint8_t floor = computeMXScale(amax, info.format, ScaleRule::Floor);
      uint8_t rceil = computeMXScale(amax, info.format, ScaleRule::RCeil);
      EXPECT_EQ(rceil, floor + (amax > qmax ? 1 : 0)) << info.name.str();
    }
  }
}

TEST(QuantizeTest, RCeilRoundsTheQuotientToF32First) {
  // S-14: only a subnormal quotient shows it. Exactly, it is above 2^-127.
  float amax = std::nextafter(0x1.cp-119f, inf);
  EXPECT_EQ(computeMXScale(amax, EF::F8E4M3FN, ScaleRule::RCeil), 0x00);
  amax = std::nextafter(0x1.cp-118f, inf);
  EXPECT_EQ(computeMXScale(amax, EF::F8E4M3FN, ScaleRule::RCeil), 0x02);
}

TEST(QuantizeTest, RoundTripErrorIsBounded) {
  // The scaled element is at most qmax, so it errs by at most half a place in
  // the last binade: 2^(emax - mantissa bits - 1) times the scale.
  for (const FormatInfo &format : getFormatInfos()) {
    if (!format.isSigned)
      continue;
    std::vector<float> values = makeNormal(3 * 70, 1);
    QuantizeOptions options = makeOptions(format.format);
    QuantizedMatrix matrix = quantize(values, 3, 70, options);
    ASSERT_EQ(matrix.scales.size(), 9u);
    std::vector<double> result = dequantize(matrix, options);
    const FormatInfo &info =
        getFormatInfo(getScaledFormat(format.format, ScaleFormat::F8E8M0FNU));
    for (size_t i = 0; i != values.size(); ++i) {
      double scale = matrix.scales[i / 70 * 3 + i % 70 / mxBlockSize];
      double bound = std::ldexp(
          scale, info.emax - static_cast<int>(info.mantissaBits) - 1);
      EXPECT_LE(std::abs(result[i] - values[i]), bound) << info.name.str();
    }
  }
}

TEST(QuantizeTest, RaggedRowsHaveTheirOwnLastScale) {
  // S-7: K = 40 leaves a block of 8; the next row does not leak into it.
  std::vector<float> values(2 * 40, 448.0f);
  for (int i = 32; i != 40; ++i)
    values[i] = 1.75f;
  QuantizedMatrix matrix = quantize(values, 2, 40, makeOptions(EF::F8E4M3FN));
  EXPECT_THAT(matrix.scales, ElementsAre(1, 0x1p-8f, 1, 1));
  EXPECT_THAT(matrix.codes, testing::Each(0x7E));
}

TEST(QuantizeTest, IntegersUnderMXScalesAreFractions) {
  // S-14, E-4: MXINT8 counts 2^-6 and never writes 0x80.
  checkBlock(EF::I8, {1.984375f, -1, 0.5f}, ScaleRule::Floor,
             {0x7F, {0x7F, 0xC0, 0x20}});
  checkBlock(EF::I8, {-1.9999f, 1}, ScaleRule::Floor, {0x7F, {0x81, 0x40}});
  checkBlock(EF::I8, {-1.9999f, 1}, ScaleRule::RCeil, {0x80, {0xC0, 0x20}});
  QuantizeOptions options = makeOptions(EF::I8, ScaleRule::Floor);
  QuantizedMatrix matrix = quantize({1.984375f, -1}, 1, 2, options);
  EXPECT_THAT(dequantize(matrix, options), ElementsAre(1.984375, -1));
  // Under other scales they are integers.
  options.scale = {ScaleFormat::F32, ScaleRule::Amax};
  matrix = quantize({254, -2}, 1, 2, options);
  EXPECT_THAT(matrix.scales, ElementsAre(2));
  EXPECT_THAT(matrix.codes, ElementsAre(0x7F, 0xFF));
}

TEST(QuantizeTest, EmptyMatrices) {
  QuantizeOptions options;
  EXPECT_TRUE(quantize({}, 0, 40, options).scales.empty());
  EXPECT_TRUE(quantize({}, INT64_MAX, 0, options).scales.empty());
  options.block = {0, 0};
  options.scale = {ScaleFormat::F32, ScaleRule::Amax};
  EXPECT_THAT(quantize({}, INT64_MAX, 0, options).scales, ElementsAre(1));
  options.percentile = 0.5;
  EXPECT_THAT(quantize({}, 0, 3, options).scales, ElementsAre(1));
}

TEST(QuantizeTest, RuleNames) {
  for (auto [name, rule] : {std::pair("rceil", ScaleRule::RCeil),
                            {"floor", ScaleRule::Floor},
                            {"ceil", ScaleRule::Ceil},
                            {"even", ScaleRule::Even},
                            {"amax", ScaleRule::Amax},
                            {"pow2", ScaleRule::Pow2},
                            {"nvfp4", ScaleRule::NVFP4}}) {
    EXPECT_EQ(parseScaleRule(name), rule);
    EXPECT_EQ(getScaleRuleName(rule), name);
  }
  EXPECT_EQ(parseScaleRule("RCEIL"), std::nullopt);
  EXPECT_EQ(listScaleRules(), "rceil floor ceil even amax pow2 nvfp4");
}
