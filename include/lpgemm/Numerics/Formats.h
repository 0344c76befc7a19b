//===- Formats.h - Low-precision number formats -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The floating point formats of at most eight bits that operands and block
// scales are stored in. A code is the bit pattern of a value, right-aligned in
// a byte. The comments name the rules of the project's numeric specification,
// such as C-1.
//
// Layouts: OCP 8-bit Floating Point Specification (OFP8), OCP Microscaling
// Formats (MX) Specification v1.0, arXiv:2206.02915 (the FNUZ formats).
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_FORMATS_H
#define LPGEMM_NUMERICS_FORMATS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::lpgemm {

/// The formats, named as MLIR's types.
enum class ElementFormat : uint8_t {
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  F8E8M0FNU
};

/// The codes that are not finite numbers.
enum class SpecialCodes : uint8_t {
  /// Every code is finite.
  None,
  /// All bits behind the sign set: NaN. No infinity.
  AllOnesNaN,
  /// The largest exponent: infinity and NaN as in IEEE 754.
  IEEE,
  /// The code of a negative zero: NaN. No infinity, no negative zero.
  NegativeZeroNaN
};

/// What a format looks like.
struct FormatInfo {
  ElementFormat format;
  /// The type as MLIR spells it, such as "f8E4M3FN".
  llvm::StringLiteral name;
  unsigned bits;
  unsigned mantissaBits;
  int bias;
  /// The exponent of the largest finite value.
  int emax;
  /// The largest finite value and its code.
  double qmax;
  uint8_t qmaxCode;
  SpecialCodes specials;
  bool isSigned;

  unsigned getNumCodes() const { return 1u << bits; }
  uint8_t getSignMask() const { return isSigned ? 1u << (bits - 1) : 0; }
};

/// All formats in the order of ElementFormat.
llvm::ArrayRef<FormatInfo> getFormatInfos();

/// What `format` looks like.
const FormatInfo &getFormatInfo(ElementFormat format);

/// The format that MLIR spells `name`.
std::optional<ElementFormat> parseElementFormat(llvm::StringRef name);

/// The value of a code; bits above those of the format must be zero. The result
/// is exact (C-10).
double decode(ElementFormat format, uint8_t code);

/// What becomes of a finite value that rounds beyond the largest finite one and
/// of an infinity.
enum class Overflow : uint8_t {
  /// The largest finite value of the same sign (C-3).
  Saturate,
  /// Infinity, or NaN where the format has none (C-4). The FP6 and FP4 formats
  /// have neither and saturate (C-5).
  NoSaturate
};

/// The code nearest to `value`, ties to the even code, without an intermediate
/// rounding (C-1, C-8). NaN gives the format's NaN, and the positive maximum in
/// the FP6 and FP4 formats (C-5, C-6). F8E8M0FNU is rounded up as by
/// encodeE8M0.
uint8_t encode(ElementFormat format, double value,
               Overflow overflow = Overflow::Saturate);

/// The direction in which a magnitude is rounded to a power of two.
enum class PowerRounding : uint8_t { Up, Down };

/// The F8E8M0FNU code of the power of two next to the magnitude of `value`
/// (C-11, C-12): everything below 2^-127 gives 2^-127, NaN gives NaN, and what
/// is too large gives 2^127 when saturating and NaN otherwise.
uint8_t encodeE8M0(double value, PowerRounding rounding,
                   Overflow overflow = Overflow::Saturate);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_FORMATS_H
