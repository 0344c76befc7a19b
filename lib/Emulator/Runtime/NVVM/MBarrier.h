//===- MBarrier.h - mbarrier objects ----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA, "mbarrier". The state of an object is kept beside shared memory; the
// object's bytes there are opaque to ordinary accesses.
//
// The phases of an object are the times of an agent: what a copy writes that
// signals the object in phase p has the time p + 1 of that agent, and who has
// waited for phase p knows it.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_MBARRIER_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_MBARRIER_H

#include "Machine.h"

namespace mlir::lpgemm::emulator {

/// A copy that signals an object, until somebody has waited for its phase.
struct SignallingCopy {
  uint64_t number;
  uint64_t phase;
  uint32_t bytes;
  uint32_t lane;
  uint32_t site;
  bool isComplete = false;
};

struct MBarrier : WaitReason {
  /// In the shared memory of the cluster.
  uint64_t offset = 0;
  uint32_t initLane = 0;
  Time initTime = 0;
  uint32_t initSite = kNoSite;
  /// Arrivals of a whole phase, and those that the current one lacks.
  uint32_t expected = 0;
  uint32_t pending = 0;
  /// Bytes that the current phase waits for; fewer than 0 while more have come
  /// than were announced.
  int64_t tx = 0;
  /// The current one, from 0: so many are complete.
  uint64_t phase = 0;
  Agent agent = 0;
  Gathering gathering;
  /// Of the last complete phase.
  KnowledgeRef released;
  WaitQueue waiting;
  /// Lanes that the last complete phase has released and that have not gone on
  /// since.
  WaitQueue resuming;
  /// Phases below this were waited for.
  uint64_t waited = 0;
  std::vector<SignallingCopy> copies;

  /// When what a copy writes that signals the current phase is over.
  Time timeOfPhase() const { return static_cast<Time>(phase) + 1; }
  std::string describe(const Machine &machine) const override;
};

/// The object at an address of the address space `space`. Ends the workgroup
/// if there is none, or none that the current lane can know of.
MBarrier &findMBarrier(Machine &machine, uint32_t site, const void *address,
                       uint32_t space);

/// A copy that the current lane issues will signal the object. Returns its
/// number.
uint64_t announceCopy(Machine &machine, MBarrier &barrier, uint32_t site,
                      uint32_t bytes);
/// The bytes of a copy have arrived.
void signalCopy(Machine &machine, uint64_t offset, uint64_t number);

/// What a lane's earlier copies do when they are complete: an arrival, after
/// `agent` has come to `time`.
void arriveForCopies(Machine &machine, uint64_t offset, uint32_t lane,
                     uint32_t site, Agent agent, Time time);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_MBARRIER_H
