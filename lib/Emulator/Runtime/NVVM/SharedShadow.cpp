//===- SharedShadow.cpp - checks of shared memory accesses ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/SharedShadow.h"

#include "Machine.h"

#include <algorithm>
#include <tuple>

using namespace mlir::lpgemm::emulator;

static constexpr uint32_t kWordBytes = 4;
static constexpr size_t kWordsOfArena = kLdsArenaBytes / kWordBytes;

//===----------------------------------------------------------------------===//
// Sets of reads
//===----------------------------------------------------------------------===//

bool ReadSets::Key::operator==(const Key &other) const {
  auto asTuple = [](const Key &key) {
    return std::make_tuple(key.set, key.read.agent, key.read.time,
                           key.read.site, key.read.kind);
  };
  return asTuple(*this) == asTuple(other);
}

size_t ReadSets::Hash::operator()(const Key &key) const {
  uint64_t hash = key.set;
  for (uint64_t part : {key.read.agent, key.read.time, key.read.site,
                        static_cast<uint32_t>(key.read.kind)})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

void ReadSets::clear() {
  sets.assign(1, {});
  additions.clear();
  lastKey = {};
  lastResult = 0;
}

uint32_t ReadSets::insert(std::vector<Read> reads) {
  sets.push_back(std::move(reads));
  return sets.size() - 1;
}

uint32_t ReadSets::add(uint32_t set, const Read &added, uint32_t lane,
                       const Clocks &clocks) {
  Key key{set, added};
  // Sets are numbered from 1, so that the first key is none.
  if (key == lastKey && lastResult)
    return lastResult;
  lastKey = key;
  auto [it, isNew] = additions.try_emplace(key, 0);
  if (!isNew)
    return lastResult = it->second;
  std::vector<Read> reads;
  for (const Read &read : sets[set])
    if (!clocks.isOrdered(lane, read.agent, read.time))
      reads.push_back(read);
  bool isKnown = std::any_of(reads.begin(), reads.end(), [&](const Read &r) {
    return r.agent == added.agent && r.time == added.time &&
           r.kind == added.kind;
  });
  if (!isKnown)
    reads.push_back(key.read);
  it->second = insert(std::move(reads));
  return lastResult = it->second;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

void SharedShadow::markObject(std::vector<Cell> &cells, uint64_t offset,
                              uint64_t bytes) {
  size_t end = (offset + bytes + kWordBytes - 1) / kWordBytes;
  usedWords = std::max(usedWords, end);
  std::fill(cells.begin() + offset / kWordBytes, cells.begin() + end, Cell());
}

void SharedShadow::begin(const Launch &newLaunch, uint32_t newNumWorkgroups) {
  launch = &newLaunch;
  numWorkgroups = newNumWorkgroups;
  Cell redZone;
  redZone.writer = kRedZone;
  initial.assign(kWordsOfArena, redZone);
  usedWords = 0;
  const KernelInfo &info = *launch->info;
  for (uint32_t i = 0; i < info.numLdsObjects; ++i)
    markObject(initial, info.ldsObjects[2 * i], info.ldsObjects[2 * i + 1]);
  markObject(initial, info.ldsDynamicOffset, launch->dynamicLdsBytes);
  words.clear();
  for (uint32_t i = 0; i < numWorkgroups; ++i)
    words.insert(words.end(), initial.begin(), initial.end());
  isSplit.assign(words.size(), 0);
}

void SharedShadow::start() {
  for (uint32_t i = 0; i < numWorkgroups; ++i)
    std::copy_n(initial.begin(), usedWords, words.begin() + i * kWordsOfArena);
  std::fill(isSplit.begin(), isSplit.end(), 0);
  readSets.clear();
  orderedSet = ReadSets::kEmpty;
}

void SharedShadow::splitWord(size_t word) {
  bytesOfSplit.resize(words.size() * kWordBytes);
  std::fill_n(&bytesOfSplit[word * kWordBytes], kWordBytes, words[word]);
  isSplit[word] = 1;
}

template <typename Fn>
void SharedShadow::forEachCell(uint64_t offset, uint64_t bytes, Fn &&fn) {
  for (uint64_t at = offset, end = offset + bytes; at < end;) {
    size_t word = at / kWordBytes;
    if (at % kWordBytes == 0 && end - at >= kWordBytes && !isSplit[word]) {
      fn(words[word], at);
      at += kWordBytes;
      continue;
    }
    if (!isSplit[word])
      splitWord(word);
    fn(bytesOfSplit[at], at);
    ++at;
  }
}

void SharedShadow::makeOpaque(uint64_t offset, uint64_t bytes) {
  forEachCell(offset, bytes,
              [](Cell &cell, uint64_t) { cell.writer = kOpaque; });
}

void SharedShadow::forget(uint64_t offset, uint64_t bytes) {
  forEachCell(offset, bytes, [](Cell &cell, uint64_t) { cell = Cell(); });
}

/// Keeps only the sets that cells refer to.
void SharedShadow::collectReadSets() {
  ReadSets kept;
  std::unordered_map<uint32_t, uint32_t> numbers{{ReadSets::kEmpty, 0}};
  auto renumber = [&](Cell &cell) {
    auto [it, isNew] = numbers.try_emplace(cell.reads, 0);
    if (isNew)
      it->second = kept.insert(readSets.get(cell.reads));
    cell.reads = it->second;
  };
  for (size_t word = 0; word < words.size(); ++word) {
    renumber(words[word]);
    for (uint32_t i = 0; isSplit[word] && i < kWordBytes; ++i)
      renumber(bytesOfSplit[word * kWordBytes + i]);
  }
  readSets = std::move(kept);
  orderedSet = ReadSets::kEmpty;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static constexpr const char kOverwritesWrite[] =
    "overwrites what the other wrote, and nothing orders the two";
static constexpr const char kReadsWrite[] =
    "reads what the other wrote, and nothing orders the two";

/// Whether the access may come after the last write.
bool SharedShadow::checkWriter(Machine &machine, const SharedAccess &access,
                               const Cell &cell, bool isWrite,
                               Fault &fault) const {
  const Clocks &clocks = machine.clocks;
  if (cell.isAtomic && access.isAtomic())
    return true;
  if (!clocks.isOrdered(access.lane, cell.writer, cell.writeTime)) {
    if (clocks.isLane(cell.writer))
      fault = {ReportKind::SharedRace, isWrite ? kOverwritesWrite : kReadsWrite,
               cell.writeSite, cell.writer};
    else
      fault = {ReportKind::SharedUnwaitedWrite,
               isWrite ? "overwrites what an asynchronous copy writes, which "
                         "was not waited for"
                       : "reads what an asynchronous copy writes, which was "
                         "not waited for",
               cell.writeSite};
    return false;
  }
  bool needsFence = access.proxy == Proxy::Async && !cell.isAsync;
  if (!needsFence || clocks.isFenced(access.lane, cell.writer, cell.writeTime))
    return true;
  fault = {ReportKind::MissingProxyFence,
           isWrite ? "overwrites through the async proxy what the other wrote, "
                     "with no fence.proxy.async between"
                   : "reads through the async proxy what the other wrote, with "
                     "no fence.proxy.async between",
           cell.writeSite, cell.writer};
  return false;
}

/// Whether an access may come after the reads of a set, or after the atomic
/// writes in it.
bool SharedShadow::checkReads(const Clocks &clocks, const SharedAccess &access,
                              uint32_t set, bool isWrite, Fault &fault) {
  using Kind = ReadSets::Kind;
  if (set == ReadSets::kEmpty ||
      (set == orderedSet && access.lane == orderedLane &&
       clocks.now(access.lane) == orderedTime))
    return true;
  for (const ReadSets::Read &read : readSets.get(set)) {
    bool conflicts = read.kind == Kind::Plain ? isWrite : !access.isAtomic();
    if ((read.kind == Kind::Atomic && !isWrite) || !conflicts ||
        clocks.isOrdered(access.lane, read.agent, read.time))
      continue;
    if (read.kind == Kind::AtomicWrite)
      fault = {ReportKind::SharedRace, isWrite ? kOverwritesWrite : kReadsWrite,
               read.site, read.agent};
    else if (clocks.isLane(read.agent))
      fault = {ReportKind::SharedRace,
               "overwrites what the other reads, and nothing orders the two",
               read.site, read.agent};
    else
      fault = {ReportKind::SharedUnwaitedRead,
               "overwrites what an asynchronous operation reads, which was not "
               "waited for",
               read.site};
    return false;
  }
  // Others of the set may conflict with another kind of access.
  if (!isWrite || access.isAtomic())
    return true;
  orderedSet = set;
  orderedLane = access.lane;
  orderedTime = clocks.now(access.lane);
  return true;
}

template <bool kIsWrite>
bool SharedShadow::check(Machine &machine, const SharedAccess &access,
                         const Cell &cell, Fault &fault) {
  switch (cell.writer) {
  case kRedZone:
    fault = {ReportKind::SharedOutOfBounds,
             "is outside of every object of shared memory"};
    return false;
  case kOpaque:
    fault = {ReportKind::InvalidOperand, "accesses an mbarrier object"};
    return false;
  case kNobody:
    if (!kIsWrite || access.atomicity == Atomicity::Update) {
      fault = {ReportKind::SharedUninitialized,
               "reads uninitialised shared memory"};
      return false;
    }
    break;
  default:
    if (!checkWriter(machine, access, cell, kIsWrite, fault))
      return false;
  }
  // Of what an atomic write has replaced a read knows from the set.
  return !(kIsWrite || cell.isAtomic) ||
         checkReads(machine.clocks, access, cell.reads, kIsWrite, fault);
}

void SharedShadow::update(Machine &machine, const SharedAccess &access,
                          Cell &cell, bool isWrite) {
  using Kind = ReadSets::Kind;
  const Clocks &clocks = machine.clocks;
  if (!isWrite) {
    Kind kind = access.isAtomic() ? Kind::Atomic : Kind::Plain;
    cell.reads =
        readSets.add(cell.reads, {access.agent, access.time, access.site, kind},
                     access.lane, clocks);
    return;
  }
  if (cell.writer == kOpaque)
    return;
  if (!access.isAtomic())
    cell.reads = ReadSets::kEmpty;
  else if (cell.isAtomic &&
           !clocks.isOrdered(access.lane, cell.writer, cell.writeTime))
    cell.reads = readSets.add(
        cell.reads,
        {cell.writer, cell.writeTime, cell.writeSite, Kind::AtomicWrite},
        access.lane, clocks);
  cell.writer = access.agent;
  cell.writeTime = access.time;
  cell.writeSite = access.site;
  cell.isAsync = access.proxy == Proxy::Async;
  cell.isAtomic = access.isAtomic();
}

template <bool kIsWrite>
void SharedShadow::access(Machine &machine, const SharedAccess &access,
                          uint64_t offset, uint64_t bytes) {
  constexpr size_t kMaxReadSets = 1 << 16;
  Fault fault;
  bool isGood = true;
  uint64_t faultOffset = offset;
  uint64_t end = numWorkgroups * uint64_t(kLdsArenaBytes);
  if (offset > end || bytes > end - offset) {
    fault = {ReportKind::SharedOutOfBounds,
             "is outside of every object of shared memory"};
    return report(machine, access, offset, fault);
  }
  if (readSets.size() > kMaxReadSets)
    collectReadSets();
  forEachCell(offset, bytes, [&](Cell &cell, uint64_t at) {
    if (isGood && !check<kIsWrite>(machine, access, cell, fault)) {
      isGood = false;
      faultOffset = at;
    }
    update(machine, access, cell, kIsWrite);
  });
  if (!isGood)
    report(machine, access, faultOffset, fault);
}

void SharedShadow::read(Machine &machine, const SharedAccess &access,
                        uint64_t offset, uint64_t bytes) {
  this->access</*kIsWrite=*/false>(machine, access, offset, bytes);
}

void SharedShadow::write(Machine &machine, const SharedAccess &access,
                         uint64_t offset, uint64_t bytes) {
  this->access</*kIsWrite=*/true>(machine, access, offset, bytes);
}

void SharedShadow::report(Machine &machine, const SharedAccess &access,
                          uint64_t offset, const Fault &fault) const {
  std::string what = fault.what;
  if (fault.otherSite != kNoSite)
    what += "; the other is " + siteText(*launch->info, fault.otherSite);
  if (machine.clocks.isLane(fault.other) && fault.other != access.lane)
    what += " in " + machine.lanePosition(fault.other);
  what += "; " + machine.describeShared(offset);
  if (fault.kind == ReportKind::SharedOutOfBounds)
    machine.fatalOf(access.lane, fault.kind, access.site, what,
                    fault.otherSite);
  machine.reportOf(access.lane, fault.kind, access.site, what, fault.otherSite);
}
