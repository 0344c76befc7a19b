//===- AccuracyTest.cpp - how far numbers are apart -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values are worked out by hand, in the comments.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Accuracy.h"

#include "lpgemm/Numerics/AccuracyTolerance.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;

using NT = NumberType;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr float inf = std::numeric_limits<float>::infinity();
static constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();

template <typename T>
static NumberView view(NT type, const std::vector<T> &data, int64_t columns) {
  return NumberView::getDense(type, data.data(), data.size() / columns,
                              columns);
}

/// Compares one row of f32.
static Accuracy measure(const std::vector<float> &result,
                        const std::vector<float> &expected) {
  return measureAccuracy(view(NT::F32, result, result.size()),
                         view(NT::F32, expected, expected.size()));
}

static uint64_t distance(float x, float y) {
  return computeUlpDistance(NT::F32, bit_cast<uint32_t>(x),
                            bit_cast<uint32_t>(y));
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

TEST(AccuracyView, EveryTypeHasItsNameAndValues) {
  struct Case {
    StringLiteral name;
    uint64_t code;
    double value;
  };
  // 1.5 has the upper half of the significand's first bit set; integers -2.
  const Case cases[] = {{"f64", 0x3FF8000000000000, 1.5},
                        {"f32", 0x3FC00000, 1.5},
                        {"f16", 0x3E00, 1.5},
                        {"bf16", 0x3FC0, 1.5},
                        {"f8E4M3FN", 0x3C, 1.5},
                        {"f8E5M2", 0x3E, 1.5},
                        {"f8E4M3FNUZ", 0x44, 1.5},
                        {"f8E5M2FNUZ", 0x42, 1.5},
                        {"f6E2M3FN", 0x0C, 1.5},
                        {"f6E3M2FN", 0x0E, 1.5},
                        {"f4E2M1FN", 0x3, 1.5},
                        {"f8E8M0FNU", 0x80, 2},
                        {"i32", 0xFFFFFFFE, -2},
                        {"i8", 0xFE, -2}};
  for (const Case &c : cases) {
    std::optional<NT> type = parseNumberType(c.name);
    ASSERT_TRUE(type) << c.name.str();
    EXPECT_EQ(getNumberInfo(*type).name, c.name);
    EXPECT_EQ(getNumberValue(*type, c.code), c.value) << c.name.str();
  }
  EXPECT_FALSE(parseNumberType("f8E4M3"));
}

TEST(AccuracyView, StridesAndCodesNarrowerThanAByte) {
  // Column-major 2x3; the bits above a four-bit code are ignored.
  const std::vector<uint8_t> data = {0xF2, 0x03, 0x04, 0x05, 0x06, 0x17};
  NumberView matrix{NT::F4E2M1FN, data.data(), 2, 3, 1, 2};
  EXPECT_EQ(matrix.getCode(0, 0), 2u);
  EXPECT_EQ(matrix.getValue(1, 0), 1.5);
  EXPECT_EQ(matrix.getValue(0, 2), 4);
  EXPECT_EQ(matrix.getValue(1, 2), 6);
}

//===----------------------------------------------------------------------===//
// ULP
//===----------------------------------------------------------------------===//

TEST(Accuracy, UlpA4Float) {
  EXPECT_EQ(distance(1, 1), 0u);
  EXPECT_EQ(distance(0.0f, -0.0f), 0u);
  // Across a binade: 2 - 2^-23 is the last number below 2.
  EXPECT_EQ(distance(2, std::nextafterf(2, 0)), 1u);
  EXPECT_EQ(distance(std::nextafterf(2, 0), std::nextafterf(2, 3)), 2u);
  // Between the smallest numbers on both sides of zero.
  EXPECT_EQ(distance(0x1p-149f, -0x1p-149f), 2u);
  EXPECT_EQ(distance(std::numeric_limits<float>::max(), inf), 1u);
  EXPECT_EQ(distance(inf, -inf), 2u * 0x7F800000u);
  EXPECT_EQ(distance(nan32, -nan32), 0u);
  EXPECT_EQ(distance(nan32, inf), 0xFFFFFFFFu);
  EXPECT_EQ(distance(0, nan32), 0xFFFFFFFFu);
}

TEST(Accuracy, UlpA4SpecialCodes) {
  struct Case {
    NT type;
    uint64_t lhs, rhs, distance;
  };
  const Case cases[] = {
      {NT::BF16, 0x3F80, 0x3F7F, 1}, // 1 and the number below
      {NT::BF16, 0x0000, 0x8000, 0}, // zeros
      {NT::BF16, 0x7F7F, 0x7F80, 1}, // the largest number and infinity
      {NT::BF16, 0x7FC0, 0x7F80, 0xFFFF},
      {NT::F16, 0x7BFF, 0x7C00, 1},
      {NT::F16, 0x8001, 0x0001, 2},
      {NT::F8E5M2, 0x7B, 0x7C, 1},       // 57344 and infinity
      {NT::F8E5M2, 0xFD, 0x7F, 0},       // NaN of both signs
      {NT::F8E4M3FN, 0x7E, 0x7F, 255},   // 448 and NaN
      {NT::F8E4M3FNUZ, 0x80, 0x00, 255}, // NaN, where others have -0
      {NT::F8E4M3FNUZ, 0x81, 0x01, 2},
      {NT::F4E2M1FN, 0x8, 0x0, 0},
      {NT::F4E2M1FN, 0xF, 0x7, 14},
      {NT::F6E2M3FN, 0x3F, 0x1F, 62},
      {NT::F8E8M0FNU, 0xFE, 0x00, 254},
      {NT::F8E8M0FNU, 0xFF, 0x00, 255},
      {NT::I8, 0x80, 0x7F, 255},
      {NT::I32, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF},
      {NT::F64, 0xFFF0000000000000, 0x7FF0000000000000, 0xFFE0000000000000}};
  for (const Case &c : cases) {
    EXPECT_EQ(computeUlpDistance(c.type, c.lhs, c.rhs), c.distance)
        << getNumberInfo(c.type).name.str() << " " << c.lhs;
    EXPECT_EQ(computeUlpDistance(c.type, c.rhs, c.lhs), c.distance);
  }
}

// Numbers in the order of their values are in the order of their places, and
// neighbours are as far apart as computeUlpSize says.
TEST(Accuracy, UlpA4NeighboursOfEverySmallFormat) {
  for (const FormatInfo &format : getFormatInfos()) {
    NT type = *parseNumberType(format.name);
    unsigned last = format.qmaxCode;
    for (unsigned code = 0; code != last; ++code) {
      double value = getNumberValue(type, code);
      double next = getNumberValue(type, code + 1);
      ASSERT_LT(value, next);
      EXPECT_EQ(computeUlpDistance(type, code, code + 1), 1u);
      EXPECT_EQ(computeUlpSize(type, value), next - value)
          << format.name.str() << " " << code;
    }
  }
}

TEST(Accuracy, UlpSize) {
  EXPECT_EQ(computeUlpSize(NT::F32, 1), 0x1p-23);
  EXPECT_EQ(computeUlpSize(NT::F32, -1.5), 0x1p-23);
  EXPECT_EQ(computeUlpSize(NT::F32, 0), 0x1p-149);
  EXPECT_EQ(computeUlpSize(NT::F32, infinity), 0x1p104);
  EXPECT_EQ(computeUlpSize(NT::F64, infinity), 0x1p971);
  EXPECT_EQ(computeUlpSize(NT::F16, infinity), 32);
  EXPECT_EQ(computeUlpSize(NT::F16, 0x1p-20), 0x1p-24);
  EXPECT_EQ(computeUlpSize(NT::BF16, 256), 2);
  EXPECT_EQ(computeUlpSize(NT::F8E5M2, infinity), 8192);
  EXPECT_EQ(computeUlpSize(NT::I32, 1000), 1);
}

TEST(Accuracy, UlpHistogramBuckets) {
  UlpHistogram histogram;
  for (uint64_t distance : {0, 0, 1, 2, 3, 4, 5, 8, 9})
    histogram.add(distance);
  histogram.add(~uint64_t(0));
  // 0; 1; 2; 3 to 4; 5 to 8; 9 to 16
  const int64_t counts[] = {2, 1, 1, 2, 2, 1};
  const uint64_t ends[] = {0, 1, 2, 4, 8, 16};
  for (unsigned i = 0; i != 6; ++i) {
    EXPECT_EQ(histogram.buckets[i], counts[i]) << i;
    EXPECT_EQ(UlpHistogram::getBucketEnd(i), ends[i]) << i;
  }
  EXPECT_EQ(histogram.buckets[65], 1);
  EXPECT_EQ(UlpHistogram::getBucketEnd(65), ~uint64_t(0));
  EXPECT_EQ(histogram.largest, ~uint64_t(0));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST(Accuracy, SqnrA1CalcDiffA2CosineA3) {
  // Expected (3, 4), got (3, 5): signal 25, error 1, got^2 34, product 29;
  // calc_diff is 1 - 2 * 29 / (25 + 34) = 1 / 59.
  Accuracy accuracy = measure({3, 5}, {3, 4});
  EXPECT_DOUBLE_EQ(accuracy.sums.getSqnr(), 10 * std::log10(25.0));
  EXPECT_DOUBLE_EQ(accuracy.sums.getCalcDiff(), 1.0 / 59);
  EXPECT_DOUBLE_EQ(accuracy.sums.getCosine(), 29 / std::sqrt(25.0 * 34.0));
  EXPECT_DOUBLE_EQ(accuracy.sums.getExpectedRms(), std::sqrt(12.5));
  EXPECT_EQ(accuracy.maxError, 1);
  EXPECT_EQ(accuracy.maxRelativeError, 0.25);
}

TEST(Accuracy, SqnrA1OfZeros) {
  EXPECT_EQ(measure({0, -0.0f}, {0, 0}).sums.getSqnr(), infinity);
  EXPECT_EQ(measure({1, 0}, {0, 0}).sums.getSqnr(), -infinity);
  EXPECT_EQ(measure({0, 0}, {1, 0}).sums.getSqnr(), 0);
  EXPECT_EQ(measure({1, 0}, {0, 0}).maxRelativeError, infinity);
  EXPECT_EQ(measure({0, 0}, {0, 0}).sums.getCalcDiff(), 0);
  EXPECT_EQ(measure({0, 0}, {0, 0}).sums.getCosine(), 1);
  EXPECT_EQ(measure({1, 0}, {0, 0}).sums.getCosine(), 0);
}

// For small errors calc_diff is half of 10^(-SQNR / 10).
TEST(Accuracy, CalcDiffA2FollowsSqnr) {
  std::mt19937_64 engine(1);
  std::vector<float> expected(10000), result;
  for (float &value : expected)
    value = float(engine() % 2001) - 1000;
  for (float value : expected)
    result.push_back(value * (1 + (engine() % 2 ? 0.01f : -0.01f)));
  ErrorSums sums = measure(result, expected).sums;
  EXPECT_NEAR(sums.getSqnr(), 40, 1e-3);
  EXPECT_NEAR(sums.getCalcDiff() / (0.5 * std::pow(10, -sums.getSqnr() / 10)),
              1, 1e-3);
}

TEST(Accuracy, CosineA3IsBlindToScale) {
  ErrorSums sums = measure({2, 4, -6}, {1, 2, -3}).sums;
  EXPECT_DOUBLE_EQ(sums.getCosine(), 1);
  EXPECT_DOUBLE_EQ(sums.getSqnr(), 0);
}

//===----------------------------------------------------------------------===//
// Places of errors
//===----------------------------------------------------------------------===//

TEST(Accuracy, NonFiniteElementsAreCountedNotSummed) {
  Accuracy accuracy = measure({nan32, nan32, 1, inf, inf, 1, 1e30f, 2},
                              {nan32, 1, nan32, inf, -inf, inf, -inf, 2});
  EXPECT_EQ(accuracy.unexpectedNaNs, 1);
  EXPECT_EQ(accuracy.missingNaNs, 1);
  EXPECT_EQ(accuracy.getNaNMismatches(), 2);
  EXPECT_EQ(accuracy.infinityMismatches, 3);
  EXPECT_EQ(accuracy.sums.mismatches, 5);
  EXPECT_EQ(accuracy.sums.count, 1);
  EXPECT_EQ(accuracy.sums.getSqnr(), infinity);
  EXPECT_EQ(accuracy.maxError, infinity);
  EXPECT_EQ(accuracy.maxRelativeError, infinity);
  EXPECT_EQ(accuracy.worstElement->column, 1);
}

TEST(Accuracy, TilesBeginAnewWithEachMatrix) {
  // Two matrices of 3x2, one behind the other, and an error in the first row of
  // the second.
  std::vector<float> expected(12, 1), result = expected;
  result[3 * 2] += 1;
  AccuracyOptions options;
  options.tileRows = 2;
  options.tileColumns = 2;
  options.matrixRows = 3;
  Accuracy accuracy = measureAccuracy(view(NT::F32, result, 2),
                                      view(NT::F32, expected, 2), options);
  ASSERT_TRUE(accuracy.worstTile);
  EXPECT_EQ(accuracy.worstTile->row, 3);
  EXPECT_EQ(accuracy.worstTile->rows, 2);
}

TEST(Accuracy, WorstElementRowAndTile) {
  // 5x7 in tiles of 2x3: an error of 3 at [4, 6] in the corner, of 1 at [1, 1],
  // and of 4 at [2, 4], where more is expected.
  std::vector<float> expected(35, 1), result;
  expected[2 * 7 + 3] = 1000;
  result = expected;
  result[1 * 7 + 1] += 1;
  result[4 * 7 + 6] -= 3;
  result[2 * 7 + 4] += 4;
  AccuracyOptions options;
  options.tileRows = 2;
  options.tileColumns = 3;
  Accuracy accuracy = measureAccuracy(view(NT::F32, result, 7),
                                      view(NT::F32, expected, 7), options);
  ASSERT_TRUE(accuracy.worstElement && accuracy.worstRow && accuracy.worstTile);
  EXPECT_EQ(accuracy.worstElement->row, 2);
  EXPECT_EQ(accuracy.worstElement->column, 4);
  EXPECT_EQ(accuracy.worstElement->result, 5);
  EXPECT_EQ(accuracy.worstElement->expected, 1);
  EXPECT_EQ(accuracy.maxRelativeError, 4);
  // Row 4: signal 7, error 9. The tile at [4, 6] is one element: 1 to 9.
  EXPECT_EQ(accuracy.worstRow->row, 4);
  EXPECT_EQ(accuracy.worstRow->columns, 7);
  EXPECT_DOUBLE_EQ(accuracy.worstRow->sums.getSqnr(), 10 * std::log10(7 / 9.0));
  EXPECT_EQ(accuracy.worstTile->row, 4);
  EXPECT_EQ(accuracy.worstTile->column, 6);
  EXPECT_EQ(accuracy.worstTile->rows, 1);
  EXPECT_EQ(accuracy.worstTile->columns, 1);
  EXPECT_DOUBLE_EQ(accuracy.worstTile->sums.getSqnr(),
                   10 * std::log10(1 / 9.0));

  // A mismatch is worse than any error.
  result[3 * 7] = inf;
  accuracy = measureAccuracy(view(NT::F32, result, 7),
                             view(NT::F32, expected, 7), options);
  EXPECT_EQ(accuracy.worstRow->row, 3);
  EXPECT_EQ(accuracy.worstTile->row, 2);
  EXPECT_EQ(accuracy.worstTile->column, 0);
}

TEST(Accuracy, NothingIsWorstWithoutAnError) {
  Accuracy accuracy = measure({1, nan32, inf}, {1, nan32, inf});
  EXPECT_FALSE(accuracy.worstElement || accuracy.worstRow ||
               accuracy.worstTile);
  EXPECT_EQ(accuracy.maxError, 0);
  // No elements at all.
  const std::vector<float> none;
  accuracy = measureAccuracy(NumberView::getDense(NT::F32, none.data(), 0, 5),
                             NumberView::getDense(NT::F32, none.data(), 0, 5));
  EXPECT_EQ(accuracy.sums.getSqnr(), infinity);
}

TEST(Accuracy, DifferentTypesHaveNoUlps) {
  const std::vector<float> result = {1};
  const std::vector<double> expected = {1 + 0x1p-30};
  Accuracy accuracy =
      measureAccuracy(view(NT::F32, result, 1), view(NT::F64, expected, 1));
  EXPECT_FALSE(accuracy.ulps);
  EXPECT_EQ(accuracy.maxError, 0x1p-30);
}

//===----------------------------------------------------------------------===//
// Tolerances
//===----------------------------------------------------------------------===//

static ToleranceVerdict judge(StringRef text, const NumberView &result,
                              const NumberView &expected,
                              const ErrorBound *bound = nullptr) {
  return judge(cantFail(parseTolerance(text)), result, expected,
               measureAccuracy(result, expected), bound);
}

static bool holds(StringRef text, const std::vector<float> &result,
                  const std::vector<float> &expected) {
  return judge(text, view(NT::F32, result, result.size()),
               view(NT::F32, expected, expected.size()))
      .holds;
}

TEST(AccuracyTolerance, EveryCriterionHasTwoSides) {
  // Of (3, 5) against (3, 4): error 1, relative 1/4, SQNR 13.98 dB, calc_diff
  // 0.01695, cosine 0.99469; 4 and 5 are 2^21 codes of f32 apart.
  const std::pair<StringLiteral, StringLiteral> cases[] = {
      {"abs:1", "abs:0.99"},
      {"rel:0.25", "rel:0.249"},
      // 0.2 * sqrt(12.5) + 0.1 * 4 = 1.107 and 0.2 * sqrt(12.5) = 0.707
      {"allclose:0.2:0.1", "allclose:0.2:0"},
      {"ulp:2097152", "ulp:2097151"},
      {"equal:0.5", "equal:0.51"},
      {"near:0.5", "near:0.51"},
      {"sqnr:13.97", "sqnr:13.98"},
      {"cosine:0.9946", "cosine:0.9947"},
      {"calc_diff:0.017", "calc_diff:0.0169"},
      {"abs:1,rel:1", "abs:1,rel:0"}};
  for (auto [good, bad] : cases) {
    EXPECT_TRUE(holds(good, {3, 5}, {3, 4})) << good.str();
    EXPECT_FALSE(holds(bad, {3, 5}, {3, 4})) << bad.str();
  }
  EXPECT_TRUE(holds("bits", {nan32, 1}, {-nan32, 1}));
  EXPECT_FALSE(holds("bits", {0.0f}, {-0.0f}));
  EXPECT_TRUE(holds("ulp:0,abs:0", {0.0f}, {-0.0f}));
}

TEST(AccuracyTolerance, NonFiniteElementsFail) {
  const StringLiteral texts[] = {
      "bits",     "abs:1e38", "rel:1e38",       "sqnr:0",  "allclose:9:9",
      "cosine:0", "ulp:9",    "calc_diff:1e38", "equal:0", "near:0"};
  for (StringRef text : texts) {
    EXPECT_FALSE(holds(text, {nan32, 1}, {2, 1})) << text.str();
    EXPECT_FALSE(holds(text, {2, 1}, {nan32, 1})) << text.str();
    EXPECT_TRUE(holds(text, {nan32, inf}, {nan32, inf})) << text.str();
    // Infinity is the neighbour of the largest number for codes alone.
    bool isNear = text == "ulp:9" || text == "equal:0" || text == "near:0";
    EXPECT_EQ(holds(text, {inf, 1}, {3.40282347e+38f, 1}), isNear)
        << text.str();
  }
}

TEST(AccuracyTolerance, TheFirstViolationIsKept) {
  const std::vector<float> result = {1, 2, 3, 9, 5, 9},
                           expected = {1, 2, 3, 4, 5, 6};
  ToleranceVerdict verdict =
      judge("abs:1,rel:0.6,sqnr:1", view(NT::F32, result, 3),
            view(NT::F32, expected, 3));
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.violations, 2);
  EXPECT_EQ(verdict.checks[0].violations, 2);
  EXPECT_EQ(verdict.checks[0].measured, 5);
  EXPECT_EQ(verdict.checks[1].violations, 1);
  EXPECT_EQ(verdict.checks[1].measured, 1.25);
  EXPECT_TRUE(verdict.checks[2].holds);
  EXPECT_EQ(verdict.firstViolation->row, 1);
  EXPECT_EQ(verdict.firstViolation->column, 0);
  EXPECT_EQ(verdict.firstViolation->result, 9);
}

TEST(AccuracyTolerance, BoundA6Float) {
  // K = 1 with one block: 9.01 * 2^-24 * 1 + 2 * 2^-149.
  const std::vector<float> one = {1}, magnitude = {1};
  ErrorBound bound{view(NT::F32, magnitude, 1), 1, 1};
  EXPECT_DOUBLE_EQ(bound.get(0, 0), 9.01 * 0x1p-24 + 0x1p-148);
  const std::vector<float> inside = {1 + 4 * 0x1p-23f},
                           outside = {1 + 5 * 0x1p-23f};
  EXPECT_TRUE(
      judge("bound", view(NT::F32, inside, 1), view(NT::F32, one, 1), &bound)
          .holds);
  EXPECT_FALSE(
      judge("bound", view(NT::F32, outside, 1), view(NT::F32, one, 1), &bound)
          .holds);
  // A magnitude that overflows leaves a finite bound, here one in f16.
  const std::vector<uint16_t> half = {0x7C00};
  ErrorBound overflow{view(NT::F16, half, 1), 1, 0};
  EXPECT_DOUBLE_EQ(overflow.get(0, 0), 9.01 * 0x1p-24 * 65504 + 0x1p-149);
}

TEST(AccuracyTolerance, WithoutABoundOnlyWhatIsExactHolds) {
  const std::vector<double> infinite = {infinity, infinity};
  ErrorBound bound{view(NT::F64, infinite, 2), 1, 1, /*isBound=*/true};
  const std::vector<float> expected = {1, inf}, same = {1, inf},
                           near = {1 + 0x1p-23f, inf}, finite = {1, 1};
  auto check = [&](const std::vector<float> &result) {
    return judge("bound", view(NT::F32, result, 2), view(NT::F32, expected, 2),
                 &bound);
  };
  EXPECT_TRUE(check(same).holds);
  EXPECT_EQ(check(near).violations, 1);
  EXPECT_EQ(check(near).checks[0].measured, infinity);
  EXPECT_EQ(check(finite).firstViolation->column, 1);
}

TEST(AccuracyTolerance, BoundA6HasAPlaceMoreForNarrowTypes) {
  const std::vector<float> tiny = {0x1p-40f};
  ErrorBound bound{view(NT::F32, tiny, 1), 1, 1};
  auto check = [&](NT type, uint16_t result, uint16_t expected) {
    const std::vector<uint16_t> x = {result}, y = {expected};
    return judge("bound", view(type, x, 1), view(type, y, 1), &bound).holds;
  };
  EXPECT_TRUE(check(NT::BF16, 0x3F80, 0x3F7F)); // 1, below a power of two
  EXPECT_TRUE(check(NT::BF16, 0x3F80, 0x3F81));
  EXPECT_FALSE(check(NT::BF16, 0x3F80, 0x3F82));
  EXPECT_TRUE(check(NT::F16, 0x7C00, 0x7BFF)); // infinity next to 65504
  EXPECT_FALSE(check(NT::F16, 0x7C00, 0x7BFE));
  EXPECT_FALSE(check(NT::F16, 0x7C00, 0xFC00));
  EXPECT_FALSE(check(NT::F16, 0x7E00, 0x7C00));
}

TEST(AccuracyTolerance, BoundA6OfCodesIsOneStep) {
  const std::vector<float> tiny = {0x1p-40f};
  ErrorBound bound{view(NT::F32, tiny, 1), 1, 1};
  const std::vector<uint8_t> expected = {0x38}, step = {0x39}, steps = {0x3A};
  NumberView wanted = view(NT::F8E4M3FN, expected, 1);
  EXPECT_TRUE(
      judge("bound", view(NT::F8E4M3FN, step, 1), wanted, &bound).holds);
  EXPECT_FALSE(
      judge("bound", view(NT::F8E4M3FN, steps, 1), wanted, &bound).holds);
}

TEST(AccuracyTolerance, Defaults) {
  const std::pair<NT, StringLiteral> cases[] = {
      {NT::F64, "bound"},
      {NT::F32, "bound"},
      {NT::BF16, "bound,near:0.995"},
      {NT::F16, "bound,near:0.995"},
      {NT::F8E4M3FN, "bound,equal:0.99"},
      {NT::F4E2M1FN, "bound,equal:0.99"},
      {NT::I32, "bits"},
      {NT::I8, "bits"}};
  for (auto [type, text] : cases) {
    EXPECT_EQ(getDefaultTolerance(type, false).str(), text.str());
    EXPECT_EQ(getDefaultTolerance(type, true).str(), "bits");
  }
}

TEST(AccuracyTolerance, ParsesAndPrints) {
  StringRef text = "bits,bound,abs:0.001,rel:1e-05,allclose:0.1:0.2,ulp:2,"
                   "equal:0.99,near:1,sqnr:60,cosine:0.5,calc_diff:0.001";
  Expected<Tolerance> tolerance = parseTolerance(text);
  ASSERT_TRUE(bool(tolerance)) << toString(tolerance.takeError());
  EXPECT_EQ(tolerance->str(), text.str());
  EXPECT_TRUE(tolerance->uses(Criterion::Near));
  EXPECT_FALSE(cantFail(parseTolerance("abs:1")).uses(Criterion::Near));
}

TEST(AccuracyTolerance, MalformedTerms) {
  const std::pair<StringLiteral, StringLiteral> cases[] = {
      {"abs", "expected abs:X with finite numbers of at least 0, got 'abs'"},
      {"abs:", "expected abs:X with finite numbers of at least 0, got 'abs:'"},
      {"abs:x",
       "expected abs:X with finite numbers of at least 0, got 'abs:x'"},
      {"abs:-1",
       "expected abs:X with finite numbers of at least 0, got 'abs:-1'"},
      {"rel:nan",
       "expected rel:X with finite numbers of at least 0, got 'rel:nan'"},
      {"sqnr:inf",
       "expected sqnr:DB with finite numbers of at least 0, got 'sqnr:inf'"},
      {"ulp:1:2",
       "expected ulp:N with finite numbers of at least 0, got 'ulp:1:2'"},
      {"allclose:1", "expected allclose:ATOL:RTOL with finite numbers of at "
                     "least 0, got 'allclose:1'"},
      {"equal:99", "expected equal:FRACTION with a number in [0, 1], got "
                   "'equal:99'"},
      {"bits:1", "expected bits, got 'bits:1'"}};
  for (auto [text, message] : cases) {
    Expected<Tolerance> tolerance = parseTolerance(text);
    ASSERT_FALSE(bool(tolerance)) << text.str();
    EXPECT_EQ(toString(tolerance.takeError()), message.str());
  }
  const std::pair<StringLiteral, StringLiteral> unknown[] = {
      {"", ""}, {"abs:1,", ""}, {"snr:60", "snr:60"}, {" abs:1", " abs:1"}};
  for (auto [text, part] : unknown) {
    Expected<Tolerance> tolerance = parseTolerance(text);
    ASSERT_FALSE(bool(tolerance)) << text.str();
    EXPECT_EQ(toString(tolerance.takeError()),
              "unknown criterion '" + part.str() +
                  "', expected one of bits, bound, abs:X, rel:X, "
                  "allclose:ATOL:RTOL, ulp:N, equal:FRACTION, near:FRACTION, "
                  "sqnr:DB, cosine:X, calc_diff:X");
  }
}
