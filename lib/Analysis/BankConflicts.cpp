//===- BankConflicts.cpp - cost of shared memory reads --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Analysis/BankConflicts.h"

#include "lpgemm/Target/MmaInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

int64_t lpgemm::getSharedOffset(SmemAttr layout, int64_t rowBytes, int64_t row,
                                int64_t byte) {
  int64_t unit = layout.getUnit();
  int64_t piece =
      (byte / unit) ^ ((row >> layout.getShift()) & layout.getMask());
  return row * (rowBytes + layout.getPad()) + piece * unit + byte % unit;
}

/// Different words on one bank take a phase each.
static int64_t countPhases(ArrayRef<int64_t> offsets, int64_t bytes,
                           int64_t banks) {
  llvm::DenseMap<int64_t, llvm::DenseSet<int64_t>> wordsOfBank;
  for (int64_t offset : offsets)
    for (int64_t word = offset / 4; 4 * word < offset + bytes; ++word)
      wordsOfBank[word % banks].insert(word);
  int64_t phases = 0;
  for (const auto &entry : wordsOfBank)
    phases = std::max<int64_t>(phases, entry.second.size());
  return phases;
}

std::optional<int64_t> lpgemm::countBankConflicts(const AMDGPUMachine &machine,
                                                  SmemAttr layout, int64_t cols,
                                                  LanesAttr lanes,
                                                  Type elementType) {
  const LaneLayout &atom =
      getMmaInfo(lanes.getInstr()).layout(lanes.getRole(), elementType);
  int64_t bits = elementType.getIntOrFloatBitWidth();
  int64_t rowBytes = cols * bits / 8, chunkBytes = atom.chunkLen * bits / 8;
  int64_t access = 16;
  for (int64_t bytes :
       {chunkBytes, layout.getUnit(), layout.getPad(), rowBytes})
    access = std::gcd(access, bytes);
  const ReadPhases *phases = machine.lookupReadPhases(access);
  if (!phases)
    return std::nullopt;
  int64_t conflicts = 0;
  for (int64_t read = 0; read < atom.numChunks * chunkBytes; read += access)
    for (ArrayRef<uint8_t> rest = phases->lanes; !rest.empty();
         rest = rest.drop_front(phases->lanesPerPhase)) {
      SmallVector<int64_t> offsets;
      for (uint8_t lane : rest.take_front(phases->lanesPerPhase)) {
        auto [row, col] =
            atom.position(lane, read / chunkBytes * atom.chunkLen);
        offsets.push_back(getSharedOffset(layout, rowBytes, row,
                                          col * bits / 8 + read % chunkBytes));
      }
      conflicts += countPhases(offsets, access, machine.sharedBanks) - 1;
    }
  return conflicts;
}

// Bytes of a row of a matrix, and rows.
static constexpr int64_t kMatrixBytes = 16, kMatrixRows = 8;
static constexpr int64_t kWarpLanes = 32;

static const LaneLayout &getAtom(LanesAttr lanes, Type elementType) {
  return getMmaInfo(lanes.getInstr()).layout(lanes.getRole(), elementType);
}

bool lpgemm::readsMatrices(SmemAttr layout, int64_t cols, LanesAttr lanes,
                           Type elementType) {
  int64_t bits = elementType.getIntOrFloatBitWidth();
  bool isWhole = layout.getMask() == 0 || layout.getUnit() >= kMatrixBytes;
  return isWhole && cols * bits / 8 % kMatrixBytes == 0 &&
         layout.getPad() % kMatrixBytes == 0 &&
         getAtom(lanes, elementType).chunkLen * bits == 32;
}

int64_t lpgemm::countBankConflicts(const NVIDIAMachine &machine,
                                   SmemAttr layout, int64_t cols,
                                   LanesAttr lanes, Type elementType) {
  const LaneLayout &atom = getAtom(lanes, elementType);
  int64_t bits = elementType.getIntOrFloatBitWidth();
  int64_t rowBytes = cols * bits / 8;
  bool isMatrix = readsMatrices(layout, cols, lanes, elementType);
  int64_t bytes = isMatrix ? kMatrixBytes : atom.chunkLen * bits / 8;
  int64_t conflicts = 0;
  for (int64_t q = 0; q != atom.numChunks; ++q) {
    SmallVector<int64_t> offsets;
    auto add = [&](int64_t row, int64_t col) {
      offsets.push_back(getSharedOffset(layout, rowBytes, row, col * bits / 8));
    };
    for (int64_t row = 0; isMatrix && row != kMatrixRows; ++row)
      add(atom.chunkStart[q] + row, atom.alongStart[q]);
    for (int64_t lane = 0; !isMatrix && lane != kWarpLanes; ++lane) {
      auto [row, col] = atom.position(lane, q * atom.chunkLen);
      add(row, col);
    }
    conflicts += countPhases(offsets, bytes, machine.sharedBanks) - 1;
  }
  return conflicts;
}
