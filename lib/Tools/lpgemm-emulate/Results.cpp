//===- Results.cpp - what a launch left behind ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"

#include "Buffers.h"
#include "lpgemm/Tools/Elements.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

/// Integers that no number type stands for are compared as bits.
static void compareBits(Expectation &expectation, const NpyArray &result) {
  size_t size = getNpyTypeSize(result.getType());
  const char *a = result.getBytes().data();
  const char *b = expectation.expected.getBytes().data();
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i)
    expectation.numWrong += std::memcmp(a + i * size, b + i * size, size) != 0;
  expectation.isMet = expectation.numWrong == 0;
}

void mlir::lpgemm::compare(Expectation &expectation, const NpyArray &result,
                           Type type, const Tolerance &tolerance) {
  std::optional<NumberType> number = getNumberType(type);
  if (!number)
    return compareBits(expectation, result);
  NumberView actual = makeRow(result, *number);
  NumberView expected = makeRow(expectation.expected, *number);
  Accuracy accuracy = measureAccuracy(actual, expected);
  ToleranceVerdict verdict = judge(tolerance, actual, expected, accuracy);
  expectation.isMet = verdict.holds;
  expectation.numWrong = verdict.violations;
  expectation.maxError = accuracy.maxError;
}

void mlir::lpgemm::printExpectation(llvm::raw_ostream &os,
                                    const Expectation &expectation) {
  os << (expectation.isMet ? "ok" : "FAILED") << ": " << expectation.name
     << " against " << expectation.path << ", " << expectation.numWrong
     << " of " << expectation.expected.getNumElements()
     << " elements wrong, max |err| "
     << llvm::format("%.3g", expectation.maxError) << "\n";
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static void printElement(llvm::raw_ostream &os, const NpyArray &array,
                         Type type, int64_t index) {
  if (type.isInteger(64))
    os << array.getData<int64_t>()[index];
  else
    os << llvm::format(
        "%.9g",
        makeRow(array, *getNumberType(type)).getValue(/*row=*/0, index));
}

void mlir::lpgemm::printElements(llvm::raw_ostream &os, StringRef name,
                                 const NpyArray &array, Type type) {
  constexpr int64_t kMaxElements = 16;
  os << name << ": " << formatExtents(array.getShape()) << "x" << type << " [";
  int64_t count = array.getNumElements();
  for (int64_t i = 0; i != std::min(count, kMaxElements); ++i) {
    os << (i ? ", " : "");
    printElement(os, array, type, i);
  }
  os << (count > kMaxElements ? ", ...]\n" : "]\n");
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

void mlir::lpgemm::printStatistics(llvm::raw_ostream &os) {
  emulator::Statistics statistics = emulator::getStatistics();
  emulator::forEachCounter([&](const char *name, auto counter) {
    if (statistics.*counter)
      os << name << ": " << statistics.*counter << "\n";
  });
}

static llvm::json::Value getStatistics() {
  llvm::json::Object object;
  emulator::Statistics statistics = emulator::getStatistics();
  emulator::forEachCounter([&](const char *name, auto counter) {
    object[name] = statistics.*counter;
  });
  return object;
}

llvm::json::Value mlir::lpgemm::toJson(ArrayRef<emulator::Report> reports,
                                       ArrayRef<Expectation> expectations) {
  llvm::json::Array faults, comparisons, sites;
  for (const emulator::Report &report : reports)
    faults.push_back(
        llvm::json::Object{{"kind", emulator::getKindName(report.kind)},
                           {"count", report.count},
                           {"message", report.message}});
  for (const Expectation &expectation : expectations)
    comparisons.push_back(
        llvm::json::Object{{"buffer", expectation.name},
                           {"expected", expectation.path},
                           {"wrong", expectation.numWrong},
                           {"max_abs_error", expectation.maxError},
                           {"verdict", expectation.isMet ? "ok" : "failed"}});
  for (const emulator::LdsSiteStatistics &site : emulator::getLdsStatistics())
    sites.push_back(llvm::json::Object{{"site", site.site},
                                       {"accesses", site.accesses},
                                       {"cycles", site.cycles},
                                       {"ideal_cycles", site.idealCycles}});
  bool isOk = reports.empty() &&
              llvm::all_of(expectations, [](const auto &e) { return e.isMet; });
  return llvm::json::Object{{"reports", std::move(faults)},
                            {"comparisons", std::move(comparisons)},
                            {"statistics", getStatistics()},
                            {"lds", std::move(sites)},
                            {"verdict", isOk ? "ok" : "failed"}};
}
