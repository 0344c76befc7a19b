//===- LdsLoads.cpp - loads from global memory to LDS ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A load to LDS is an operation of the wave: lane l's data go to the address of
// the first lane, plus l times the size. It takes effect at some time between
// its issue and the wait for it (vmcnt), which Options::loads chooses.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <algorithm>
#include <cstring>

using namespace mlir::lpgemm::emulator;

void Machine::startLdsLoad(uint32_t site, std::vector<LdsTransfer> transfers) {
  Wave &current = wave();
  uint32_t number = ++current.numLdsLoads;
  ++statistics.ldsLoadsFromGlobal;
  Lane *last = currentLane;
  for (uint32_t i = 0; i < current.size; ++i) {
    // Reports are about the lane whose access is at fault.
    currentLane = &lanes[current.first + i];
    if (checks())
      shadow.loadToLds(*this, site, laneIndex(), transfers[i].ldsOffset,
                       transfers[i].bytes, number);
    countMemoryOp(transfers[i].bytes);
    currentLane->pendingLoads.push_back({currentLane->memoryOps, number});
  }
  currentLane = last;
  current.ldsLoads.push_back({number, std::move(transfers)});
  if (isEarly())
    finishLdsLoads(number);
}

/// At most 16 bytes of a lane are one operation of the device.
void Machine::countMemoryOp(uint32_t bytes) {
  constexpr uint32_t kMaxBytes = 16;
  currentLane->memoryOps += (bytes + kMaxBytes - 1) / kMaxBytes;
}

/// Moves the data of the wave's loads up to a number.
void Machine::finishLdsLoads(uint32_t number) {
  std::vector<LdsLoad> &loads = wave().ldsLoads;
  auto end = std::find_if(loads.begin(), loads.end(), [&](const LdsLoad &load) {
    return load.number > number;
  });
  for (auto load = loads.begin(); load != end; ++load)
    for (const LdsTransfer &transfer : load->transfers) {
      uint8_t *target = lds + transfer.ldsOffset;
      std::memcpy(target, reinterpret_cast<const void *>(transfer.source),
                  transfer.inRange);
      std::memset(target + transfer.inRange, 0,
                  transfer.bytes - transfer.inRange);
    }
  loads.erase(loads.begin(), end);
}

void Machine::waitForMemoryOps(uint32_t left) {
  auto &pending = currentLane->pendingLoads;
  if (pending.empty() || currentLane->memoryOps <= left)
    return;
  uint32_t last = currentLane->memoryOps - left;
  auto end = std::find_if(pending.begin(), pending.end(),
                          [&](const auto &load) { return load.first > last; });
  if (end == pending.begin())
    return;
  uint32_t number = std::prev(end)->second;
  pending.erase(pending.begin(), end);
  finishLdsLoads(number);
  if (checks())
    shadow.waitForLoads(laneIndex(), number);
}
