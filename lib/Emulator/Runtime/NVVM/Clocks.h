//===- Clocks.h - what happened before what ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Vector clocks for the causality order of the PTX memory model (PTX ISA,
// "Memory Consistency Model"). Whatever acts on memory is an agent and has a
// time of its own: each lane, and each asynchronous unit as far as somebody
// waits for it (the copies of a lane, the matrix products of a warp, the phases
// of an mbarrier). A lane knows for each agent the last time that happened
// before; where lanes synchronise, their knowledge is joined.
//
// After a barrier all lanes know the same, so knowledge is shared between them
// and never changed once it is. What only the lane itself knows (its own time,
// its own copies) is kept beside it.
//
// The async proxy sees ordinary writes only past a proxy fence on the way (PTX
// ISA, "Proxies"): of each lane it is known besides up to which time its writes
// are fenced.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_CLOCKS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_CLOCKS_H

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace mlir::lpgemm::emulator {

using Agent = uint32_t;
/// Starts at 1; 0 is before everything.
using Time = uint32_t;

/// For each agent the last time that happened before; agents that are missing
/// at the end have 0.
struct Knowledge {
  std::vector<Time> seen;
  /// The same for ordinary writes with a proxy fence behind them.
  std::vector<Time> fenced;

  void join(const Knowledge &other);
  bool contains(const Knowledge &other) const;
};

using KnowledgeRef = std::shared_ptr<const Knowledge>;

/// What the lanes that arrive somewhere know together.
class Gathering {
  friend class Clocks;
  Knowledge sum;
  /// Of the last arrival: most arrive with the same.
  KnowledgeRef last;
};

class Clocks {
public:
  void begin(uint32_t numLanes, uint32_t lanesPerWarp);
  /// Nothing has happened yet.
  void start();

  //===--- Agents ---------------------------------------------------------===//

  /// A lane is the agent of its ordinary accesses.
  static Agent ofLane(uint32_t lane) { return lane; }
  bool isLane(Agent agent) const { return agent < numLanes; }
  /// The matrix products of a warp, which read shared memory.
  Agent ofMmas(uint32_t warp) const { return numLanes + warp; }
  Agent newAgent() { return numAgents++; }

  //===--- Knowledge ------------------------------------------------------===//

  /// The time that what the lane does now gets.
  Time now(uint32_t lane) const { return lanes[lane].now; }
  bool isOrdered(uint32_t lane, Agent agent, Time time) const {
    const std::vector<Time> &seen = lanes[lane].known->seen;
    return (agent < seen.size() && seen[agent] >= time) || agent == lane ||
           isOwn(lane, agent, time);
  }
  /// Whether the ordinary write of lane `agent` is ordered and fenced.
  bool isFenced(uint32_t lane, Agent agent, Time time) const;
  /// Whether two lanes share their knowledge, but for what is their own.
  bool knowTheSame(uint32_t a, uint32_t b) const {
    return lanes[a].known == lanes[b].known;
  }

  //===--- Synchronisation ------------------------------------------------===//

  /// Adds what the lane knows and has done. What it does later is later.
  void publish(uint32_t lane, Gathering &gathering);
  /// Adds that an agent, whatever it is, has come to a time.
  static void publish(Agent agent, Time time, Gathering &gathering);
  /// Adds what somebody knew.
  static void publish(const KnowledgeRef &known, Gathering &gathering);
  /// Returns what was gathered, and empties it.
  static KnowledgeRef finish(Gathering &gathering);
  void acquire(uint32_t lane, const KnowledgeRef &knowledge);
  /// The lane has waited for something that it, or its warp, had started.
  void learn(uint32_t lane, Agent agent, Time time);
  /// fence.proxy.async
  void fenceProxy(uint32_t lane);

private:
  struct Lane {
    Time now = 1;
    Time fenced = 0;
    KnowledgeRef known;
    std::vector<std::pair<Agent, Time>> own;
  };
  /// Lanes do the same one after the other: the last results are kept.
  struct Join {
    KnowledgeRef a, b, result;
  };

  bool isOwn(uint32_t lane, Agent agent, Time time) const;
  KnowledgeRef join(const KnowledgeRef &a, const KnowledgeRef &b);
  KnowledgeRef fence(const KnowledgeRef &known);
  Join &nextJoin() { return joins[nextOfJoins++ % joins.size()]; }

  uint32_t numLanes = 0;
  uint32_t numWarps = 0;
  Agent numAgents = 0;
  std::vector<Lane> lanes;
  std::array<Join, 4> joins;
  uint32_t nextOfJoins = 0;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_CLOCKS_H
