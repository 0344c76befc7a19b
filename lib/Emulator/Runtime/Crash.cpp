//===- Crash.cpp - faults of the host in emulated code --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Crash.h"

#include "Machine.h"

#include <cstdio>
#include <iterator>

using namespace mlir::lpgemm::emulator;

static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

std::string Crash::describe() const {
  switch (signal) {
  case SIGFPE:
    return "a division that overflows (SIGFPE)";
  case SIGILL:
  case SIGTRAP:
    return "a trap, or code that cannot be reached";
  default:
    break;
  }
  char place[32];
  std::snprintf(place, sizeof(place), "0x%llx",
                static_cast<unsigned long long>(address));
  return "an access to address " + std::string(place) +
         (signal == SIGBUS ? " (SIGBUS)" : " (SIGSEGV)");
}

/// What the signals did before.
static struct sigaction previousActions[std::size(kSignals)];

static void handle(int signal, siginfo_t *info, void *) {
  Crash crash{signal, reinterpret_cast<uintptr_t>(info->si_addr)};
  // Does not return if this thread runs emulated code.
  Machine::abandon(crash);
  for (size_t i = 0; i < std::size(kSignals); ++i)
    if (kSignals[i] == signal)
      sigaction(signal, &previousActions[i], nullptr);
  // A fault of an instruction comes again. A signal that was sent does not.
  if (info->si_code <= 0)
    raise(signal);
}

void Machine::abandon(const Crash &crash) {
  Machine *machine = active;
  if (!machine || !machine->runsLanes)
    return;
  machine->crash = crash;
  machine->failed = true;
  machine->leave();
}

/// Of the current lane.
void Machine::reportCrash() {
  bool isStack = ownsStackAddress(crash.address);
  std::string what =
      isStack ? "its stack of " +
                    std::to_string(launch->options.stackBytes / 1024) +
                    " KiB is too small: a recursion without end, or large "
                    "private memory"
              : crash.describe();
  uint32_t site = currentLane->lastSite;
  report(ReportKind::Crash, site,
         "is the last operation that is known of a work item that crashed: " +
             what);
}

CrashHandlers::CrashHandlers() {
  struct sigaction action{};
  action.sa_sigaction = handle;
  // The handler does not return to where it was called: nothing would unblock
  // the signal.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &action, &previousActions[i]);
}

CrashHandlers::~CrashHandlers() {
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &previousActions[i], nullptr);
}

CrashStack::CrashStack() : memory(64 * 1024) {
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, &previous);
}

CrashStack::~CrashStack() { sigaltstack(&previous, nullptr); }
