//===- Chip.h - chips that the emulator knows -------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_CHIP_H
#define LPGEMM_EMULATOR_CHIP_H

#include <cstdint>

namespace mlir::lpgemm::emulator {

/// What a kernel is run as. Generated code passes the number.
enum class Chip : uint32_t {
  Unknown, ///< What the chips disagree about is refused.
  Gfx942,
  Gfx950,
  Sm80,
  Sm89,
  Sm90a,
};

/// Whether a chip is NVIDIA's. Of one that is not known, AMD's rules hold.
constexpr bool isNvidia(Chip chip) { return chip >= Chip::Sm80; }

/// A set of chips.
using ChipSet = uint32_t;

constexpr ChipSet setOf(Chip chip) { return 1u << static_cast<uint32_t>(chip); }

constexpr ChipSet kOnGfx942 = setOf(Chip::Gfx942);
constexpr ChipSet kOnGfx950 = setOf(Chip::Gfx950);
constexpr ChipSet kOnBoth = kOnGfx942 | kOnGfx950;
constexpr ChipSet kOnSm80 = setOf(Chip::Sm80);
constexpr ChipSet kOnSm89 = setOf(Chip::Sm89);
constexpr ChipSet kOnSm90a = setOf(Chip::Sm90a);
constexpr ChipSet kOnNvidia = kOnSm80 | kOnSm89 | kOnSm90a;

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_CHIP_H
