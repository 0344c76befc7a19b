//===- Machine.h - one workgroup and the thread that runs it ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_MACHINE_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_MACHINE_H

#include "GlobalShadow.h"
#include "LdsShadow.h"
#include "LdsTraffic.h"
#include "Reports.h"

#include <memory>
#include <random>

namespace mlir::lpgemm::emulator {

enum class LaneState : uint8_t { Running, AtWaveOp, AtBarrier, Exited };

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
  uint32_t site = kNoSite;
  LaneState state = LaneState::Running;
  uint16_t wave = 0;
  uint16_t lane = 0;
  /// Its place in the order of execution: a bit of Workgroup::ready.
  uint32_t slot = 0;
  uint32_t id[3] = {0, 0, 0};
  /// Global memory operations, which vmcnt counts, in order.
  uint32_t memoryOps = 0;
  /// Loads to LDS it has not waited for: number among the memory operations,
  /// number among the wave's loads.
  std::vector<std::pair<uint32_t, uint32_t>> pendingLoads;
};

struct Wave {
  uint32_t first = 0;
  uint32_t size = 0;
  /// Lanes that wait at `site`.
  uint32_t waiting = 0;
  uint32_t site = kNoSite;
  uint32_t numLdsLoads = 0;
  std::vector<LdsLoad> ldsLoads;
};

/// A buffer resource. A descriptor in the kernel is one plus the index in the
/// workgroup's list, shifted up by 32.
struct BufferResource {
  uintptr_t base;
  uint64_t numRecords;
  uint32_t flags;
};

/// What is fixed during a launch.
struct Launch {
  const KernelInfo *info;
  KernelEntry entry;
  void **args;
  Dim3 grid;
  Dim3 block;
  uint32_t dynamicLdsBytes;
  Options options;
  /// Sorted by address, without overlap.
  std::vector<Buffer> buffers;
  /// Of the buffers, if accesses are checked.
  std::unique_ptr<GlobalShadow> shadow;
  uint32_t numLanes;
};

/// An OS thread's workgroup. Its lanes are fibers of this thread: each runs
/// until it waits for others, then switches to the next that is ready.
class Machine {
public:
  Machine();
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  /// Prepares for the workgroups of one launch.
  void begin(const Launch &launch);
  /// Runs one workgroup. Returns false if it could not be run to its end.
  bool run(int64_t x, int64_t y, int64_t z);

  static Machine &current() { return *active; }

  /// Waits until every lane of the wave is at `site`. Returns true in the lane
  /// that came last; it then calls releaseWave.
  bool meetWave(uint32_t site, const void *operands, LaneState state);
  void releaseWave();
  void barrier(uint32_t site);

  /// Starts a load of the wave to LDS: a transfer for each of its lanes.
  void startLdsLoad(uint32_t site, std::vector<LdsTransfer> transfers);
  /// Counts a global memory operation of the lane.
  void countMemoryOp(uint32_t bytes);
  /// The lane waits until at most `left` global memory operations are in
  /// flight.
  void waitForMemoryOps(uint32_t left);

  Lane &laneOf(uint32_t index) { return lanes[wave().first + index]; }
  Wave &wave() { return waves[currentLane->wave]; }
  Lane &lane() { return *currentLane; }
  uint32_t laneIndex() const { return currentLane - lanes.data(); }
  bool checks() const { return launch->options.checks; }
  /// The place of the workgroup in the grid.
  int64_t workgroupIndex() const {
    const Dim3 &grid = launch->grid;
    return (workgroup[2] * grid.y + workgroup[1]) * grid.x + workgroup[0];
  }
  bool ownsStackAddress(uintptr_t address) const;

  /// Counts a fault of the current lane. `what` is a sentence without a stop.
  void report(ReportKind kind, uint32_t site, const std::string &what,
              uint32_t other = kNoSite);
  /// As report, and ends the workgroup.
  [[noreturn]] void fatal(ReportKind kind, uint32_t site,
                          const std::string &what, uint32_t other = kNoSite);

  const Launch *launch = nullptr;
  uint8_t *lds = nullptr;
  LdsShadow shadow;
  LdsTraffic ldsTraffic;
  std::vector<BufferResource> resources;
  /// The registered buffer of the last access.
  const Buffer *lastBuffer = nullptr;
  int64_t workgroup[3] = {0, 0, 0};
  /// That the workgroup has passed.
  uint64_t numBarriers = 0;
  Statistics statistics;
  ReportList reports;

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
  void reportStuck();
  void reportStuckWave(const Wave &wave);
  std::string countStates(const Wave &wave) const;
  std::string lanePosition(uint32_t index) const;
  [[noreturn]] void leave();
  bool isEarly();
  void finishLdsLoads(uint32_t number);
  static void laneMain();

  /// The one that runs on this thread.
  inline static thread_local Machine *active = nullptr;
  std::vector<Lane> lanes;
  std::vector<Wave> waves;
  /// For each wave in the order of execution, the lanes that can run.
  std::vector<uint64_t> ready;
  std::vector<uint32_t> laneAtSlot;
  Lane *currentLane = nullptr;
  void *hostStackPointer = nullptr;
  uint32_t numExited = 0;
  uint32_t wavesAtBarrier = 0;
  bool failed = false;
  std::mt19937_64 random;
  uint8_t *stacks = nullptr;
  size_t stackBytes = 0;
  uint32_t numStacks = 0;

  friend class LdsShadow;
};

/// A wave operation: the lane that comes last calls `perform` with the operands
/// of all lanes in place (Machine::laneOf).
template <typename Operands, typename Fn>
void waveOperation(uint32_t site, const Operands &operands, Fn &&perform) {
  Machine &machine = Machine::current();
  if (!machine.meetWave(site, &operands, LaneState::AtWaveOp))
    return;
  ++machine.statistics.waveOps;
  perform(machine);
  machine.releaseWave();
}

template <typename Operands>
const Operands &operandsOf(Machine &machine, uint32_t lane) {
  return *static_cast<const Operands *>(machine.laneOf(lane).operands);
}

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_MACHINE_H
