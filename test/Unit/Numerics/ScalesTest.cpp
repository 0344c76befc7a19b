//===- ScalesTest.cpp - Scales of quantized blocks ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of scales, and quantization by scales that are not MX scales.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Scales.h"

#include "BlockGoldens.h"
#include "lpgemm/Numerics/Quantize.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;

using EF = ElementFormat;
using SF = ScaleFormat;

namespace {

const float inf = std::numeric_limits<float>::infinity();
const float quietNaN = std::numeric_limits<float>::quiet_NaN();

QuantizeOptions makeOptions(EF format, BlockShape block, SF scaleFormat,
                            ScaleRule rule = ScaleRule::Amax) {
  QuantizeOptions options;
  options.format = format;
  options.block = block;
  options.scale = {scaleFormat, rule};
  return options;
}

QuantizeOptions makeNVFP4Options() {
  return makeOptions(EF::F4E2M1FN, {1, nvfp4BlockSize}, SF::F8E4M3FN,
                     ScaleRule::NVFP4);
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

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TEST(ScalesTest, Names) {
  for (const ScaleFormatInfo &info : getScaleFormatInfos()) {
    EXPECT_EQ(parseScaleFormat(info.name), info.format);
    EXPECT_EQ(&getScaleFormatInfo(info.format), &info);
  }
  EXPECT_EQ(parseScaleFormat("f16"), std::nullopt); // S-8
}

TEST(ScalesTest, CodesRoundTrip) {
  for (uint32_t code = 0; code != 0x10000; ++code) {
    // S-8: every bf16 scale is exact.
    float value = decodeScale(SF::BF16, code);
    EXPECT_EQ(bit_cast<uint32_t>(value), code << 16);
    if (!std::isnan(value))
      EXPECT_EQ(encodeScale(SF::BF16, value), code);
  }
  for (uint32_t code = 0; code != 256; ++code) {
    EXPECT_EQ(encodeScale(SF::F8E8M0FNU, decodeScale(SF::F8E8M0FNU, code)),
              code);
    // The sign bit of an f8E4M3FN scale is ignored and never written.
    float value = decodeScale(SF::F8E4M3FN, code);
    EXPECT_FALSE(value < 0);
    EXPECT_EQ(encodeScale(SF::F8E4M3FN, value), code & 0x7F);
  }
  EXPECT_EQ(encodeScale(SF::F32, 1.5f), 0x3FC00000u);
  EXPECT_EQ(decodeScale(SF::F32, 0x3FC00000), 1.5f);
}

TEST(ScalesTest, RoundsToTheType) {
  EXPECT_EQ(roundScale(SF::BF16, 0x1.01p0f), 1.0f); // tie to even
  EXPECT_EQ(roundScale(SF::BF16, 0x1.03p0f), 0x1.04p0f);
  EXPECT_EQ(roundScale(SF::F8E4M3FN, 0x1.1p0f), 1.0f);
  EXPECT_EQ(roundScale(SF::F8E4M3FN, 1e9f), 448.0f);
  EXPECT_EQ(roundScale(SF::F8E8M0FNU, 1.1f), 2.0f); // C-13
  EXPECT_TRUE(std::isnan(roundScale(SF::BF16, quietNaN)));
  EXPECT_TRUE(std::isnan(roundScale(SF::F8E4M3FN, quietNaN)));
}

TEST(ScalesTest, Doubles) {
  // C-17, C-19
  EXPECT_EQ(doubleScale(SF::F32, 0.3f), 0.6f);
  EXPECT_EQ(doubleScale(SF::BF16, 0.5f), 1.0f);
  EXPECT_EQ(doubleScale(SF::F8E8M0FNU, 0x1p-127f), 0x1p-126f);
  EXPECT_EQ(doubleScale(SF::F8E8M0FNU, 0x1p126f), 0x1p127f);
  EXPECT_TRUE(std::isnan(doubleScale(SF::F8E8M0FNU, 0x1p127f)));
  EXPECT_TRUE(std::isnan(doubleScale(SF::F8E8M0FNU, quietNaN)));
}

TEST(ScalesTest, StoresLittleEndian) {
  EXPECT_THAT(storeScales(SF::F32, {1.5f, -2.0f}),
              ElementsAre(0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0));
  EXPECT_THAT(storeScales(SF::BF16, {1.5f}), ElementsAre(0xC0, 0x3F));
  EXPECT_THAT(storeScales(SF::F8E8M0FNU, {0x1p-127f, 1.0f, quietNaN}),
              ElementsAre(0x00, 0x7F, 0xFF));
  EXPECT_THAT(storeScales(SF::F8E4M3FN, {448, 0}), ElementsAre(0x7E, 0x00));
  const std::vector<float> scales = {1.0f, 0.5f, 4.0f};
  for (const ScaleFormatInfo &info : getScaleFormatInfos())
    EXPECT_EQ(loadScales(info.format, storeScales(info.format, scales)),
              scales);
}

//===----------------------------------------------------------------------===//
// Scales of f32 and bf16
//===----------------------------------------------------------------------===//

TEST(ScalesTest, F32BlockGolden) {
  // S-11
  QuantizeOptions options = makeOptions(EF::F8E4M3FN, {1, 128}, SF::F32);
  std::vector<float> values(128);
  values[0] = 3;
  values[1] = -1.5f;
  values[2] = 0.01f;
  std::vector<uint8_t> expected(128);
  expected[0] = 0x7E;
  expected[1] = 0xF6;
  expected[2] = 0x3C;
  QuantizedMatrix matrix = quantize(values, 1, 128, options);
  ASSERT_EQ(matrix.scales.size(), 1u);
  EXPECT_EQ(bit_cast<uint32_t>(matrix.scales[0]), 0x3BDB6DB7u);
  EXPECT_THAT(matrix.codes, ElementsAreArray(expected));
  EXPECT_EQ(matrix.amax, 3);
  EXPECT_EQ(matrix.tensorScale, 1);
}

TEST(ScalesTest, DividesOrMultipliesInF32) {
  // S-11: each variant by its definition, on values that are near ties.
  std::mt19937 engine(5);
  unsigned differing = 0;
  for (EF format : {EF::F8E4M3FN, EF::F4E2M1FN, EF::I8})
    for (int trial = 0; trial != 2000; ++trial) {
      const FormatInfo &info = getFormatInfo(format);
      float amax = std::uniform_real_distribution<float>(1, 2)(engine);
      float scale = amax / static_cast<float>(info.qmax);
      uint8_t code = engine() % info.qmaxCode;
      double middle =
          (decode(format, code) + decode(format, code + 1)) / 2 * scale;
      const float values[] = {amax, static_cast<float>(middle)};
      QuantizeOptions options = makeOptions(format, {0, 0}, SF::F32);
      QuantizedMatrix divided = quantize(values, 1, 2, options);
      options.reciprocal = true;
      QuantizedMatrix multiplied = quantize(values, 1, 2, options);
      EXPECT_THAT(divided.scales, ElementsAre(scale));
      EXPECT_THAT(multiplied.scales, ElementsAre(scale));
      EXPECT_EQ(divided.codes[1], encode(format, values[1] / scale));
      float reciprocal = 1.0f / scale;
      EXPECT_EQ(multiplied.codes[1], encode(format, values[1] * reciprocal));
      differing += divided.codes != multiplied.codes;
    }
  EXPECT_GT(differing, 100u); // so that the test tells them apart
}

TEST(ScalesTest, BlockShapes) {
  // S-7: 5 x 7 in blocks of 2 x 3, by rows, by columns and as a whole; every
  // scale is the one of the elements that it covers.
  const int64_t rows = 5, columns = 7;
  std::vector<float> values = makeNormal(rows * columns, 6);
  const std::pair<BlockShape, size_t> shapes[] = {
      {{2, 3}, 9}, {{1, 3}, 15},    {{1, 0}, 5}, {{0, 1}, 7},
      {{0, 0}, 1}, {{128, 128}, 1}, {{1, 1}, 35}};
  for (auto [block, count] : shapes) {
    QuantizeOptions options = makeOptions(EF::F8E4M3FN, block, SF::F32);
    QuantizedMatrix matrix = quantize(values, rows, columns, options);
    ASSERT_EQ(matrix.scales.size(), count);
    std::vector<double> result = dequantize(matrix, options);
    std::vector<float> amaxes(count);
    for (int64_t i = 0; i != rows * columns; ++i) {
      int64_t blockRow = block.rows == 0 ? 0 : i / columns / block.rows;
      int64_t blockColumn =
          block.columns == 0 ? 0 : i % columns / block.columns;
      int64_t index =
          blockRow * block.getNumBlockColumns(columns) + blockColumn;
      amaxes[index] = std::max(amaxes[index], std::abs(values[i]));
      EXPECT_EQ(matrix.codes[i],
                encode(EF::F8E4M3FN, values[i] / matrix.scales[index]));
      EXPECT_EQ(result[i], double(matrix.scales[index]) *
                               decode(EF::F8E4M3FN, matrix.codes[i]));
    }
    for (float &amax : amaxes)
      amax /= 448;
    EXPECT_EQ(matrix.scales, amaxes);
  }
}

TEST(ScalesTest, ZeroAndNaNBlocks) {
  // S-12, S-13
  for (SF format : {SF::F32, SF::BF16})
    for (ScaleRule rule : {ScaleRule::Amax, ScaleRule::Pow2}) {
      QuantizeOptions options = makeOptions(EF::F8E4M3FN, {1, 2}, format, rule);
      QuantizedMatrix matrix =
          quantize({0, -0.0f, 1, quietNaN, inf, 1}, 1, 6, options);
      EXPECT_EQ(matrix.scales[0], 1);
      EXPECT_EQ(matrix.codes[0], 0);
      EXPECT_EQ(matrix.codes[1], 0);
      EXPECT_TRUE(std::isnan(matrix.scales[1]));
      EXPECT_TRUE(std::isnan(matrix.scales[2]));
      EXPECT_TRUE(std::isnan(matrix.amax));
    }
}

TEST(ScalesTest, FloorOfAmax) {
  // S-12: as DeepGEMM does, with 1e-4.
  QuantizeOptions options = makeOptions(EF::F8E4M3FN, {1, 2}, SF::F32);
  options.scale.amaxFloor = 1e-4f;
  QuantizedMatrix matrix =
      quantize({0, -0.0f, 1e-6f, 0, 1, 2, quietNaN, 0}, 1, 8, options);
  EXPECT_EQ(matrix.scales[0], 1e-4f / 448);
  EXPECT_EQ(matrix.scales[1], 1e-4f / 448);
  EXPECT_EQ(matrix.scales[2], 2.0f / 448);
  EXPECT_TRUE(std::isnan(matrix.scales[3]));
  EXPECT_EQ(matrix.codes[1], 0);
  EXPECT_EQ(matrix.codes[2], encode(EF::F8E4M3FN, 4.48));
}

TEST(ScalesTest, PowersOfTwoInF32) {
  // The scales of RCEIL, in another type.
  std::vector<float> values = makeNormal(4 * 256, 8);
  QuantizeOptions options;
  options.block = {1, 128};
  QuantizedMatrix exponents = quantize(values, 4, 256, options);
  for (SF format : {SF::F32, SF::BF16}) {
    options.scale = {format, ScaleRule::Pow2};
    QuantizedMatrix matrix = quantize(values, 4, 256, options);
    EXPECT_EQ(matrix.scales, exponents.scales);
    EXPECT_EQ(matrix.codes, exponents.codes);
    options.reciprocal = true; // S-11: the same for powers of two
    EXPECT_EQ(quantize(values, 4, 256, options).codes, exponents.codes);
    options.reciprocal = false;
  }
}

TEST(ScalesTest, BF16ScalesRoundTheQuotient) {
  std::vector<float> values = makeNormal(2 * 256, 9);
  QuantizeOptions options = makeOptions(EF::F8E4M3FN, {1, 128}, SF::F32);
  QuantizedMatrix exact = quantize(values, 2, 256, options);
  options.scale.format = SF::BF16;
  QuantizedMatrix rounded = quantize(values, 2, 256, options);
  for (size_t i = 0; i != 4; ++i)
    EXPECT_EQ(rounded.scales[i], roundScale(SF::BF16, exact.scales[i]));
  EXPECT_NE(rounded.scales, exact.scales);
  for (size_t i = 0; i != values.size(); ++i)
    EXPECT_EQ(rounded.codes[i],
              encode(EF::F8E4M3FN, values[i] / rounded.scales[i / 128]));
}

TEST(ScalesTest, TinyScales) {
  // S-19: a subnormal scale is kept, and an infinite quotient saturates; a
  // scale that rounds to zero makes the block zero.
  QuantizeOptions options = makeOptions(EF::F8E4M3FN, {1, 2}, SF::F32);
  for (bool reciprocal : {false, true}) {
    options.reciprocal = reciprocal;
    QuantizedMatrix matrix =
        quantize({0x1p-140f, 0, 0x1p-149f, -0x1p-149f}, 1, 4, options);
    EXPECT_EQ(matrix.scales[0], 0x1p-149f); // f32(2^-140 / 448)
    EXPECT_EQ(matrix.codes[0], 0x7E);
    EXPECT_EQ(matrix.codes[1], 0x00);
    EXPECT_EQ(matrix.scales[1], 0);
    EXPECT_EQ(matrix.codes[2], 0);
    EXPECT_EQ(matrix.codes[3], 0);
  }
}

TEST(ScalesTest, Overflow) {
  // C-3, C-4 with a scale that is too small: only given ones are.
  const float scales[] = {1.0f};
  QuantizeOptions options = makeOptions(EF::F8E4M3FN, {0, 0}, SF::F32);
  options.givenScales = scales;
  const float values[] = {500, -500, 448, inf};
  EXPECT_THAT(quantize(values, 1, 4, options).codes,
              ElementsAre(0x7E, 0xFE, 0x7E, 0x7E));
  options.overflow = Overflow::NoSaturate;
  EXPECT_THAT(quantize(values, 1, 4, options).codes,
              ElementsAre(0x7F, 0xFF, 0x7E, 0x7F));
}

TEST(ScalesTest, GivenScales) {
  // S-17: the scales come from outside, and the largest magnitude goes out.
  const float scales[] = {2.0f, -0.5f, 0.0f, quietNaN};
  QuantizeOptions options = makeOptions(EF::F8E4M3FN, {1, 2}, SF::F32);
  options.givenScales = scales;
  QuantizedMatrix matrix =
      quantize({4, -0.0f, 1, -3, 5, quietNaN, 1, 0}, 2, 4, options);
  EXPECT_THAT(ArrayRef(matrix.scales).drop_back(), ElementsAre(2, -0.5f, 0));
  EXPECT_TRUE(std::isnan(matrix.scales.back()));
  EXPECT_THAT(matrix.codes,
              ElementsAre(0x40, 0x80, 0xC0, 0x4C, 0x00, 0x7F, 0x7F, 0x7F));
  EXPECT_TRUE(std::isnan(matrix.amax));
}

TEST(ScalesTest, Percentile) {
  // S-18: of ten magnitudes 0.9 cover all but the largest.
  QuantizeOptions options = makeOptions(EF::I8, {0, 0}, SF::F32);
  std::vector<float> values = {-1, 2, 3, -4, 5, 6, 7, 8, -127, 1000};
  auto scaleOf = [&](double percentile) {
    options.percentile = percentile;
    return quantize(values, 2, 5, options).scales.front();
  };
  EXPECT_EQ(scaleOf(1), 1000.0f / 127);
  EXPECT_EQ(scaleOf(0.91), 1000.0f / 127);
  EXPECT_EQ(scaleOf(0.9), 1);
  EXPECT_EQ(scaleOf(0.5), 5.0f / 127);
  EXPECT_EQ(scaleOf(1e-9), 1.0f / 127);
  options.percentile = 0.9;
  QuantizedMatrix matrix = quantize(values, 2, 5, options);
  EXPECT_EQ(matrix.codes.back(), 127); // saturated
  EXPECT_EQ(matrix.amax, 1000);
  values[0] = quietNaN;
  EXPECT_TRUE(std::isnan(scaleOf(0.5)));
  // Mostly zeros: the quantile is no magnitude.
  values = {0, 0, 0, 0, 0, 0, 0, 0, 0, -254};
  EXPECT_EQ(scaleOf(0.5), 2);
}

//===----------------------------------------------------------------------===//
// Scales of f8E4M3FN
//===----------------------------------------------------------------------===//

TEST(ScalesTest, NVFP4Goldens) {
  for (const TensorGolden &c : tensorGoldens) {
    SCOPED_TRACE(c.values.front());
    QuantizeOptions options = makeNVFP4Options();
    options.tensorAmax = c.tensorAmax;
    EXPECT_EQ(computeTensorEncodeScale(c.tensorAmax), c.encodeScale);
    std::vector<float> values = c.values;
    values.resize(nvfp4BlockSize);
    QuantizedMatrix matrix = quantize(values, 1, nvfp4BlockSize, options);
    EXPECT_EQ(matrix.tensorScale, 1.0f / c.encodeScale);
    EXPECT_THAT(storeScales(SF::F8E4M3FN, matrix.scales), ElementsAre(c.scale));
    std::vector<double> result = dequantize(matrix, options);
    for (size_t i = 0; i != values.size(); ++i) {
      EXPECT_EQ(matrix.codes[i], i < c.codes.size() ? c.codes[i] : 0);
      double expected = i < c.codes.size() ? c.dequantized[i] : 0;
      EXPECT_THAT(result[i], DoubleNear(expected, 1e-5 * std::abs(expected)));
    }
  }
}

TEST(ScalesTest, NVFP4FindsTheScaleOfTheTensor) {
  // By default it is that of the matrix; both block shapes.
  std::vector<float> values = makeNormal(40 * 50, 10);
  float amax = 0;
  for (float value : values)
    amax = std::max(amax, std::abs(value));
  for (BlockShape block : {BlockShape{1, 16}, BlockShape{16, 16}}) {
    QuantizeOptions options = makeNVFP4Options();
    options.block = block;
    QuantizedMatrix matrix = quantize(values, 40, 50, options);
    EXPECT_EQ(matrix.amax, amax);
    EXPECT_EQ(matrix.tensorScale, 1.0f / (2688.0f / amax));
    EXPECT_EQ(matrix.scales.size(), block.rows == 1 ? 160u : 12u);
    EXPECT_EQ(*std::max_element(matrix.scales.begin(), matrix.scales.end()),
              448);
    options.tensorAmax = amax;
    EXPECT_EQ(quantize(values, 40, 50, options).codes, matrix.codes);
  }
}

TEST(ScalesTest, NVFP4RoundsAsDefined) {
  // S-16: the order of the f32 operations shows next to the ties of the scale
  // and of the element; other orders must give other results here.
  std::mt19937 engine(11);
  unsigned otherScales = 0, otherCodes = 0;
  for (int trial = 0; trial != 4000; ++trial) {
    float tensorAmax = std::uniform_real_distribution<float>(1, 2)(engine);
    float encodeScale = 2688.0f / tensorAmax;
    uint8_t code = 0x40 + engine() % 0x30;
    double scaleTie =
        (decode(EF::F8E4M3FN, code) + decode(EF::F8E4M3FN, code + 1)) / 2;
    float amax = scaleTie * 6 / encodeScale;
    uint8_t scaleCode = encode(EF::F8E4M3FN, amax * (encodeScale / 6.0f));
    float scale = decode(EF::F8E4M3FN, scaleCode);
    const float ties[] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f};
    float value = ties[engine() % 6] * scale / encodeScale;

    QuantizeOptions options = makeNVFP4Options();
    options.tensorAmax = tensorAmax;
    QuantizedMatrix matrix = quantize({amax, value}, 1, 2, options);
    EXPECT_THAT(storeScales(SF::F8E4M3FN, matrix.scales),
                ElementsAre(scaleCode));
    float factor = encodeScale / scale;
    EXPECT_EQ(matrix.codes[1], encode(EF::F4E2M1FN, value * factor));
    otherScales += encode(EF::F8E4M3FN, amax * encodeScale / 6.0f) != scaleCode;
    otherCodes +=
        encode(EF::F4E2M1FN, value * (encodeScale * (1.0f / scale))) !=
        matrix.codes[1];
  }
  EXPECT_GT(otherScales, 100u);
  EXPECT_GT(otherCodes, 100u);
}

TEST(ScalesTest, NVFP4Extremes) {
  QuantizeOptions options = makeNVFP4Options();
  // The encode scale of a tiny tensor is FLT_MAX; zeros stay zeros though the
  // factor of their block is infinite.
  EXPECT_EQ(computeTensorEncodeScale(1e-40f), FLT_MAX);
  QuantizedMatrix matrix = quantize({1e-40f, 0, -0.0f}, 1, 3, options);
  EXPECT_THAT(matrix.codes, ElementsAre(7, 0, 8));
  // A NaN poisons the tensor, unless its magnitude comes from outside.
  matrix = quantize({1, quietNaN}, 1, 2, options);
  EXPECT_TRUE(std::isnan(matrix.tensorScale));
  EXPECT_THAT(dequantize(matrix, options), Each(testing::IsNan()));
  options.scale.nonFinite = NonFinite::Saturate;
  matrix = quantize({inf, 448}, 1, 2, options);
  EXPECT_EQ(matrix.tensorScale, 1);
  EXPECT_THAT(matrix.scales, ElementsAre(448));
  EXPECT_THAT(matrix.codes, ElementsAre(7, 2));
}

TEST(ScalesTest, SmallestScale) {
  // S-16: torchao raises a block scale to 2^-6.
  QuantizeOptions options = makeNVFP4Options();
  options.tensorAmax = 1.0f;
  EXPECT_THAT(quantize({1e-6f, 0}, 1, 2, options).scales, ElementsAre(0));
  options.scale.minScale = 0x1p-6f;
  QuantizedMatrix matrix = quantize({1e-6f, 0}, 1, 2, options);
  EXPECT_THAT(storeScales(SF::F8E4M3FN, matrix.scales), ElementsAre(0x08));
  EXPECT_THAT(matrix.codes, ElementsAre(0, 0)); // 1e-6 * 2688 * 64 = 0.17
}

TEST(ScalesTest, FractionsWithoutATensorScale) {
  // Larger blocks than the type reaches saturate.
  QuantizeOptions options =
      makeOptions(EF::F4E2M1FN, {1, 2}, SF::F8E4M3FN, ScaleRule::Amax);
  QuantizedMatrix matrix = quantize({6, 1, 5000, 1344, 0, 0}, 1, 6, options);
  EXPECT_THAT(matrix.scales, ElementsAre(1, 448, 0));
  EXPECT_THAT(matrix.codes, ElementsAre(7, 2, 7, 5, 0, 0));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(ScalesTest, RejectsOptionsThatDoNotGoTogether) {
  auto check = [](const QuantizeOptions &options, StringRef message) {
    EXPECT_EQ(toString(checkQuantizeOptions(options, 2, 64)), message);
  };
  check(QuantizeOptions(), "");
  check(makeNVFP4Options(), "");
  check(makeOptions(EF::F8E8M0FNU, {1, 32}, SF::F32),
        "f8E8M0FNU is no format of elements");
  check(makeOptions(EF::F8E4M3FN, {-1, 32}, SF::F32),
        "blocks of -1x32: expected extents that are not negative");
  check(makeOptions(EF::F8E4M3FN, {1, 32}, SF::F32, ScaleRule::Even),
        "scale rule 'even' expects scales of f8E8M0FNU, got f32");
  check(makeOptions(EF::F8E4M3FN, {1, 32}, SF::F8E8M0FNU, ScaleRule::Pow2),
        "scale rule 'pow2' expects scales of f32 or bf16, got f8E8M0FNU");
  check(makeOptions(EF::F8E4M3FN, {1, 32}, SF::F8E8M0FNU, ScaleRule::Amax),
        "scale rule 'amax' expects scales of f32 or bf16 or f8E4M3FN, got "
        "f8E8M0FNU");
  check(makeOptions(EF::F8E4M3FN, {1, 16}, SF::F8E4M3FN, ScaleRule::NVFP4),
        "scale rule 'nvfp4' expects elements of f4E2M1FN, got f8E4M3FN");
  check(makeOptions(EF::F4E2M1FN, {1, 32}, SF::F8E4M3FN, ScaleRule::NVFP4),
        "scale rule 'nvfp4' expects blocks of 1x16 or 16x16, got 1x32");

  QuantizeOptions options;
  options.scale.minScale = 0.5f;
  check(options, "scale rule 'rceil' has no smallest scale, only amax and "
                 "nvfp4 do");
  options = makeOptions(EF::F8E4M3FN, {1, 32}, SF::F32);
  options.scale.minScale = quietNaN;
  check(options, "the smallest scale must be finite and not negative");
  options.scale.amaxFloor = -1;
  check(options, "the floor of amax must be finite and not negative");
  options.scale = {SF::F32, ScaleRule::Amax};
  options.tensorAmax = 1.0f;
  check(options,
        "only the rule nvfp4 has a scale of the tensor above the others");
  options.tensorAmax = std::nullopt;
  options.percentile = 0.5;
  check(options,
        "a percentile below 1 expects one scale for the tensor (S-18)");
  options.percentile = 0;
  check(options, "the percentile must be above 0 and at most 1");
  options = makeNVFP4Options();
  options.tensorAmax = quietNaN;
  check(options,
        "the largest magnitude of the tensor must not be negative or NaN");
}

TEST(ScalesTest, RejectsGivenScalesThatDoNotFit) {
  auto check = [](const QuantizeOptions &options, StringRef message) {
    EXPECT_EQ(toString(checkQuantizeOptions(options, 2, 2)), message);
  };
  const float scales[] = {1.0f, 0.3f};
  QuantizeOptions options;
  options.givenScales = scales;
  check(options, "scale 1 is 0.300000012, which is not a value of f8E8M0FNU");
  options.scale = {SF::F32, ScaleRule::Amax};
  check(options, "");
  options.block = {1, 1};
  check(options, "expected 4 scales, got 2");
  options.block = {0, 0};
  options.percentile = 0.5;
  check(options,
        "scales that are given exclude the rule nvfp4 and a percentile");
}
