//===- Conversions.cpp - conversions of narrow formats --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rounding is to the nearest, ties to even. Without the mode bit FP16_OVFL, a
// value that is too large becomes NaN in E4M3 and in both FNUZ formats, and
// infinity in OCP E5M2 (CDNA3 ISA, "V_CVT_PK_FP8_F32").
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Formats.h"
#include "Machine.h"
#include "ROCDL/PackedCodes.h"

using namespace mlir::lpgemm::emulator;

static bool isFnuz(uint32_t chip) {
  return static_cast<Chip>(chip) == Chip::Gfx942;
}

//===----------------------------------------------------------------------===//
// 8-bit formats without a scale
//===----------------------------------------------------------------------===//

template <typename Ocp, typename Fnuz>
static float decode8(uint32_t source, uint32_t byte, uint32_t chip) {
  uint32_t code = source >> 8 * (byte & 3) & 255;
  return isFnuz(chip) ? Fnuz::table()[code] : Ocp::table()[code];
}

template <typename Ocp, typename Fnuz>
static uint32_t encodePair(float a, float b, uint32_t old, uint32_t word,
                           uint32_t chip) {
  auto encode = [&](float value) {
    return isFnuz(chip) ? Fnuz::encode(value) : Ocp::encode(value);
  };
  unsigned shift = word ? 16 : 0;
  uint32_t pair = encode(a) | encode(b) << 8;
  return (old & ~(0xffffu << shift)) | pair << shift;
}

#define LPGEMM_CONVERT_8(name, Ocp, Fnuz)                                      \
  float emu_rocdl_cvt_f32_##name(uint32_t, uint32_t source, uint32_t byte,     \
                                 uint32_t chip) {                              \
    return decode8<Ocp, Fnuz>(source, byte, chip);                             \
  }                                                                            \
  void emu_rocdl_cvt_pk_f32_##name(uint32_t, float *result, uint32_t,          \
                                   uint32_t source, uint32_t word,             \
                                   uint32_t chip) {                            \
    for (unsigned i = 0; i < 2; ++i)                                           \
      result[i] = decode8<Ocp, Fnuz>(source, (word ? 2 : 0) + i, chip);        \
  }                                                                            \
  uint32_t emu_rocdl_cvt_pk_##name##_f32(uint32_t, float a, float b,           \
                                         uint32_t old, uint32_t word,          \
                                         uint32_t chip) {                      \
    return encodePair<Ocp, Fnuz>(a, b, old, word, chip);                       \
  }
LPGEMM_CONVERT_8(fp8, Float8E4M3, Float8E4M3FNUZ)
LPGEMM_CONVERT_8(bf8, Float8E5M2, Float8E5M2FNUZ)

//===----------------------------------------------------------------------===//
// From narrow formats, with a scale
//===----------------------------------------------------------------------===//

/// Of the scale only the exponent counts, as an E8M0 code.
static double decodeScaleOperand(float scale) {
  uint32_t bits;
  std::memcpy(&bits, &scale, sizeof(bits));
  return decodeScale(bits >> 23 & 255);
}

static void store(float *out, double value) {
  *out = static_cast<float>(value);
}
/// binary16 and bfloat16.
struct F16 {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};
static void store(F16 *out, double value) {
  out->bits = Float16::encode(value);
}
static void store(Bf16 *out, double value) {
  out->bits = BFloat16::encode(value);
}

/// Elements `first` and following of packed codes.
template <typename Small, typename Large>
static void convertScaled(const void *source, unsigned first, unsigned count,
                          float scale, void *result) {
  double factor = decodeScaleOperand(scale);
  for (unsigned i = 0; i < count; ++i) {
    unsigned code = readCode(source, first + i, Small::kBits);
    store(static_cast<Large *>(result) + i, Small::table()[code] * factor);
  }
}

#define LPGEMM_CVT_SCALED(large, small, Large, Small)                          \
  void emu_rocdl_cvt_scalef32_pk_##large##_##small(                            \
      uint32_t, void *result, uint32_t, uint32_t source, float scale,          \
      uint32_t select) {                                                       \
    constexpr unsigned kPairs = 16 / Small::kBits;                             \
    unsigned pair = select & (kPairs - 1);                                     \
    convertScaled<Small, Large>(&source, 2 * pair, 2, scale, result);          \
  }
#define LPGEMM_CVT_SCALED_32(large, small, Large, Small)                       \
  void emu_rocdl_cvt_scalef32_pk32_##large##_##small(                          \
      uint32_t, void *result, uint32_t, const void *source, uint32_t,          \
      float scale) {                                                           \
    convertScaled<Small, Large>(source, 0, 32, scale, result);                 \
  }
#define LPGEMM_CVT_SCALED_OF(large, Large)                                     \
  LPGEMM_CVT_SCALED(large, fp8, Large, Float8E4M3)                             \
  LPGEMM_CVT_SCALED(large, bf8, Large, Float8E5M2)                             \
  LPGEMM_CVT_SCALED(large, fp4, Large, Float4E2M1)                             \
  LPGEMM_CVT_SCALED_32(large, fp6, Large, Float6E2M3)                          \
  LPGEMM_CVT_SCALED_32(large, bf6, Large, Float6E3M2)
LPGEMM_CVT_SCALED_OF(f32, float)
LPGEMM_CVT_SCALED_OF(f16, F16)
LPGEMM_CVT_SCALED_OF(bf16, Bf16)

#define LPGEMM_CVT_SCALED_ONE(small, Small)                                    \
  float emu_rocdl_cvt_scalef32_f32_##small(uint32_t, uint32_t source,          \
                                           float scale, uint32_t byte) {       \
    float result;                                                              \
    convertScaled<Small, float>(&source, byte & 3, 1, scale, &result);         \
    return result;                                                             \
  }                                                                            \
  void emu_rocdl_cvt_scalef32_f16_##small(                                     \
      uint32_t, void *result, uint32_t bytes, const void *old, uint32_t,       \
      uint32_t source, float scale, uint32_t byte, uint32_t half) {            \
    std::memcpy(result, old, bytes);                                           \
    convertScaled<Small, F16>(&source, byte & 3, 1, scale,                     \
                              static_cast<F16 *>(result) + (half ? 1 : 0));    \
  }
LPGEMM_CVT_SCALED_ONE(fp8, Float8E4M3)
LPGEMM_CVT_SCALED_ONE(bf8, Float8E5M2)

//===----------------------------------------------------------------------===//
// To narrow formats, with a scale
//===----------------------------------------------------------------------===//

static double load(const float *in) { return *in; }
static double load(const F16 *in) { return decodeF16(in->bits); }
static double load(const Bf16 *in) { return decodeBf16(in->bits); }

/// Divides by the scale and rounds once. In FP6 and FP4, which have neither
/// infinity nor NaN, what is too large becomes the largest number; so does NaN,
/// of which no document speaks.
template <typename Small, typename Large>
static unsigned encodeScaled(const Large *value, float scale) {
  return Small::encode(load(value) / decodeScaleOperand(scale));
}

/// Writes pair number `pair` of the codes in `result`.
template <typename Small, typename Large>
static void convertPair(const void *source, float scale, unsigned pair,
                        void *result) {
  const auto *values = static_cast<const Large *>(source);
  for (unsigned i = 0; i < 2; ++i)
    writeCode(result, 2 * pair + i, Small::kBits,
              encodeScaled<Small>(values + i, scale));
}

#define LPGEMM_CVT_TO_8(small, large, Small, Large)                            \
  void emu_rocdl_cvt_scalef32_pk_##small##_##large(                            \
      uint32_t, void *result, uint32_t bytes, const void *old, uint32_t,       \
      const void *source, uint32_t, float scale, uint32_t half) {              \
    std::memcpy(result, old, bytes);                                           \
    convertPair<Small, Large>(source, scale, half ? 1 : 0, result);            \
  }
#define LPGEMM_CVT_TO_8_OF(small, Small)                                       \
  void emu_rocdl_cvt_scalef32_pk_##small##_f32(                                \
      uint32_t, void *result, uint32_t bytes, const void *old, uint32_t,       \
      float a, float b, float scale, uint32_t half) {                          \
    float pair[] = {a, b};                                                     \
    std::memcpy(result, old, bytes);                                           \
    convertPair<Small, float>(pair, scale, half ? 1 : 0, result);              \
  }                                                                            \
  LPGEMM_CVT_TO_8(small, f16, Small, F16)                                      \
  LPGEMM_CVT_TO_8(small, bf16, Small, Bf16)
LPGEMM_CVT_TO_8_OF(fp8, Float8E4M3)
LPGEMM_CVT_TO_8_OF(bf8, Float8E5M2)

uint32_t emu_rocdl_cvt_scalef32_pk_fp4_f32(uint32_t, uint32_t old, float a,
                                           float b, float scale,
                                           uint32_t byte) {
  float pair[] = {a, b};
  convertPair<Float4E2M1, float>(pair, scale, byte & 3, &old);
  return old;
}

uint32_t emu_rocdl_cvt_scalef32_pk_fp4_f16(uint32_t, uint32_t old,
                                           const void *source, uint32_t,
                                           float scale, uint32_t byte) {
  convertPair<Float4E2M1, F16>(source, scale, byte & 3, &old);
  return old;
}

uint32_t emu_rocdl_cvt_scalef32_pk_fp4_bf16(uint32_t, uint32_t old,
                                            const void *source, uint32_t,
                                            float scale, uint32_t byte) {
  convertPair<Float4E2M1, Bf16>(source, scale, byte & 3, &old);
  return old;
}

// The sources of 2xpk16 alternate (Composable Kernel: "interleaves two
// 16-component vectors"; also ROCm's rocjitsu tests).
#define LPGEMM_CVT_TO_6(small, large, Small, Large)                            \
  void emu_rocdl_cvt_scalef32_pk32_##small##_##large(                          \
      uint32_t, void *result, uint32_t, const void *source, uint32_t,          \
      float scale) {                                                           \
    for (unsigned i = 0; i < 16; ++i)                                          \
      convertPair<Small, Large>(static_cast<const Large *>(source) + 2 * i,    \
                                scale, i, result);                             \
  }
#define LPGEMM_CVT_TO_6_OF(small, Small)                                       \
  void emu_rocdl_cvt_scalef32_2xpk16_##small##_f32(                            \
      uint32_t, void *result, uint32_t, const void *even, uint32_t,            \
      const void *odd, uint32_t, float scale) {                                \
    for (unsigned i = 0; i < 16; ++i) {                                        \
      float pair[] = {static_cast<const float *>(even)[i],                     \
                      static_cast<const float *>(odd)[i]};                     \
      convertPair<Small, float>(pair, scale, i, result);                       \
    }                                                                          \
  }                                                                            \
  LPGEMM_CVT_TO_6(small, f16, Small, F16)                                      \
  LPGEMM_CVT_TO_6(small, bf16, Small, Bf16)
LPGEMM_CVT_TO_6_OF(fp6, Float6E2M3)
LPGEMM_CVT_TO_6_OF(bf6, Float6E3M2)
