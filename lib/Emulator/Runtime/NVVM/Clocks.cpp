//===- Clocks.cpp - what happened before what -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVM/Clocks.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Knowledge
//===----------------------------------------------------------------------===//

static void joinTimes(std::vector<Time> &times,
                      const std::vector<Time> &others) {
  if (times.size() < others.size())
    times.resize(others.size());
  for (size_t i = 0; i < others.size(); ++i)
    times[i] = std::max(times[i], others[i]);
}

static bool containsTimes(const std::vector<Time> &times,
                          const std::vector<Time> &others) {
  for (size_t i = 0; i < others.size(); ++i)
    if ((i < times.size() ? times[i] : 0) < others[i])
      return false;
  return true;
}

static void raise(std::vector<Time> &times, Agent agent, Time time) {
  if (times.size() <= agent)
    times.resize(agent + 1);
  times[agent] = std::max(times[agent], time);
}

void Knowledge::join(const Knowledge &other) {
  joinTimes(seen, other.seen);
  joinTimes(fenced, other.fenced);
}

bool Knowledge::contains(const Knowledge &other) const {
  return containsTimes(seen, other.seen) && containsTimes(fenced, other.fenced);
}

//===----------------------------------------------------------------------===//
// Clocks
//===----------------------------------------------------------------------===//

void Clocks::begin(uint32_t newNumLanes, uint32_t lanesPerWarp) {
  numLanes = newNumLanes;
  numWarps = (numLanes + lanesPerWarp - 1) / lanesPerWarp;
}

void Clocks::start() {
  Lane lane;
  lane.known = std::make_shared<Knowledge>();
  lanes.assign(numLanes, lane);
  numAgents = numLanes + numWarps;
  joins.fill(Join());
}

bool Clocks::isOwn(uint32_t lane, Agent agent, Time time) const {
  for (auto [own, until] : lanes[lane].own)
    if (own == agent)
      return until >= time;
  return false;
}

bool Clocks::isFenced(uint32_t lane, Agent agent, Time time) const {
  if (agent == lane)
    return lanes[lane].fenced >= time;
  const std::vector<Time> &fenced = lanes[lane].known->fenced;
  return agent < fenced.size() && fenced[agent] >= time;
}

void Clocks::publish(uint32_t index, Gathering &gathering) {
  Lane &lane = lanes[index];
  Knowledge &sum = gathering.sum;
  if (gathering.last != lane.known) {
    sum.join(*lane.known);
    gathering.last = lane.known;
  }
  raise(sum.seen, index, lane.now);
  if (lane.fenced)
    raise(sum.fenced, index, lane.fenced);
  for (auto [agent, time] : lane.own)
    raise(sum.seen, agent, time);
  ++lane.now;
}

void Clocks::publish(Agent agent, Time time, Gathering &gathering) {
  raise(gathering.sum.seen, agent, time);
}

void Clocks::publish(const KnowledgeRef &known, Gathering &gathering) {
  gathering.sum.join(*known);
}

KnowledgeRef Clocks::finish(Gathering &gathering) {
  auto result = std::make_shared<Knowledge>(std::move(gathering.sum));
  gathering = Gathering();
  return result;
}

KnowledgeRef Clocks::join(const KnowledgeRef &a, const KnowledgeRef &b) {
  for (const Join &join : joins)
    if (join.a == a && join.b == b)
      return join.result;
  KnowledgeRef result = a;
  if (b->contains(*a)) {
    result = b;
  } else if (!a->contains(*b)) {
    auto sum = std::make_shared<Knowledge>(*a);
    sum->join(*b);
    result = sum;
  }
  nextJoin() = {a, b, result};
  return result;
}

void Clocks::acquire(uint32_t lane, const KnowledgeRef &knowledge) {
  KnowledgeRef &known = lanes[lane].known;
  if (known != knowledge)
    known = join(known, knowledge);
}

void Clocks::learn(uint32_t lane, Agent agent, Time time) {
  auto &own = lanes[lane].own;
  auto it = std::find_if(own.begin(), own.end(),
                         [&](auto entry) { return entry.first == agent; });
  if (it == own.end())
    own.push_back({agent, time});
  else
    it->second = std::max(it->second, time);
}

/// What is known to have happened is fenced. As a join with nothing.
KnowledgeRef Clocks::fence(const KnowledgeRef &known) {
  for (const Join &join : joins)
    if (join.a == known && !join.b)
      return join.result;
  auto result = std::make_shared<Knowledge>(*known);
  joinTimes(result->fenced, result->seen);
  nextJoin() = {known, nullptr, result};
  return result;
}

void Clocks::fenceProxy(uint32_t index) {
  Lane &lane = lanes[index];
  lane.fenced = lane.now++;
  if (!lane.own.empty()) {
    // What the lane has waited for is fenced, too, which only known times are.
    auto known = std::make_shared<Knowledge>(*lane.known);
    for (auto [agent, time] : lane.own)
      raise(known->seen, agent, time);
    lane.known = known;
    lane.own.clear();
  }
  lane.known = fence(lane.known);
}
