//===- MBarrier.cpp - mbarrier objects ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/MBarrier.h"

#include "NVVM/AsyncAbi.h"
#include "NVVM/Memory.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

// PTX ISA, "mbarrier": sizes, and the ranges of the counts.
static constexpr uint32_t kObjectBytes = 8;
static constexpr uint32_t kMaxCount = (1 << 20) - 1;
static constexpr int64_t kMaxTx = (1 << 20) - 1;

static constexpr uint32_t kShared = 3;

std::string MBarrier::describe(const Machine &machine) const {
  std::string text = "for phase " + std::to_string(phase) +
                     " of the mbarrier at " + machine.describeShared(offset) +
                     ", which lacks " + std::to_string(pending) + " of " +
                     std::to_string(expected) + " arrivals";
  if (tx > 0)
    text += " and " + std::to_string(tx) + " bytes";
  if (tx < 0)
    text += " and the announcement of " + std::to_string(-tx) + " bytes";
  return text;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

static std::string describe(const Machine &machine, uint64_t offset) {
  return "the mbarrier at " + machine.describeShared(offset);
}

/// Whether no lane of a workgroup of the cluster runs any more: its shared
/// memory is gone.
static uint64_t checkObjectAddress(Machine &machine, uint32_t site,
                                   const void *address, uint32_t space) {
  uint64_t offset = checkSharedAddress(machine, site, address, space);
  if (offset % kObjectBytes)
    machine.fatal(ReportKind::Misaligned, site,
                  "expected an mbarrier aligned to 8 bytes; " +
                      machine.describeShared(offset));
  return offset;
}

MBarrier &mlir::lpgemm::emulator::findMBarrier(Machine &machine, uint32_t site,
                                               const void *address,
                                               uint32_t space) {
  uint64_t offset = checkObjectAddress(machine, site, address, space);
  auto it = machine.async.barriers.find(offset);
  if (it == machine.async.barriers.end())
    machine.fatal(ReportKind::InvalidOperand, site,
                  "is about an mbarrier that is not initialised; " +
                      machine.describeShared(offset));
  MBarrier &barrier = it->second;
  if (machine.checks() &&
      !machine.clocks.isOrdered(machine.laneIndex(),
                                Clocks::ofLane(barrier.initLane),
                                barrier.initTime))
    machine.report(ReportKind::SharedRace, site,
                   "uses " + describe(machine, offset) +
                       ", and nothing orders it after its initialisation",
                   barrier.initSite);
  return barrier;
}

void emu_nvvm_mbarrier_init(uint32_t site, const void *address, uint32_t space,
                            uint32_t count, uint32_t predicate) {
  if (!predicate)
    return;
  Machine &machine = Machine::current();
  uint64_t offset = checkObjectAddress(machine, site, address, space);
  if (count == 0 || count > kMaxCount)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a count from 1 to 1048575, got " +
                      std::to_string(count));
  if (machine.async.barriers.count(offset))
    machine.fatal(ReportKind::InvalidOperand, site,
                  "initialises " + describe(machine, offset) +
                      " again, with no inval between",
                  machine.async.barriers[offset].initSite);
  MBarrier &barrier = machine.async.barriers[offset];
  barrier.offset = offset;
  barrier.initLane = machine.laneIndex();
  barrier.initSite = site;
  barrier.expected = barrier.pending = count;
  if (!machine.checks())
    return;
  barrier.initTime = machine.clocks.now(machine.laneIndex());
  barrier.agent = machine.clocks.newAgent();
  SharedAccess access = makeAccess(machine, site, Proxy::Generic);
  machine.sharedShadow.write(machine, access, offset, kObjectBytes);
  machine.sharedShadow.makeOpaque(offset, kObjectBytes);
}

void emu_nvvm_mbarrier_inval(uint32_t site, const void *address,
                             uint32_t space) {
  Machine &machine = Machine::current();
  MBarrier &barrier = findMBarrier(machine, site, address, space);
  if (!barrier.waiting.empty())
    machine.fatal(ReportKind::InvalidOperand, site,
                  "ends the life of an mbarrier, but lanes wait " +
                      barrier.describe(machine),
                  machine.getLane(barrier.waiting.front()).site);
  for (const SignallingCopy &copy : barrier.copies)
    if (!copy.isComplete)
      machine.fatal(ReportKind::SharedUnwaitedWrite, site,
                    "ends the life of " + describe(machine, barrier.offset) +
                        " while a copy that signals it is in flight",
                    copy.site);
  if (machine.checks())
    machine.sharedShadow.forget(barrier.offset, kObjectBytes);
  machine.async.barriers.erase(barrier.offset);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// What is wrong with a phase that is complete. `lane` did the last step.
static void checkCompletion(Machine &machine, MBarrier &barrier, uint32_t lane,
                            uint32_t site) {
  for (const SignallingCopy &copy : barrier.copies)
    if (!copy.isComplete && copy.phase == barrier.phase)
      machine.reportOf(lane, ReportKind::SharedUnwaitedWrite, site,
                       "completes phase " + std::to_string(barrier.phase) +
                           " of " + describe(machine, barrier.offset) +
                           " while a copy of " + std::to_string(copy.bytes) +
                           " bytes that signals it is in flight: too few "
                           "bytes were announced",
                       copy.site);
  for (uint32_t late : barrier.resuming)
    machine.reportOf(late, ReportKind::Deadlock, machine.getLane(late).site,
                     "waits for a phase of " +
                         describe(machine, barrier.offset) +
                         " that is over; before it can see that, the next one "
                         "is over, too, and looks the same as before",
                     site);
}

/// Ends the current phase if nothing is missing.
static void completePhase(Machine &machine, MBarrier &barrier, uint32_t lane,
                          uint32_t site) {
  if (barrier.pending != 0 || barrier.tx != 0)
    return;
  checkCompletion(machine, barrier, lane, site);
  if (machine.checks()) {
    Clocks::publish(barrier.agent, barrier.timeOfPhase(), barrier.gathering);
    barrier.released = Clocks::finish(barrier.gathering);
  }
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.resuming = barrier.waiting;
  machine.wake(barrier.waiting);
}

/// Adds to the bytes that the phase waits for.
static void addTx(Machine &machine, MBarrier &barrier, uint32_t lane,
                  uint32_t site, int64_t bytes) {
  barrier.tx += bytes;
  if (barrier.tx > kMaxTx || barrier.tx < -kMaxTx)
    machine.reportOf(
        lane, ReportKind::InvalidOperand, site,
        "brings the bytes of " + describe(machine, barrier.offset) + " to " +
            std::to_string(barrier.tx) + ", which is not within 1048575");
}

uint64_t mlir::lpgemm::emulator::announceCopy(Machine &machine,
                                              MBarrier &barrier, uint32_t site,
                                              uint32_t bytes) {
  uint64_t number = machine.async.numCopies++;
  barrier.copies.push_back(
      {number, barrier.phase, bytes, machine.laneIndex(), site});
  return number;
}

void mlir::lpgemm::emulator::signalCopy(Machine &machine, uint64_t offset,
                                        uint64_t number) {
  // An object with copies in flight stays, and so do they.
  MBarrier &barrier = machine.async.barriers.at(offset);
  auto it = std::find_if(
      barrier.copies.begin(), barrier.copies.end(),
      [&](const SignallingCopy &copy) { return copy.number == number; });
  it->isComplete = true;
  SignallingCopy copy = *it;
  if (copy.phase < barrier.waited)
    barrier.copies.erase(it);
  addTx(machine, barrier, copy.lane, copy.site, -int64_t(copy.bytes));
  completePhase(machine, barrier, copy.lane, copy.site);
}

void emu_nvvm_mbarrier_expect_tx(uint32_t site, const void *address,
                                 uint32_t space, uint32_t bytes) {
  Machine &machine = Machine::current();
  MBarrier &barrier = findMBarrier(machine, site, address, space);
  addTx(machine, barrier, machine.laneIndex(), site, bytes);
}

void emu_nvvm_mbarrier_complete_tx(uint32_t site, const void *address,
                                   uint32_t space, uint32_t bytes) {
  Machine &machine = Machine::current();
  MBarrier &barrier = findMBarrier(machine, site, address, space);
  addTx(machine, barrier, machine.laneIndex(), site, -int64_t(bytes));
  completePhase(machine, barrier, machine.laneIndex(), site);
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

static void checkArrival(Machine &machine, uint32_t site,
                         const MBarrier &barrier, uint32_t count,
                         uint32_t flags) {
  if (count == 0 || count > kMaxCount)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a count from 1 to 1048575, got " +
                      std::to_string(count));
  if (count > barrier.pending)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "is more arrivals (" + std::to_string(count) + ") than the " +
                      std::to_string(barrier.pending) +
                      " that the phase lacks; " +
                      describe(machine, barrier.offset));
  if ((flags & kArriveNoComplete) && count == barrier.pending)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "must not be the last arrival of a phase, but is; " +
                      describe(machine, barrier.offset));
}

uint64_t emu_nvvm_mbarrier_arrive(uint32_t site, const void *address,
                                  uint32_t space, uint32_t count,
                                  uint32_t bytes, uint32_t flags,
                                  uint32_t predicate) {
  if (!predicate)
    return 0;
  Machine &machine = Machine::current();
  uint32_t lane = machine.laneIndex();
  MBarrier &barrier = findMBarrier(machine, site, address, space);
  checkArrival(machine, site, barrier, count, flags);
  uint64_t state = barrier.phase;
  if (bytes)
    addTx(machine, barrier, lane, site, bytes);
  if (machine.checks() && !(flags & kRelaxed))
    machine.clocks.publish(lane, barrier.gathering);
  if (flags & kArriveDrop)
    barrier.expected -= count;
  barrier.pending -= count;
  machine.async.failedTests[lane].count = 0;
  completePhase(machine, barrier, lane, site);
  return state;
}

void mlir::lpgemm::emulator::arriveForCopies(Machine &machine, uint64_t offset,
                                             uint32_t lane, uint32_t site,
                                             Agent agent, Time time) {
  auto it = machine.async.barriers.find(offset);
  if (it == machine.async.barriers.end() || it->second.pending == 0)
    return machine.reportOf(lane, ReportKind::InvalidOperand, site,
                            "arrives at an mbarrier that expects no arrival; " +
                                machine.describeShared(offset));
  MBarrier &barrier = it->second;
  if (machine.checks())
    Clocks::publish(agent, time, barrier.gathering);
  --barrier.pending;
  completePhase(machine, barrier, lane, site);
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// The current lane knows that all phases before the current one are over.
static void acquire(Machine &machine, MBarrier &barrier, uint32_t flags) {
  uint32_t lane = machine.laneIndex();
  machine.async.failedTests[lane].count = 0;
  barrier.waited = barrier.phase;
  auto isOver = [&](const SignallingCopy &copy) {
    return copy.isComplete && copy.phase < barrier.waited;
  };
  barrier.copies.erase(
      std::remove_if(barrier.copies.begin(), barrier.copies.end(), isOver),
      barrier.copies.end());
  if (machine.checks() && !(flags & kRelaxed) && barrier.released)
    machine.clocks.acquire(lane, barrier.released);
}

static void waitForPhase(Machine &machine, MBarrier &barrier, uint32_t site) {
  machine.waitIn(barrier.waiting, site, barrier);
  WaitQueue &resuming = barrier.resuming;
  resuming.erase(
      std::remove(resuming.begin(), resuming.end(), machine.laneIndex()),
      resuming.end());
}

/// Whether the phase that `value` stands for is over: its parity, or the state
/// that an arrival in it has returned.
static bool isOver(Machine &machine, const MBarrier &barrier, uint32_t site,
                   uint64_t value, uint32_t flags) {
  if (flags & kWaitParity) {
    if (value > 1)
      machine.fatal(ReportKind::InvalidOperand, site,
                    "expected a parity of 0 or 1, got " +
                        std::to_string(value));
    return (barrier.phase & 1) != value;
  }
  if (value > barrier.phase || barrier.phase - value > 1)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected the state of the current phase " +
                      std::to_string(barrier.phase) +
                      " or of the one before, got that of phase " +
                      std::to_string(value) + "; " +
                      describe(machine, barrier.offset));
  return value < barrier.phase;
}

void emu_nvvm_mbarrier_wait_parity(uint32_t site, const void *address,
                                   uint32_t parity) {
  Machine &machine = Machine::current();
  MBarrier &barrier = findMBarrier(machine, site, address, kShared);
  if (!isOver(machine, barrier, site, parity, kWaitParity))
    waitForPhase(machine, barrier, site);
  acquire(machine, barrier, 0);
}

uint32_t emu_nvvm_mbarrier_test_wait(uint32_t site, const void *address,
                                     uint64_t value, uint32_t flags) {
  // A lane that does nothing but test one mbarrier waits, so that it is found
  // to wait for ever. One that tests several in turn runs out of steps.
  constexpr uint32_t kMaxFailedTests = 64;
  Machine &machine = Machine::current();
  MBarrier &barrier = findMBarrier(machine, site, address, kShared);
  if (!isOver(machine, barrier, site, value, flags)) {
    auto &tests = machine.async.failedTests[machine.laneIndex()];
    if (tests.offset != barrier.offset)
      tests = {barrier.offset, 0};
    if (++tests.count < kMaxFailedTests) {
      machine.poll();
      return 0;
    }
    waitForPhase(machine, barrier, site);
  }
  acquire(machine, barrier, flags);
  return 1;
}
