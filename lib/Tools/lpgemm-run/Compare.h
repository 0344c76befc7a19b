//===- Compare.h - is a result right ----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_COMPARE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_COMPARE_H

#include "lpgemm/Support/Npy.h"
#include <string>

namespace mlir::lpgemm {

/// The outcome of a comparison.
struct Comparison {
  bool ok;
  /// One line.
  std::string text;
};

/// Whether every bit is equal, apart from those of NaN.
Comparison compareBits(const NpyArray &result, const NpyArray &expected);

/// Whether every element is within the error bound of a sum of `k` products in
/// f32, in any order:
///
///     |result - expected| <= (1.01 * k + 8) * 2^-24 * magnitude + 2^-149
///
/// where `magnitude` is the same sum of absolute values, at most the largest
/// f32, and 2^-149, the smallest f32, is what rounding costs below the normal
/// range. NaN equals NaN, and infinities must be equal.
Comparison compareWithinBound(const NpyArray &result, const NpyArray &expected,
                              const NpyArray &magnitude, int64_t k);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_COMPARE_H
