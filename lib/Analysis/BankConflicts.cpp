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
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
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

/// Extra phases of a wave whose lanes access `bytes` at `getOffset(lane)`, and
/// are served in groups, `lanes` giving their order.
static int64_t countConflicts(ArrayRef<uint8_t> lanes, int64_t lanesPerPhase,
                              int64_t bytes, int64_t banks,
                              llvm::function_ref<int64_t(int64_t)> getOffset) {
  int64_t conflicts = 0;
  for (; !lanes.empty(); lanes = lanes.drop_front(lanesPerPhase)) {
    SmallVector<int64_t> offsets;
    for (uint8_t lane : lanes.take_front(lanesPerPhase))
      offsets.push_back(getOffset(lane));
    conflicts += countPhases(offsets, bytes, banks) - 1;
  }
  return conflicts;
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
    conflicts += countConflicts(
        phases->lanes, phases->lanesPerPhase, access, machine.sharedBanks,
        [&](int64_t lane) {
          auto [row, col] =
              atom.position(lane, read / chunkBytes * atom.chunkLen);
          return getSharedOffset(layout, rowBytes, row,
                                 col * bits / 8 + read % chunkBytes);
        });
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

/// Writes are served in the order of the lanes, as many at once as the banks
/// have words for.
static int64_t countWriteConflicts(const AMDGPUMachine &machine,
                                   SmemAttr layout, int64_t rowBytes,
                                   const LaneLayout &atom, int64_t bits) {
  int64_t chunkBytes = atom.chunkLen * bits / 8;
  int64_t access = std::gcd(std::gcd<int64_t>(16, chunkBytes),
                            std::gcd(layout.getUnit(), rowBytes));
  int64_t words = llvm::divideCeil(access, 4);
  int64_t banks = machine.rates.sharedWriteBytes / 4;
  auto lanes = llvm::to_vector(llvm::seq<uint8_t>(0, machine.waveSize));
  int64_t conflicts = 0;
  for (int64_t write = 0; write < atom.numChunks * chunkBytes; write += access)
    conflicts +=
        countConflicts(lanes, banks / words, access, banks, [&](int64_t lane) {
          auto [row, col] =
              atom.position(lane, write / chunkBytes * atom.chunkLen);
          return getSharedOffset(layout, rowBytes, row,
                                 col * bits / 8 + write % chunkBytes);
        });
  return conflicts;
}

/// Of the first piece of each lane, which is read at once (also where halves of
/// it are exchanged, which are then neighbours); the others lie in the same
/// way.
static std::optional<int64_t> countPieceConflicts(const AMDGPUMachine &machine,
                                                  SmemAttr layout,
                                                  int64_t rowBytes) {
  int64_t piece = std::gcd<int64_t>(16, rowBytes);
  const ReadPhases *phases = machine.lookupReadPhases(piece);
  if (!phases)
    return std::nullopt;
  return countConflicts(phases->lanes, phases->lanesPerPhase, piece,
                        machine.sharedBanks, [&](int64_t lane) {
                          int64_t offset = getSharedOffset(
                              layout, rowBytes, lane * piece / rowBytes,
                              lane * piece % rowBytes);
                          return offset - offset % piece;
                        });
}

std::optional<int64_t>
lpgemm::countStageConflicts(const AMDGPUMachine &machine, SmemAttr layout,
                            int64_t cols, LanesAttr lanes, Type elementType) {
  const LaneLayout &atom =
      getMmaInfo(lanes.getInstr()).layout(lanes.getRole(), elementType);
  int64_t bits = elementType.getIntOrFloatBitWidth();
  int64_t rowBytes = cols * bits / 8;
  std::optional<int64_t> reads = countPieceConflicts(machine, layout, rowBytes);
  if (!reads)
    return std::nullopt;
  return *reads + countWriteConflicts(machine, layout, rowBytes, atom, bits);
}
