//===- Report.cpp - what a run has to tell --------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Shapes.h"
#include "lpgemm/Tools/JsonFile.h"
#include "lpgemm/Tools/lpgemm-run/Run.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::Error;
using llvm::format;
using llvm::formatv;

bool Report::isOk() const {
  return faults.empty() &&
         llvm::all_of(comparisons, [](auto &c) { return c.isOk(); });
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

void mlir::lpgemm::printTimes(llvm::raw_ostream &stream, const Report &report,
                              StringRef device) {
  stream << formatv("time: {0:f3} ms on device {1}\n", report.seconds * 1e3,
                    device);
  for (double milliseconds : report.kernelMilliseconds)
    stream << formatv(
        "kernel time: {0:f4} ms, one measurement by events around "
        "the launch\n",
        milliseconds);
}

/// "[2, 17]" for an element of a comparison.
static std::string formatPosition(const Comparison &comparison, int64_t row,
                                  int64_t column) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(getPosition(comparison.shape, row, column), stream);
  stream << ']';
  return text;
}

static void printCheck(llvm::raw_ostream &stream, const ToleranceCheck &check,
                       int64_t count) {
  switch (check.term.criterion) {
  case Criterion::Bits:
    stream << formatv("{0} of {1} not bit-equal", check.violations, count);
    return;
  case Criterion::Bound:
    stream << formatv("max |err|/bound {0:f3}, {1} of {2} outside the bound",
                      check.measured, check.violations, count);
    return;
  default:
    stream << check.term.str() << format(" has %.6g", check.measured);
    if (check.term.isElementwise())
      stream << formatv(", {0} of {1} outside", check.violations, count);
  }
}

/// "[0, 128] of 2x128 with 20.1 dB".
static void printRegion(llvm::raw_ostream &stream, const Comparison &comparison,
                        const RegionError &region) {
  stream << formatPosition(comparison, region.row, region.column) << " of "
         << region.rows << 'x' << region.columns << " with ";
  if (region.sums.mismatches)
    stream << region.sums.mismatches << " not finite";
  else
    stream << format("%.1f dB", region.sums.getSqnr());
}

static void printMeasures(llvm::raw_ostream &stream,
                          const Comparison &comparison) {
  const Accuracy &accuracy = comparison.accuracy;
  stream << format("SQNR %.1f dB, calc_diff %.3g, max |err| %.3g, max |err| / "
                   "|expected| %.3g",
                   accuracy.sums.getSqnr(), accuracy.sums.getCalcDiff(),
                   accuracy.maxError, accuracy.maxRelativeError);
  if (accuracy.ulps)
    stream << ", max ULP " << accuracy.ulps->largest;
  stream << "\n";
}

static void printWorst(llvm::raw_ostream &stream,
                       const Comparison &comparison) {
  const Accuracy &accuracy = comparison.accuracy;
  if (!accuracy.worstRow || !accuracy.worstTile)
    return;
  stream << "  worst row ";
  printRegion(stream, comparison, *accuracy.worstRow);
  stream << ", worst tile ";
  printRegion(stream, comparison, *accuracy.worstTile);
  stream << "\n";
}

/// Nine digits tell every f32 from its neighbours.
static void printElement(llvm::raw_ostream &stream,
                         const Comparison &comparison,
                         const ElementError &element) {
  stream << formatPosition(comparison, element.row, element.column)
         << format(": got %.9g, expected %.9g", element.result,
                   element.expected);
}

void mlir::lpgemm::printComparison(llvm::raw_ostream &stream,
                                   const Comparison &comparison) {
  const ToleranceVerdict &verdict = comparison.verdict;
  bool hasVerdict = !comparison.tolerance.terms.empty();
  if (hasVerdict)
    stream << (comparison.isOk() ? "ok: " : "FAILED: ");
  bool isQuantization = comparison.kind == ComparisonKind::Quantization;
  stream << (isQuantization ? "quantization error, " : "")
         << (comparison.isDequantized ? "dequantized, " : "")
         << formatShape(comparison.shape) << " "
         << getNumberInfo(comparison.type).name;
  int64_t count = 1;
  for (int64_t extent : comparison.shape)
    count *= extent;
  for (const ToleranceCheck &check : verdict.checks) {
    stream << ", ";
    printCheck(stream, check, count);
  }
  if (comparison.unbounded != 0)
    stream << formatv(", no bound is known of {0} elements behind the epilogue",
                      comparison.unbounded);
  if (int64_t mismatches = comparison.accuracy.getNaNMismatches())
    stream << ", " << mismatches << " with NaN on one side only";
  if (verdict.firstViolation) {
    stream << "; first at ";
    printElement(stream, comparison, *verdict.firstViolation);
  }
  bool isEqual = comparison.accuracy.maxError == 0;
  if (hasVerdict && isEqual) {
    stream << "\n";
    return;
  }
  stream << (hasVerdict ? "\n  " : ": ");
  printMeasures(stream, comparison);
  // Where to look, if there is reason to.
  if (!comparison.isOk())
    printWorst(stream, comparison);
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

/// JSON has neither infinities nor NaN.
static llvm::json::Value toJson(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return value;
}

static llvm::json::Value toJson(ArrayRef<int64_t> values) {
  return llvm::json::Array(values);
}

static llvm::json::Value toJson(const Comparison &comparison,
                                const ElementError &element) {
  return llvm::json::Object{
      {"index",
       toJson(getPosition(comparison.shape, element.row, element.column))},
      {"result", toJson(element.result)},
      {"expected", toJson(element.expected)},
      {"error", toJson(element.error)}};
}

static llvm::json::Value toJson(const Comparison &comparison,
                                const RegionError &region) {
  return llvm::json::Object{
      {"index",
       toJson(getPosition(comparison.shape, region.row, region.column))},
      {"rows", region.rows},
      {"columns", region.columns},
      {"sqnr_db", toJson(region.sums.getSqnr())},
      {"mismatches", region.sums.mismatches}};
}

template <typename T>
static llvm::json::Value toJson(const Comparison &comparison,
                                const std::optional<T> &part) {
  return part ? toJson(comparison, *part) : llvm::json::Value(nullptr);
}

static llvm::json::Value toJson(const UlpHistogram &ulps) {
  llvm::json::Array histogram;
  for (auto [i, count] : llvm::enumerate(ulps.buckets))
    if (count)
      histogram.push_back(llvm::json::Object{
          {"at_most", UlpHistogram::getBucketEnd(i)}, {"count", count}});
  return llvm::json::Object{{"max", ulps.largest},
                            {"histogram", std::move(histogram)}};
}

static llvm::json::Value toJson(const ToleranceCheck &check) {
  llvm::json::Object object{{"term", check.term.str()},
                            {"holds", check.holds},
                            {"measured", toJson(check.measured)}};
  if (check.term.isElementwise())
    object["violations"] = check.violations;
  return object;
}

static llvm::json::Value getMeasures(const Comparison &comparison) {
  const Accuracy &accuracy = comparison.accuracy;
  const ErrorSums &sums = accuracy.sums;
  llvm::json::Object object{
      {"max_abs_error", toJson(accuracy.maxError)},
      {"max_rel_error", toJson(accuracy.maxRelativeError)},
      {"sqnr_db", toJson(sums.getSqnr())},
      {"cosine", toJson(sums.getCosine())},
      {"calc_diff", toJson(sums.getCalcDiff())},
      {"expected_rms", toJson(sums.getExpectedRms())},
      {"elements_in_sums", sums.count},
      {"unexpected_nans", accuracy.unexpectedNaNs},
      {"missing_nans", accuracy.missingNaNs},
      {"infinity_mismatches", accuracy.infinityMismatches},
      {"worst_element", toJson(comparison, accuracy.worstElement)},
      {"worst_row", toJson(comparison, accuracy.worstRow)},
      {"worst_tile", toJson(comparison, accuracy.worstTile)}};
  if (accuracy.ulps)
    object["ulp"] = toJson(*accuracy.ulps);
  return object;
}

static llvm::json::Value toJson(const Comparison &comparison) {
  llvm::json::Object object{{"kind", getKindName(comparison.kind)},
                            {"output", comparison.output},
                            {"dequantized", comparison.isDequantized},
                            {"type", getNumberInfo(comparison.type).name},
                            {"shape", toJson(comparison.shape)},
                            {"k", comparison.k},
                            {"result", comparison.resultName},
                            {"expected", comparison.expectedName},
                            {"measures", getMeasures(comparison)}};
  if (comparison.tolerance.terms.empty())
    return object;
  llvm::json::Array checks;
  for (const ToleranceCheck &check : comparison.verdict.checks)
    checks.push_back(toJson(check));
  object["tolerance"] = comparison.tolerance.str();
  object["unbounded"] = comparison.unbounded;
  object["checks"] = std::move(checks);
  object["verdict"] = comparison.isOk() ? "ok" : "failed";
  object["out_of_tolerance"] = comparison.verdict.violations;
  object["first_out_of_tolerance"] =
      toJson(comparison, comparison.verdict.firstViolation);
  return object;
}

static llvm::json::Value toJson(const ReportedArgument &argument) {
  return llvm::json::Object{{"type", argument.type},
                            {"shape", toJson(argument.shape)},
                            {"source", argument.source}};
}

static llvm::json::Value toJson(const Report &report,
                                const RunOptions &options) {
  llvm::json::Array arguments, comparisons;
  for (const ReportedArgument &argument : report.arguments)
    arguments.push_back(toJson(argument));
  for (const Comparison &comparison : report.comparisons)
    comparisons.push_back(toJson(comparison));
  llvm::json::Array kernels;
  for (double milliseconds : report.kernelMilliseconds)
    kernels.push_back(milliseconds);
  return llvm::json::Object{{"tool", "lpgemm-run"},
                            {"input", options.input},
                            {"reference", options.reference.empty()
                                              ? options.input
                                              : options.reference},
                            {"entry", report.entry},
                            {"chip", options.chip},
                            {"device", options.device},
                            {"arguments", std::move(arguments)},
                            {"milliseconds", report.seconds * 1e3},
                            {"kernel_milliseconds", std::move(kernels)},
                            {"faults", llvm::json::Array(report.faults)},
                            {"comparisons", std::move(comparisons)},
                            {"verdict", report.isOk() ? "ok" : "failed"}};
}

Error mlir::lpgemm::writeReport(StringRef path, const Report &report,
                                const RunOptions &options,
                                function_ref<Error()> writeOthers) {
  return writeJson(path, toJson(report, options), writeOthers);
}
