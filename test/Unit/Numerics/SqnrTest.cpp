//===- SqnrTest.cpp - Accuracy of quantized products ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signal to quantization noise ratio of the product of two quantized
// matrices, in f64, against the product of their f32 values. It is a property
// of formats, scales and data: there are bars below and above, because a
// product that is too good has not been quantized as it claims. The expected
// figures come from a program that shares no code with this library, run on
// other random numbers.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Quantize.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;

using EF = ElementFormat;
using SF = ScaleFormat;
using SR = ScaleRule;

namespace {

constexpr int64_t M = 256, N = 256, K = 512;

/// How one operand is quantized.
struct Scheme {
  EF format;
  BlockShape block;
  SF scale;
  SR rule;
  double percentile = 1.0;

  QuantizeOptions getOptions() const {
    QuantizeOptions options;
    options.format = format;
    options.block = block;
    options.scale = {scale, rule};
    options.percentile = percentile;
    return options;
  }
};

/// Two operands and the ratio to expect in dB for normal data, with outliers in
/// columns of A, and for Student's t with 3 degrees of freedom in A; zero where
/// the ratio scatters too much to be told.
struct Case {
  const char *name;
  Scheme a, b;
  double normal, outliers, heavyTails;
};

Scheme tensor(EF format, double percentile = 1.0) {
  return {format, {0, 0}, SF::F32, SR::Amax, percentile};
}
/// A row of A, and a row of the transposed B, which is a column of B.
Scheme row(EF format) { return {format, {1, 0}, SF::F32, SR::Amax}; }
Scheme block(EF format, int64_t rows, int64_t columns, SR rule = SR::Amax) {
  return {format, {rows, columns}, SF::F32, rule};
}
Scheme mx(EF format, SR rule = SR::RCeil) {
  return {format, {1, mxBlockSize}, SF::F8E8M0FNU, rule};
}
Scheme nvfp4(int64_t rows) {
  return {EF::F4E2M1FN, {rows, nvfp4BlockSize}, SF::F8E4M3FN, SR::NVFP4};
}

const EF e4m3 = EF::F8E4M3FN, e5m2 = EF::F8E5M2, fnuz = EF::F8E4M3FNUZ,
         e2m3 = EF::F6E2M3FN, e3m2 = EF::F6E3M2FN, e2m1 = EF::F4E2M1FN;

const Case cases[] = {
    {"e4m3 tensor", tensor(e4m3), tensor(e4m3), 28.53, 28.52, 28.59},
    {"e4m3 tensor 99 %", tensor(e4m3, 0.99), tensor(e4m3, 0.99), 23.02, 0, 0},
    {"e4m3 row x column", row(e4m3), row(e4m3), 28.57, 29.94, 28.98},
    {"e4m3 1x128", block(e4m3, 1, 128), block(e4m3, 1, 128), 28.78, 30.79,
     29.33},
    {"e4m3 1x128 x 128x128", block(e4m3, 1, 128), block(e4m3, 128, 128), 28.68,
     30.68, 29.21},
    {"e4m3 1x128 x 128x128 powers", block(e4m3, 1, 128, SR::Pow2),
     block(e4m3, 128, 128, SR::Pow2), 28.54, 28.59, 28.44},
    {"e4m3fnuz tensor", tensor(fnuz), tensor(fnuz), 28.57, 28.53, 28.56},
    {"e4m3fnuz row x column", row(fnuz), row(fnuz), 28.60, 30.14, 29.00},
    {"e5m2 tensor", tensor(e5m2), tensor(e5m2), 22.60, 22.57, 22.54},
    {"e5m2 row x column", row(e5m2), row(e5m2), 22.63, 23.87, 22.98},
    {"e5m2 1x128 x 128x128", block(e5m2, 1, 128), block(e5m2, 128, 128), 22.70,
     24.57, 23.24},
    {"e5m2 x e4m3 tensor", tensor(e5m2), tensor(e4m3), 24.62, 24.52, 24.59},
    {"mxfp8 e4m3 rceil", mx(e4m3), mx(e4m3), 28.54, 28.59, 28.44},
    {"mxfp8 e4m3 floor", mx(e4m3, SR::Floor), mx(e4m3, SR::Floor), 27.65, 26.33,
     26.90},
    {"mxfp8 e4m3 even", mx(e4m3, SR::Even), mx(e4m3, SR::Even), 28.20, 27.33,
     27.68},
    {"mxfp8 e5m2 rceil", mx(e5m2), mx(e5m2), 22.57, 22.60, 22.59},
    {"mxfp8 e5m2 floor", mx(e5m2, SR::Floor), mx(e5m2, SR::Floor), 22.38, 22.05,
     22.27},
    {"mxfp6 e2m3 rceil", mx(e2m3), mx(e2m3), 27.98, 25.51, 26.92},
    {"mxfp6 e2m3 floor", mx(e2m3, SR::Floor), mx(e2m3, SR::Floor), 27.97, 25.64,
     26.97},
    {"mxfp6 e3m2 rceil", mx(e3m2), mx(e3m2), 22.57, 22.59, 22.59},
    {"mxfp4 rceil", mx(e2m1), mx(e2m1), 15.77, 14.99, 14.46},
    {"mxfp4 floor", mx(e2m1, SR::Floor), mx(e2m1, SR::Floor), 15.81, 14.41,
     14.79},
    {"mxfp4 even", mx(e2m1, SR::Even), mx(e2m1, SR::Even), 16.05, 15.18, 15.02},
    {"mxfp4 ceil", mx(e2m1, SR::Ceil), mx(e2m1, SR::Ceil), 13.84, 13.92, 12.31},
    {"nvfp4 1x16", nvfp4(1), nvfp4(1), 17.43, 18.64, 17.65},
    {"nvfp4 1x16 x 16x16", nvfp4(1), nvfp4(16), 16.69, 17.87, 16.85},
    {"fp4 1x16 f32", block(e2m1, 1, 16), block(e2m1, 1, 16), 17.53, 18.87,
     17.81},
    {"mxfp8 x mxfp4", mx(e4m3), mx(e2m1), 18.53, 18.35, 18.54},
    {"e4m3 1x128 x mxfp4", block(e4m3, 1, 128), mx(e2m1), 18.55, 18.53, 18.61},
    {"int8 tensor", tensor(EF::I8), tensor(EF::I8), 36.6, 0, 0},
    {"int8 row x column", row(EF::I8), row(EF::I8), 39.55, 0, 0},
    {"mxint8 floor", mx(EF::I8, SR::Floor), mx(EF::I8, SR::Floor), 38.65, 34.0,
     0},
    {"int8 row x int4 1x128", row(EF::I8), block(EF::I4, 1, 128), 18.60, 18.05,
     18.47},
};

template <typename Distribution>
std::vector<float> draw(int64_t count, unsigned seed,
                        Distribution distribution) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(engine);
  return values;
}

std::vector<float> drawNormal(int64_t count, unsigned seed) {
  return draw(count, seed, std::normal_distribution<float>());
}

/// Normal data with one column of K in a hundred 50 times as large.
std::vector<float> drawOutliers(unsigned seed) {
  std::vector<float> values = drawNormal(M * K, seed);
  std::vector<int64_t> columns(K);
  std::iota(columns.begin(), columns.end(), 0);
  std::shuffle(columns.begin(), columns.end(), std::mt19937_64(seed));
  columns.resize(K / 100);
  for (int64_t m = 0; m != M; ++m)
    for (int64_t column : columns)
      values[m * K + column] *= 50;
  return values;
}

/// A[M][K] times B[N][K]^T. The inner loop runs along N, which compilers
/// vectorize; a part of K at a time stays in the cache.
std::vector<double> multiply(ArrayRef<double> a, ArrayRef<double> b) {
  constexpr int64_t part = 64;
  std::vector<double> result(M * N), columns(part * N);
  for (int64_t k0 = 0; k0 != K; k0 += part) {
    for (int64_t k = 0; k != part; ++k)
      for (int64_t n = 0; n != N; ++n)
        columns[k * N + n] = b[n * K + k0 + k];
    for (int64_t m = 0; m != M; ++m)
      for (int64_t k = 0; k != part; ++k) {
        double factor = a[m * K + k0 + k];
        for (int64_t n = 0; n != N; ++n)
          result[m * N + n] += factor * columns[k * N + n];
      }
  }
  return result;
}

///
double computeSqnr(ArrayRef<double> expected, ArrayRef<double> actual) {
  double signal = 0, noise = 0;
  for (size_t i = 0; i != expected.size(); ++i) {
    signal += expected[i] * expected[i];
    noise += (expected[i] - actual[i]) * (expected[i] - actual[i]);
  }
  return 10 * std::log10(signal / noise);
}

std::vector<double> requantize(ArrayRef<float> values, int64_t rows,
                               const Scheme &scheme) {
  QuantizeOptions options = scheme.getOptions();
  EXPECT_EQ(toString(checkQuantizeOptions(options, rows, K)), "");
  return dequantize(quantize(values, rows, K, options), options);
}

std::vector<double> widen(ArrayRef<float> values) {
  return {values.begin(), values.end()};
}

/// Checks all cases against the figure that `member` names.
void checkProducts(ArrayRef<float> a, double Case::*member, double below,
                   double above) {
  std::vector<float> b = drawNormal(N * K, 2);
  std::vector<double> expected = multiply(widen(a), widen(b));
  for (const Case &c : cases) {
    double bar = c.*member;
    if (bar == 0)
      continue;
    double sqnr = computeSqnr(
        expected, multiply(requantize(a, M, c.a), requantize(b, N, c.b)));
    EXPECT_GE(sqnr, bar - below) << c.name;
    EXPECT_LE(sqnr, bar + above) << c.name;
  }
}

} // namespace

TEST(SqnrTest, NormalProducts) {
  checkProducts(drawNormal(M * K, 1), &Case::normal, 0.5, 1.0);
}

TEST(SqnrTest, ProductsWithOutliers) {
  checkProducts(drawOutliers(1), &Case::outliers, 1.0, 1.0);
}

TEST(SqnrTest, ProductsWithHeavyTails) {
  checkProducts(draw(M * K, 1, std::student_t_distribution<float>(3)),
                &Case::heavyTails, 1.0, 1.0);
}

TEST(SqnrTest, NormalElements) {
  // The noise of a product is that of both operands, so an operand alone is
  // 3 dB better.
  const struct {
    const char *name;
    Scheme scheme;
    double sqnr;
  } elements[] = {
      {"e4m3", tensor(e4m3), 31.54},
      {"e5m2", tensor(e5m2), 25.56},
      {"e4m3 1x128", block(e4m3, 1, 128), 31.80},
      {"mxfp8 rceil", mx(e4m3), 31.52},
      {"mxfp8 floor", mx(e4m3, SR::Floor), 30.66},
      {"mxfp6 e2m3", mx(e2m3), 30.96},
      {"mxfp6 e3m2", mx(e3m2), 25.54},
      {"mxfp4", mx(e2m1), 18.75},
      {"nvfp4", nvfp4(1), 20.43},
  };
  std::vector<float> values = drawNormal(M * K, 3);
  for (const auto &element : elements)
    EXPECT_NEAR(
        computeSqnr(widen(values), requantize(values, M, element.scheme)),
        element.sqnr, 0.2)
        << element.name;
}
