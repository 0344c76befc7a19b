//===- QuantizeTest.cpp - Block quantization ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Quantize.h"

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

/// A scale code and the codes of the values.
struct Result {
  uint8_t scale;
  std::vector<uint8_t> codes;
};

/// A block and its results by the rules FLOOR, RCEIL, CEIL and EVEN.
struct Golden {
  EF format;
  std::vector<float> values;
  Result floor, rceil, ceil, even;
};

Golden sameForAll(EF format, std::vector<float> values, Result result) {
  return {format, values, result, result, result, result};
}

void checkBlock(EF format, std::vector<float> values, ScaleRule rule,
                Result expected) {
  // Missing values count as zeros, whose code is zero (S-7).
  for (size_t size : {values.size(), size_t(mxBlockSize)}) {
    values.resize(size);
    expected.codes.resize(size);
    std::vector<uint8_t> codes(size);
    EXPECT_EQ(quantizeMXBlock(values, format, rule, codes), expected.scale);
    EXPECT_THAT(codes, ElementsAreArray(expected.codes));
  }
}

} // namespace

static const Golden goldens[] = {
    sameForAll(EF::F8E4M3FN, {0, 0}, {0x00, {0, 0}}),
    {EF::F8E4M3FN,
     {448, 1, -0.5f},
     {0x7F, {0x7E, 0x38, 0xB0}},
     {0x7F, {0x7E, 0x38, 0xB0}},
     {0x80, {0x76, 0x30, 0xA8}},
     {0x7F, {0x7E, 0x38, 0xB0}}},
    {EF::F8E4M3FN,
     {449, -448, 1.0625f},
     {0x7F, {0x7E, 0xFE, 0x38}},
     {0x80, {0x76, 0xF6, 0x30}},
     {0x80, {0x76, 0xF6, 0x30}},
     {0x7F, {0x7E, 0xFE, 0x38}}},
    // FLOOR clamps 480 to 448.
    {EF::F8E4M3FN,
     {480, -3},
     {0x7F, {0x7E, 0xC4}},
     {0x80, {0x77, 0xBC}},
     {0x80, {0x77, 0xBC}},
     {0x7F, {0x7E, 0xC4}}},
    {EF::F8E4M3FN,
     {0x1.c00002p8f, 7},
     {0x7F, {0x7E, 0x4E}},
     {0x80, {0x76, 0x46}},
     {0x80, {0x76, 0x46}},
     {0x7F, {0x7E, 0x4E}}},
    sameForAll(EF::F8E4M3FN, {512, 17}, {0x80, {0x78, 0x50}}),
    sameForAll(EF::F8E4M3FN, {1, -0.3f, 0.001f}, {0x77, {0x78, 0xEA, 0x28}}),
    {EF::F8E4M3FN,
     {FLT_MAX, 1},
     {0xF6, {0x7E, 0x00}},
     {0xF7, {0x78, 0x00}},
     {0xF7, {0x78, 0x00}},
     {0xF7, {0x78, 0x00}}},
    // S-15: the scale 2^-127 and subnormal inputs.
    sameForAll(EF::F8E4M3FN, {0x1p-126f, -0x1p-127f}, {0x00, {0x40, 0xB8}}),
    sameForAll(EF::F8E4M3FN, {1e-40f, 0x1p-149f}, {0x00, {0x09, 0x00}}),
    {EF::F8E5M2,
     {61440, 3},
     {0x7F, {0x7B, 0x42}},
     {0x80, {0x78, 0x3E}},
     {0x80, {0x78, 0x3E}},
     {0x80, {0x78, 0x3E}}},
    {EF::F6E2M3FN,
     {7.5f, 1.0625f, -0.0625f},
     {0x7F, {0x1F, 0x08, 0x20}},
     {0x7F, {0x1F, 0x08, 0x20}},
     {0x80, {0x17, 0x04, 0x20}},
     {0x7F, {0x1F, 0x08, 0x20}}},
    {EF::F6E2M3FN,
     {7.75f, 1},
     {0x7F, {0x1F, 0x08}},
     {0x80, {0x18, 0x04}},
     {0x80, {0x18, 0x04}},
     {0x80, {0x18, 0x04}}},
    {EF::F6E3M2FN,
     {30, 1},
     {0x7F, {0x1F, 0x0C}},
     {0x80, {0x1C, 0x08}},
     {0x80, {0x1C, 0x08}},
     {0x80, {0x1C, 0x08}}},
    {EF::F4E2M1FN,
     {6, 2.5f, -5, .25f, .75f, 1.25f, 1.75f, 3.5f},
     {0x7F, {7, 4, 0xE, 0, 2, 2, 4, 6}},
     {0x7F, {7, 4, 0xE, 0, 2, 2, 4, 6}},
     {0x80, {5, 2, 0xC, 0, 1, 1, 2, 4}},
     {0x7F, {7, 4, 0xE, 0, 2, 2, 4, 6}}},
    {EF::F4E2M1FN,
     {7, 3, -1},
     {0x7F, {7, 5, 0xA}},
     {0x80, {6, 3, 9}},
     {0x80, {6, 3, 9}},
     {0x80, {6, 3, 9}}},
    {EF::F4E2M1FN,
     {4.5f, 2.5f, 0.7f},
     {0x7F, {6, 4, 1}},
     {0x7F, {6, 4, 1}},
     {0x80, {4, 2, 1}},
     {0x7F, {6, 4, 1}}},
    sameForAll(EF::F4E2M1FN, {4, -4, 1}, {0x7F, {6, 0xE, 2}}),
    {EF::F4E2M1FN,
     {0.1f, -0.02f, 0.05f},
     {0x79, {7, 0xB, 5}},
     {0x7A, {5, 9, 3}},
     {0x7A, {5, 9, 3}},
     {0x79, {7, 0xB, 5}}},
    {EF::F4E2M1FN,
     {0x1.800002p2f, 1},
     {0x7F, {7, 2}},
     {0x80, {5, 1}},
     {0x80, {5, 1}},
     {0x7F, {7, 2}}},
    {EF::F4E2M1FN,
     {5, -2.5f, 1.25f},
     {0x7F, {6, 0xC, 2}},
     {0x7F, {6, 0xC, 2}},
     {0x80, {4, 0xA, 1}},
     {0x7F, {6, 0xC, 2}}},
};

TEST(QuantizeTest, BlockGoldens) {
  for (const Golden &golden : goldens) {
    SCOPED_TRACE(golden.values.front());
    const std::pair<ScaleRule, const Result &> results[] = {
        {ScaleRule::Floor, golden.floor},
        {ScaleRule::RCeil, golden.rceil},
        {ScaleRule::Ceil, golden.ceil},
        {ScaleRule::Even, golden.even}};
    for (const auto &[rule, result] : results) {
      SCOPED_TRACE(static_cast<int>(rule));
      checkBlock(golden.format, golden.values, rule, result);
    }
  }
}

TEST(QuantizeTest, NonFiniteValuesPoisonTheBlock) {
  // S-10, S-13: wherever the value stands.
  for (float poison : {inf, -inf, quietNaN, -quietNaN})
    for (size_t place : {0, 5, 31})
      for (ScaleRule rule : allRules)
        for (EF format : {EF::F8E4M3FN, EF::F8E5M2, EF::F4E2M1FN}) {
          std::vector<float> values(mxBlockSize, 1.0f);
          values[place] = poison;
          std::vector<uint8_t> codes(mxBlockSize);
          EXPECT_EQ(quantizeMXBlock(values, format, rule, codes), 0xFF);
        }
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
    float qmax = info.qmax;
    for (float amax : {qmax, std::nextafter(qmax, 0.0f),
                       std::nextafter(qmax, inf), qmax * 0.75f}) {
      uint8_t floor = computeMXScale(amax, info.format, ScaleRule::Floor);
      uint8_t rceil = computeMXScale(amax, info.format, ScaleRule::RCeil);
      EXPECT_EQ(rceil, floor + (amax > qmax ? 1 : 0)) << info.name.str();
    }
  }
}

TEST(QuantizeTest, RoundTripErrorIsBounded) {
  // The scaled element is at most qmax, so it errs by at most half a place in
  // the last binade: 2^(emax - mantissa bits - 1) times the scale.
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  for (const FormatInfo &info : getFormatInfos()) {
    if (!info.isSigned)
      continue;
    std::vector<float> values(3 * 70);
    for (float &value : values)
      value = normal(engine);
    MXMatrix matrix = quantizeMX(values, 3, 70, info.format);
    ASSERT_EQ(matrix.scales.size(), 9u);
    for (size_t i = 0; i != values.size(); ++i) {
      double scale = decode(EF::F8E8M0FNU,
                            matrix.scales[i / 70 * 3 + i % 70 / mxBlockSize]);
      double bound = std::ldexp(
          scale, info.emax - static_cast<int>(info.mantissaBits) - 1);
      EXPECT_LE(
          std::abs(scale * decode(info.format, matrix.codes[i]) - values[i]),
          bound)
          << info.name.str();
    }
  }
}

TEST(QuantizeTest, RaggedRowsHaveTheirOwnLastScale) {
  // S-7: K = 40 leaves a block of 8; the next row does not leak into it.
  std::vector<float> values(2 * 40, 448.0f);
  for (int i = 32; i != 40; ++i)
    values[i] = 1.75f;
  MXMatrix matrix = quantizeMX(values, 2, 40, EF::F8E4M3FN);
  EXPECT_THAT(matrix.scales, ElementsAre(0x7F, 0x77, 0x7F, 0x7F));
  EXPECT_THAT(matrix.codes, testing::Each(0x7E));
}

TEST(QuantizeTest, EmptyMatrices) {
  EXPECT_TRUE(quantizeMX({}, 0, 40, EF::F8E4M3FN).scales.empty());
  EXPECT_TRUE(quantizeMX({}, INT64_MAX, 0, EF::F8E4M3FN).scales.empty());
  EXPECT_TRUE(packNibbles({}, INT64_MAX, 0).empty());
}

TEST(QuantizeTest, RuleNames) {
  EXPECT_EQ(parseScaleRule("rceil"), ScaleRule::RCeil);
  EXPECT_EQ(parseScaleRule("floor"), ScaleRule::Floor);
  EXPECT_EQ(parseScaleRule("ceil"), ScaleRule::Ceil);
  EXPECT_EQ(parseScaleRule("even"), ScaleRule::Even);
  EXPECT_EQ(parseScaleRule("RCEIL"), std::nullopt);
}

TEST(QuantizeTest, PacksEvenColumnsIntoLowNibbles) {
  // L-2: 1.0, -6.0, 0.5 are the codes 2, F, 1.
  EXPECT_THAT(packNibbles({0x2, 0xF, 0x1, 0x3, 0x4, 0x5}, 2, 3),
              ElementsAre(0xF2, 0x01, 0x43, 0x05));
}
