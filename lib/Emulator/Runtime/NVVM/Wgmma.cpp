//===- Wgmma.cpp - Hopper's warpgroup matrix instructions -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Wgmma.h"

#include "NVVM/Product.h"

#include <array>

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;
using namespace mlir::lpgemm::emulator::wgmma;

static constexpr unsigned kChunksPerGroup = 16;

/// Calls fn(group, line, half, offset) for every chunk of some groups.
template <typename Fn>
static void forEachChunk(uint64_t bits, bool isMnMajor, unsigned firstGroup,
                         unsigned numGroups, Fn &&fn) {
  Descriptor descriptor = decodeDescriptor(bits);
  for (unsigned group = 0; group < numGroups; ++group)
    for (unsigned line = 0; line < kGroup; ++line)
      for (unsigned half = 0; half < kChunksPerGroup / kGroup; ++half)
        fn(group, line, half,
           chunkOffset(descriptor, isMnMajor, firstGroup + group, line, half));
}

std::vector<Range> mlir::lpgemm::emulator::wgmma::operandRanges(
    uint64_t descriptor, bool isMnMajor, unsigned firstGroup,
    unsigned numGroups) {
  // A bit for each chunk of shared memory.
  constexpr unsigned kNumChunks = (kOffsetMask + 1) / kChunkBytes;
  std::array<uint64_t, kNumChunks / 64> used = {};
  forEachChunk(descriptor, isMnMajor, firstGroup, numGroups,
               [&](unsigned, unsigned, unsigned, uint32_t offset) {
                 uint32_t chunk = offset / kChunkBytes;
                 used[chunk / 64] |= uint64_t(1) << chunk % 64;
               });
  std::vector<Range> ranges;
  for (unsigned word = 0; word < used.size(); ++word)
    for (uint64_t bits = used[word]; bits; bits &= bits - 1) {
      uint32_t offset = (64 * word + __builtin_ctzll(bits)) * kChunkBytes;
      if (!ranges.empty() &&
          ranges.back().offset + ranges.back().bytes == offset)
        ranges.back().bytes += kChunkBytes;
      else
        ranges.push_back({offset, kChunkBytes});
    }
  return ranges;
}

namespace {
/// How a decoded operand lies: see Product.
struct Steps {
  unsigned row;
  unsigned k;
};
} // namespace

static void decodeOperand(Element element, bool isMnMajor, uint64_t descriptor,
                          const uint8_t *shared, unsigned firstGroup,
                          unsigned numGroups, Steps steps, double *out) {
  unsigned perChunk = kChunkBytes / byteWidth(element);
  unsigned k = 2 * perChunk;
  forEachChunk(
      descriptor, isMnMajor, firstGroup, numGroups,
      [&](unsigned group, unsigned line, unsigned half, uint32_t offset) {
        double *block = out + group * kGroup * k;
        unsigned row = isMnMajor ? 0 : line;
        unsigned first = half * perChunk + (isMnMajor ? line : 0);
        decode(element, shared + offset, perChunk,
               block + row * steps.row + first * steps.k,
               isMnMajor ? steps.row : steps.k);
      });
}

void mlir::lpgemm::emulator::wgmma::executeWarp(
    const Instruction &instruction, unsigned warp, const uint8_t *shared,
    uint64_t descriptorA, uint64_t descriptorB, void *const *accumulators,
    const Arithmetic &arithmetic) {
  alignas(64) double a[kRows * kBytesOfK];
  alignas(64) double b[kMaxN * kBytesOfK];
  unsigned k = kBytesOfK / byteWidth(instruction.a);
  constexpr unsigned kGroupsOfA = kRows / kGroup;
  decodeOperand(instruction.a, instruction.isMnMajorA, descriptorA, shared,
                kGroupsOfA * warp, kGroupsOfA, {/*row=*/k, /*k=*/1}, a);
  decodeOperand(instruction.b, instruction.isMnMajorB, descriptorB, shared,
                /*firstGroup=*/0, instruction.n / kGroup,
                {/*row=*/1, /*k=*/kGroup}, b);
  // Two signs are one.
  if (instruction.negatesA != instruction.negatesB)
    for (unsigned i = 0; i < kRows * k; ++i)
      a[i] = -a[i];
  multiply({instruction.n, k, a, b, instruction.a, instruction.b, instruction.d,
            /*isWgmma=*/true},
           instruction.accumulates ? accumulators : nullptr, accumulators,
           arithmetic);
}
