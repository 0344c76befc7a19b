//===- Formats.h - values of the element formats ----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The OCP 8-bit formats (OFP8, revision 1.0), the OCP microscaling formats (MX,
// version 1.0) and the FNUZ formats (CDNA3 ISA; arXiv 2206.02915) as tables of
// doubles, in which every value is exact.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_FORMATS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_FORMATS_H

#include "lpgemm/Emulator/Mfma.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace mlir::lpgemm::emulator {

/// Which codes are no ordinary values.
enum class Specials {
  None,      ///< All are.
  NanOnly,   ///< All ones but the sign is NaN.
  InfAndNan, ///< As in IEEE 754.
  Fnuz,      ///< Negative zero is NaN, and the bias is larger by one.
};

template <unsigned ExponentBits, unsigned MantissaBits, Specials S>
struct Minifloat {
  static constexpr unsigned kBits = 1 + ExponentBits + MantissaBits;
  static constexpr int kBias =
      (1 << (ExponentBits - 1)) - (S == Specials::Fnuz ? 0 : 1);

  static double decode(unsigned code) {
    unsigned maxExponent = (1u << ExponentBits) - 1;
    unsigned exponent = code >> MantissaBits & maxExponent;
    unsigned mantissa = code & ((1u << MantissaBits) - 1);
    double value = magnitude(exponent, mantissa);
    if (S == Specials::InfAndNan && exponent == maxExponent)
      value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                       : std::numeric_limits<double>::infinity();
    if (S == Specials::NanOnly && exponent == maxExponent &&
        mantissa == (1u << MantissaBits) - 1)
      value = std::numeric_limits<double>::quiet_NaN();
    if (S == Specials::Fnuz && code == 1u << (kBits - 1))
      value = std::numeric_limits<double>::quiet_NaN();
    return code >> (kBits - 1) ? -value : value;
  }

  /// Rounds to the nearest, ties to even. What is too large after rounding is
  /// infinity or, in a format without, NaN.
  static unsigned encode(double value) {
    constexpr unsigned kSign = 1u << (kBits - 1);
    bool isNegative = std::signbit(value);
    if (S == Specials::Fnuz) {
      unsigned code = encodeMagnitude(std::fabs(value), kSign);
      return code != 0 && code != kSign && isNegative ? code | kSign : code;
    }
    constexpr unsigned kAllOnes = kSign - 1;
    constexpr unsigned kInfinity = kAllOnes - ((1u << MantissaBits) - 1);
    unsigned overflow = S == Specials::InfAndNan ? kInfinity : kAllOnes;
    unsigned code = std::isnan(value)
                        ? kAllOnes
                        : encodeMagnitude(std::fabs(value), overflow);
    return isNegative ? code | kSign : code;
  }

  static const std::array<double, 1u << kBits> &table() {
    static const std::array<double, 1u << kBits> values = [] {
      std::array<double, 1u << kBits> result;
      for (unsigned code = 0; code < result.size(); ++code)
        result[code] = decode(code);
      return result;
    }();
    return values;
  }

private:
  /// The code of a value that is not negative, or `overflow`, also for NaN.
  static unsigned encodeMagnitude(double value, unsigned overflow) {
    // All ones is a number in FNUZ formats, the top exponent is not in others.
    constexpr unsigned kTop = ((1u << ExponentBits) - 1) << MantissaBits;
    constexpr unsigned kMax = S == Specials::InfAndNan ? kTop - 1
                              : S == Specials::NanOnly
                                  ? kTop + (1u << MantissaBits) - 2
                                  : kTop + (1u << MantissaBits) - 1;
    if (!(value <= std::numeric_limits<float>::max()))
      return overflow;
    int exponent =
        value == 0 ? 1 - kBias : std::max(std::ilogb(value), 1 - kBias);
    int scale = exponent - static_cast<int>(MantissaBits);
    double steps = std::nearbyint(std::ldexp(value, -scale));
    // The carry of a mantissa goes to the exponent, from subnormal values too.
    uint64_t code =
        static_cast<uint64_t>(steps) +
        (static_cast<uint64_t>(exponent + kBias - 1) << MantissaBits);
    return code > kMax ? overflow : static_cast<unsigned>(code);
  }

  static double magnitude(unsigned exponent, unsigned mantissa) {
    int scale = 1 - kBias - static_cast<int>(MantissaBits);
    if (exponent == 0)
      return std::ldexp(mantissa, scale);
    return std::ldexp(mantissa + (1u << MantissaBits), scale + exponent - 1);
  }
};

using Float8E4M3 = Minifloat<4, 3, Specials::NanOnly>;
using Float8E5M2 = Minifloat<5, 2, Specials::InfAndNan>;
using Float8E4M3FNUZ = Minifloat<4, 3, Specials::Fnuz>;
using Float8E5M2FNUZ = Minifloat<5, 2, Specials::Fnuz>;
using Float16 = Minifloat<5, 10, Specials::InfAndNan>;
using BFloat16 = Minifloat<8, 7, Specials::InfAndNan>;
using Float6E2M3 = Minifloat<2, 3, Specials::None>;
using Float6E3M2 = Minifloat<3, 2, Specials::None>;
using Float4E2M1 = Minifloat<2, 1, Specials::None>;

/// bfloat16 is the upper half of binary32.
inline double decodeBf16(unsigned code) {
  uint32_t bits = code << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// binary16. Its exponent in the place of that of binary32 is too small by the
/// difference of the biases, 112.
inline double decodeF16(unsigned code) {
  uint32_t bits = (code & 0x7fff) << 13;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  double magnitude = value * 0x1p112;
  if ((code & 0x7c00) == 0x7c00)
    magnitude = code & 0x3ff ? std::numeric_limits<double>::quiet_NaN()
                             : std::numeric_limits<double>::infinity();
  return code & 0x8000 ? -magnitude : magnitude;
}

/// E8M0: 2^(code - 127); 255 is NaN.
inline double decodeScale(uint8_t code) {
  return code == 255 ? std::numeric_limits<double>::quiet_NaN()
                     : std::ldexp(1.0, code - 127);
}

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_FORMATS_H
