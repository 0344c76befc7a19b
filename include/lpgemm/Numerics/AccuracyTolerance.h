//===- AccuracyTolerance.h - is a result near enough ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a result must fulfil, as a list of criteria that must all hold, and the
// verdict. docs/spec.md, "Accuracy", has the list of criteria.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_ACCURACYTOLERANCE_H
#define LPGEMM_NUMERICS_ACCURACYTOLERANCE_H

#include "lpgemm/Numerics/Accuracy.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lpgemm {

enum class Criterion : uint8_t {
  // Of each element.
  Bits,
  Bound,
  Abs,
  Rel,
  AllClose,
  Ulp,
  // Of the whole result.
  Equal,
  Near,
  Sqnr,
  Cosine,
  CalcDiff
};

/// A criterion with its limits, such as "abs:0.001".
struct ToleranceTerm {
  Criterion criterion;
  llvm::SmallVector<double, 2> limits;

  std::string str() const;
  /// Whether each element is judged.
  bool isElementwise() const;
  /// Whether both sides must have the same type.
  bool comparesCodes() const;
};

/// Terms that must all hold.
struct Tolerance {
  llvm::SmallVector<ToleranceTerm> terms;

  /// "sqnr:60,ulp:2".
  std::string str() const;
  bool uses(Criterion criterion) const;
};

/// Reads terms with commas between them. An error is one line without a full
/// stop that names the term.
llvm::Expected<Tolerance> parseTolerance(llvm::StringRef text);

/// What a kernel must fulfil against the reference on the same operands.
/// `isExact` says that every order of the sum gives the same bits (G-9).
Tolerance getDefaultTolerance(NumberType type, bool isExact);

/// The error that a sum of `terms` products in f32, in any order, may have
///
///
///     (1.01 * terms + 8) * 2^-24 * magnitude + (blocks + 1) * 2^-149
///
/// where `magnitude` is the same sum of absolute values, at most the largest
/// finite number of its type and of f32, and 2^-149, the smallest f32, is what
/// rounding costs below the normal range: once for each block that is scaled
/// and once for the result.
struct ErrorBound {
  NumberView magnitude;
  int64_t terms;
  int64_t blocks;
  /// `magnitude` is the bound itself; infinite where there is none, so that any
  /// error is too large.
  bool isBound = false;

  double get(int64_t row, int64_t column) const;
};

/// How one term came out.
struct ToleranceCheck {
  ToleranceTerm term;
  bool holds;
  /// The measure that the limit is compared with; the largest one of an
  /// elementwise criterion. For Bound and AllClose it is the fraction of the
  /// error that is allowed, for Bits zero or infinite.
  double measured;
  /// The number of elements that do not fulfil an elementwise criterion.
  int64_t violations;
};

struct ToleranceVerdict {
  llvm::SmallVector<ToleranceCheck> checks;
  /// The number of elements that fail an elementwise criterion, and the first.
  int64_t violations = 0;
  std::optional<ElementError> firstViolation;
  /// All terms hold, and NaN is where it was expected.
  bool holds = true;
};

/// Judges a result whose measures are `accuracy`. Criterion::Bound needs
/// `bound`; criteria that compare codes need both sides to have the same type.
ToleranceVerdict judge(const Tolerance &tolerance, const NumberView &result,
                       const NumberView &expected, const Accuracy &accuracy,
                       const ErrorBound *bound = nullptr);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_ACCURACYTOLERANCE_H
