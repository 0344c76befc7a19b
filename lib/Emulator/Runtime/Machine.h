//===- Machine.h - one workgroup and the thread that runs it ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_MACHINE_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_MACHINE_H

#include "Crash.h"
#include "GlobalShadow.h"
#include "NVVM/AsyncUnits.h"
#include "NVVM/AtomicOrder.h"
#include "NVVM/Clocks.h"
#include "NVVM/SharedShadow.h"
#include "ROCDL/LdsShadow.h"
#include "ROCDL/LdsTraffic.h"
#include "Reports.h"

#include <deque>
#include <memory>
#include <random>

namespace mlir::lpgemm::emulator {

class Machine;

enum class LaneState : uint8_t {
  Running,
  AtWaveOp,
  AtBarrier,
  Waiting,
  Exited
};

/// What a lane waits for, in the report of a deadlock: "expects ...".
class WaitReason {
public:
  virtual ~WaitReason() = default;
  virtual std::string describe(const Machine &machine) const = 0;
};

/// Lanes that wait for one thing.
using WaitQueue = std::vector<uint32_t>;

/// What a unit of the device does on its own, at some time between its issue
/// and the wait for it.
class AsyncOperation {
public:
  virtual ~AsyncOperation() = default;
  /// Moves the data, and tells those who wait.
  virtual void complete(Machine &machine) = 0;
  bool isComplete = false;
};

/// What one lane moves in a load from global memory to LDS.
struct LdsTransfer {
  uintptr_t source = 0;
  uint32_t ldsOffset = 0;
  uint32_t bytes = 0;
  /// Of which so many are read; the rest is zero.
  uint32_t inRange = 0;
};

/// A wave's load to LDS that is in flight.
struct LdsLoad {
  uint32_t number;
  std::vector<LdsTransfer> transfers;
};

/// One work item: a fiber.
struct Lane {
  void *stackPointer = nullptr;
  /// The operands of the wave operation it waits in.
  const void *operands = nullptr;
  /// While it is Waiting.
  const WaitReason *reason = nullptr;
  uint32_t site = kNoSite;
  /// The operation that it did last, of those that a report should name.
  uint32_t lastSite = kNoSite;
  LaneState state = LaneState::Running;
  uint16_t wave = 0;
  uint16_t lane = 0;
  /// The workgroup's rank in the cluster.
  uint16_t workgroup = 0;
  /// Its place in the order of execution: a bit of Workgroup::ready.
  uint32_t slot = 0;
  uint32_t id[3] = {0, 0, 0};
  /// The phase of the cluster's barrier at which it has arrived without having
  /// waited yet, or 0.
  uint64_t clusterPhase = 0;
  /// Global memory operations, which vmcnt counts, in order.
  uint32_t memoryOps = 0;
  /// Loads to LDS it has not waited for: number among the memory operations,
  /// number among the wave's loads.
  std::vector<std::pair<uint32_t, uint32_t>> pendingLoads;
};

/// Lanes of a wave that come together.
struct Meeting {
  uint32_t site;
  uint32_t waiting;
  uint64_t lanes;
};

/// nvvm.setmaxregister
struct RegisterChange {
  uint32_t site;
  uint32_t count;
  bool isIncrease;
};

struct Wave {
  uint32_t first = 0;
  uint32_t size = 0;
  /// At most one, unless lanes have gone different ways.
  std::vector<Meeting> meetings;
  uint32_t numLdsLoads = 0;
  /// Groups of matrix products that it has committed.
  uint32_t numMmaGroups = 0;
  /// It has executed a wgmma.fence.
  bool hasMmaFence = false;
  std::vector<LdsLoad> ldsLoads;
  /// In order.
  std::vector<RegisterChange> registerChanges;
};

/// A buffer resource. A descriptor in the kernel is one plus the index in the
/// workgroup's list, shifted up by 32.
struct BufferResource {
  uintptr_t base;
  uint64_t numRecords;
  uint32_t flags;
};

/// One of the 16 barriers of a workgroup (PTX ISA, "barrier").
struct NamedBarrier : WaitReason {
  /// Threads, in whole warps.
  uint32_t expected = 0;
  uint32_t arrived = 0;
  /// All threads of the workgroup that have not exited are expected.
  bool isForAll = false;
  uint32_t firstSite = kNoSite;
  WaitQueue waiting;
  Gathering gathering;

  std::string describe(const Machine &machine) const override;
};

/// The barrier of a cluster (PTX ISA, "barrier.cluster").
struct ClusterBarrier : WaitReason {
  /// Lanes; those that have exited count.
  uint32_t arrived = 0;
  /// Starts at 1.
  uint64_t phase = 1;
  WaitQueue waiting;
  Gathering gathering;
  KnowledgeRef released;

  std::string describe(const Machine &machine) const override;
};

/// The wgmma of a warpgroup, each of which its four warps execute one after the
/// other: those that some warp has not come to yet.
struct MmaSequence {
  struct Entry {
    uint32_t site;
    uint64_t descriptorA;
    uint64_t descriptorB;
  };
  std::deque<Entry> entries;
  /// The number of the first entry, and of the next one of each warp.
  uint64_t first = 0;
  uint64_t next[4] = {0, 0, 0, 0};
};

/// A workgroup of the cluster that a machine runs.
struct Workgroup {
  int64_t id[3] = {0, 0, 0};
  /// By warpgroup.
  std::vector<MmaSequence> mmas;
  std::array<NamedBarrier, 16> barriers;
};

/// What is fixed during a launch.
struct Launch {
  const KernelInfo *info;
  KernelEntry entry;
  void **args;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  uint32_t dynamicLdsBytes;
  /// Among the launches of the process.
  uint32_t number;
  Options options;
  /// Sorted by address, without overlap.
  std::vector<Buffer> buffers;
  /// Of the buffers, if accesses are checked.
  std::unique_ptr<GlobalShadow> shadow;
  /// Of one workgroup.
  uint32_t numLanes;

  bool isNvidia() const { return emulator::isNvidia(info->chip); }
  uint32_t clusterSize() const { return cluster.x * cluster.y * cluster.z; }
  Dim3 numClusters() const {
    return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
  }
};

/// An OS thread's cluster of workgroups: one, but on NVIDIA chips. Its lanes
/// are fibers of this thread: each runs until it waits for others, then
/// switches to the next that is ready.
class Machine {
public:
  Machine();
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  /// Prepares for the clusters of one launch.
  void begin(const Launch &launch);
  /// Runs the cluster at these coordinates among the clusters. Returns false if
  /// it could not be run to its end.
  bool run(int64_t x, int64_t y, int64_t z);

  static Machine &current() { return *active; }

  //===--- Waiting --------------------------------------------------------===//

  /// Waits until every one of some lanes of the wave, which the current one
  /// belongs to, is at `site`. Returns true in the lane that came last; it then
  /// calls releaseWave with the same lanes.
  bool meetWave(uint32_t site, const void *operands, LaneState state,
                uint64_t lanes = ~uint64_t(0));
  void releaseWave(uint64_t lanes = ~uint64_t(0));
  /// What lanes of the warp, which have met, did before comes before what they
  /// do now.
  void orderWarp(uint64_t lanes);
  void barrier(uint32_t site);
  /// Waits until somebody wakes the queue.
  void waitIn(WaitQueue &queue, uint32_t site, const WaitReason &reason);
  void wake(WaitQueue &queue);
  /// The lanes of the wave, which have met, wait for somebody to wake the
  /// queue; the current one goes on until it calls suspend.
  void queueWave(WaitQueue &queue, const WaitReason &reason);
  /// Waits, unless the lane was woken meanwhile.
  void suspend();
  /// Lets the other lanes that can run go on first.
  void yield();
  /// The same for a lane that looks whether something has happened: something
  /// asynchronous does.
  void poll();
  /// Starts something asynchronous; it may complete at once.
  void start(std::shared_ptr<AsyncOperation> operation);
  /// Completes it, if that has not happened yet.
  void complete(AsyncOperation &operation);

  /// Keeps in mind which operation the lane does.
  void note(uint32_t site) { currentLane->lastSite = site; }
  /// The lane goes through a loop or calls a function: lets others run now and
  /// then, and ends the workgroup if it takes too long.
  void step(uint32_t site);
  /// Ends the workgroup that this thread runs. Returns if it runs none. For
  /// handlers of signals.
  static void abandon(const Crash &crash);

  /// Starts a load of the wave to LDS: a transfer for each of its lanes.
  void startLdsLoad(uint32_t site, std::vector<LdsTransfer> transfers);
  /// Counts a global memory operation of the lane.
  void countMemoryOp(uint32_t bytes);
  /// The lane waits until at most `left` global memory operations are in
  /// flight.
  void waitForMemoryOps(uint32_t left);

  //===--- The current lane -----------------------------------------------===//

  Lane &laneOf(uint32_t index) { return lanes[wave().first + index]; }
  Wave &wave() { return waves[currentLane->wave]; }
  Lane &lane() { return *currentLane; }
  const Lane &getLane(uint32_t index) const { return lanes[index]; }
  const Wave &getWave(uint32_t index) const { return waves[index]; }
  uint32_t wavesOfWorkgroup() const { return waves.size() / workgroups.size(); }
  /// Among the lanes of the cluster.
  uint32_t laneIndex() const { return currentLane - lanes.data(); }
  Workgroup &workgroup() { return workgroups[currentLane->workgroup]; }
  const Workgroup &workgroup() const {
    return workgroups[currentLane->workgroup];
  }
  /// Ends the current lane, which is not continued.
  [[noreturn]] void exitLane();
  bool checks() const { return launch->options.checks; }
  /// The place of a workgroup in the grid.
  int64_t indexOf(const Workgroup &workgroup) const {
    const Dim3 &grid = launch->grid;
    const int64_t *id = workgroup.id;
    return (id[2] * grid.y + id[1]) * grid.x + id[0];
  }
  int64_t workgroupIndex() const { return indexOf(workgroup()); }
  bool ownsStackAddress(uintptr_t address) const;

  //===--- Shared memory --------------------------------------------------===//

  /// Of the current lane's workgroup.
  uint8_t *ownShared() const {
    return lds + currentLane->workgroup * kLdsArenaBytes;
  }
  /// Relative to the first workgroup of the cluster.
  uint64_t sharedOffset(const void *address) const {
    return static_cast<const uint8_t *>(address) - lds;
  }
  uint64_t sharedBytes() const { return workgroups.size() * kLdsArenaBytes; }
  /// "shared memory offset 8 (@object + 8)"
  std::string describeShared(uint64_t offset) const;

  //===--- Reports --------------------------------------------------------===//

  /// Counts a fault of the current lane. `what` is a sentence without a stop.
  void report(ReportKind kind, uint32_t site, const std::string &what,
              uint32_t other = kNoSite);
  /// As report, and ends the workgroup.
  [[noreturn]] void fatal(ReportKind kind, uint32_t site,
                          const std::string &what, uint32_t other = kNoSite);
  /// The same about another lane.
  void reportOf(uint32_t lane, ReportKind kind, uint32_t site,
                const std::string &what, uint32_t other = kNoSite);
  [[noreturn]] void fatalOf(uint32_t lane, ReportKind kind, uint32_t site,
                            const std::string &what, uint32_t other = kNoSite);
  /// "wave 1 lane 2"
  std::string lanePosition(uint32_t index) const;
  const char *waveName() const;

  const Launch *launch = nullptr;
  /// Shared memory of the first workgroup; the others follow.
  uint8_t *lds = nullptr;
  /// The registered buffer of the last access.
  const Buffer *lastBuffer = nullptr;
  std::vector<Workgroup> workgroups;
  /// Parameters that are passed by value: address and bytes.
  std::vector<std::pair<uintptr_t, uint64_t>> parameters;
  Statistics statistics;
  ReportList reports;

  // Of AMD chips.
  LdsShadow shadow;
  LdsTraffic ldsTraffic;
  std::vector<BufferResource> resources;
  /// That the workgroup has passed.
  uint64_t numBarriers = 0;

  // Of NVIDIA chips.
  Clocks clocks;
  ClusterBarrier clusterBarrier;
  SharedShadow sharedShadow;
  AtomicOrder atomics;
  /// That the lanes have read a clock.
  uint64_t clockReads = 0;
  AsyncUnits async;

private:
  void allocateStacks();
  void releaseStacks();
  void seedRandom();
  void orderLanes();
  void startLanes();
  uint8_t *stackTop(uint32_t index) const;
  void setReady(Lane &lane);
  void block(LaneState state);
  void switchToNext();
  int nextReadySlot() const;
  void releaseBarrier();
  void locate(int64_t x, int64_t y, int64_t z);
  uint64_t existing(uint64_t lanes) const;
  bool advance();
  void reportStuck();
  void reportHung(uint32_t site);
  void reportCrash();
  bool reportStuckWave(const Wave &wave);
  void reportWaiting();
  std::string countStates(const Wave &wave) const;
  [[noreturn]] void leave();
  bool isEarly();
  void finishLdsLoads(uint32_t number);
  static void laneMain();

  /// The one that runs on this thread.
  inline static thread_local Machine *active = nullptr;
  std::vector<Lane> lanes;
  std::vector<Wave> waves;
  /// Bits of one word of `ready`.
  static constexpr uint32_t kSlotsPerWave = 64;
  /// For each wave in the order of execution, the lanes that can run.
  std::vector<uint64_t> ready;
  std::vector<uint32_t> laneAtSlot;
  Lane *currentLane = nullptr;
  void *hostStackPointer = nullptr;
  uint32_t numExited = 0;
  uint32_t wavesAtBarrier = 0;
  /// In the order of their issue. Complete ones are taken off later.
  std::deque<std::shared_ptr<AsyncOperation>> pending;
  bool failed = false;
  /// Between the switch to the first lane and that back.
  bool runsLanes = false;
  Crash crash;
  /// Of the workgroup.
  uint64_t numSteps = 0;
  std::mt19937_64 random;
  uint8_t *stacks = nullptr;
  size_t stackBytes = 0;
  uint32_t numStacks = 0;
};

/// A wave operation: the lane that comes last calls `perform` with the operands
/// of all lanes in place (Machine::laneOf).
template <typename Operands, typename Fn>
void waveOperation(uint32_t site, const Operands &operands, Fn &&perform,
                   uint64_t lanes = ~uint64_t(0)) {
  Machine &machine = Machine::current();
  if (!machine.meetWave(site, &operands, LaneState::AtWaveOp, lanes))
    return;
  ++machine.statistics.waveOps;
  if (machine.launch->options.warps == WarpOrder::Converged)
    machine.orderWarp(lanes);
  perform(machine);
  machine.releaseWave(lanes);
}

template <typename Operands>
const Operands &operandsOf(Machine &machine, uint32_t lane) {
  return *static_cast<const Operands *>(machine.laneOf(lane).operands);
}

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_MACHINE_H
