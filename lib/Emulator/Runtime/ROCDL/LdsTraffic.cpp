//===- LdsTraffic.cpp - accesses of LDS by site ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ROCDL/LdsTraffic.h"

using namespace mlir::lpgemm::emulator;

void LdsTraffic::begin(const KernelInfo &info) {
  chip = info.chip;
  allLanes = ~uint64_t(0) >> (64 - info.waveSize);
  pending.clear();
  sites.clear();
}

void LdsTraffic::count(uint32_t site, const LdsWaveAccess &access) {
  LdsCycles cycles = countLdsCycles(chip, access);
  LdsSiteStatistics &sum = sites[site];
  ++sum.accesses;
  sum.cycles += cycles.cycles;
  sum.idealCycles += cycles.ideal;
}

void LdsTraffic::record(uint32_t site, uint32_t wave, uint32_t lane,
                        bool isWrite, uint32_t offset, uint32_t bytes) {
  Pending &entry = pending[{site, wave}];
  uint64_t index = entry.numOfLane[lane]++ - entry.first;
  while (entry.accesses.size() <= index)
    entry.accesses.push_back({isWrite, bytes, 0, {}});
  LdsWaveAccess &access = entry.accesses[index];
  access.lanes |= uint64_t(1) << lane;
  access.offsets[lane] = offset;
  while (!entry.accesses.empty() && entry.accesses.front().lanes == allLanes) {
    count(site, entry.accesses.front());
    entry.accesses.pop_front();
    ++entry.first;
  }
}

void LdsTraffic::finishWorkgroup() {
  for (const auto &[key, entry] : pending)
    for (const LdsWaveAccess &access : entry.accesses)
      count(key.first, access);
  pending.clear();
}
