//===- BulkCopies.cpp - cp.async.bulk -------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/BulkCopies.h"

#include "MemoryAccess.h"
#include "NVVM/AsyncAbi.h"
#include "NVVM/MBarrier.h"
#include "NVVM/Memory.h"

#include <cstring>

using namespace mlir::lpgemm::emulator;

// PTX ISA, "cp.async.bulk": copies through the async proxy.

static constexpr uint32_t kShared = 3, kSharedCluster = 7;
/// Of addresses and sizes.
static constexpr uint32_t kGranule = 16;

static CopyGroups &groupsOfLane(Machine &machine) {
  return machine.async.bulkCopies[machine.laneIndex()];
}

//===----------------------------------------------------------------------===//
// To shared memory
//===----------------------------------------------------------------------===//

namespace {
/// A workgroup that a copy goes to.
struct Destination {
  /// From the place that the pieces name.
  int64_t shift;
  uint64_t barrier;
  uint64_t number;
};

struct LoadOperation : AsyncOperation {
  BulkLoad load;
  std::vector<Destination> destinations;

  void complete(Machine &machine) override {
    for (const Destination &destination : destinations) {
      for (const BulkPiece &piece : load.pieces)
        move(piece, piece.target + destination.shift);
      signalCopy(machine, destination.barrier, destination.number);
    }
  }

  void move(const BulkPiece &piece, uint8_t *target) const {
    if (!piece.source)
      return fillOutOfBounds(load.map, target, piece.bytes);
    std::memcpy(target, piece.source, piece.bytes);
    convertLoaded(load.map, target, piece.bytes);
  }
};
} // namespace

/// The ranks that a copy goes to.
static std::vector<uint32_t> listRanks(Machine &machine, const BulkLoad &load,
                                       uint32_t own) {
  if (load.mask == 0)
    return {own};
  std::vector<uint32_t> ranks;
  for (uint32_t rank = 0; load.mask >> rank; ++rank) {
    if (!(load.mask >> rank & 1))
      continue;
    if (rank >= machine.workgroups.size())
      machine.fatal(ReportKind::InvalidOperand, load.site,
                    "expected a multicast mask of at most " +
                        std::to_string(machine.workgroups.size()) +
                        " workgroups, got one with rank " +
                        std::to_string(rank));
    ranks.push_back(rank);
  }
  return ranks;
}

void mlir::lpgemm::emulator::startBulkLoad(Machine &machine, BulkLoad load) {
  uint64_t target =
      checkSharedAddress(machine, load.site, load.target, load.targetSpace);
  uint64_t barrierOffset =
      checkSharedAddress(machine, load.site, load.barrier, load.barrierSpace);
  auto operation = std::make_shared<LoadOperation>();
  int64_t own = target / kLdsArenaBytes;
  for (int64_t rank : listRanks(machine, load, own)) {
    int64_t shift = (rank - own) * int64_t(kLdsArenaBytes);
    MBarrier &barrier =
        findMBarrier(machine, load.site, machine.lds + barrierOffset + shift,
                     load.mask ? kSharedCluster : load.barrierSpace);
    if (machine.checks()) {
      SharedAccess access = {load.site, machine.laneIndex(), barrier.agent,
                             barrier.timeOfPhase(), Proxy::Async};
      for (const SharedRange &range : load.ranges)
        machine.sharedShadow.write(machine, access, range.offset + shift,
                                   range.bytes);
    }
    uint64_t number = announceCopy(machine, barrier, load.site, load.bytes);
    operation->destinations.push_back({shift, barrier.offset, number});
  }
  operation->load = std::move(load);
  machine.start(std::move(operation));
}

/// What all plain copies must keep to.
static void checkPlain(Machine &machine, uint32_t site, const void *a,
                       const void *b, uint32_t bytes) {
  if (bytes == 0 || bytes % kGranule)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a multiple of 16 bytes, got " +
                      std::to_string(bytes));
  if (!machine.checks())
    return;
  for (const void *address : {a, b})
    checkAlignment(machine, site, reinterpret_cast<uintptr_t>(address),
                   kGranule);
}

static BulkLoad makePlainLoad(Machine &machine, uint32_t site, void *target,
                              const void *source, const void *barrier,
                              uint32_t bytes) {
  BulkLoad load{};
  load.site = site;
  load.target = target;
  load.barrier = barrier;
  load.bytes = bytes;
  load.pieces = {{static_cast<uint8_t *>(target),
                  static_cast<const uint8_t *>(source), bytes}};
  load.ranges = {{machine.sharedOffset(target), bytes}};
  return load;
}

void emu_nvvm_bulk_load(uint32_t site, void *target, uint32_t space,
                        const void *source, const void *barrier, uint32_t bytes,
                        uint32_t mask) {
  Machine &machine = Machine::current();
  checkPlain(machine, site, target, source, bytes);
  if (machine.checks())
    checkGlobal(machine, site, source, bytes, /*alignment=*/1,
                AccessKind::Read);
  BulkLoad load = makePlainLoad(machine, site, target, source, barrier, bytes);
  load.targetSpace = space;
  load.barrierSpace = space == kShared ? kShared : kSharedCluster;
  load.mask = mask;
  startBulkLoad(machine, std::move(load));
}

void emu_nvvm_bulk_copy_shared(uint32_t site, void *target, const void *source,
                               const void *barrier, uint32_t bytes) {
  Machine &machine = Machine::current();
  checkPlain(machine, site, target, source, bytes);
  uint64_t offset = checkSharedAddress(machine, site, source, kShared);
  BulkLoad load = makePlainLoad(machine, site, target, source, barrier, bytes);
  load.targetSpace = load.barrierSpace = kSharedCluster;
  if (machine.checks()) {
    // The source is free once the target's mbarrier has counted the bytes.
    MBarrier &object = findMBarrier(machine, site, barrier, kSharedCluster);
    machine.sharedShadow.read(machine,
                              {site, machine.laneIndex(), object.agent,
                               object.timeOfPhase(), Proxy::Async},
                              offset, bytes);
  }
  startBulkLoad(machine, std::move(load));
}

//===----------------------------------------------------------------------===//
// To global memory
//===----------------------------------------------------------------------===//

namespace {
struct StoreOperation : AsyncOperation {
  uint8_t *target;
  const uint8_t *source;
  uint32_t bytes, byteMask;

  void complete(Machine &) override {
    for (uint32_t i = 0; i < bytes; ++i)
      if (byteMask >> i % kGranule & 1)
        target[i] = source[i];
  }
};
} // namespace

void mlir::lpgemm::emulator::startBulkStore(
    Machine &machine, uint32_t site, const std::vector<SharedRange> &ranges,
    std::shared_ptr<AsyncOperation> operation) {
  CopyGroups &groups = groupsOfLane(machine);
  if (machine.checks()) {
    SharedAccess access = {site, machine.laneIndex(), groups.agent(machine),
                           groups.nextNumber(), Proxy::Async};
    for (const SharedRange &range : ranges)
      machine.sharedShadow.read(machine, access, range.offset, range.bytes);
  }
  groups.add(site, operation);
  machine.start(std::move(operation));
}

void emu_nvvm_bulk_store(uint32_t site, void *target, const void *source,
                         uint32_t bytes, uint32_t byteMask) {
  Machine &machine = Machine::current();
  checkPlain(machine, site, target, source, bytes);
  uint64_t offset = checkSharedAddress(machine, site, source, kShared);
  if (machine.checks())
    checkGlobal(machine, site, target, bytes, /*alignment=*/1,
                AccessKind::Write);
  auto store = std::make_shared<StoreOperation>();
  store->target = static_cast<uint8_t *>(target);
  store->source = static_cast<const uint8_t *>(source);
  store->bytes = bytes;
  store->byteMask = byteMask;
  startBulkStore(machine, site, {{offset, bytes}}, std::move(store));
}

void emu_nvvm_bulk_commit_group(uint32_t) {
  groupsOfLane(Machine::current()).commit();
}

/// With .read, the lane waits for less; the emulator moves the data when it
/// reads them.
void emu_nvvm_bulk_wait_group(uint32_t, uint32_t left) {
  Machine &machine = Machine::current();
  groupsOfLane(machine).wait(machine, left);
}

void emu_nvvm_bulk_prefetch(uint32_t site, const void *source, uint32_t bytes) {
  Machine &machine = Machine::current();
  checkPlain(machine, site, source, source, bytes);
  auto address = reinterpret_cast<uintptr_t>(source);
  if (machine.checks() && !findBuffer(machine, address, bytes))
    failOutOfBounds(machine, site, address, bytes, nullptr);
}
