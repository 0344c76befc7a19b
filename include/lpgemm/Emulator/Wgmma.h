//===- Wgmma.h - Hopper's warpgroup matrix instructions ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where wgmma.mma_async finds its operands, as closed formulas, and what it
// computes. Sources: PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions" (9.7.15), of it "Shared Memory Matrix
// Layout" (9.7.15.5.1.2), "Strides" (9.7.15.5.1.2.1) and "Matrix Descriptor
// Format" (9.7.15.5.1.2.2); the strides of the canonical layouts are spelled
// out in CUTLASS (cute/arch/mma_sm90_desc.hpp, cute/atom/mma_traits_sm90_gmma.
// hpp).
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_WGMMA_H
#define LPGEMM_EMULATOR_WGMMA_H

#include "lpgemm/Emulator/TensorCore.h"

#include <vector>

namespace mlir::lpgemm::emulator::wgmma {

using tensorcore::Accumulator;
using tensorcore::Arithmetic;
using tensorcore::Element;
using tensorcore::kGroup;

/// One instruction takes 32 bytes of K: 8 tf32, 16 f16 or bf16, 32 of 8 bits.
constexpr unsigned kBytesOfK = 32;
constexpr unsigned kMaxN = 256;
/// What the operands are made of.
constexpr unsigned kChunkBytes = 16;
/// Offsets in shared memory have 18 bits.
constexpr uint32_t kOffsetMask = 0x3ffff;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// A matrix descriptor, its fields in bytes.
struct Descriptor {
  uint32_t start;
  uint32_t leading;
  uint32_t stride;
  /// Of the swizzle's pattern, in units of 128 bytes.
  uint32_t baseOffset;
  /// 16-byte chunks that the swizzle permutes: 1 (no swizzle), 2, 4 or 8.
  uint32_t width;
};

constexpr Descriptor decodeDescriptor(uint64_t bits) {
  auto field = [bits](unsigned first) {
    return static_cast<uint32_t>(bits >> first & 0x3fff) << 4;
  };
  // The modes are none, 128, 64 and 32 bytes.
  constexpr uint32_t kWidths[] = {1, 8, 4, 2};
  return {field(0), field(16), field(32), static_cast<uint32_t>(bits >> 49 & 7),
          kWidths[bits >> 62]};
}

/// The inverse. The fields are multiples of 16 bytes below 256 KiB.
constexpr uint64_t encodeDescriptor(const Descriptor &descriptor) {
  uint64_t mode = 0;
  for (uint64_t width = descriptor.width; width > 1 && width < 16; width *= 2)
    ++mode;
  return static_cast<uint64_t>(descriptor.start >> 4) |
         static_cast<uint64_t>(descriptor.leading >> 4) << 16 |
         static_cast<uint64_t>(descriptor.stride >> 4) << 32 |
         static_cast<uint64_t>(descriptor.baseOffset) << 49 | mode << 62;
}

/// Moves a chunk within its pattern: bits 4 to 6 of the offset are XORed with
/// as many of bits 7 to 9 as the mode permutes, counted from the base offset.
constexpr uint32_t swizzle(const Descriptor &descriptor, uint32_t offset) {
  uint32_t line = (offset >> 7) - descriptor.baseOffset;
  return offset ^ (line & (descriptor.width - 1)) << 4;
}

/// The offset in shared memory of one chunk of an operand. Rows of A, and
/// columns of B, come in groups of eight of 16 chunks each.
///
/// K-major: `line` is the row in the group, `half` the half of K. MN-major
/// (16-bit elements only): a chunk is the eight rows of the group at
/// k = 8 * half + line.
constexpr uint32_t chunkOffset(const Descriptor &descriptor, bool isMnMajor,
                               unsigned group, unsigned line, unsigned half) {
  uint32_t width = descriptor.width;
  uint32_t leading = descriptor.leading, stride = descriptor.stride;
  uint32_t offset = descriptor.start + line * width * kChunkBytes;
  if (!isMnMajor)
    offset += group * stride + half * (width == 1 ? leading : kChunkBytes);
  else if (width == 1)
    offset += group * stride + half * leading;
  else
    offset +=
        group % width * kChunkBytes + group / width * leading + half * stride;
  return swizzle(descriptor, offset) & kOffsetMask;
}

/// A piece of shared memory.
struct Range {
  uint32_t offset;
  uint32_t bytes;
};

/// The pieces that groups [firstGroup, firstGroup + numGroups) of an operand
/// occupy: in order, none adjacent to the next. Warp w of a warpgroup reads the
/// groups 2w and 2w + 1 of A, and all n / 8 of B.
std::vector<Range> operandRanges(uint64_t descriptor, bool isMnMajor,
                                 unsigned firstGroup, unsigned numGroups);

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

/// A wgmma.mma_async, m64nNkK with A in shared memory.
struct Instruction {
  unsigned n;
  Element a;
  Element b;
  Accumulator d;
  /// D = A * B + D, and not A * B alone (scale-d).
  bool accumulates = true;
  bool negatesA = false;
  bool negatesB = false;
  bool isMnMajorA = false;
  bool isMnMajorB = false;
};

/// The row of D that element `i` of `lane` of warp `warp` (0 to 3) holds.
constexpr unsigned resultRow(unsigned warp, unsigned lane, unsigned i) {
  return tensorcore::kRows * warp + tensorcore::resultRow(lane, i);
}

/// The share of warp `warp` (0 to 3) of its warpgroup: rows 16 * warp to
/// 16 * warp + 15 of D. `shared` is the start of the block's shared memory, of
/// 256 KiB. `accumulators` has for each of the 32 lanes its n / 2 elements of
/// D, both read and written.
void executeWarp(const Instruction &instruction, unsigned warp,
                 const uint8_t *shared, uint64_t descriptorA,
                 uint64_t descriptorB, void *const *accumulators,
                 const Arithmetic &arithmetic);

/// What generated code says about an instruction, a bit each.
enum WgmmaFlag : uint32_t {
  kWgmmaAccumulates = 1,
  kWgmmaNegatesA = 2,
  kWgmmaNegatesB = 4,
  kWgmmaMnMajorA = 8,
  kWgmmaMnMajorB = 16,
  kWgmmaSaturates = 32,
};

} // namespace mlir::lpgemm::emulator::wgmma

#endif // LPGEMM_EMULATOR_WGMMA_H
