//===- Arithmetic.cpp - arithmetic of NVIDIA chips ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"

#include <cmath>
#include <limits>

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static uint32_t byteOf(uint64_t value, uint32_t index) {
  return value >> 8 * index & 0xff;
}

/// Index mode: the top bit of a selector replicates the sign of the byte.
static uint32_t selectBytes(uint64_t pool, uint32_t selector) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> 4 * i & 0xf;
    uint32_t byte = byteOf(pool, nibble & 7);
    if (nibble & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

/// PTX ISA, "prmt": by mode, after index mode, and by the low two bits of the
/// selector, the bytes of the result as nibbles. Numbered as NVVM::PermuteMode.
static constexpr uint16_t kPermutations[][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
    {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
    {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
    {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
    {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
    {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
};

uint32_t emu_nvvm_prmt(uint32_t low, uint32_t high, uint32_t selector,
                       uint32_t mode) {
  uint64_t pool = uint64_t(high) << 32 | low;
  return selectBytes(pool,
                     mode ? kPermutations[mode - 1][selector & 3] : selector);
}

static int64_t extend(uint32_t value, uint32_t bits, bool isSigned) {
  uint32_t sign = 1u << (bits - 1);
  return isSigned ? int64_t(value ^ sign) - sign : int64_t(value);
}

uint32_t emu_nvvm_dot_accumulate(uint32_t a, uint32_t b, uint32_t c,
                                 uint32_t bitsOfA, uint32_t isSignedA,
                                 uint32_t isSignedB) {
  int64_t sum = 0;
  uint32_t mask = (1u << bitsOfA) - 1;
  for (uint32_t i = 0; i < 32 / bitsOfA; ++i)
    sum += extend(a >> bitsOfA * i & mask, bitsOfA, isSignedA) *
           extend(byteOf(b, i), 8, isSignedB);
  // Wraps, whatever the signs.
  return c + uint32_t(sum);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static float flush(float value) {
  return std::fabs(value) < std::numeric_limits<float>::min()
             ? std::copysign(0.0f, value)
             : value;
}

float emu_nvvm_rcp_approx_ftz(float value) { return flush(1 / flush(value)); }
