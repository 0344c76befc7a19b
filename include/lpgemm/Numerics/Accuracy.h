//===- Accuracy.h - how far numbers are apart -------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The measures of the project's numeric specification, rules. All
// sums are in f64.
//
// Where one of two elements is not finite, they are equal (both NaN, or the
// same infinity), or they are a mismatch, which is an infinite error. Neither
// enters a sum: mismatches are counted.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_ACCURACY_H
#define LPGEMM_NUMERICS_ACCURACY_H

#include "lpgemm/Numerics/AccuracyView.h"
#include <array>

namespace mlir::lpgemm {

/// The error of an element: zero where both are NaN or equal, infinite at a
/// mismatch.
double computeError(double result, double expected);

/// The error as a fraction of what was expected; infinite where that is zero.
double computeRelativeError(double result, double expected);

/// What the measures of energy are made of.
struct ErrorSums {
  double expectedSquares = 0;
  double resultSquares = 0;
  double products = 0;
  double errorSquares = 0;
  /// The elements in the sums, and those that are left out as mismatches.
  int64_t count = 0;
  int64_t mismatches = 0;

  void add(double result, double expected);

  /// The ratio of signal to error in dB: +infinity without an error,
  /// -infinity if there is nothing but error.
  double getSqnr() const;
  /// 1 - 2 * sum(xy) / sum(x^2 + y^2), 0 if all is zero.
  double getCalcDiff() const;
  /// sum(xy) / sqrt(sum(x^2) * sum(y^2)). Blind to a wrong scale. 1 if
  /// all is zero, 0 if only one side is.
  double getCosine() const;
  /// sqrt(mean of expected^2), 0 without elements.
  double getExpectedRms() const;
};

/// How many elements are how many codes apart.
struct UlpHistogram {
  /// Bucket 0 counts equal elements, bucket i > 0 distances in
  /// (2^(i-2), 2^(i-1)]: 1, 2, 3 to 4, 5 to 8, and so on.
  std::array<int64_t, 66> buckets = {};
  uint64_t largest = 0;

  void add(uint64_t distance);
  /// The largest distance that bucket `index` counts.
  static uint64_t getBucketEnd(unsigned index);
};

/// An element of a comparison.
struct ElementError {
  int64_t row;
  int64_t column;
  double result;
  double expected;
  double error;
};

/// A part of a comparison.
struct RegionError {
  int64_t row;
  int64_t column;
  int64_t rows;
  int64_t columns;
  ErrorSums sums;
};

struct AccuracyOptions {
  /// The size of the tiles of which the worst is found.
  int64_t tileRows = 128;
  int64_t tileColumns = 128;
  /// Tiles begin anew after so many rows, where several matrices follow each
  /// other; 0: never.
  int64_t matrixRows = 0;
};

/// The measures of a result.
struct Accuracy {
  ErrorSums sums;
  double maxError = 0;
  double maxRelativeError = 0;
  /// NaN where a number was expected, and the reverse.
  int64_t unexpectedNaNs = 0;
  int64_t missingNaNs = 0;
  /// Elements of which one is infinite, and the other is another number.
  int64_t infinityMismatches = 0;
  /// Only if both sides have the same type.
  std::optional<UlpHistogram> ulps;
  /// The element with the largest error, the first of several; none without an
  /// error.
  std::optional<ElementError> worstElement;
  /// The row and the tile with the most mismatches, or else with the lowest
  /// SQNR; none without an error.
  std::optional<RegionError> worstRow;
  std::optional<RegionError> worstTile;

  int64_t getNaNMismatches() const { return unexpectedNaNs + missingNaNs; }
};

/// Compares two matrices of the same shape in one pass.
Accuracy measureAccuracy(const NumberView &result, const NumberView &expected,
                         const AccuracyOptions &options = {});

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_ACCURACY_H
