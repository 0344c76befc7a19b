//===- Quantize.cpp - Block quantization ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Quantize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

static uint8_t computeRCeil(float amax, const FormatInfo &info) {
  // The quotient is one of f32, as in the implementations that define the rule.
  return encodeE8M0(amax / static_cast<float>(info.qmax), PowerRounding::Up);
}

static uint8_t computeFloor(float amax, const FormatInfo &info) {
  return encodeE8M0(std::ldexp(double(amax), -info.emax), PowerRounding::Down);
}

static uint8_t computeCeil(float amax, const FormatInfo &info) {
  return encodeE8M0(std::ldexp(double(amax), -info.emax), PowerRounding::Up);
}

static uint8_t computeEven(float amax, const FormatInfo &info) {
  // Adding half a place of the mantissa reaches the next power of two exactly
  // if amax rounds to it; double holds the sum exactly.
  int exponent;
  std::frexp(amax, &exponent);
  double halfPlace =
      std::ldexp(1.0, exponent - 2 - static_cast<int>(info.mantissaBits));
  return encodeE8M0(std::ldexp(amax + halfPlace, -info.emax),
                    PowerRounding::Down);
}

namespace {
struct RuleInfo {
  StringLiteral name;
  uint8_t (*compute)(float amax, const FormatInfo &info);
};
} // namespace

/// Indexed by ScaleRule.
static constexpr RuleInfo ruleInfos[] = {
    {"rceil", computeRCeil},
    {"floor", computeFloor},
    {"ceil", computeCeil},
    {"even", computeEven},
};

std::optional<ScaleRule> mlir::lpgemm::parseScaleRule(StringRef name) {
  for (auto [index, info] : enumerate(ruleInfos))
    if (info.name == name)
      return static_cast<ScaleRule>(index);
  return std::nullopt;
}

uint8_t mlir::lpgemm::computeMXScale(float amax, ElementFormat format,
                                     ScaleRule rule) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(amax))
    return encode(ElementFormat::F8E8M0FNU, nan);
  if (amax == 0.0f)
    return 0; // S-12
  return ruleInfos[static_cast<unsigned>(rule)].compute(amax,
                                                        getFormatInfo(format));
}

//===----------------------------------------------------------------------===//
// Blocks and matrices
//===----------------------------------------------------------------------===//

/// The largest magnitude, or NaN if there is one: std::max and std::fmax would
/// lose it (S-10).
static float computeAmax(ArrayRef<float> block) {
  float amax = 0.0f;
  for (float value : block) {
    if (std::isnan(value))
      return value;
    amax = std::max(amax, std::fabs(value));
  }
  return amax;
}

uint8_t mlir::lpgemm::quantizeMXBlock(ArrayRef<float> block,
                                      ElementFormat format, ScaleRule rule,
                                      MutableArrayRef<uint8_t> codes) {
  assert(static_cast<int64_t>(block.size()) <= mxBlockSize &&
         codes.size() == block.size() && "malformed block");
  float amax = computeAmax(block);
  uint8_t scale = computeMXScale(amax, format, rule);
  if (amax == 0.0f) {
    llvm::fill(codes, 0); // S-12, also for negative zeros
    return scale;
  }
  // In double the product is exact for every scale, also where f32 would have
  // to represent 2^-127 or a subnormal product (S-15).
  double reciprocal = 1.0 / decode(ElementFormat::F8E8M0FNU, scale);
  for (auto [value, code] : zip_equal(block, codes))
    code = encode(format, value * reciprocal);
  return scale;
}

MXMatrix mlir::lpgemm::quantizeMX(ArrayRef<float> values, int64_t rows,
                                  int64_t columns, ElementFormat format,
                                  ScaleRule rule) {
  assert(getFormatInfo(format).isSigned && "not an element format");
  assert(static_cast<int64_t>(values.size()) == rows * columns &&
         "malformed matrix");
  MXMatrix result;
  if (values.empty())
    return result; // the number of rows means no work, however large
  result.codes.resize(values.size());
  result.scales.reserve(rows * divideCeil(columns, mxBlockSize));
  MutableArrayRef<uint8_t> codes(result.codes);
  for (int64_t row = 0; row != rows; ++row) {
    for (int64_t column = 0; column < columns; column += mxBlockSize) {
      int64_t start = row * columns + column;
      int64_t size = std::min(mxBlockSize, columns - column);
      result.scales.push_back(quantizeMXBlock(values.slice(start, size), format,
                                              rule, codes.slice(start, size)));
    }
  }
  return result;
}

std::vector<uint8_t> mlir::lpgemm::packNibbles(ArrayRef<uint8_t> codes,
                                               int64_t rows, int64_t columns) {
  assert(static_cast<int64_t>(codes.size()) == rows * columns &&
         "malformed matrix");
  if (codes.empty())
    return {};
  int64_t rowBytes = divideCeil(columns, 2);
  std::vector<uint8_t> result(rows * rowBytes);
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t column = 0; column != columns; ++column)
      result[row * rowBytes + column / 2] |=
          (codes[row * columns + column] & 0xF) << (column % 2 * 4);
  return result;
}
