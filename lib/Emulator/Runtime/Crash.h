//===- Crash.h - faults of the host in emulated code ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A signal that emulated code raises - an address that is not mapped, a
// division that the host cannot do, a trap, a stack that ends - ends the
// workgroup, and becomes a report. Elsewhere signals do what they did before.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_CRASH_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_CRASH_H

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::lpgemm::emulator {

/// What ended emulated code.
struct Crash {
  int signal = 0;
  uintptr_t address = 0;

  /// "an access to address 0x8 (SIGSEGV)".
  std::string describe() const;
};

/// Handles the signals of crashes as long as it lives. One at a time for the
/// process.
class CrashHandlers {
public:
  CrashHandlers();
  ~CrashHandlers();
  CrashHandlers(const CrashHandlers &) = delete;
  CrashHandlers &operator=(const CrashHandlers &) = delete;
};

/// A stack of this thread for the handler, as the one of emulated code may have
/// no room left.
class CrashStack {
public:
  CrashStack();
  ~CrashStack();
  CrashStack(const CrashStack &) = delete;
  CrashStack &operator=(const CrashStack &) = delete;

private:
  std::vector<char> memory;
  stack_t previous{};
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_CRASH_H
