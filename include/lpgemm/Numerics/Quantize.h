//===- Quantize.h - Block quantization --------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MX quantization: 32 consecutive elements of a row share a scale, a power of
// two stored as F8E8M0FNU (OCP Microscaling Formats (MX) Specification v1.0).
// Scales are decode scales: a value is about scale times element (S-1).
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_QUANTIZE_H
#define LPGEMM_NUMERICS_QUANTIZE_H

#include "lpgemm/Numerics/Formats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::lpgemm {

/// The number of consecutive elements that share an MX scale.
constexpr int64_t mxBlockSize = 32;

/// How a block's scale follows from its largest magnitude amax (S-14). qmax is
/// the largest finite value of the element format and emax its exponent.
enum class ScaleRule : uint8_t {
  /// amax / qmax, rounded up to a power of two: never clamps an element.
  RCeil,
  /// amax, rounded down to a power of two, / 2^emax: the rule of the MX
  /// specification, which clamps what lies between qmax and 2^(emax + 1).
  Floor,
  /// amax, rounded up to a power of two, / 2^emax.
  Ceil,
  /// As Floor, after rounding amax half-up to the mantissa of the format.
  Even
};

/// The rule called "rceil", "floor", "ceil" or "even".
std::optional<ScaleRule> parseScaleRule(llvm::StringRef name);

/// The F8E8M0FNU code of the scale of a block whose largest magnitude is
/// `amax`. NaN and infinity give NaN, which poisons the block (S-13).
uint8_t computeMXScale(float amax, ElementFormat format, ScaleRule rule);

/// Quantizes one block of at most mxBlockSize values into as many codes and
/// returns the code of its scale. A shorter block is treated as if the missing
/// values were zero (S-7).
uint8_t quantizeMXBlock(llvm::ArrayRef<float> block, ElementFormat format,
                        ScaleRule rule, llvm::MutableArrayRef<uint8_t> codes);

/// A quantized matrix, one code in a byte: codes[rows][columns] and
/// scales[rows][ceil(columns / mxBlockSize)].
struct MXMatrix {
  std::vector<uint8_t> codes;
  std::vector<uint8_t> scales;
};

/// Quantizes a row-major matrix along its columns; the last block of a row may
/// be short. `format` is any signed format.
MXMatrix quantizeMX(llvm::ArrayRef<float> values, int64_t rows, int64_t columns,
                    ElementFormat format, ScaleRule rule = ScaleRule::RCeil);

/// Packs the codes of a four-bit format two to a byte along the columns: even
/// columns into bits 3:0, odd columns into bits 7:4. In a row of odd length the
/// last four bits are zero (L-2). The result has ceil(columns / 2) bytes a row.
std::vector<uint8_t> packNibbles(llvm::ArrayRef<uint8_t> codes, int64_t rows,
                                 int64_t columns);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_QUANTIZE_H
