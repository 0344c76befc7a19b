//===- Scheduling.cpp - which lane runs next ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextSwitch.h"
#include "Machine.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

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
  // A unit may complete while lanes go on, too.
  if (!pending.empty() && launch->options.loads == LoadTime::Random &&
      random() % 4 == 0)
    advance();
  int slot = nextReadySlot();
  while (slot < 0 && advance())
    slot = nextReadySlot();
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

void Machine::yield() { switchToNext(); }

void Machine::poll() {
  // So that a lane which polls for ever is found in seconds.
  constexpr uint64_t kStepsOfPoll = 256;
  numSteps += kStepsOfPoll;
  advance();
  switchToNext();
}

void Machine::waitIn(WaitQueue &queue, uint32_t site,
                     const WaitReason &reason) {
  currentLane->site = site;
  currentLane->reason = &reason;
  queue.push_back(laneIndex());
  block(LaneState::Waiting);
}

void Machine::queueWave(WaitQueue &queue, const WaitReason &reason) {
  for (uint32_t i = 0; i < wave().size; ++i) {
    Lane &lane = laneOf(i);
    lane.state = LaneState::Waiting;
    lane.reason = &reason;
    queue.push_back(wave().first + i);
  }
}

void Machine::suspend() {
  if (currentLane->state == LaneState::Waiting)
    block(LaneState::Waiting);
}

void Machine::wake(WaitQueue &queue) {
  for (uint32_t lane : queue)
    setReady(lanes[lane]);
  queue.clear();
}

/// Those of the wave that there are.
uint64_t Machine::existing(uint64_t mask) const {
  uint32_t size = waves[currentLane->wave].size;
  return size == 64 ? mask : mask & ((uint64_t(1) << size) - 1);
}

bool Machine::meetWave(uint32_t site, const void *operands, LaneState state,
                       uint64_t mask) {
  mask = existing(mask);
  currentLane->operands = operands;
  currentLane->site = site;
  note(site);
  std::vector<Meeting> &meetings = wave().meetings;
  auto it = std::find_if(meetings.begin(), meetings.end(),
                         [&](const Meeting &meeting) {
                           return meeting.site == site && meeting.lanes == mask;
                         });
  if (it == meetings.end())
    it = meetings.insert(it, {site, 0, mask});
  // Lanes that have gone another way never come: see reportStuck.
  if (++it->waiting == uint32_t(__builtin_popcountll(mask))) {
    meetings.erase(it);
    return true;
  }
  block(state);
  return false;
}

void Machine::releaseWave(uint64_t mask) {
  uint32_t first = wave().first;
  for (mask = existing(mask); mask; mask &= mask - 1)
    setReady(lanes[first + __builtin_ctzll(mask)]);
}

void Machine::orderWarp(uint64_t mask) {
  if (!checks() || !launch->isNvidia())
    return;
  mask = existing(mask);
  uint32_t first = wave().first;
  Gathering gathering;
  for (uint64_t left = mask; left; left &= left - 1)
    clocks.publish(first + __builtin_ctzll(left), gathering);
  KnowledgeRef known = Clocks::finish(gathering);
  for (uint64_t left = mask; left; left &= left - 1)
    clocks.acquire(first + __builtin_ctzll(left), known);
}

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

/// Whether the next copy takes effect at its issue.
bool Machine::isEarly() {
  LoadTime time = launch->options.loads;
  return time == LoadTime::Early ||
         (time == LoadTime::Random && random() % 2 == 0);
}

void Machine::start(std::shared_ptr<AsyncOperation> operation) {
  if (isEarly())
    complete(*operation);
  else
    pending.push_back(std::move(operation));
}

void Machine::complete(AsyncOperation &operation) {
  if (operation.isComplete)
    return;
  operation.isComplete = true;
  operation.complete(*this);
}

/// Completes one operation, the oldest or any. Returns false if none is in
/// flight.
bool Machine::advance() {
  while (!pending.empty() && pending.front()->isComplete)
    pending.pop_front();
  if (pending.empty())
    return false;
  size_t index =
      launch->options.loads == LoadTime::Random ? random() % pending.size() : 0;
  // It may wake lanes, but does not start others.
  complete(*pending[index]);
  return true;
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
