//===- AsyncUnits.cpp - what is in flight in a cluster --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/AsyncUnits.h"

#include "NVVM/MBarrier.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Agent CopyGroups::agent(Machine &machine) {
  // Agent 0 is a lane.
  if (ownAgent == 0)
    ownAgent = machine.clocks.newAgent();
  return ownAgent;
}

/// Completes the copies up to one, which the current lane then knows.
void CopyGroups::finish(Machine &machine, Time last) {
  auto end = std::find_if(copies.begin(), copies.end(),
                          [&](const Copy &copy) { return copy.number > last; });
  for (auto copy = copies.begin(); copy != end; ++copy)
    machine.complete(*copy->operation);
  copies.erase(copies.begin(), end);
  if (machine.checks() && last != 0)
    machine.clocks.learn(machine.laneIndex(), agent(machine), last);
}

void CopyGroups::wait(Machine &machine, uint32_t left) {
  if (groups.size() <= left)
    return;
  auto end = groups.end() - left;
  finish(machine, *std::prev(end));
  groups.erase(groups.begin(), end);
}

void CopyGroups::waitForAll(Machine &machine) {
  finish(machine, issued);
  groups.clear();
}

uint32_t CopyGroups::findUnwaited() const {
  for (const Copy &copy : copies)
    if (copy.number > handedOver)
      return copy.site;
  return kNoSite;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

AsyncUnits::AsyncUnits() = default;
AsyncUnits::~AsyncUnits() = default;

void AsyncUnits::start(uint32_t numLanes) {
  barriers.clear();
  copies.assign(numLanes, CopyGroups());
  bulkCopies.assign(numLanes, CopyGroups());
  failedTests.assign(numLanes, {});
  numCopies = 0;
}

void AsyncUnits::reportPending(Machine &machine) const {
  for (uint32_t lane = 0; lane < copies.size(); ++lane)
    for (const CopyGroups *groups : {&copies[lane], &bulkCopies[lane]})
      if (uint32_t site = groups->findUnwaited(); site != kNoSite)
        machine.reportOf(lane, ReportKind::PendingAtExit, site,
                         "starts a copy that is not waited for before the "
                         "workgroup ends");
  for (const auto &[offset, barrier] : barriers)
    for (const SignallingCopy &copy : barrier.copies)
      machine.reportOf(copy.lane, ReportKind::PendingAtExit, copy.site,
                       "starts a copy that signals phase " +
                           std::to_string(copy.phase) + " of the mbarrier at " +
                           machine.describeShared(offset) +
                           ", which is not waited for before the workgroup "
                           "ends");
}
