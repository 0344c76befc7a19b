//===- Compare.h - is a result right ----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_COMPARE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_COMPARE_H

#include "lpgemm/Numerics/AccuracyTolerance.h"
#include "lpgemm/Support/Npy.h"
#include "mlir/IR/Types.h"
#include <string>

namespace mlir::lpgemm {

/// The two comparisons that there are; they are never mixed.
enum class ComparisonKind : uint8_t {
  /// What was computed, with what it should be for the same quantized operands:
  /// the error of the kernel.
  Implementation,
  /// The reference on the quantized operands, with the f64 product of what was
  /// quantized: the error of the format.
  Quantization
};

/// "implementation" or "quantization".
StringRef getKindName(ComparisonKind kind);

/// What the bound of an error follows from.
struct Magnitude {
  /// Of each element, the sum of the absolute values of its terms.
  NpyArray sums;
  NumberType type;
  /// The number of scaled blocks in each sum.
  int64_t blocks;
  /// `sums` are the bounds themselves.
  bool isBound = false;
};

/// What to compare.
struct ComparisonRequest {
  ComparisonKind kind;
  /// The index of the result in its function.
  unsigned output;
  const NpyArray &result;
  NumberType resultType;
  const NpyArray &expected;
  NumberType expectedType;
  /// Where both come from.
  std::string resultName;
  std::string expectedName;
  AccuracyOptions options;
  /// Without terms there is no verdict.
  Tolerance tolerance;
  /// If the tolerance needs it.
  const Magnitude *magnitude = nullptr;
  /// The number of products in each sum.
  int64_t k;
  /// Codes and scales are compared as the values that they stand for.
  bool isDequantized = false;
  /// The number of elements behind the epilogue whose bound is not known, so
  /// that all are judged as a whole.
  int64_t unbounded = 0;
};

/// A comparison that was made.
struct Comparison {
  ComparisonKind kind;
  unsigned output;
  NumberType type;
  SmallVector<int64_t> shape;
  std::string resultName;
  std::string expectedName;
  int64_t k;
  Tolerance tolerance;
  bool isDequantized;
  int64_t unbounded;
  Accuracy accuracy;
  ToleranceVerdict verdict;

  /// A comparison without a tolerance only tells.
  bool isOk() const { return tolerance.terms.empty() || verdict.holds; }
};

/// Compares two arrays of the same shape.
Comparison compareArrays(const ComparisonRequest &request);

/// The position of an element in an array of `shape`, of which `row` and
/// `column` are those of the view that is compared: the last dimension is that
/// of the columns, and the others together are that of the rows.
SmallVector<int64_t> getPosition(ArrayRef<int64_t> shape, int64_t row,
                                 int64_t column);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_COMPARE_H
