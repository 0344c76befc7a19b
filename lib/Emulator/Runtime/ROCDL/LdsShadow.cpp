//===- LdsShadow.cpp - checks of LDS accesses -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ROCDL/LdsShadow.h"

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
  loadsInFlight.clear();
  waveSize = info.waveSize;
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
    allWaited &=
        queue.waited == queue.issued && queue.loadsWaited == queue.loadsIssued;
    queue.published = queue.waited;
    queue.loadsPublished = queue.loadsWaited;
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

void LdsShadow::waitForLoads(uint32_t lane, uint32_t load) {
  queues[lane].loadsWaited = std::max(queues[lane].loadsWaited, load);
}

/// Whether the writer had waited for the write when it came to the last
/// barrier.
bool LdsShadow::isPublished(const Cell &cell) const {
  const Queue &queue = queues[cell.writer];
  if (cell.writeNumber & kIsLoad)
    return (cell.writeNumber & ~kIsLoad) <= queue.loadsPublished;
  return cell.writeNumber <= queue.published;
}

/// Whether `lane` may access what was written in this workgroup.
bool LdsShadow::checkWriter(const Cell &cell, uint32_t lane, bool isStore,
                            Fault &fault) const {
  bool isLoad = cell.writeNumber & kIsLoad;
  if (isLoad && waveOf(cell.writer) == waveOf(lane)) {
    if ((cell.writeNumber & ~kIsLoad) <= queues[lane].loadsWaited)
      return true;
    fault = {ReportKind::SharedUnwaitedWrite,
             isStore ? "overwrites what a load to LDS writes, which was not "
                       "waited for"
                     : "reads what a load to LDS writes, which was not waited "
                       "for",
             cell.writeSite, cell.writer};
    return false;
  }
  if (!isLoad && cell.writer == lane)
    return true;
  if (cell.writeEpoch == epoch) {
    fault = {ReportKind::SharedRace,
             isStore ? "overwrites what the other wrote, with no barrier "
                       "between"
                     : "reads what the other wrote, with no barrier between",
             cell.writeSite, cell.writer};
    return false;
  }
  if (isPublished(cell))
    return true;
  fault = {ReportKind::SharedUnwaitedWrite,
           isStore ? "overwrites an LDS write not waited for before the barrier"
                   : "reads an LDS write not waited for before the barrier",
           cell.writeSite, cell.writer};
  return false;
}

/// Whether lanes that need a barrier have read the cell since the last one. A
/// load to LDS comes after what its own wave has read.
template <LdsShadow::Kind K>
bool LdsShadow::isReadByOthers(const Cell &cell, uint32_t lane) const {
  if (cell.readEpoch != epoch || cell.reader == lane)
    return false;
  if (K != Kind::LoadToLds || cell.reader == kManyLanes)
    return true;
  if (cell.reader & kLanesOfWave)
    return (cell.reader & ~kLanesOfWave) != waveOf(lane);
  return waveOf(cell.reader) != waveOf(lane);
}

template <LdsShadow::Kind K>
bool LdsShadow::checkCell(const Cell &cell, uint32_t lane, Fault &fault) const {
  // The common case first: an object's word, written before the last barrier.
  if (cell.writeEpoch < startEpoch || cell.writeEpoch > cleanEpoch) {
    if (cell.writeEpoch == kRedZone) {
      fault = {ReportKind::SharedOutOfBounds, "is outside of every LDS object",
               kNoSite, lane};
      return false;
    }
    bool isWritten = cell.writeEpoch >= startEpoch;
    if (K == Kind::Load && !isWritten) {
      fault = {ReportKind::SharedUninitialized, "reads uninitialised LDS",
               kNoSite, lane};
      return false;
    }
    if (isWritten && !checkWriter(cell, lane, K != Kind::Load, fault))
      return false;
  }
  if (K != Kind::Load && isReadByOthers<K>(cell, lane)) {
    fault = {ReportKind::SharedRace,
             "overwrites what the other read, with no barrier between",
             cell.readSite, cell.reader};
    return false;
  }
  return true;
}

/// The bytes of a word that an access reaches, as bits.
static uint8_t bytesOfWord(size_t word, uint64_t offset, uint32_t bytes) {
  uint64_t first = std::max<uint64_t>(offset, word * kWordBytes);
  uint64_t end = std::min<uint64_t>(offset + bytes, (word + 1) * kWordBytes);
  unsigned shift = first - word * kWordBytes;
  return ((1u << (end - first)) - 1) << shift;
}

void LdsShadow::keepInFlight(uint32_t lane, uint32_t site, uint64_t offset,
                             uint32_t bytes) {
  loadsInFlight.resize(kNumWords);
  for (size_t word = offset / kWordBytes; word * kWordBytes < offset + bytes;
       ++word)
    loadsInFlight[word] = {epoch, queues[lane].issued, site,
                           static_cast<uint16_t>(lane),
                           bytesOfWord(word, offset, bytes)};
}

/// Whether a write comes to what another wave loaded before the last barrier
/// without having waited for it. What was loaded earlier may have been used
/// meanwhile. The operations of one wave take effect in order.
bool LdsShadow::overwritesLoad(const Access &access, uint64_t &at,
                               Fault &fault) const {
  if (loadsInFlight.empty())
    return false;
  uint64_t end = access.offset + access.bytes;
  for (size_t word = access.offset / kWordBytes; word * kWordBytes < end;
       ++word) {
    const LoadInFlight &load = loadsInFlight[word];
    if (load.epoch + 1 != epoch || load.epoch < startEpoch ||
        waveOf(load.lane) == waveOf(access.lane) ||
        load.number <= queues[load.lane].published ||
        !(load.bytes & bytesOfWord(word, access.offset, access.bytes)))
      continue;
    at = std::max<uint64_t>(access.offset, word * kWordBytes);
    fault = {ReportKind::SharedUnwaitedRead,
             "overwrites what the other reads, which was not waited for before "
             "the barrier",
             load.site, load.lane};
    return true;
  }
  return false;
}

template <LdsShadow::Kind K>
void LdsShadow::updateCell(Cell &cell, const Access &access) {
  if (K != Kind::Load) {
    cell.writeEpoch = epoch;
    cell.writeNumber = access.number;
    cell.writeSite = access.site;
    cell.writer = access.lane;
    return;
  }
  uint32_t lane = access.lane;
  uint16_t lanesOfWave = kLanesOfWave | waveOf(lane);
  bool isFirst = cell.readEpoch != epoch || cell.reader == lane;
  bool isOfWave =
      cell.reader == lanesOfWave ||
      (!(cell.reader & kLanesOfWave) && waveOf(cell.reader) == waveOf(lane));
  cell.readEpoch = epoch;
  cell.readSite = access.site;
  cell.reader = isFirst ? lane : isOfWave ? lanesOfWave : kManyLanes;
}

void LdsShadow::splitWord(size_t word) {
  if (!bytesOfSplit)
    bytesOfSplit = std::make_unique<Cell[]>(kLdsArenaBytes);
  std::fill_n(&bytesOfSplit[word * kWordBytes], kWordBytes, words[word]);
  isSplit[word] = 1;
}

void LdsShadow::reportFault(Machine &machine, uint32_t site, uint64_t offset,
                            const Fault &fault) const {
  std::string what = fault.what;
  if (fault.otherSite != kNoSite)
    what +=
        "; the other is " + siteText(*machine.launch->info, fault.otherSite);
  if (!(fault.otherLane & kLanesOfWave) &&
      fault.otherLane != machine.laneIndex())
    what += " in " + machine.lanePosition(fault.otherLane);
  what += "; " + machine.describeShared(offset);
  if (fault.kind == ReportKind::SharedOutOfBounds)
    machine.fatal(fault.kind, site, what, fault.otherSite);
  machine.report(fault.kind, site, what, fault.otherSite);
}

template <LdsShadow::Kind K>
void LdsShadow::access(Machine &machine, const Access &access) {
  if (access.offset + access.bytes > kLdsArenaBytes)
    reportFault(machine, access.site, access.offset,
                {ReportKind::SharedOutOfBounds,
                 "is outside of every LDS object", kNoSite, access.lane});
  Fault fault;
  bool isGood = true;
  uint64_t faultOffset = 0;
  auto visit = [&](Cell &cell, uint64_t at) {
    if (isGood && !checkCell<K>(cell, access.lane, fault)) {
      isGood = false;
      faultOffset = at;
    }
    updateCell<K>(cell, access);
  };
  for (uint64_t at = access.offset, end = at + access.bytes; at < end;) {
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
  if (K != Kind::Load && isGood)
    isGood = !overwritesLoad(access, faultOffset, fault);
  if (!isGood)
    reportFault(machine, access.site, faultOffset, fault);
}

void LdsShadow::load(Machine &machine, uint32_t site, uint64_t offset,
                     uint32_t bytes) {
  uint32_t lane = machine.laneIndex();
  ++queues[lane].issued;
  access<Kind::Load>(machine, {site, lane, offset, bytes, 0});
}

void LdsShadow::store(Machine &machine, uint32_t site, uint64_t offset,
                      uint32_t bytes) {
  uint32_t lane = machine.laneIndex();
  uint32_t number = ++queues[lane].issued;
  access<Kind::Store>(machine, {site, lane, offset, bytes, number});
}

void LdsShadow::loadToLds(Machine &machine, uint32_t site, uint32_t lane,
                          uint64_t offset, uint32_t bytes, uint32_t load) {
  queues[lane].loadsIssued = load;
  access<Kind::LoadToLds>(machine, {site, lane, offset, bytes, load | kIsLoad});
}
