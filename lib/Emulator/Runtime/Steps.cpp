//===- Steps.cpp - kernels that do not end --------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Machine.h"

using namespace mlir::lpgemm::emulator;

/// A lane that polls what another one writes needs that one to run.
static constexpr uint64_t kStepsPerTurn = 1024;

void Machine::step(uint32_t site) {
  note(site);
  ++numSteps;
  if (numSteps > launch->options.maxSteps) {
    reportHung(site);
    failed = true;
    leave();
  }
  if (numSteps % kStepsPerTurn == 0)
    yield();
}

/// Where all lanes are, as nobody knows which of them is at fault.
void Machine::reportHung(uint32_t site) {
  std::map<std::pair<LaneState, uint32_t>, uint32_t> places;
  for (const Lane &lane : lanes)
    ++places[{lane.state,
              lane.state == LaneState::Running ? lane.lastSite : lane.site}];
  std::string text;
  for (auto [place, count] : places) {
    auto [state, at] = place;
    text += (text.empty() ? "" : ", ") + std::to_string(count);
    if (state == LaneState::Exited)
      text += " exited";
    else if (at == kNoSite)
      text += " run before their first operation";
    else
      text += (state == LaneState::Running ? " run in " : " wait in ") +
              siteText(*launch->info, at);
  }
  report(ReportKind::NoProgress, site,
         "is in a loop that does not end: after " +
             std::to_string(launch->options.maxSteps) + " passes, of " +
             std::to_string(lanes.size()) + " lanes " + text);
}

void emu_step(uint32_t site) { Machine::current().step(site); }

uint64_t emu_divisor(uint32_t site, uint64_t divisor) {
  Machine &machine = Machine::current();
  machine.note(site);
  if (divisor == 0)
    machine.fatal(ReportKind::Crash, site, "divides by zero");
  return divisor;
}

void emu_unreachable(uint32_t site) {
  Machine::current().fatal(ReportKind::Crash, site, "is reached");
}
