//===- CpAsync.cpp - cp.async ---------------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
#include "NVVM/AsyncAbi.h"
#include "NVVM/MBarrier.h"
#include "NVVM/Memory.h"

#include <cstring>

using namespace mlir::lpgemm::emulator;

// PTX ISA, "cp.async": copies of 4, 8 or 16 bytes of each lane, in the generic
// proxy.

static constexpr uint32_t kShared = 3;

namespace {
struct SmallCopy : AsyncOperation {
  void *target;
  const void *source;
  uint32_t bytes, sourceBytes;

  void complete(Machine &) override {
    std::memcpy(target, source, sourceBytes);
    std::memset(static_cast<char *>(target) + sourceBytes, 0,
                bytes - sourceBytes);
  }
};

/// Arrives at an mbarrier once copies are complete.
struct CopyArrival : AsyncOperation {
  std::vector<std::shared_ptr<AsyncOperation>> copies;
  uint64_t barrier;
  uint32_t lane, site;
  Agent agent;
  Time time;

  void complete(Machine &machine) override {
    for (const std::shared_ptr<AsyncOperation> &copy : copies)
      machine.complete(*copy);
    arriveForCopies(machine, barrier, lane, site, agent, time);
  }
};
} // namespace

static CopyGroups &groupsOfLane(Machine &machine) {
  return machine.async.copies[machine.laneIndex()];
}

static void checkCopy(Machine &machine, uint32_t site, const SmallCopy &copy) {
  uint64_t offset = checkSharedAddress(machine, site, copy.target, kShared);
  checkAlignment(machine, site, offset, copy.bytes);
  if (copy.sourceBytes)
    checkGlobal(machine, site, copy.source, copy.sourceBytes, copy.bytes,
                AccessKind::Read);
  CopyGroups &groups = groupsOfLane(machine);
  machine.sharedShadow.write(machine,
                             {site, machine.laneIndex(), groups.agent(machine),
                              groups.nextNumber(), Proxy::Generic},
                             offset, copy.bytes);
}

void emu_nvvm_cp_async(uint32_t site, void *target, const void *source,
                       uint32_t bytes, uint32_t sourceBytes) {
  Machine &machine = Machine::current();
  if (sourceBytes > bytes)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected to read at most " + std::to_string(bytes) +
                      " bytes, got " + std::to_string(sourceBytes));
  auto copy = std::make_shared<SmallCopy>();
  copy->target = target;
  copy->source = source;
  copy->bytes = bytes;
  copy->sourceBytes = sourceBytes;
  if (machine.checks())
    checkCopy(machine, site, *copy);
  groupsOfLane(machine).add(site, copy);
  machine.start(std::move(copy));
}

void emu_nvvm_cp_async_commit_group(uint32_t) {
  groupsOfLane(Machine::current()).commit();
}

void emu_nvvm_cp_async_wait_group(uint32_t, uint32_t left) {
  Machine &machine = Machine::current();
  groupsOfLane(machine).wait(machine, left);
}

void emu_nvvm_cp_async_wait_all(uint32_t) {
  Machine &machine = Machine::current();
  groupsOfLane(machine).waitForAll(machine);
}

void emu_nvvm_cp_async_mbarrier_arrive(uint32_t site, const void *address,
                                       uint32_t space, uint32_t noinc) {
  Machine &machine = Machine::current();
  MBarrier &barrier = findMBarrier(machine, site, address, space);
  // Without .noinc the arrival is one that nobody has counted on.
  if (!noinc)
    ++barrier.pending;
  CopyGroups &groups = groupsOfLane(machine);
  auto arrival = std::make_shared<CopyArrival>();
  for (const CopyGroups::Copy &copy : groups.inFlight())
    arrival->copies.push_back(copy.operation);
  arrival->barrier = barrier.offset;
  arrival->lane = machine.laneIndex();
  arrival->site = site;
  arrival->agent = groups.agent(machine);
  arrival->time = groups.lastNumber();
  groups.handOver();
  machine.start(std::move(arrival));
}
