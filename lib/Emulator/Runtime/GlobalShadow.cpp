//===- GlobalShadow.cpp - races in global memory --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalShadow.h"

#include "Machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

using namespace mlir::lpgemm::emulator;

static constexpr size_t kWordBytes = 4;

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

// From the lowest bit on: the workgroup plus 1, a time, an agent, three flags,
// the site. On AMD chips the time is the number of barriers that the workgroup
// has passed, and the agent a wave; on NVIDIA chips the agent is a lane, and
// the time its own (Clocks.h). What does not fit wraps, which can hide a race,
// or is a race between workgroups in any case.
static constexpr unsigned kGroupBits = 20, kTimeBits = 18, kAgentBits = 10;
static constexpr unsigned kTimeShift = kGroupBits;
static constexpr unsigned kAgentShift = kTimeShift + kTimeBits;
static constexpr unsigned kFlagShift = kAgentShift + kAgentBits;
static constexpr unsigned kSiteShift = kFlagShift + 3;
static constexpr uint64_t kGroupMask = (uint64_t(1) << kGroupBits) - 1;
static constexpr uint64_t kTimeMask = (uint64_t(1) << kTimeBits) - 1;
static constexpr uint64_t kAgentMask = (uint64_t(1) << kAgentBits) - 1;
static constexpr uint64_t kNoSiteTag = ~uint64_t(0) >> kSiteShift;
/// Further agents of the workgroup, or further workgroups, did the same.
static constexpr uint64_t kManyAgents = uint64_t(1) << kFlagShift;
static constexpr uint64_t kManyGroups = kManyAgents << 1;
static constexpr uint64_t kAtomic = kManyAgents << 2;

static uint64_t groupOf(uint64_t tag) { return tag & kGroupMask; }
static uint64_t timeOf(uint64_t tag) { return tag >> kTimeShift & kTimeMask; }
static uint64_t agentOf(uint64_t tag) {
  return tag >> kAgentShift & kAgentMask;
}

static bool isRead(AccessKind kind) {
  return kind == AccessKind::Read || kind == AccessKind::AtomicRead;
}

static bool isAtomic(AccessKind kind) {
  return kind == AccessKind::Atomic || kind == AccessKind::AtomicRead;
}

static uint64_t makeTag(Machine &machine, uint32_t site, AccessKind kind) {
  bool isNvidia = machine.launch->isNvidia();
  uint64_t time =
      isNvidia ? machine.clocks.now(machine.laneIndex()) : machine.numBarriers;
  uint64_t agent = isNvidia ? machine.laneIndex() % machine.launch->numLanes
                            : machine.lane().wave;
  return (machine.workgroupIndex() % kGroupMask + 1) |
         (time & kTimeMask) << kTimeShift | agent << kAgentShift |
         (isAtomic(kind) ? kAtomic : 0) |
         std::min<uint64_t>(site, kNoSiteTag) << kSiteShift;
}

/// Whether something orders the access of a lane of the same cluster before
/// what the current lane does.
static bool isKnown(Machine &machine, uint64_t old) {
  for (size_t rank = 0; rank < machine.workgroups.size(); ++rank) {
    int64_t index = machine.indexOf(machine.workgroups[rank]);
    if (index % kGroupMask + 1 != groupOf(old))
      continue;
    uint32_t lane = rank * machine.launch->numLanes + agentOf(old);
    // Of many readers the tag has one. Times are compared as far as they fit.
    uint32_t now = machine.clocks.now(lane);
    Time time = now - ((now - timeOf(old)) & kTimeMask);
    return old & kManyAgents ||
           machine.clocks.isOrdered(machine.laneIndex(), lane, time);
  }
  return false;
}

/// Whether nothing orders the access `tag` of the current lane after `old`.
static bool isConcurrent(Machine &machine, uint64_t old, uint64_t tag) {
  if (old == 0)
    return false;
  if (old & kManyGroups)
    return true;
  if (machine.launch->isNvidia())
    return !isKnown(machine, old);
  return groupOf(old) != groupOf(tag) ||
         (timeOf(old) == timeOf(tag) &&
          (old & kManyAgents || agentOf(old) != agentOf(tag)));
}

/// What stands for both of two accesses that do not race.
static uint64_t merge(Machine &machine, uint64_t old, uint64_t tag) {
  if (old == 0)
    return tag;
  // Both are atomic only if each is.
  if (!(tag & kAtomic))
    old &= ~kAtomic;
  if (old & kManyGroups || groupOf(old) != groupOf(tag))
    return old | kManyGroups;
  if (machine.launch->isNvidia())
    return isKnown(machine, old) ? tag : old | kManyAgents;
  if (timeOf(old) != timeOf(tag))
    return tag;
  return agentOf(old) == agentOf(tag) ? old : old | kManyAgents;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

template <typename T>
static T *mapCells(size_t count) {
  // Pages of zero, which is what a cell starts as.
  void *memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, /*fd=*/-1, 0);
  if (memory != MAP_FAILED)
    return static_cast<T *>(memory);
  std::fprintf(stderr, "emulator: cannot map what checks global memory\n");
  std::abort();
}

GlobalShadow::GlobalShadow(const std::vector<Buffer> &buffers)
    : buffers(buffers), cells(buffers.size()) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    uintptr_t begin = buffers[i].begin / kWordBytes;
    cells[i].numWords = buffers[i].end / kWordBytes - begin + 1;
    cells[i].words = mapCells<Cell>(cells[i].numWords);
    cells[i].bytes = mapCells<Cell>(cells[i].numWords * kWordBytes);
  }
}

GlobalShadow::~GlobalShadow() {
  for (Cells &entry : cells) {
    munmap(entry.words, entry.numWords * sizeof(Cell));
    munmap(entry.bytes, entry.numWords * kWordBytes * sizeof(Cell));
  }
}

GlobalShadow::Tag GlobalShadow::look(Machine &machine, const Cell &cell,
                                     Tag tag, AccessKind kind) {
  Tag write = cell.write;
  if (!(write & tag & kAtomic) && isConcurrent(machine, write, tag))
    return write;
  if (isRead(kind))
    return 0;
  Tag read = cell.read;
  return !(read & tag & kAtomic) && isConcurrent(machine, read, tag) ? read : 0;
}

/// An access that changes nothing is not written: most words are read by many.
GlobalShadow::Tag GlobalShadow::enter(Machine &machine, Cell &cell, Tag tag,
                                      AccessKind kind) {
  std::atomic<Tag> &own = isRead(kind) ? cell.read : cell.write;
  Tag old = own, next;
  do {
    bool merges = isRead(kind) || (old & tag & kAtomic);
    next = merges ? merge(machine, old, tag) : tag;
  } while (next != old && !own.compare_exchange_weak(old, next));
  // The cell no longer tells of a write that this one took the place of.
  if (!isRead(kind) && !(old & tag & kAtomic) &&
      isConcurrent(machine, old, tag))
    return old;
  return look(machine, cell, tag, kind);
}

GlobalShadow::Tag GlobalShadow::accessWord(Machine &machine, Cells &cells,
                                           size_t word, Tag tag,
                                           AccessKind kind) {
  Tag other = enter(machine, cells.words[word], tag, kind);
  if (cells.usesBytes)
    for (size_t i = 0; i < kWordBytes && !other; ++i)
      other = look(machine, cells.bytes[word * kWordBytes + i], tag, kind);
  return other;
}

GlobalShadow::Tag GlobalShadow::accessByte(Machine &machine, Cells &cells,
                                           size_t byte, Tag tag,
                                           AccessKind kind) {
  Tag other = enter(machine, cells.bytes[byte], tag, kind);
  return other ? other
               : look(machine, cells.words[byte / kWordBytes], tag, kind);
}

void GlobalShadow::access(Machine &machine, uint32_t site, size_t buffer,
                          uintptr_t address, uint32_t bytes, AccessKind kind) {
  Cells &entry = cells[buffer];
  Tag tag = makeTag(machine, site, kind);
  uintptr_t base = buffers[buffer].begin / kWordBytes * kWordBytes;
  bool isWhole = address % kWordBytes == 0 && bytes % kWordBytes == 0;
  if (!isWhole && !entry.usesBytes)
    entry.usesBytes = true;
  for (uintptr_t at = address; at < address + bytes;) {
    Tag other = isWhole ? accessWord(machine, entry, (at - base) / kWordBytes,
                                     tag, kind)
                        : accessByte(machine, entry, at - base, tag, kind);
    if (other)
      return report(machine, site, buffers[buffer], at - buffers[buffer].begin,
                    kind, tag, other);
    at += isWhole ? kWordBytes : 1;
  }
}

void GlobalShadow::report(Machine &machine, uint32_t site, const Buffer &buffer,
                          uint64_t offset, AccessKind kind, Tag tag,
                          Tag other) const {
  bool isOtherGroup = other & kManyGroups || groupOf(other) != groupOf(tag);
  std::string what = isRead(kind) ? "reads" : "writes";
  what += " memory that another ";
  what += isOtherGroup ? "workgroup of the launch accesses"
          : machine.launch->isNvidia()
              ? "lane accesses, and nothing orders the two"
              : "wave accesses, with no barrier between";
  uint64_t otherSite = other >> kSiteShift;
  if (otherSite != kNoSiteTag)
    what += "; the other is " + siteText(*machine.launch->info, otherSite);
  what += "; offset " + std::to_string(offset) + " of '" + buffer.name + "'";
  machine.report(ReportKind::GlobalRace, site, what,
                 otherSite == kNoSiteTag ? kNoSite : otherSite);
}
