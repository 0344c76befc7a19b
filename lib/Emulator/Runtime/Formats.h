//===- Formats.h - values of the element formats ----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The OCP 8-bit formats (OFP8, revision 1.0) and the OCP microscaling formats
// (MX, version 1.0) as tables of doubles, in which every value is exact.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_FORMATS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_FORMATS_H

#include "lpgemm/Emulator/Mfma.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mlir::lpgemm::emulator {

/// What the codes with all exponent bits set mean.
enum class Specials {
  None,      ///< They are ordinary values.
  NanOnly,   ///< All ones is NaN, the others are ordinary values.
  InfAndNan, ///< As in IEEE 754.
};

template <unsigned ExponentBits, unsigned MantissaBits, Specials S>
struct Minifloat {
  static constexpr unsigned kBits = 1 + ExponentBits + MantissaBits;
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;

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
    return code >> (kBits - 1) ? -value : value;
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
  static double magnitude(unsigned exponent, unsigned mantissa) {
    int scale = 1 - kBias - static_cast<int>(MantissaBits);
    if (exponent == 0)
      return std::ldexp(mantissa, scale);
    return std::ldexp(mantissa + (1u << MantissaBits), scale + exponent - 1);
  }
};

using Float8E4M3 = Minifloat<4, 3, Specials::NanOnly>;
using Float8E5M2 = Minifloat<5, 2, Specials::InfAndNan>;
using Float6E2M3 = Minifloat<2, 3, Specials::None>;
using Float6E3M2 = Minifloat<3, 2, Specials::None>;
using Float4E2M1 = Minifloat<2, 1, Specials::None>;

/// E8M0: 2^(code - 127); 255 is NaN.
inline double decodeScale(uint8_t code) {
  return code == 255 ? std::numeric_limits<double>::quiet_NaN()
                     : std::ldexp(1.0, code - 127);
}

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_FORMATS_H
