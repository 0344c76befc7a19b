//===- LdsShadow.cpp - checks of LDS accesses -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LdsShadow.h"

#include "Machine.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

static constexpr uint32_t kWordBytes = 4;
static constexpr size_t kNumWords = kLdsArenaBytes / kWordBytes;

void LdsShadow::begin(const Launch &launch) {
  Cell redZone;
  redZone.writeEpoch = kRedZone;
  words.assign(kNumWords, redZone);
  isSplit.assign(kNumWords, 0);
  auto markObject = [&](uint32_t offset, uint32_t bytes) {
    std::fill(words.begin() + offset / kWordBytes,
              words.begin() + (offset + bytes + kWordBytes - 1) / kWordBytes,
              Cell());
  };
  const KernelInfo &info = *launch.info;
  for (uint32_t i = 0; i < info.numLdsObjects; ++i)
    markObject(info.ldsObjects[2 * i], info.ldsObjects[2 * i + 1]);
  markObject(info.ldsDynamicOffset, launch.dynamicLdsBytes);
  queues.assign(launch.numLanes, Queue());
  epoch = 0;
}

void LdsShadow::startWorkgroup() {
  startEpoch = ++epoch;
  cleanEpoch = epoch - 1;
  std::fill(queues.begin(), queues.end(), Queue());
}

void LdsShadow::endEpoch() {
  bool allWaited = true;
  for (Queue &queue : queues) {
    allWaited &= queue.waited == queue.issued;
    queue.published = queue.waited;
  }
  if (allWaited)
    cleanEpoch = epoch;
  ++epoch;
}

void LdsShadow::wait(uint32_t lane, uint32_t left) {
  Queue &queue = queues[lane];
  if (queue.issued > left)
    queue.waited = std::max(queue.waited, queue.issued - left);
}

bool LdsShadow::checkWriter(const Cell &cell, uint32_t lane, bool isStore,
                            Fault &fault) const {
  if (cell.writeEpoch == epoch) {
    fault = {ReportKind::LdsRace,
             isStore ? "overwrites what the other wrote, with no barrier "
                       "between"
                     : "reads what the other wrote, with no barrier between",
             cell.writeSite, cell.writer};
    return false;
  }
  if (cell.writeNumber <= queues[cell.writer].published)
    return true;
  fault = {ReportKind::LdsUnwaitedWrite,
           isStore ? "overwrites an LDS write not waited for before the barrier"
                   : "reads an LDS write not waited for before the barrier",
           cell.writeSite, cell.writer};
  return false;
}

template <bool IsStore>
bool LdsShadow::checkCell(const Cell &cell, uint32_t lane, Fault &fault) const {
  // The common case first: an object's word, written before the last barrier.
  bool isPublished =
      cell.writeEpoch >= startEpoch && cell.writeEpoch <= cleanEpoch;
  if (!isPublished) {
    if (cell.writeEpoch == kRedZone) {
      fault = {ReportKind::LdsOutOfBounds, "is outside of every LDS object",
               kNoSite, lane};
      return false;
    }
    bool isWritten = cell.writeEpoch >= startEpoch;
    if (!IsStore && !isWritten) {
      fault = {ReportKind::LdsUninitialized, "reads uninitialised LDS", kNoSite,
               lane};
      return false;
    }
    if (isWritten && cell.writer != lane &&
        !checkWriter(cell, lane, IsStore, fault))
      return false;
  }
  if (IsStore && cell.readEpoch == epoch && cell.reader != lane) {
    fault = {ReportKind::LdsRace,
             "overwrites what the other read, with no barrier between",
             cell.readSite, cell.reader};
    return false;
  }
  return true;
}

template <bool IsStore>
void LdsShadow::updateCell(Cell &cell, uint32_t lane, uint32_t site) {
  if (IsStore) {
    cell.writeEpoch = epoch;
    cell.writeNumber = queues[lane].issued;
    cell.writeSite = site;
    cell.writer = lane;
    return;
  }
  bool isShared = cell.readEpoch == epoch && cell.reader != lane;
  cell.readEpoch = epoch;
  cell.readSite = site;
  cell.reader = isShared ? kManyLanes : lane;
}

void LdsShadow::splitWord(size_t word) {
  if (!bytesOfSplit)
    bytesOfSplit = std::make_unique<Cell[]>(kLdsArenaBytes);
  std::fill_n(&bytesOfSplit[word * kWordBytes], kWordBytes, words[word]);
  isSplit[word] = 1;
}

void LdsShadow::reportFault(Machine &machine, uint32_t site, uint64_t offset,
                            const Fault &fault) const {
  const KernelInfo &info = *machine.launch->info;
  std::string what = fault.what;
  if (fault.otherSite != kNoSite)
    what += "; the other is " + siteText(info, fault.otherSite);
  if (fault.otherLane != kManyLanes && fault.otherLane != machine.laneIndex())
    what += " in " + machine.lanePosition(fault.otherLane);
  what += "; LDS offset " + std::to_string(offset);
  const char *name = info.ldsNames;
  for (uint32_t i = 0; i < info.numLdsObjects; ++i) {
    uint64_t begin = info.ldsObjects[2 * i];
    if (offset >= begin && offset - begin < info.ldsObjects[2 * i + 1])
      what += " (@" + std::string(name) + " + " +
              std::to_string(offset - begin) + ")";
    name += std::char_traits<char>::length(name) + 1;
  }
  if (fault.kind == ReportKind::LdsOutOfBounds)
    machine.fatal(fault.kind, site, what, fault.otherSite);
  machine.report(fault.kind, site, what, fault.otherSite);
}

template <bool IsStore>
void LdsShadow::access(Machine &machine, uint32_t site, uint64_t offset,
                       uint32_t bytes) {
  uint32_t lane = machine.laneIndex();
  ++queues[lane].issued;
  if (offset + bytes > kLdsArenaBytes)
    reportFault(machine, site, offset,
                {ReportKind::LdsOutOfBounds, "is outside of every LDS object",
                 kNoSite, lane});
  Fault fault;
  bool isGood = true;
  uint64_t faultOffset = 0;
  auto visit = [&](Cell &cell, uint64_t at) {
    if (isGood && !checkCell<IsStore>(cell, lane, fault)) {
      isGood = false;
      faultOffset = at;
    }
    updateCell<IsStore>(cell, lane, site);
  };
  for (uint64_t at = offset, end = offset + bytes; at < end;) {
    size_t word = at / kWordBytes;
    if (at % kWordBytes == 0 && end - at >= kWordBytes && !isSplit[word]) {
      visit(words[word], at);
      at += kWordBytes;
      continue;
    }
    if (!isSplit[word])
      splitWord(word);
    visit(bytesOfSplit[at], at);
    ++at;
  }
  if (!isGood)
    reportFault(machine, site, faultOffset, fault);
}

void LdsShadow::load(Machine &machine, uint32_t site, uint64_t offset,
                     uint32_t bytes) {
  access<false>(machine, site, offset, bytes);
}

void LdsShadow::store(Machine &machine, uint32_t site, uint64_t offset,
                      uint32_t bytes) {
  access<true>(machine, site, offset, bytes);
}
