//===- LdsBanks.cpp - bank conflicts of LDS -------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/LdsBanks.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

namespace {
/// How a chip serves the accesses of one kind.
struct Phases {
  ChipSet chips;
  bool isWrite;
  uint32_t bytes;
  uint32_t banks;
  uint32_t lanesPerPhase;
  /// The lanes of the first 32, phase after phase; the other 32 follow in the
  /// same way. Null: in order.
  const uint8_t *order;
};
} // namespace

/// 16 lanes for each phase.
static constexpr uint8_t kOrder16[32] = {
    0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27,
    4, 5, 6, 7, 8,  9,  10, 11, 16, 17, 18, 19, 28, 29, 30, 31};
/// 8 lanes for each phase.
static constexpr uint8_t kOrder8[32] = {
    0, 1, 2,  3,  20, 21, 22, 23, 4,  5,  6,  7,  16, 17, 18, 19,
    8, 9, 10, 11, 28, 29, 30, 31, 12, 13, 14, 15, 24, 25, 26, 27};

// gfx950, reads and the write of 8 bytes: measured on MI350 by
// HazyResearch/HipKittens (analysis/paper_experiments/phases). Writes of 16
// bytes: Composable Kernel's notes on LDS layouts. That gfx942 serves a read of
// 16 bytes as gfx950 one of 12 is an assumption.
static constexpr Phases kPhases[] = {
    {kOnGfx950, false, 16, 64, 16, kOrder16},
    {kOnGfx950, false, 12, 32, 8, kOrder8},
    {kOnGfx950, false, 8, 64, 32, nullptr},
    {kOnGfx950, true, 8, 32, 16, nullptr},
    {kOnBoth, true, 16, 32, 8, nullptr},
    {kOnGfx942, false, 16, 32, 8, kOrder8},
};

/// What is not in the table: lanes in order, as many as the banks have words
/// for. gfx942 has 32 banks; gfx950 has 64 and reads from all of them at once
/// ("CDNA4 Architecture" white paper), its writes are taken to use 32.
static Phases guessPhases(Chip chip, const LdsWaveAccess &access) {
  uint32_t banks = chip == Chip::Gfx942 || access.isWrite ? 32 : 64;
  uint32_t words = std::max(1u, access.bytes / 4);
  uint32_t lanes = 1;
  while (lanes * 2 * words <= banks)
    lanes *= 2;
  return {setOf(chip), access.isWrite, access.bytes, banks, lanes, nullptr};
}

static Phases findPhases(Chip chip, const LdsWaveAccess &access) {
  if (chip == Chip::Unknown)
    chip = Chip::Gfx950;
  for (const Phases &phases : kPhases)
    if (phases.chips & setOf(chip) && phases.isWrite == access.isWrite &&
        phases.bytes == access.bytes)
      return phases;
  return guessPhases(chip, access);
}

/// The most different words on one bank that some lanes access.
static uint64_t countPhase(const Phases &phases, const LdsWaveAccess &access,
                           const uint32_t *lanes, uint32_t numLanes) {
  // Of at most 64 lanes of 4 words.
  uint32_t words[256], numWords = 0;
  for (uint32_t i = 0; i < numLanes; ++i) {
    uint32_t begin = access.offsets[lanes[i]] / 4;
    uint32_t end = (access.offsets[lanes[i]] + access.bytes + 3) / 4;
    for (uint32_t word = begin; word < end && numWords < 256; ++word)
      words[numWords++] = word;
  }
  std::sort(words, words + numWords);
  uint32_t *last = std::unique(words, words + numWords);
  uint32_t counts[64] = {};
  uint32_t most = 0;
  for (uint32_t *word = words; word != last; ++word)
    most = std::max(most, ++counts[*word % phases.banks]);
  return most;
}

LdsCycles mlir::lpgemm::emulator::countLdsCycles(Chip chip,
                                                 const LdsWaveAccess &access) {
  Phases phases = findPhases(chip, access);
  LdsCycles result;
  for (uint32_t first = 0; first < 64; first += phases.lanesPerPhase) {
    uint32_t lanes[64], numLanes = 0;
    for (uint32_t i = first; i < first + phases.lanesPerPhase; ++i) {
      uint32_t lane = phases.order ? i / 32 * 32 + phases.order[i % 32] : i;
      if (access.lanes >> lane & 1)
        lanes[numLanes++] = lane;
    }
    if (numLanes == 0)
      continue;
    result.cycles += countPhase(phases, access, lanes, numLanes);
    ++result.ideal;
  }
  return result;
}
