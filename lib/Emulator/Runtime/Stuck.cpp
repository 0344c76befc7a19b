//===- Stuck.cpp - why no lane can run ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <map>

using namespace mlir::lpgemm::emulator;

/// Where the lanes of a wave are, for example "36 wait in 'x' at f:1:2, 28
/// exited".
std::string Machine::countStates(const Wave &wave) const {
  std::map<uint32_t, uint32_t> waiting;
  uint32_t numGone = 0;
  for (uint32_t i = 0; i < wave.size; ++i) {
    const Lane &lane = lanes[wave.first + i];
    if (lane.state == LaneState::Exited)
      ++numGone;
    else
      ++waiting[lane.site];
  }
  std::string text;
  for (auto [site, count] : waiting)
    text += std::string(text.empty() ? "" : ", ") + std::to_string(count) +
            " wait in " + siteText(*launch->info, site);
  if (numGone)
    text += std::string(text.empty() ? "" : ", ") + std::to_string(numGone) +
            " exited";
  return text;
}

/// Whether a wave does not get on because its lanes are at different places.
bool Machine::reportStuckWave(const Wave &wave) {
  const Lane *waiting = nullptr;
  uint32_t other = kNoSite;
  for (const Meeting &meeting : wave.meetings) {
    for (uint64_t left = meeting.lanes; left; left &= left - 1) {
      const Lane &lane = lanes[wave.first + __builtin_ctzll(left)];
      if (lane.state != LaneState::AtWaveOp &&
          lane.state != LaneState::AtBarrier)
        continue;
      if (!waiting)
        waiting = &lane;
      else if (lane.site != waiting->site && other == kNoSite)
        other = lane.site;
    }
  }
  if (!waiting)
    return false;
  bool isBarrier = waiting->state == LaneState::AtBarrier;
  reportOf(waiting - lanes.data(),
           isBarrier ? ReportKind::DivergentBarrier
                     : ReportKind::DivergentWaveOp,
           waiting->site,
           "is a " +
               (isBarrier ? "barrier"
                          : waveName() + std::string("-level operation")) +
               " that only a part of the " + waveName() + " reaches: of " +
               std::to_string(wave.size) + " lanes " + countStates(wave),
           other);
  return true;
}

/// The lanes that wait for something that does not come, by place and reason.
void Machine::reportWaiting() {
  std::map<std::pair<uint32_t, std::string>, std::vector<uint32_t>> waiting;
  for (uint32_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].state == LaneState::Waiting)
      waiting[{lanes[i].site, lanes[i].reason->describe(*this)}].push_back(i);
  for (const auto &[key, who] : waiting)
    reportOf(who.front(), ReportKind::Deadlock, key.first,
             "waits for ever, " + key.second + ": " +
                 std::to_string(who.size()) + " lanes");
}

/// No lane can run.
void Machine::reportStuck() {
  bool found = false;
  uint32_t wavesExited = 0;
  const Wave *atBarrier = nullptr;
  for (const Wave &wave : waves) {
    uint32_t numExitedLanes = 0, numAtBarrier = 0;
    for (uint32_t i = 0; i < wave.size; ++i) {
      const Lane &lane = lanes[wave.first + i];
      numExitedLanes += lane.state == LaneState::Exited;
      numAtBarrier += lane.state == LaneState::AtBarrier;
    }
    if (numExitedLanes == wave.size)
      ++wavesExited;
    else if (numAtBarrier == wave.size && wave.meetings.empty())
      atBarrier = &wave;
    else
      found |= reportStuckWave(wave);
  }
  reportWaiting();
  if (!found && atBarrier)
    reportOf(atBarrier->first, ReportKind::DivergentBarrier,
             lanes[atBarrier->first].site,
             "is a barrier that " + std::to_string(wavesAtBarrier) + " of " +
                 std::to_string(waves.size()) + " waves reach, " +
                 std::to_string(wavesExited) + " exited");
}
