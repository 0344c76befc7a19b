//===- Machine.cpp - one workgroup and the thread that runs it ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "ContextSwitch.h"
#include "NVVM/Barriers.h"
#include "NVVM/Control.h"

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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

[[noreturn]] static void failToMap(const char *what) {
  std::fprintf(stderr, "emulator: cannot map %s: %s\n", what,
               std::strerror(errno));
  std::abort();
}

/// One arena for each workgroup of a cluster. Pages are taken when they are
/// used.
static constexpr size_t kArenasBytes = kMaxClusterSize * kLdsArenaBytes;

static uint8_t *mapArenas() {
  constexpr uintptr_t kBegin = 0x40000000, kEnd = 0x80000000;
  for (uintptr_t at = kBegin; at < kEnd; at += kArenasBytes) {
    void *result =
        mmap(reinterpret_cast<void *>(at), kArenasBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    if (result == reinterpret_cast<void *>(at))
      return static_cast<uint8_t *>(result);
    // A kernel that does not know the flag takes the address as a hint.
    if (result != MAP_FAILED)
      munmap(result, kArenasBytes);
  }
  failToMap("shared memory below 2 GiB");
}

Machine::Machine() : lds(mapArenas()) {}

Machine::~Machine() {
  releaseStacks();
  munmap(lds, kArenasBytes);
}

/// Below each stack is memory that cannot be touched, more of it than the frame
/// of a kernel takes, which could otherwise step over it into another stack.
static constexpr size_t kGuardBytes = 256 * 1024;

/// Pages are taken when they are used, so that large stacks cost nothing.
void Machine::allocateStacks() {
  size_t page = sysconf(_SC_PAGESIZE);
  size_t bytes =
      (launch->options.stackBytes + page - 1) / page * page + kGuardBytes;
  if (stacks && bytes == stackBytes && lanes.size() <= numStacks)
    return;
  releaseStacks();
  stackBytes = bytes;
  numStacks = lanes.size();
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
  uint32_t waveSize = launch->info->waveSize;
  uint32_t numLanes = launch->numLanes;
  uint32_t wavesOfWorkgroup = (numLanes + waveSize - 1) / waveSize;
  workgroups.assign(launch->clusterSize(), Workgroup());
  lanes.assign(numLanes * workgroups.size(), Lane());
  waves.assign(wavesOfWorkgroup * workgroups.size(), Wave());
  ready.assign(waves.size(), 0);
  laneAtSlot.assign(waves.size() * kSlotsPerWave, 0);
  for (uint32_t i = 0; i < waves.size(); ++i) {
    uint32_t inWorkgroup = i % wavesOfWorkgroup * waveSize;
    waves[i].first = i / wavesOfWorkgroup * numLanes + inWorkgroup;
    waves[i].size = std::min(waveSize, numLanes - inWorkgroup);
  }
  uint32_t sizeX = launch->block.x, sizeY = launch->block.y;
  for (uint32_t i = 0; i < lanes.size(); ++i) {
    uint32_t inWorkgroup = i % numLanes;
    lanes[i].workgroup = i / numLanes;
    lanes[i].wave =
        lanes[i].workgroup * wavesOfWorkgroup + inWorkgroup / waveSize;
    lanes[i].lane = inWorkgroup % waveSize;
    lanes[i].id[0] = inWorkgroup % sizeX;
    lanes[i].id[1] = inWorkgroup / sizeX % sizeY;
    lanes[i].id[2] = inWorkgroup / (sizeX * sizeY);
  }
  allocateStacks();
  orderLanes();
  ldsTraffic.begin(*newLaunch.info);
  if (!checks())
    return;
  if (!newLaunch.isNvidia())
    return shadow.begin(newLaunch);
  // A wave is a warp.
  clocks.begin(lanes.size(), waveSize);
  sharedShadow.begin(newLaunch, workgroups.size());
}

/// The same for a workgroup whichever thread runs it.
void Machine::seedRandom() {
  uint64_t seed = launch->options.seed;
  for (int64_t coordinate : workgroups.front().id)
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
    wave.meetings.clear();
    wave.numLdsLoads = 0;
    wave.numMmaGroups = 0;
    wave.hasMmaFence = false;
    wave.ldsLoads.clear();
    wave.registerChanges.clear();
  }
  for (uint32_t i = 0; i < lanes.size(); ++i) {
    lanes[i].site = kNoSite;
    lanes[i].lastSite = kNoSite;
    lanes[i].memoryOps = 0;
    lanes[i].clusterPhase = 0;
    lanes[i].pendingLoads.clear();
    lanes[i].stackPointer = makeContext(stackTop(i), laneMain);
    setReady(lanes[i]);
  }
}

/// Workgroups of a cluster are neighbours in the grid.
void Machine::locate(int64_t x, int64_t y, int64_t z) {
  const Dim3 &cluster = launch->cluster;
  for (size_t i = 0; i < workgroups.size(); ++i) {
    int64_t rank = i;
    workgroups[i] = Workgroup();
    workgroups[i].id[0] = x * cluster.x + rank % cluster.x;
    workgroups[i].id[1] = y * cluster.y + rank / cluster.x % cluster.y;
    workgroups[i].id[2] = z * cluster.z + rank / (cluster.x * cluster.y);
  }
}

bool Machine::run(int64_t x, int64_t y, int64_t z) {
  active = this;
  locate(x, y, z);
  numExited = 0;
  wavesAtBarrier = 0;
  numBarriers = 0;
  clockReads = 0;
  failed = false;
  crash = Crash();
  numSteps = 0;
  resources.clear();
  parameters.clear();
  pending.clear();
  clusterBarrier = ClusterBarrier();
  async.start(lanes.size());
  const KernelInfo &info = *launch->info;
  // Not zero, so that a kernel cannot rely on it: NaN in most formats.
  for (size_t i = 0; i < workgroups.size(); ++i)
    std::memset(lds + i * kLdsArenaBytes, 0xff,
                info.ldsDynamicOffset + launch->dynamicLdsBytes);
  if (checks() && launch->isNvidia()) {
    clocks.start();
    atomics.start(lanes.size());
    sharedShadow.start();
  } else if (checks()) {
    shadow.startWorkgroup();
  }
  const Options &options = launch->options;
  if (options.order == LaneOrder::Random || options.loads == LoadTime::Random)
    seedRandom();
  if (options.order == LaneOrder::Random)
    orderLanes();
  startLanes();
  currentLane = &lanes[laneAtSlot[0]];
  runsLanes = true;
  lpgemm_emu_switch(&hostStackPointer, currentLane->stackPointer);
  runsLanes = false;
  if (crash.signal)
    reportCrash();
  while (!failed && advance())
    ;
  if (!failed && checks())
    async.reportPending(*this);
  statistics.workgroups += workgroups.size();
  ldsTraffic.finishWorkgroup();
  return !failed;
}

void Machine::laneMain() {
  Machine &machine = current();
  machine.launch->entry(machine.launch->args);
  machine.exitLane();
}

void Machine::exitLane() {
  currentLane->state = LaneState::Exited;
  ready[currentLane->slot / kSlotsPerWave] &=
      ~(uint64_t(1) << currentLane->slot % kSlotsPerWave);
  if (launch->isNvidia())
    checkRegistersAtExit(*this);
  if (++numExited == lanes.size())
    leave();
  if (launch->isNvidia())
    releaseBarriersAtExit(*this);
  switchToNext();
  std::abort(); // An exited lane is never switched to.
}

/// Ends the workgroup: its lanes are not continued.
void Machine::leave() {
  lpgemm_emu_switch(&currentLane->stackPointer, hostStackPointer);
  std::abort(); // As above.
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

const char *Machine::waveName() const {
  return launch->isNvidia() ? "warp" : "wave";
}

std::string Machine::lanePosition(uint32_t index) const {
  const Lane &lane = lanes[index];
  std::string text = waveName();
  text += " " + std::to_string(lane.wave % wavesOfWorkgroup()) + " lane " +
          std::to_string(lane.lane);
  if (lane.workgroup != currentLane->workgroup)
    text += " of rank " + std::to_string(lane.workgroup) + " in the cluster";
  return text;
}

std::string Machine::describeShared(uint64_t offset) const {
  const KernelInfo &info = *launch->info;
  uint64_t rank = offset / kLdsArenaBytes;
  offset %= kLdsArenaBytes;
  std::string what = launch->isNvidia() ? "shared memory" : "LDS";
  what += " offset " + std::to_string(offset);
  const char *name = info.ldsNames;
  for (uint32_t i = 0; i < info.numLdsObjects; ++i) {
    uint64_t begin = info.ldsObjects[2 * i];
    if (offset >= begin && offset - begin < info.ldsObjects[2 * i + 1])
      what += " (@" + std::string(name) + " + " +
              std::to_string(offset - begin) + ")";
    name += std::strlen(name) + 1;
  }
  if (offset >= info.ldsDynamicOffset)
    what +=
        " (dynamic + " + std::to_string(offset - info.ldsDynamicOffset) + ")";
  if (workgroups.size() > 1)
    what += " of rank " + std::to_string(rank) + " in the cluster";
  return what;
}

void Machine::report(ReportKind kind, uint32_t site, const std::string &what,
                     uint32_t other) {
  const KernelInfo &info = *launch->info;
  const int64_t *id = workgroup().id;
  reports.add(info, kind, site, other, workgroupIndex(), [&] {
    return siteText(info, site) + " " + what + " (kernel " + info.name +
           ", workgroup " + std::to_string(id[0]) + "," +
           std::to_string(id[1]) + "," + std::to_string(id[2]) + ", " +
           lanePosition(laneIndex()) + ")";
  });
}

void Machine::fatal(ReportKind kind, uint32_t site, const std::string &what,
                    uint32_t other) {
  report(kind, site, what, other);
  failed = true;
  leave();
}

void Machine::reportOf(uint32_t lane, ReportKind kind, uint32_t site,
                       const std::string &what, uint32_t other) {
  Lane *previous = currentLane;
  currentLane = &lanes[lane];
  report(kind, site, what, other);
  currentLane = previous;
}

void Machine::fatalOf(uint32_t lane, ReportKind kind, uint32_t site,
                      const std::string &what, uint32_t other) {
  reportOf(lane, kind, site, what, other);
  failed = true;
  leave();
}
