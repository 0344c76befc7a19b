//===- Machine.cpp - one workgroup and the thread that runs it ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "ContextSwitch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(address, size)
#endif

using namespace mlir::lpgemm::emulator;

/// Bits of one word of Machine::ready.
static constexpr uint32_t kSlotsPerWave = 64;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

[[noreturn]] static void failToMap(const char *what) {
  std::fprintf(stderr, "emulator: cannot map %s: %s\n", what,
               std::strerror(errno));
  std::abort();
}

static uint8_t *mapLdsArena() {
  constexpr uintptr_t kBegin = 0x40000000, kEnd = 0x80000000;
  for (uintptr_t at = kBegin; at < kEnd; at += kLdsArenaBytes) {
    void *result = mmap(
        reinterpret_cast<void *>(at), kLdsArenaBytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (result == reinterpret_cast<void *>(at))
      return static_cast<uint8_t *>(result);
    // A kernel that does not know the flag takes the address as a hint.
    if (result != MAP_FAILED)
      munmap(result, kLdsArenaBytes);
  }
  failToMap("shared memory below 2 GiB");
}

Machine::Machine() : lds(mapLdsArena()) {}

Machine::~Machine() {
  releaseStacks();
  munmap(lds, kLdsArenaBytes);
}

/// Below each stack is memory that cannot be touched, more of it than the frame
/// of a kernel takes, which could otherwise step over it into another stack.
static constexpr size_t kGuardBytes = 256 * 1024;

/// Pages are taken when they are used, so that large stacks cost nothing.
void Machine::allocateStacks() {
  size_t page = sysconf(_SC_PAGESIZE);
  size_t bytes =
      (launch->options.stackBytes + page - 1) / page * page + kGuardBytes;
  if (stacks && bytes == stackBytes && launch->numLanes <= numStacks)
    return;
  releaseStacks();
  stackBytes = bytes;
  numStacks = launch->numLanes;
  void *memory = mmap(nullptr, stackBytes * numStacks, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    failToMap("the stacks of the lanes");
  stacks = static_cast<uint8_t *>(memory);
  for (uint32_t i = 0; i < numStacks; ++i)
    if (mprotect(stacks + i * stackBytes, kGuardBytes, PROT_NONE) != 0)
      failToMap("a guard below a stack");
}

void Machine::releaseStacks() {
  if (stacks)
    munmap(stacks, stackBytes * numStacks);
  stacks = nullptr;
}

/// The tops differ modulo the page size: equal ones would share cache sets.
uint8_t *Machine::stackTop(uint32_t index) const {
  return stacks + (index + 1) * stackBytes - index % 32 * 64;
}

bool Machine::ownsStackAddress(uintptr_t address) const {
  uintptr_t begin = reinterpret_cast<uintptr_t>(stacks);
  return address - begin < stackBytes * numStacks &&
         (address - begin) / stackBytes == laneIndex();
}

//===----------------------------------------------------------------------===//
// Running a workgroup
//===----------------------------------------------------------------------===//

void Machine::begin(const Launch &newLaunch) {
  launch = &newLaunch;
  lastBuffer = nullptr;
  statistics = Statistics();
  allocateStacks();
  uint32_t waveSize = launch->info->waveSize;
  uint32_t numLanes = launch->numLanes;
  lanes.assign(numLanes, Lane());
  waves.assign((numLanes + waveSize - 1) / waveSize, Wave());
  ready.assign(waves.size(), 0);
  laneAtSlot.assign(waves.size() * kSlotsPerWave, 0);
  for (uint32_t i = 0; i < waves.size(); ++i) {
    waves[i].first = i * waveSize;
    waves[i].size = std::min(waveSize, numLanes - waves[i].first);
  }
  uint32_t sizeX = launch->block.x, sizeY = launch->block.y;
  for (uint32_t i = 0; i < numLanes; ++i) {
    lanes[i].wave = i / waveSize;
    lanes[i].lane = i % waveSize;
    lanes[i].id[0] = i % sizeX;
    lanes[i].id[1] = i / sizeX % sizeY;
    lanes[i].id[2] = i / (sizeX * sizeY);
  }
  orderLanes();
  ldsTraffic.begin(*newLaunch.info);
  if (checks())
    shadow.begin(newLaunch);
}

/// The same for a workgroup whichever thread runs it.
void Machine::seedRandom() {
  uint64_t seed = launch->options.seed;
  for (int64_t coordinate : workgroup)
    seed = seed * 0x9e3779b97f4a7c15 + coordinate + 1;
  random.seed(seed);
}

/// Gives each lane its place in the order of execution.
void Machine::orderLanes() {
  const Options &options = launch->options;
  auto order = [&](std::vector<uint32_t> &values) {
    for (uint32_t i = 0; i < values.size(); ++i)
      values[i] = i;
    if (options.order == LaneOrder::Reverse)
      std::reverse(values.begin(), values.end());
    if (options.order == LaneOrder::Random)
      std::shuffle(values.begin(), values.end(), random);
  };
  std::vector<uint32_t> waveOrder(waves.size()), laneOrder;
  order(waveOrder);
  for (uint32_t position = 0; position < waves.size(); ++position) {
    const Wave &wave = waves[waveOrder[position]];
    laneOrder.resize(wave.size);
    order(laneOrder);
    for (uint32_t i = 0; i < wave.size; ++i) {
      uint32_t index = wave.first + laneOrder[i];
      lanes[index].slot = position * kSlotsPerWave + i;
      laneAtSlot[lanes[index].slot] = index;
    }
  }
}

void Machine::startLanes() {
  // Lanes end without a return from all their functions.
  ASAN_UNPOISON_MEMORY_REGION(stacks, stackBytes * numStacks);
  std::fill(ready.begin(), ready.end(), 0);
  for (Wave &wave : waves) {
    wave.waiting = 0;
    wave.numLdsLoads = 0;
    wave.ldsLoads.clear();
  }
  for (uint32_t i = 0; i < lanes.size(); ++i) {
    lanes[i].site = kNoSite;
    lanes[i].memoryOps = 0;
    lanes[i].pendingLoads.clear();
    lanes[i].stackPointer = makeContext(stackTop(i), laneMain);
    setReady(lanes[i]);
  }
}

bool Machine::run(int64_t x, int64_t y, int64_t z) {
  active = this;
  workgroup[0] = x;
  workgroup[1] = y;
  workgroup[2] = z;
  numExited = 0;
  wavesAtBarrier = 0;
  numBarriers = 0;
  failed = false;
  resources.clear();
  const KernelInfo &info = *launch->info;
  // Not zero, so that a kernel cannot rely on it: NaN in most formats.
  std::memset(lds, 0xff, info.ldsDynamicOffset + launch->dynamicLdsBytes);
  if (checks())
    shadow.startWorkgroup();
  const Options &options = launch->options;
  if (options.order == LaneOrder::Random || options.loads == LoadTime::Random)
    seedRandom();
  if (options.order == LaneOrder::Random)
    orderLanes();
  startLanes();
  currentLane = &lanes[laneAtSlot[0]];
  lpgemm_emu_switch(&hostStackPointer, currentLane->stackPointer);
  ++statistics.workgroups;
  ldsTraffic.finishWorkgroup();
  return !failed;
}

void Machine::laneMain() {
  Machine &machine = current();
  machine.launch->entry(machine.launch->args);
  Lane &lane = machine.lane();
  lane.state = LaneState::Exited;
  machine.ready[lane.slot / kSlotsPerWave] &=
      ~(uint64_t(1) << lane.slot % kSlotsPerWave);
  if (++machine.numExited == machine.lanes.size())
    machine.leave();
  machine.switchToNext();
  std::abort(); // An exited lane is never switched to.
}

/// Ends the workgroup: its lanes are not continued.
void Machine::leave() {
  lpgemm_emu_switch(&currentLane->stackPointer, hostStackPointer);
  std::abort(); // As above.
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

void Machine::setReady(Lane &lane) {
  lane.state = LaneState::Running;
  ready[lane.slot / kSlotsPerWave] |= uint64_t(1) << lane.slot % kSlotsPerWave;
}

/// The next slot, in circular order from the current one, whose lane can run.
int Machine::nextReadySlot() const {
  uint32_t slot = currentLane->slot;
  uint32_t position = slot / kSlotsPerWave;
  uint64_t after = ~uint64_t(0) << slot % kSlotsPerWave << 1;
  if (uint64_t bits = ready[position] & after)
    return position * kSlotsPerWave + __builtin_ctzll(bits);
  for (uint32_t i = 1; i <= ready.size(); ++i) {
    uint32_t other = (position + i) % ready.size();
    if (ready[other])
      return other * kSlotsPerWave + __builtin_ctzll(ready[other]);
  }
  return -1;
}

void Machine::switchToNext() {
  int slot = nextReadySlot();
  if (slot < 0) {
    reportStuck();
    failed = true;
    leave();
  }
  Lane *previous = currentLane;
  currentLane = &lanes[laneAtSlot[slot]];
  ++statistics.laneSwitches;
  if (currentLane != previous)
    lpgemm_emu_switch(&previous->stackPointer, currentLane->stackPointer);
}

void Machine::block(LaneState state) {
  currentLane->state = state;
  ready[currentLane->slot / kSlotsPerWave] &=
      ~(uint64_t(1) << currentLane->slot % kSlotsPerWave);
  switchToNext();
}

bool Machine::meetWave(uint32_t site, const void *operands, LaneState state) {
  Wave &current = wave();
  currentLane->operands = operands;
  currentLane->site = site;
  if (current.waiting == 0)
    current.site = site;
  // A lane at another site is not counted: then the wave never gets on, which
  // reportStuck explains.
  if (current.site == site && ++current.waiting == current.size) {
    current.waiting = 0;
    return true;
  }
  block(state);
  return false;
}

void Machine::releaseWave() {
  Wave &current = wave();
  for (uint32_t i = 0; i < current.size; ++i)
    setReady(lanes[current.first + i]);
}

/// s_barrier counts waves: all lanes of a wave must be at one barrier, but two
/// waves may be at different ones.
void Machine::barrier(uint32_t site) {
  if (!meetWave(site, nullptr, LaneState::AtBarrier))
    return;
  if (++wavesAtBarrier == waves.size())
    releaseBarrier();
  else
    block(LaneState::AtBarrier);
}

void Machine::releaseBarrier() {
  wavesAtBarrier = 0;
  ++statistics.barriers;
  ++numBarriers;
  if (checks())
    shadow.endEpoch();
  for (Lane &lane : lanes)
    setReady(lane);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

std::string Machine::lanePosition(uint32_t index) const {
  return "wave " + std::to_string(lanes[index].wave) + " lane " +
         std::to_string(lanes[index].lane);
}

void Machine::report(ReportKind kind, uint32_t site, const std::string &what,
                     uint32_t other) {
  const KernelInfo &info = *launch->info;
  reports.add(info, kind, site, other, workgroupIndex(), [&] {
    return siteText(info, site) + " " + what + " (kernel " + info.name +
           ", workgroup " + std::to_string(workgroup[0]) + "," +
           std::to_string(workgroup[1]) + "," + std::to_string(workgroup[2]) +
           ", " + lanePosition(laneIndex()) + ")";
  });
}

void Machine::fatal(ReportKind kind, uint32_t site, const std::string &what,
                    uint32_t other) {
  report(kind, site, what, other);
  failed = true;
  leave();
}

/// Where the lanes of a wave are, for example "36 wait in 'x' at f:1:2, 28
/// exited".
std::string Machine::countStates(const Wave &wave) const {
  std::map<uint32_t, uint32_t> waiting;
  uint32_t numGone = 0;
  for (uint32_t i = 0; i < wave.size; ++i) {
    const Lane &lane = lanes[wave.first + i];
    if (lane.state == LaneState::Exited)
      ++numGone;
    else
      ++waiting[lane.site];
  }
  std::string text;
  for (auto [site, count] : waiting)
    text += std::string(text.empty() ? "" : ", ") + std::to_string(count) +
            " wait in " + siteText(*launch->info, site);
  if (numGone)
    text += std::string(text.empty() ? "" : ", ") + std::to_string(numGone) +
            " exited";
  return text;
}

/// A wave that does not get on because its lanes are at different places.
void Machine::reportStuckWave(const Wave &wave) {
  const Lane *waiting = nullptr;
  uint32_t other = kNoSite;
  for (uint32_t i = 0; i < wave.size; ++i) {
    const Lane &lane = lanes[wave.first + i];
    if (lane.state == LaneState::Exited)
      continue;
    if (!waiting)
      waiting = &lane;
    else if (lane.site != waiting->site)
      other = lane.site;
  }
  bool isBarrier = waiting->state == LaneState::AtBarrier;
  currentLane = &lanes[waiting - lanes.data()];
  report(isBarrier ? ReportKind::DivergentBarrier : ReportKind::DivergentWaveOp,
         waiting->site,
         std::string(isBarrier ? "is a barrier" : "is a wave-level operation") +
             " that only a part of the wave reaches: of " +
             std::to_string(wave.size) + " lanes " + countStates(wave),
         other);
}

/// No lane can run.
void Machine::reportStuck() {
  bool found = false;
  uint32_t wavesExited = 0;
  const Wave *atBarrier = nullptr;
  Lane *exiting = currentLane;
  for (const Wave &wave : waves) {
    uint32_t numExitedLanes = 0, numAtSite = 0;
    for (uint32_t i = 0; i < wave.size; ++i) {
      const Lane &lane = lanes[wave.first + i];
      numExitedLanes += lane.state == LaneState::Exited;
      numAtSite += lane.state == LaneState::AtBarrier &&
                   lane.site == lanes[wave.first].site;
    }
    if (numExitedLanes == wave.size) {
      ++wavesExited;
    } else if (numAtSite == wave.size) {
      atBarrier = &wave;
    } else {
      reportStuckWave(wave);
      found = true;
    }
  }
  if (!found && atBarrier) {
    currentLane = &lanes[atBarrier->first];
    report(ReportKind::DivergentBarrier, currentLane->site,
           "is a barrier that " + std::to_string(wavesAtBarrier) + " of " +
               std::to_string(waves.size()) + " waves reach, " +
               std::to_string(wavesExited) + " exited");
  }
  currentLane = exiting;
}
