//===- Compare.cpp - is a result right ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "Signature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Elements that are wrong; the first one is kept.
struct Mismatches {
  int64_t count = 0;
  int64_t first = 0;

  void add(int64_t index) {
    if (count++ == 0)
      first = index;
  }
};
} // namespace

/// "[2, 17]" for a position in row-major order.
static std::string formatPosition(ArrayRef<int64_t> shape, int64_t index) {
  SmallVector<int64_t> position(shape.size());
  for (unsigned dim = shape.size(); dim-- != 0; index /= shape[dim])
    position[dim] = index % shape[dim];
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(position, stream);
  stream << ']';
  return text;
}

static Comparison conclude(const NpyArray &result, const NpyArray &expected,
                           const Mismatches &wrong, StringRef summary) {
  std::string text =
      llvm::formatv("{0}: {1} f32, {2}", wrong.count ? "FAILED" : "ok",
                    formatShape(result.getShape()), summary);
  // Nine digits tell every f32 from its neighbours.
  if (wrong.count)
    llvm::raw_string_ostream(text)
        << "; first at " << formatPosition(result.getShape(), wrong.first)
        << llvm::format(": got %.9g, expected %.9g",
                        result.getData<float>()[wrong.first],
                        expected.getData<float>()[wrong.first]);
  return {wrong.count == 0, text};
}

Comparison mlir::lpgemm::compareBits(const NpyArray &result,
                                     const NpyArray &expected) {
  Mismatches wrong;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(
           result.getData<float>(), expected.getData<float>()))) {
    auto [x, y] = pair;
    bool bothNaN = std::isnan(x) && std::isnan(y);
    if (!bothNaN && llvm::bit_cast<uint32_t>(x) != llvm::bit_cast<uint32_t>(y))
      wrong.add(i);
  }
  return conclude(result, expected, wrong,
                  llvm::formatv("{0} of {1} not bit-equal", wrong.count,
                                result.getNumElements())
                      .str());
}

/// The error of an element as a fraction of what is allowed.
static double relateToBound(double result, double expected, double bound) {
  if (std::isnan(result) && std::isnan(expected))
    return 0;
  if (result == expected)
    return 0;
  double error = std::fabs(result - expected);
  return std::isnan(error) ? INFINITY : error / bound;
}

Comparison mlir::lpgemm::compareWithinBound(const NpyArray &result,
                                            const NpyArray &expected,
                                            const NpyArray &magnitude,
                                            int64_t k) {
  double unit = std::ldexp(1.01 * k + 8, -24);
  // Of each block of K, and of the result.
  double subnormal = std::ldexp(llvm::divideCeil(k, 32) + 1.0, -149);
  double largest = 0;
  Mismatches wrong;
  for (int64_t i = 0, e = result.getNumElements(); i != e; ++i) {
    // A magnitude that overflows must not let everything pass; the largest f32
    // only makes the bound stricter.
    double sum = std::min(magnitude.getData<float>()[i],
                          std::numeric_limits<float>::max());
    double bound = unit * sum + subnormal;
    double ratio = relateToBound(result.getData<float>()[i],
                                 expected.getData<float>()[i], bound);
    largest = std::max(largest, ratio);
    if (!(ratio <= 1))
      wrong.add(i);
  }
  return conclude(
      result, expected, wrong,
      llvm::formatv("max |err|/bound {0:f3}, {1} of {2} outside the bound",
                    largest, wrong.count, result.getNumElements())
          .str());
}
