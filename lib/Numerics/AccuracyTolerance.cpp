//===- AccuracyTolerance.cpp - is a result near enough --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/AccuracyTolerance.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Criteria
//===----------------------------------------------------------------------===//

namespace {
/// An element in the words of all criteria.
struct Element {
  NumberType type; // of the result
  uint64_t resultCode;
  uint64_t expectedCode;
  double result;
  double expected;
  double error;
  double bound;       // of A-6, if there is one
  double expectedRms; // of all elements
};

struct CriterionInfo {
  Criterion criterion;
  StringLiteral name;
  /// The limits that follow the name.
  StringLiteral limits;
  bool comparesCodes;
  /// What the limits may be: [0, largest].
  double largestLimit;
  /// The measure of an element, which may be at most the limit.
  double (*measureElement)(const Element &, ArrayRef<double> limits);
  /// The measure of the whole.
  double (*measureAll)(const Accuracy &);
  /// The measure of the whole must be at least the limit.
  bool isAtLeast;
};
} // namespace

static constexpr double infinity = std::numeric_limits<double>::infinity();

static double measureBits(const Element &element, ArrayRef<double>) {
  bool bothNaN = std::isnan(element.result) && std::isnan(element.expected);
  bool isEqual = bothNaN || element.resultCode == element.expectedCode;
  return isEqual ? 0 : infinity;
}

/// Types narrower than f32 round the sum once more: half a place of the result
/// and half a place of what was expected, at most a place of the larger one.
/// Infinity is then where the next number would be, since a sum next to
/// the largest number may round to either.
static double measureBound(const Element &element, ArrayRef<double>) {
  const NumberInfo &info = getNumberInfo(element.type);
  // Of an element without a bound nothing is known but that it may be exact.
  if (element.bound == infinity)
    return element.error == 0 ? 0 : infinity;
  if (element.error == 0 || info.bits >= 32 || info.isInteger)
    return element.error == 0 ? 0 : element.error / element.bound;
  if (std::isnan(element.result) || std::isnan(element.expected))
    return infinity;
  double ulp = std::max(computeUlpSize(element.type, element.result),
                        computeUlpSize(element.type, element.expected));
  auto replaceInfinity = [&](double value) {
    double next = std::ldexp(ulp, info.mantissaBits + 1);
    return std::isinf(value) ? std::copysign(next, value) : value;
  };
  double error = std::fabs(replaceInfinity(element.result) -
                           replaceInfinity(element.expected));
  return error / (element.bound + ulp);
}

static double measureAbs(const Element &element, ArrayRef<double>) {
  return element.error;
}

static double measureRel(const Element &element, ArrayRef<double>) {
  return computeRelativeError(element.result, element.expected);
}

static double measureAllClose(const Element &element, ArrayRef<double> limits) {
  double allowed =
      limits[0] * element.expectedRms + limits[1] * std::fabs(element.expected);
  bool isMismatch = element.error == infinity;
  return element.error == 0 || isMismatch ? element.error
                                          : element.error / allowed;
}

static double measureUlp(const Element &element, ArrayRef<double>) {
  return computeUlpDistance(element.type, element.resultCode,
                            element.expectedCode);
}

/// The fraction of elements that are at most `distance` <= 1 codes apart.
template <unsigned distance>
static double measureFraction(const Accuracy &accuracy) {
  static_assert(distance <= 1, "not a bucket");
  const auto &buckets = accuracy.ulps->buckets;
  int64_t all = 0, near = 0;
  for (auto [i, count] : enumerate(buckets)) {
    all += count;
    near += i <= distance ? count : 0;
  }
  return all == 0 ? 1 : double(near) / all;
}

static double measureSqnr(const Accuracy &accuracy) {
  return accuracy.sums.getSqnr();
}
static double measureCosine(const Accuracy &accuracy) {
  return accuracy.sums.getCosine();
}
static double measureCalcDiff(const Accuracy &accuracy) {
  return accuracy.sums.getCalcDiff();
}

using C = Criterion;

/// Indexed by Criterion.
static constexpr CriterionInfo criterionInfos[] = {
    {C::Bits, "bits", "", true, 0, measureBits, nullptr, false},
    {C::Bound, "bound", "", true, 0, measureBound, nullptr, false},
    {C::Abs, "abs", ":X", false, infinity, measureAbs, nullptr, false},
    {C::Rel, "rel", ":X", false, infinity, measureRel, nullptr, false},
    {C::AllClose, "allclose", ":ATOL:RTOL", false, infinity, measureAllClose,
     nullptr, false},
    {C::Ulp, "ulp", ":N", true, infinity, measureUlp, nullptr, false},
    {C::Equal, "equal", ":FRACTION", true, 1, nullptr, measureFraction<0>,
     true},
    {C::Near, "near", ":FRACTION", true, 1, nullptr, measureFraction<1>, true},
    {C::Sqnr, "sqnr", ":DB", false, infinity, nullptr, measureSqnr, true},
    {C::Cosine, "cosine", ":X", false, 1, nullptr, measureCosine, true},
    {C::CalcDiff, "calc_diff", ":X", false, infinity, nullptr, measureCalcDiff,
     false},
};

static const CriterionInfo &getInfo(Criterion criterion) {
  const CriterionInfo &info = criterionInfos[static_cast<unsigned>(criterion)];
  assert(info.criterion == criterion && "the table is not in the enum's order");
  return info;
}

bool ToleranceTerm::isElementwise() const {
  return getInfo(criterion).measureElement != nullptr;
}

bool ToleranceTerm::comparesCodes() const {
  return getInfo(criterion).comparesCodes;
}

bool Tolerance::uses(Criterion criterion) const {
  return any_of(terms, [&](const ToleranceTerm &term) {
    return term.criterion == criterion;
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string ToleranceTerm::str() const {
  std::string text(getInfo(criterion).name);
  raw_string_ostream stream(text);
  for (double limit : limits)
    stream << format(":%.9g", limit);
  return text;
}

std::string Tolerance::str() const {
  return join(map_range(terms, [](const ToleranceTerm &t) { return t.str(); }),
              ",");
}

static std::optional<ToleranceTerm> parseTerm(const CriterionInfo &info,
                                              ArrayRef<StringRef> limits) {
  ToleranceTerm term{info.criterion, {}};
  if (limits.size() != info.limits.count(':'))
    return std::nullopt;
  for (StringRef limit : limits) {
    double value;
    // The comparisons also refuse NaN.
    if (limit.getAsDouble(value) ||
        !(value >= 0 && value <= info.largestLimit) || std::isinf(value))
      return std::nullopt;
    term.limits.push_back(value);
  }
  return term;
}

Expected<Tolerance> mlir::lpgemm::parseTolerance(StringRef text) {
  Tolerance tolerance;
  for (StringRef part : split(text, ',')) {
    SmallVector<StringRef> words;
    part.split(words, ':');
    const auto *info =
        find_if(criterionInfos, [&](auto &i) { return i.name == words[0]; });
    if (info == std::end(criterionInfos)) {
      auto forms = map_range(criterionInfos, [](auto &i) {
        return (Twine(i.name) + i.limits).str();
      });
      return createStringError("unknown criterion '" + part +
                               "', expected one of " + join(forms, ", "));
    }
    std::optional<ToleranceTerm> term =
        parseTerm(*info, ArrayRef(words).drop_front());
    if (!term)
      return createStringError("expected " + info->name + info->limits +
                               (info->limits.empty() ? ""
                                : info->largestLimit == 1
                                    ? " with a number in [0, 1]"
                                    : " with finite numbers of at least 0") +
                               ", got '" + part + "'");
    tolerance.terms.push_back(std::move(*term));
  }
  return tolerance;
}

Tolerance mlir::lpgemm::getDefaultTolerance(NumberType type, bool isExact) {
  const NumberInfo &info = getNumberInfo(type);
  if (isExact || info.isInteger)
    return {{{Criterion::Bits, {}}}};
  ToleranceTerm bound{Criterion::Bound, {}};
  if (info.bits >= 32)
    return {{bound}};
  if (info.bits == 16)
    return {{bound, {Criterion::Near, {0.995}}}};
  return {{bound, {Criterion::Equal, {0.99}}}};
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

/// A magnitude that overflows must not let everything pass; the largest finite
/// number only makes the bound stricter.
static double limitMagnitude(NumberType type, double value) {
  const double largest = std::numeric_limits<float>::max();
  if (!std::isinf(value))
    return std::min(value, largest);
  double places = std::ldexp(2, getNumberInfo(type).mantissaBits) - 1;
  return std::min(computeUlpSize(type, value) * places, largest);
}

double ErrorBound::get(int64_t row, int64_t column) const {
  if (isBound)
    return magnitude.getValue(row, column);
  double sum = limitMagnitude(magnitude.type, magnitude.getValue(row, column));
  return std::ldexp(1.01 * terms + 8, -24) * sum +
         std::ldexp(blocks + 1.0, -149);
}

/// What the measure of an element may be at most. Without a limit, or with
/// several, the measure is a fraction of what is allowed.
static double getElementLimit(const ToleranceTerm &term) {
  return term.limits.size() == 1 ? term.limits.front() : 1;
}

/// Judges one element by every elementwise term.
static void judgeElement(ToleranceVerdict &verdict, const Element &element,
                         int64_t row, int64_t column) {
  bool isViolated = false;
  for (ToleranceCheck &check : verdict.checks) {
    const CriterionInfo &info = getInfo(check.term.criterion);
    if (!info.measureElement)
      continue;
    double measured = info.measureElement(element, check.term.limits);
    bool holds = measured <= getElementLimit(check.term);
    isViolated |= !holds;
    check.holds &= holds;
    check.violations += !holds;
    check.measured = std::max(check.measured, measured);
  }
  if (!isViolated)
    return;
  if (verdict.violations++ == 0)
    verdict.firstViolation = {row, column, element.result, element.expected,
                              element.error};
}

static void judgeWhole(ToleranceCheck &check, const Accuracy &accuracy) {
  const CriterionInfo &info = getInfo(check.term.criterion);
  check.measured = info.measureAll(accuracy);
  double limit = check.term.limits[0];
  check.holds =
      info.isAtLeast ? check.measured >= limit : check.measured <= limit;
  // The sums leave out what is not finite.
  if (!info.comparesCodes)
    check.holds &= accuracy.sums.mismatches == 0;
}

ToleranceVerdict mlir::lpgemm::judge(const Tolerance &tolerance,
                                     const NumberView &result,
                                     const NumberView &expected,
                                     const Accuracy &accuracy,
                                     const ErrorBound *bound) {
  assert((bound || !tolerance.uses(Criterion::Bound)) && "no bound");
  ToleranceVerdict verdict;
  for (const ToleranceTerm &term : tolerance.terms) {
    assert((!term.comparesCodes() || result.type == expected.type) &&
           "codes of different types");
    verdict.checks.push_back({term, true, 0, 0});
    if (!term.isElementwise())
      judgeWhole(verdict.checks.back(), accuracy);
  }
  double rms = accuracy.sums.getExpectedRms();
  bool hasElementwise = any_of(tolerance.terms, [](const ToleranceTerm &term) {
    return term.isElementwise();
  });
  for (int64_t row = 0; hasElementwise && row != result.rows; ++row) {
    for (int64_t column = 0; column != result.columns; ++column) {
      double x = result.getValue(row, column);
      double y = expected.getValue(row, column);
      Element element{result.type,
                      result.getCode(row, column),
                      expected.getCode(row, column),
                      x,
                      y,
                      computeError(x, y),
                      bound ? bound->get(row, column) : 0,
                      rms};
      judgeElement(verdict, element, row, column);
    }
  }
  verdict.holds = accuracy.getNaNMismatches() == 0 &&
                  all_of(verdict.checks, [](auto &c) { return c.holds; });
  return verdict;
}
