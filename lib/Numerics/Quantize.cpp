//===- Quantize.cpp - Block quantization ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Quantize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace llvm;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static int64_t getNumBlocks(int64_t extent, int64_t blockExtent) {
  return blockExtent == 0 ? 1 : divideCeil(extent, blockExtent);
}

int64_t BlockShape::getNumBlockRows(int64_t matrixRows) const {
  return getNumBlocks(matrixRows, rows);
}

int64_t BlockShape::getNumBlockColumns(int64_t matrixColumns) const {
  return getNumBlocks(matrixColumns, columns);
}

/// Calls `fn` with the number of each block and the ranges of elements of its
/// rows in the row-major matrix.
static void forEachBlockRow(
    int64_t rows, int64_t columns, BlockShape block,
    function_ref<void(int64_t block, int64_t begin, int64_t end)> fn) {
  if (rows == 0 || columns == 0)
    return; // the other extent means no work, however large
  int64_t blockRows = block.rows == 0 ? rows : block.rows;
  int64_t blockColumns = block.columns == 0 ? columns : block.columns;
  int64_t numBlockColumns = block.getNumBlockColumns(columns);
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t index = 0; index != numBlockColumns; ++index) {
      int64_t column = index * blockColumns;
      int64_t size = std::min(blockColumns, columns - column);
      int64_t begin = row * columns + column;
      fn(row / blockRows * numBlockColumns + index, begin, begin + size);
    }
}

//===----------------------------------------------------------------------===//
// Largest magnitudes
//===----------------------------------------------------------------------===//

/// The larger one, or NaN if there is one: std::max and std::fmax would lose it
/// (S-10).
static float maxMagnitude(float amax, float value) {
  if (std::isnan(amax) || std::isnan(value))
    return std::fabs(amax + value);
  return std::max(amax, std::fabs(value));
}

static float maxMagnitude(ArrayRef<float> values) {
  float amax = 0.0f;
  for (float value : values)
    amax = maxMagnitude(amax, value);
  return amax;
}

/// The smallest magnitude that at least the given part of all magnitudes does
/// not exceed. Zero, as of a sparse matrix, would say nothing of the range: it
/// makes room for the largest one.
static float computePercentile(ArrayRef<float> values, double part) {
  float amax = maxMagnitude(values);
  if (values.empty() || !std::isfinite(amax))
    return amax;
  std::vector<float> magnitudes(values.size());
  transform(values, magnitudes.begin(),
            [](float value) { return std::fabs(value); });
  auto rank = static_cast<int64_t>(std::ceil(part * values.size())) - 1;
  auto place = magnitudes.begin() + std::max<int64_t>(rank, 0);
  std::nth_element(magnitudes.begin(), place, magnitudes.end());
  return *place == 0 ? amax : *place;
}

static std::vector<float> computeBlockAmaxes(ArrayRef<float> values,
                                             int64_t rows, int64_t columns,
                                             BlockShape block) {
  std::vector<float> amaxes(block.getNumBlockRows(rows) *
                            block.getNumBlockColumns(columns));
  forEachBlockRow(rows, columns, block,
                  [&](int64_t index, int64_t begin, int64_t end) {
                    for (float value : values.slice(begin, end - begin))
                      amaxes[index] = maxMagnitude(amaxes[index], value);
                  });
  return amaxes;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static Error checkGivenScales(const QuantizeOptions &options, int64_t count) {
  ArrayRef<float> scales = *options.givenScales;
  StringRef type = getScaleFormatInfo(options.scale.format).name;
  if (options.scale.rule == ScaleRule::NVFP4 || options.percentile != 1)
    return createStringError("scales that are given exclude the rule nvfp4 and "
                             "a percentile");
  if (static_cast<int64_t>(scales.size()) != count)
    return createStringError("expected " + Twine(count) + " scales, got " +
                             Twine(scales.size()));
  for (auto [index, scale] : enumerate(scales))
    if (!std::isnan(scale) && roundScale(options.scale.format, scale) != scale)
      return createStringError("scale %zu is %.9g, which is not a value of %s",
                               index, scale, type.data());
  return Error::success();
}

static Error checkNVFP4(const QuantizeOptions &options) {
  bool isNVFP4 = options.scale.rule == ScaleRule::NVFP4;
  BlockShape block = options.block;
  const BlockShape shapes[] = {{1, nvfp4BlockSize},
                               {nvfp4BlockSize, nvfp4BlockSize}};
  if (isNVFP4 && !is_contained(shapes, block))
    return createStringError("scale rule 'nvfp4' expects blocks of 1x16 or "
                             "16x16, got " +
                             Twine(block.rows) + "x" + Twine(block.columns));
  if (options.tensorAmax && !isNVFP4)
    return createStringError(
        "only the rule nvfp4 has a scale of the tensor above the others");
  if (options.tensorAmax && !(*options.tensorAmax >= 0))
    return createStringError("the largest magnitude of the tensor must not be "
                             "negative or NaN");
  return Error::success();
}

Error mlir::lpgemm::checkQuantizeOptions(const QuantizeOptions &options,
                                         int64_t rows, int64_t columns) {
  const FormatInfo &info = getFormatInfo(options.format);
  if (!info.isSigned)
    return createStringError(info.name + " is no format of elements");
  BlockShape block = options.block;
  if (block.rows < 0 || block.columns < 0)
    return createStringError("blocks of " + Twine(block.rows) + "x" +
                             Twine(block.columns) +
                             ": expected extents that are not negative");
  if (Error error = checkScaleOptions(options.scale, options.format))
    return error;
  if (Error error = checkNVFP4(options))
    return error;
  if (!(options.percentile > 0 && options.percentile <= 1))
    return createStringError("the percentile must be above 0 and at most 1");
  if (options.percentile != 1 && !block.isTensor())
    return createStringError(
        "a percentile below 1 expects one scale for the tensor (S-18)");
  if (options.givenScales)
    return checkGivenScales(options, block.getNumBlockRows(rows) *
                                         block.getNumBlockColumns(columns));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Quantization
//===----------------------------------------------------------------------===//

namespace {
/// What becomes of the elements of a block.
class BlockConverter {
public:
  BlockConverter(const QuantizeOptions &options, float scale,
                 float tensorEncodeScale)
      : format(getScaledFormat(options.format, options.scale.format)),
        overflow(options.overflow), seed(options.seed), scale(scale) {
    if (options.scale.rule == ScaleRule::NVFP4)
      factor = tensorEncodeScale / scale;
    else if (options.reciprocal)
      factor = 1.0f / scale;
  }

  uint8_t convert(float value, uint64_t index) const {
    float quotient = divide(value);
    return seed ? encodeStochastic(format, quotient,
                                   getRandomBits(*seed, index), overflow)
                : encode(format, quotient, overflow);
  }

private:
  float divide(float value) const {
    if (scale == 0)
      return std::isnan(value) ? value : 0.0f;
    // The factor of a tiny scale may be infinite, which zeros must not see.
    return factor && value != 0 ? value * *factor : value / scale;
  }

  ElementFormat format;
  Overflow overflow;
  std::optional<uint64_t> seed;
  float scale;
  std::optional<float> factor;
};
} // namespace

/// The scales of blocks of the given largest magnitudes.
static std::vector<float> computeScales(ArrayRef<float> amaxes,
                                        const QuantizeOptions &options,
                                        float tensorEncodeScale) {
  if (options.givenScales)
    return options.givenScales->vec();
  std::vector<float> scales;
  scales.reserve(amaxes.size());
  for (float amax : amaxes)
    scales.push_back(
        computeScale(amax, options.format, options.scale, tensorEncodeScale));
  return scales;
}

QuantizedMatrix mlir::lpgemm::quantize(ArrayRef<float> values, int64_t rows,
                                       int64_t columns,
                                       const QuantizeOptions &options) {
  assert(static_cast<int64_t>(values.size()) == rows * columns &&
         "malformed matrix");
  QuantizedMatrix result{rows, columns, {}, {}};
  std::vector<float> amaxes =
      computeBlockAmaxes(values, rows, columns, options.block);
  result.amax = maxMagnitude(amaxes);
  if (options.percentile != 1)
    amaxes.front() = computePercentile(values, options.percentile);

  float tensorEncodeScale = 1.0f;
  if (options.scale.rule == ScaleRule::NVFP4) {
    tensorEncodeScale = computeTensorEncodeScale(
        options.tensorAmax.value_or(result.amax), options.scale.nonFinite);
    result.tensorScale = 1.0f / tensorEncodeScale;
  }
  result.scales = computeScales(amaxes, options, tensorEncodeScale);
  result.codes.resize(values.size());
  forEachBlockRow(rows, columns, options.block,
                  [&](int64_t index, int64_t begin, int64_t end) {
                    if (amaxes[index] == 0 && !options.givenScales)
                      return; // S-12, also for negative zeros
                    BlockConverter converter(options, result.scales[index],
                                             tensorEncodeScale);
                    for (int64_t i = begin; i != end; ++i)
                      result.codes[i] = converter.convert(values[i], i);
                  });
  return result;
}

std::vector<double> mlir::lpgemm::dequantize(const QuantizedMatrix &matrix,
                                             const QuantizeOptions &options) {
  ElementFormat format = getScaledFormat(options.format, options.scale.format);
  std::vector<double> values(matrix.codes.size());
  forEachBlockRow(matrix.rows, matrix.columns, options.block,
                  [&](int64_t index, int64_t begin, int64_t end) {
                    double scale =
                        double(matrix.tensorScale) * matrix.scales[index];
                    for (int64_t i = begin; i != end; ++i)
                      values[i] = scale * decode(format, matrix.codes[i]);
                  });
  return values;
}
