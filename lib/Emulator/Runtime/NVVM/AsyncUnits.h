//===- AsyncUnits.h - what is in flight in a cluster ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ASYNCUNITS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ASYNCUNITS_H

#include "NVVM/Clocks.h"

#include <map>
#include <memory>
#include <vector>

namespace mlir::lpgemm::emulator {

class AsyncOperation;
class Machine;
struct MBarrier;

/// Copies of one lane that it waits for in groups (PTX ISA, "cp.async" and
/// "cp.async.bulk", each with groups of its own). They are numbered from 1;
/// the numbers are the times of an agent.
class CopyGroups {
public:
  struct Copy {
    Time number;
    uint32_t site;
    std::shared_ptr<AsyncOperation> operation;
  };

  Agent agent(Machine &machine);
  /// Of the next copy.
  Time nextNumber() const { return issued + 1; }
  Time lastNumber() const { return issued; }
  void add(uint32_t site, std::shared_ptr<AsyncOperation> operation) {
    copies.push_back({++issued, site, std::move(operation)});
  }
  const std::vector<Copy> &inFlight() const { return copies; }
  void commit() { groups.push_back(issued); }
  /// The current lane waits until at most `left` groups are in flight.
  void wait(Machine &machine, uint32_t left);
  /// ... until no copy is, committed or not.
  void waitForAll(Machine &machine);
  /// Others will wait for those issued so far.
  void handOver() { handedOver = issued; }
  /// The site of a copy that nobody has waited for, or kNoSite.
  uint32_t findUnwaited() const;

private:
  void finish(Machine &machine, Time last);

  Agent ownAgent = 0;
  Time issued = 0;
  Time handedOver = 0;
  /// Not waited for yet.
  std::vector<Copy> copies;
  /// The last copy of each committed group.
  std::vector<Time> groups;
};

/// The asynchronous units of a cluster, and what they synchronise with.
class AsyncUnits {
public:
  AsyncUnits();
  ~AsyncUnits();
  AsyncUnits(const AsyncUnits &) = delete;
  AsyncUnits &operator=(const AsyncUnits &) = delete;

  /// Nothing is in flight.
  void start(uint32_t numLanes);
  /// All lanes have exited.
  void reportPending(Machine &machine) const;

  /// By the offset in the shared memory of the cluster.
  std::map<uint64_t, MBarrier> barriers;
  /// Of each lane: cp.async, and cp.async.bulk without an mbarrier.
  std::vector<CopyGroups> copies, bulkCopies;
  /// Of each lane: how often it has tested one mbarrier without success, and
  /// done nothing else with mbarriers meanwhile.
  struct FailedTests {
    uint64_t offset = 0;
    uint32_t count = 0;
  };
  std::vector<FailedTests> failedTests;
  /// That signal an mbarrier, so far.
  uint64_t numCopies = 0;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_ASYNCUNITS_H
