//===- Accuracy.cpp - how far numbers are apart ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Accuracy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::lpgemm;

static constexpr double infinity = std::numeric_limits<double>::infinity();

double mlir::lpgemm::computeError(double result, double expected) {
  if (result == expected || (std::isnan(result) && std::isnan(expected)))
    return 0;
  double error = std::fabs(result - expected);
  return std::isnan(error) ? infinity : error;
}

double mlir::lpgemm::computeRelativeError(double result, double expected) {
  double error = computeError(result, expected);
  if (error == 0 || std::isinf(error))
    return error;
  return error / std::fabs(expected);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void ErrorSums::add(double result, double expected) {
  if (!std::isfinite(result) || !std::isfinite(expected)) {
    mismatches += computeError(result, expected) != 0;
    return;
  }
  double error = result - expected;
  expectedSquares += expected * expected;
  resultSquares += result * result;
  products += result * expected;
  errorSquares += error * error;
  ++count;
}

double ErrorSums::getSqnr() const {
  if (errorSquares == 0)
    return infinity;
  return 10 * std::log10(expectedSquares / errorSquares);
}

double ErrorSums::getCalcDiff() const {
  double denominator = expectedSquares + resultSquares;
  // Equal to 1 - 2 * products / denominator, but without its cancellation.
  return denominator == 0 ? 0 : errorSquares / denominator;
}

double ErrorSums::getCosine() const {
  if (expectedSquares == 0 || resultSquares == 0)
    return expectedSquares == resultSquares ? 1 : 0;
  return products / (std::sqrt(expectedSquares) * std::sqrt(resultSquares));
}

double ErrorSums::getExpectedRms() const {
  return count == 0 ? 0 : std::sqrt(expectedSquares / count);
}

void UlpHistogram::add(uint64_t distance) {
  ++buckets[distance == 0 ? 0 : 1 + Log2_64_Ceil(distance)];
  largest = std::max(largest, distance);
}

uint64_t UlpHistogram::getBucketEnd(unsigned index) {
  if (index == 0)
    return 0;
  return index > 64 ? ~uint64_t(0) : uint64_t(1) << (index - 1);
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Keeps the worse of two regions; the first one if they are alike.
static void keepWorse(std::optional<RegionError> &worst,
                      const RegionError &region) {
  auto rank = [](const ErrorSums &sums) {
    return std::make_pair(-sums.mismatches, sums.getSqnr());
  };
  bool isRight = region.sums.mismatches == 0 && region.sums.errorSquares == 0;
  if (!isRight && (!worst || rank(region.sums) < rank(worst->sums)))
    worst = region;
}

static void countMismatch(Accuracy &accuracy, double result, double expected) {
  if (std::isnan(result) != std::isnan(expected))
    ++(std::isnan(result) ? accuracy.unexpectedNaNs : accuracy.missingNaNs);
  else if (std::isinf(result) || std::isinf(expected))
    ++accuracy.infinityMismatches;
}

static void addElement(Accuracy &accuracy, const ElementError &element) {
  auto [row, column, result, expected, error] = element;
  if (error == 0)
    return;
  if (error == infinity)
    countMismatch(accuracy, result, expected);
  accuracy.maxRelativeError = std::max(accuracy.maxRelativeError,
                                       computeRelativeError(result, expected));
  if (error <= accuracy.maxError)
    return;
  accuracy.maxError = error;
  accuracy.worstElement = element;
}

Accuracy mlir::lpgemm::measureAccuracy(const NumberView &result,
                                       const NumberView &expected,
                                       const AccuracyOptions &options) {
  assert(result.rows == expected.rows && result.columns == expected.columns &&
         "different shapes");
  assert(options.tileRows > 0 && options.tileColumns > 0 && "empty tiles");
  Accuracy accuracy;
  if (result.type == expected.type)
    accuracy.ulps.emplace();
  // Of the tiles that the row is in.
  SmallVector<ErrorSums> tiles;
  for (int64_t row = 0; row != result.rows; ++row) {
    int64_t matrixRow = options.matrixRows ? row % options.matrixRows : row;
    if (matrixRow % options.tileRows == 0)
      tiles.assign(divideCeil(result.columns, options.tileColumns),
                   ErrorSums());
    ErrorSums rowSums;
    for (int64_t column = 0; column != result.columns; ++column) {
      uint64_t resultCode = result.getCode(row, column);
      double x = getNumberValue(result.type, resultCode);
      double y = expected.getValue(row, column);
      addElement(accuracy, {row, column, x, y, computeError(x, y)});
      accuracy.sums.add(x, y);
      rowSums.add(x, y);
      tiles[column / options.tileColumns].add(x, y);
      if (accuracy.ulps)
        accuracy.ulps->add(computeUlpDistance(result.type, resultCode,
                                              expected.getCode(row, column)));
    }
    keepWorse(accuracy.worstRow, {row, 0, 1, result.columns, rowSums});
    bool isLast = row + 1 == result.rows ||
                  matrixRow + 1 == options.matrixRows ||
                  (matrixRow + 1) % options.tileRows == 0;
    if (!isLast)
      continue;
    int64_t first = row - matrixRow % options.tileRows;
    for (auto [i, sums] : enumerate(tiles)) {
      int64_t column = i * options.tileColumns;
      keepWorse(accuracy.worstTile,
                {first, column, row + 1 - first,
                 std::min(options.tileColumns, result.columns - column), sums});
    }
  }
  return accuracy;
}
