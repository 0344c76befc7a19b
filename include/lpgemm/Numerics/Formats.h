//===- Formats.h - Low-precision number formats -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formats of at most eight bits that operands and block scales are stored
// in. A code is the bit pattern of a value, right-aligned in a byte. The
// comments name the rules of the project's numeric specification, such as C-1.
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

/// The formats, named as MLIR's types. MXI8 is i8 under an F8E8M0FNU scale: a
/// multiple of 2^-6, called "mxint8".
enum class ElementFormat : uint8_t {
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  F8E8M0FNU,
  I8,
  I4,
  MXI8
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
  NegativeZeroNaN,
  /// Every code is finite, in two's complement: an integer or a multiple of a
  /// power of two. Results lie within +-qmax, so that their negation exists;
  /// the code below is read but not written (C-9, E-4).
  TwosComplement
};

/// What a format looks like.
struct FormatInfo {
  ElementFormat format;
  /// The type as MLIR spells it, such as "f8E4M3FN".
  llvm::StringLiteral name;
  unsigned bits;
  /// The fraction bits of a normal value; in two's complement those of the
  /// largest value.
  unsigned mantissaBits;
  /// Of the exponent field; none in two's complement.
  int bias;
  /// The exponent of the largest finite value.
  int emax;
  /// The largest finite value and its code.
  double qmax;
  uint8_t qmaxCode;
  SpecialCodes specials;
  bool isSigned;

  bool isInteger() const { return specials == SpecialCodes::TwosComplement; }
  unsigned getNumCodes() const { return 1u << bits; }
  uint8_t getSignMask() const { return isSigned ? 1u << (bits - 1) : 0; }
};

/// All formats in the order of ElementFormat.
llvm::ArrayRef<FormatInfo> getFormatInfos();

/// What `format` looks like.
const FormatInfo &getFormatInfo(ElementFormat format);

/// The format called `name`.
std::optional<ElementFormat> parseElementFormat(llvm::StringRef name);

/// The value of a code; bits above those of the format must be zero. The result
/// is exact (C-10).
double decode(ElementFormat format, uint8_t code);

/// What becomes of a finite value that rounds beyond the largest finite one and
/// of an infinity.
enum class Overflow : uint8_t {
  /// The largest finite value of the same sign (C-3).
  Saturate,
  /// Infinity, or NaN where the format has none (C-4). The FP6, FP4 and integer
  /// formats have neither and saturate (C-5, C-9).
  NoSaturate
};

/// The code nearest to `value`, ties to the even code, without an intermediate
/// rounding (C-1, C-8). NaN gives the format's NaN, the positive maximum in the
/// FP6 and FP4 formats, and zero in the integer formats (C-5, C-6, C-9).
/// F8E8M0FNU is rounded up as by encodeE8M0.
uint8_t encode(ElementFormat format, double value,
               Overflow overflow = Overflow::Saturate);

/// As encode, but rounds at random (C-16): of the two codes around `value` it
/// takes the one away from zero if floor(2^32 * f) > random, where f is the
/// distance to the other one in units of the last place kept. What is exact
/// never changes. There is no such rounding for F8E8M0FNU.
uint8_t encodeStochastic(ElementFormat format, double value, uint32_t random,
                         Overflow overflow = Overflow::Saturate);

/// The random number of an element for encodeStochastic (C-16): the upper half
/// of the output of SplitMix64 for the state seed + 0x9E3779B97F4A7C15 *
/// (index + 1), that is of
///
///   z = seed + 0x9E3779B97F4A7C15 * (index + 1)
///   z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
///   z = (z ^ (z >> 27)) * 0x94D049BB133111EB
///   z = z ^ (z >> 31)
///
/// modulo 2^64. `index` is the element's position in its row-major tensor, so
/// that the result depends neither on the order of the work nor on its split.
uint32_t getRandomBits(uint64_t seed, uint64_t index);

/// The direction in which a magnitude is rounded to a power of two.
enum class PowerRounding : uint8_t { Up, Down };

/// The F8E8M0FNU code of the power of two next to the magnitude of `value`
/// (C-11, C-12): everything below 2^-127 gives 2^-127, NaN gives NaN, and what
/// is too large gives 2^127 when saturating and NaN otherwise.
uint8_t encodeE8M0(double value, PowerRounding rounding,
                   Overflow overflow = Overflow::Saturate);

/// The code of an F8E4M3FN or F8E5M2 element for hardware that reads the FNUZ
/// format with as many mantissa bits. It means half as much, so that the decode
/// scale must be doubled, as doubleScale does (C-17): a negative zero becomes a
/// zero, and infinities and NaN become NaN.
uint8_t relabelAsFNUZ(ElementFormat format, uint8_t code);

/// The F8E4M3FN or F8E5M2 code, named by `format`, of twice what a FNUZ code
/// means. None where that is NaN or too large (C-20).
std::optional<uint8_t> relabelFromFNUZ(ElementFormat format, uint8_t code);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_FORMATS_H
