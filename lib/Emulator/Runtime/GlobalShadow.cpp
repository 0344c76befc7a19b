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

// From the lowest bit on: the workgroup plus 1, the number of barriers it has
// passed, the wave, three flags, the site. What does not fit wraps, which can
// hide a race, or is a race between workgroups in any case.
static constexpr unsigned kGroupBits = 24, kEpochBits = 20, kWaveBits = 4;
static constexpr unsigned kEpochShift = kGroupBits;
static constexpr unsigned kWaveShift = kEpochShift + kEpochBits;
static constexpr unsigned kFlagShift = kWaveShift + kWaveBits;
static constexpr unsigned kSiteShift = kFlagShift + 3;
static constexpr uint64_t kGroupMask = (uint64_t(1) << kGroupBits) - 1;
static constexpr uint64_t kEpochMask = (uint64_t(1) << kEpochBits) - 1;
static constexpr uint64_t kWaveMask = (uint64_t(1) << kWaveBits) - 1;
static constexpr uint64_t kNoSiteTag = ~uint64_t(0) >> kSiteShift;
/// Further waves of the workgroup, or further workgroups, did the same.
static constexpr uint64_t kManyWaves = uint64_t(1) << kFlagShift;
static constexpr uint64_t kManyGroups = kManyWaves << 1;
static constexpr uint64_t kAtomic = kManyWaves << 2;

static uint64_t groupOf(uint64_t tag) { return tag & kGroupMask; }
static uint64_t epochOf(uint64_t tag) {
  return tag >> kEpochShift & kEpochMask;
}
static uint64_t waveOf(uint64_t tag) { return tag >> kWaveShift & kWaveMask; }

static uint64_t makeTag(Machine &machine, uint32_t site, AccessKind kind) {
  return (machine.workgroupIndex() % kGroupMask + 1) |
         (machine.numBarriers & kEpochMask) << kEpochShift |
         (machine.lane().wave & kWaveMask) << kWaveShift |
         (kind == AccessKind::Atomic ? kAtomic : 0) |
         std::min<uint64_t>(site, kNoSiteTag) << kSiteShift;
}

/// Whether nothing orders the access `tag` after `old`.
static bool isConcurrent(uint64_t old, uint64_t tag) {
  if (old == 0)
    return false;
  if (old & kManyGroups || groupOf(old) != groupOf(tag))
    return true;
  return epochOf(old) == epochOf(tag) &&
         (old & kManyWaves || waveOf(old) != waveOf(tag));
}

/// What stands for both of two accesses that do not race.
static uint64_t merge(uint64_t old, uint64_t tag) {
  if (old == 0)
    return tag;
  if (old & kManyGroups || groupOf(old) != groupOf(tag))
    return old | kManyGroups;
  if (epochOf(old) != epochOf(tag))
    return tag;
  return waveOf(old) == waveOf(tag) ? old : old | kManyWaves;
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

GlobalShadow::Tag GlobalShadow::look(const Cell &cell, Tag tag,
                                     AccessKind kind) {
  Tag write = cell.write;
  bool areAtomic = write & kAtomic && kind == AccessKind::Atomic;
  if (!areAtomic && isConcurrent(write, tag))
    return write;
  if (kind == AccessKind::Read)
    return 0;
  Tag read = cell.read;
  return isConcurrent(read, tag) ? read : 0;
}

/// An access that changes nothing is not written: most words are read by many.
GlobalShadow::Tag GlobalShadow::enter(Cell &cell, Tag tag, AccessKind kind) {
  std::atomic<Tag> &own = kind == AccessKind::Read ? cell.read : cell.write;
  Tag old = own, next;
  do {
    bool merges = kind == AccessKind::Read ||
                  (kind == AccessKind::Atomic && old & kAtomic);
    next = merges ? merge(old, tag) : tag;
  } while (next != old && !own.compare_exchange_weak(old, next));
  // The cell no longer tells of a write that this one took the place of.
  bool areAtomic = old & kAtomic && kind == AccessKind::Atomic;
  if (kind != AccessKind::Read && !areAtomic && isConcurrent(old, tag))
    return old;
  return look(cell, tag, kind);
}

GlobalShadow::Tag GlobalShadow::accessWord(Cells &cells, size_t word, Tag tag,
                                           AccessKind kind) {
  Tag other = enter(cells.words[word], tag, kind);
  if (cells.usesBytes)
    for (size_t i = 0; i < kWordBytes && !other; ++i)
      other = look(cells.bytes[word * kWordBytes + i], tag, kind);
  return other;
}

GlobalShadow::Tag GlobalShadow::accessByte(Cells &cells, size_t byte, Tag tag,
                                           AccessKind kind) {
  Tag other = enter(cells.bytes[byte], tag, kind);
  return other ? other : look(cells.words[byte / kWordBytes], tag, kind);
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
    Tag other = isWhole ? accessWord(entry, (at - base) / kWordBytes, tag, kind)
                        : accessByte(entry, at - base, tag, kind);
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
  std::string what = kind == AccessKind::Read ? "reads" : "writes";
  what += " memory that another ";
  what += isOtherGroup ? "workgroup of the launch accesses"
                       : "wave accesses, with no barrier between";
  uint64_t otherSite = other >> kSiteShift;
  if (otherSite != kNoSiteTag)
    what += "; the other is " + siteText(*machine.launch->info, otherSite);
  what += "; offset " + std::to_string(offset) + " of '" + buffer.name + "'";
  machine.report(ReportKind::GlobalRace, site, what,
                 otherSite == kNoSiteTag ? kNoSite : otherSite);
}
