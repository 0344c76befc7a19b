//===- Conversions.cpp - conversions of NVIDIA chips ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Formats.h"

using namespace mlir::lpgemm::emulator;

// PTX ISA, "cvt". A NaN becomes the canonical one of the format, all ones but
// for the sign. With .relu what is negative becomes +0.

namespace {
/// Numbered as NVVM::FPRoundingMode.
enum Rounding : uint32_t { Nearest = 1, TowardsZero = 4, NearestAway = 5 };

struct Modifiers {
  uint32_t rounding;
  bool saturates;
  bool isRelu;
};
} // namespace

template <typename Format>
static uint32_t convert(double value, Modifiers modifiers) {
  constexpr uint32_t kSign = 1u << (Format::kBits - 1);
  if (std::isnan(value))
    return kSign - 1;
  if (modifiers.isRelu && std::signbit(value))
    return 0;
  const uint32_t overflow = Format::encode(INFINITY);
  uint32_t sign = std::signbit(value) ? kSign : 0;
  double magnitude = std::fabs(value);
  uint32_t code = Format::encode(magnitude);
  // Infinity is beyond what it was rounded from, too.
  if (modifiers.rounding == TowardsZero && Format::decode(code) > magnitude)
    --code;
  if (modifiers.saturates && code >= overflow)
    code = overflow - 1;
  return code | sign;
}

template <typename Format>
static uint32_t convertPair(float high, float low, Modifiers modifiers) {
  return convert<Format>(high, modifiers) << Format::kBits |
         convert<Format>(low, modifiers);
}

uint32_t emu_nvvm_cvt_f32x2(float high, float low, uint32_t format,
                            uint32_t rounding, uint32_t saturates,
                            uint32_t isRelu) {
  Modifiers modifiers{rounding, saturates != 0, isRelu != 0};
  switch (mfma::Format(format)) {
  case mfma::Format::Fp8:
    return convertPair<Float8E4M3>(high, low, modifiers);
  case mfma::Format::Bf8:
    return convertPair<Float8E5M2>(high, low, modifiers);
  case mfma::Format::Bf16:
    return convertPair<BFloat16>(high, low, modifiers);
  default:
    return convertPair<Float16>(high, low, modifiers);
  }
}

uint32_t emu_nvvm_cvt_f8x2_f16x2(uint32_t codes, uint32_t format,
                                 uint32_t isRelu) {
  // Every value is exact in binary16.
  Modifiers modifiers{Nearest, false, isRelu != 0};
  uint32_t result = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t code = codes >> 8 * i & 0xff;
    double value = mfma::Format(format) == mfma::Format::Fp8
                       ? Float8E4M3::decode(code)
                       : Float8E5M2::decode(code);
    result |= convert<Float16>(value, modifiers) << 16 * i;
  }
  return result;
}

/// TF32 has the upper 19 bits of binary32.
uint32_t emu_nvvm_cvt_tf32(float value, uint32_t rounding, uint32_t saturates,
                           uint32_t isRelu) {
  constexpr uint32_t kSign = 0x80000000, kInfinity = 0x7f800000;
  constexpr uint32_t kDropped = 0x1fff, kHalf = 0x1000;
  if (std::isnan(value))
    return kSign - 1;
  if (isRelu && std::signbit(value))
    return 0;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint32_t sign = bits & kSign, magnitude = bits & ~kSign;
  if (rounding == NearestAway)
    magnitude += kHalf;
  else if (rounding == Nearest)
    magnitude += kHalf - 1 + (magnitude >> 13 & 1);
  magnitude &= ~kDropped;
  if (saturates && magnitude >= kInfinity)
    magnitude = kInfinity - (kDropped + 1);
  return magnitude | sign;
}
