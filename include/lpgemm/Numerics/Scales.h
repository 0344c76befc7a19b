//===- Scales.h - Scales of quantized blocks --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types that scales are stored in and the rules by which a scale follows
// from the largest magnitude of its block. Scales are decode scales: a value is
// about scale times element (S-1). As every type is exact in f32, a scale is
// handled as the float that it stands for.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_SCALES_H
#define LPGEMM_NUMERICS_SCALES_H

#include "lpgemm/Numerics/Formats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::lpgemm {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The types of scales. F8E4M3FN scales are never negative, and the sign bit of
/// a stored one is ignored ("ue4m3"). There are no f16 scales (S-8).
enum class ScaleFormat : uint8_t { F32, BF16, F8E8M0FNU, F8E4M3FN };

struct ScaleFormatInfo {
  ScaleFormat format;
  /// The type as MLIR spells it, such as "bf16".
  llvm::StringLiteral name;
  unsigned bytes;
};

/// All types in the order of ScaleFormat.
llvm::ArrayRef<ScaleFormatInfo> getScaleFormatInfos();
const ScaleFormatInfo &getScaleFormatInfo(ScaleFormat format);

/// The type called `name`.
std::optional<ScaleFormat> parseScaleFormat(llvm::StringRef name);

/// The value of a stored scale, exactly (C-10, S-8).
float decodeScale(ScaleFormat format, uint32_t code);

/// The code of `value` rounded to the type: to nearest, ties to even, and up to
/// a power of two for F8E8M0FNU (C-13). F8E8M0FNU and F8E4M3FN saturate.
uint32_t encodeScale(ScaleFormat format, float value);

/// `value` rounded to the type as by encodeScale.
float roundScale(ScaleFormat format, float value);

/// Twice a scale, for elements whose codes are read as those of a FNUZ format
/// (C-17). NaN where an F8E8M0FNU scale has no double (C-19).
float doubleScale(ScaleFormat format, float scale);

/// Scales as they lie in memory, little endian, without gaps.
std::vector<uint8_t> storeScales(ScaleFormat format,
                                 llvm::ArrayRef<float> scales);
std::vector<float> loadScales(ScaleFormat format,
                              llvm::ArrayRef<uint8_t> bytes);

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// How a block's scale follows from its largest magnitude amax. qmax is the
/// largest finite value of the element format and emax its exponent.
enum class ScaleRule : uint8_t {
  /// amax / qmax, rounded up to a power of two: never clamps an element (S-14).
  RCeil,
  /// amax, rounded down to a power of two, / 2^emax: the rule of the MX
  /// specification, which clamps what lies between qmax and 2^(emax + 1).
  Floor,
  /// amax, rounded up to a power of two, / 2^emax.
  Ceil,
  /// As Floor, after rounding amax half-up to the mantissa of the format.
  Even,
  /// amax / qmax, rounded to the type of the scale (S-11).
  Amax,
  /// The power of two of RCeil in a type that could hold others (S-14).
  Pow2,
  /// A block scale of F8E4M3FN under an f32 scale of the whole tensor (S-16).
  NVFP4
};

/// The rule called "rceil", "floor", "ceil", "even", "amax", "pow2" or "nvfp4".
std::optional<ScaleRule> parseScaleRule(llvm::StringRef name);
llvm::StringRef getScaleRuleName(ScaleRule rule);

/// The names of all rules, with a blank between them.
std::string listScaleRules();

/// What the scale of a block with an infinite or NaN amax is (S-13).
enum class NonFinite : uint8_t {
  /// NaN: the whole block is NaN.
  Poison,
  /// F8E8M0FNU and F8E4M3FN: the largest scale for infinity. F32 and BF16, and
  /// the scale of a tensor: 1 for both. The elements convert one by one.
  Saturate
};

/// How scales are chosen.
struct ScaleOptions {
  ScaleFormat format = ScaleFormat::F8E8M0FNU;
  ScaleRule rule = ScaleRule::RCeil;
  NonFinite nonFinite = NonFinite::Poison;
  /// A smaller amax counts as this much (S-12).
  float amaxFloor = 0.0f;
  /// A smaller scale is raised to this before it is rounded to its type (S-16).
  /// Not for powers of two.
  float minScale = 0.0f;
};

/// Whether type, rule and limits go together, also with elements of `element`.
llvm::Error checkScaleOptions(const ScaleOptions &options,
                              ElementFormat element);

/// The format that the codes of `element` have under scales of `scale`: I8
/// under F8E8M0FNU is MXI8 (S-14).
ElementFormat getScaledFormat(ElementFormat element, ScaleFormat scale);

/// The scale of a block whose largest magnitude is `amax`, a value of the type
/// of the scale, under `tensorEncodeScale`, which only the rule NVFP4 knows.
float computeScale(float amax, ElementFormat element,
                   const ScaleOptions &options, float tensorEncodeScale = 1.0f);

/// What the rule NVFP4 multiplies a tensor by whose largest magnitude is `amax`
/// so that the largest block scale is about that of F8E4M3FN. The tensor's
/// decode scale is its f32 reciprocal (S-16).
float computeTensorEncodeScale(float amax,
                               NonFinite nonFinite = NonFinite::Poison);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_SCALES_H
