//===- Barriers.cpp - barriers of a workgroup of NVIDIA -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/Barriers.h"

#include "Abi.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

// PTX ISA, "barrier": the aligned form, which all lanes of a warp execute
// together. Threads are counted in whole warps.

std::string NamedBarrier::describe(const Machine &) const {
  return "for a barrier to which " + std::to_string(arrived) + " of " +
         std::to_string(expected) + " threads have come";
}

std::string ClusterBarrier::describe(const Machine &machine) const {
  return "for the barrier of the cluster, to which " + std::to_string(arrived) +
         " of " +
         std::to_string(machine.launch->numLanes * machine.workgroups.size()) +
         " threads have come";
}

//===----------------------------------------------------------------------===//
// Of the workgroup
//===----------------------------------------------------------------------===//

namespace {
/// How predicates are combined (PTX ISA, "barrier.red"), numbered as
/// NVVM::BarrierReduction is.
enum Reduction : uint32_t { None, Popc, And, Or };

struct BarrierOperands {
  uint32_t id;
  uint32_t count;
  uint32_t reduction;
  uint32_t predicate;
  uint32_t result;
};
} // namespace

static BarrierOperands &operandsOfLane(const Machine &machine, uint32_t lane) {
  // They are on the stack of the lane, which waits.
  return *static_cast<BarrierOperands *>(
      const_cast<void *>(machine.getLane(lane).operands));
}

static uint32_t reduce(const Machine &machine, const WaitQueue &lanes) {
  uint32_t sum = 0, kind = None;
  for (uint32_t lane : lanes) {
    const BarrierOperands &operands = operandsOfLane(machine, lane);
    sum += operands.predicate != 0;
    kind = operands.reduction;
  }
  if (kind == And)
    return sum == lanes.size();
  return kind == Or ? sum != 0 : sum;
}

static void release(Machine &machine, NamedBarrier &barrier) {
  KnowledgeRef known = Clocks::finish(barrier.gathering);
  uint32_t result = reduce(machine, barrier.waiting);
  for (uint32_t lane : barrier.waiting) {
    operandsOfLane(machine, lane).result = result;
    if (machine.checks())
      machine.clocks.acquire(lane, known);
  }
  barrier.arrived = barrier.expected = 0;
  ++machine.statistics.barriers;
  machine.wake(barrier.waiting);
}

/// Threads of the workgroup that have not exited, in whole warps.
static uint32_t countThreads(const Machine &machine, uint32_t rank) {
  uint32_t count = 0, numLanes = machine.launch->numLanes;
  uint32_t waveSize = machine.launch->info->waveSize;
  for (uint32_t i = 0; i < numLanes; i += waveSize) {
    bool isThere = false;
    for (uint32_t j = i; j < std::min(i + waveSize, numLanes); ++j)
      isThere |=
          machine.getLane(rank * numLanes + j).state != LaneState::Exited;
    count += isThere * waveSize;
  }
  return count;
}

static void checkOperands(Machine &machine, uint32_t site,
                          const BarrierOperands &operands) {
  uint32_t waveSize = machine.launch->info->waveSize;
  if (operands.id >= machine.workgroup().barriers.size())
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a barrier of 0 to 15, got " +
                      std::to_string(operands.id));
  if (operands.count % waveSize)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "expected a multiple of " + std::to_string(waveSize) +
                      " threads, got " + std::to_string(operands.count));
  for (uint32_t i = 0; i < machine.wave().size; ++i) {
    const auto &other = operandsOf<BarrierOperands>(machine, i);
    if (other.id != operands.id || other.count != operands.count)
      machine.fatal(ReportKind::NonUniform, site,
                    "has operands that differ between the lanes of a warp");
  }
}

/// The warp, whose lanes have met, arrives.
static NamedBarrier &arrive(Machine &machine, uint32_t site,
                            const BarrierOperands &operands) {
  checkOperands(machine, site, operands);
  NamedBarrier &barrier = machine.workgroup().barriers[operands.id];
  bool isForAll = operands.count == 0;
  uint32_t expected = isForAll ? countThreads(machine, machine.lane().workgroup)
                               : operands.count;
  if (barrier.arrived == 0) {
    barrier.expected = expected;
    barrier.isForAll = isForAll;
    barrier.firstSite = site;
  }
  barrier.arrived += machine.launch->info->waveSize;
  if (barrier.expected != expected || barrier.arrived > expected)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "is a barrier of " + std::to_string(expected) +
                      " threads; others that have come expect " +
                      std::to_string(barrier.expected) + ", and " +
                      std::to_string(barrier.arrived) + " have come",
                  barrier.firstSite);
  const Wave &wave = machine.wave();
  for (uint32_t i = 0; machine.checks() && i < wave.size; ++i)
    machine.clocks.publish(wave.first + i, barrier.gathering);
  return barrier;
}

static uint32_t synchronize(uint32_t site, BarrierOperands operands) {
  Machine &machine = Machine::current();
  if (!machine.meetWave(site, &operands, LaneState::AtBarrier))
    return operands.result;
  NamedBarrier &barrier = arrive(machine, site, operands);
  machine.queueWave(barrier.waiting, barrier);
  if (barrier.arrived == barrier.expected)
    release(machine, barrier);
  machine.suspend();
  return operands.result;
}

void emu_nvvm_barrier(uint32_t site, uint32_t id, uint32_t count) {
  synchronize(site, {id, count, None, 0, 0});
}

uint32_t emu_nvvm_barrier_reduction(uint32_t site, uint32_t id, uint32_t count,
                                    uint32_t predicate, uint32_t reduction) {
  return synchronize(site, {id, count, reduction, predicate, 0});
}

void emu_nvvm_barrier_arrive(uint32_t site, uint32_t id, uint32_t count) {
  waveOperation(
      site, BarrierOperands{id, count, None, 0, 0}, [&](Machine &machine) {
        NamedBarrier &barrier = arrive(machine, site, {id, count, None, 0, 0});
        if (barrier.arrived == barrier.expected)
          release(machine, barrier);
      });
}

//===----------------------------------------------------------------------===//
// Of the cluster
//===----------------------------------------------------------------------===//

static void releaseCluster(Machine &machine) {
  ClusterBarrier &barrier = machine.clusterBarrier;
  uint32_t exited = 0;
  uint32_t numLanes = machine.launch->numLanes * machine.workgroups.size();
  for (uint32_t i = 0; i < numLanes; ++i)
    exited += machine.getLane(i).state == LaneState::Exited &&
              machine.getLane(i).clusterPhase != barrier.phase;
  if (barrier.arrived == 0 || barrier.arrived + exited < numLanes)
    return;
  barrier.released = Clocks::finish(barrier.gathering);
  barrier.arrived = 0;
  ++barrier.phase;
  ++machine.statistics.barriers;
  machine.wake(barrier.waiting);
}

void emu_nvvm_cluster_arrive(uint32_t site, uint32_t isRelaxed) {
  Machine &machine = Machine::current();
  Lane &lane = machine.lane();
  ClusterBarrier &barrier = machine.clusterBarrier;
  if (lane.clusterPhase)
    machine.fatal(ReportKind::InvalidOperand, site,
                  "arrives at the barrier of the cluster again, with no wait "
                  "between");
  lane.clusterPhase = barrier.phase;
  if (machine.checks() && isRelaxed)
    machine.atomics.publishReleased(machine.laneIndex(), barrier.gathering);
  else if (machine.checks())
    machine.clocks.publish(machine.laneIndex(), barrier.gathering);
  ++barrier.arrived;
  releaseCluster(machine);
}

void emu_nvvm_cluster_wait(uint32_t site) {
  Machine &machine = Machine::current();
  Lane &lane = machine.lane();
  ClusterBarrier &barrier = machine.clusterBarrier;
  if (!lane.clusterPhase)
    machine.fatal(
        ReportKind::InvalidOperand, site,
        "waits for the barrier of the cluster without having arrived");
  while (barrier.phase == lane.clusterPhase)
    machine.waitIn(barrier.waiting, site, barrier);
  // The next phase is not over before this lane arrives.
  lane.clusterPhase = 0;
  if (machine.checks())
    machine.clocks.acquire(machine.laneIndex(), barrier.released);
}

//===----------------------------------------------------------------------===//
// Exits
//===----------------------------------------------------------------------===//

void mlir::lpgemm::emulator::releaseBarriersAtExit(Machine &machine) {
  uint32_t count = countThreads(machine, machine.lane().workgroup);
  for (NamedBarrier &barrier : machine.workgroup().barriers) {
    if (!barrier.isForAll || barrier.arrived == 0)
      continue;
    barrier.expected = count;
    if (barrier.arrived == count)
      release(machine, barrier);
  }
  releaseCluster(machine);
}
