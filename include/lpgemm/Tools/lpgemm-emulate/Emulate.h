//===- Emulate.h - run one kernel in the emulator ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_LPGEMM_EMULATE_EMULATE_H
#define LPGEMM_TOOLS_LPGEMM_EMULATE_EMULATE_H

#include "lpgemm/Tools/EmulatorOptions.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::lpgemm {

/// What lpgemm-emulate does, in the words of its command line.
struct EmulateOptions {
  /// A module of kernels, at any level from the gpu dialect down.
  std::string input;
  /// The kernel to launch; empty: the only one.
  std::string kernel;
  std::string chip = "gfx950";
  /// "X", "X,Y" or "X,Y,Z".
  std::string grid = "1";
  std::string block = "1";
  /// The same; none: without clusters.
  std::optional<std::string> cluster;
  int64_t dynamicSharedBytes = 0;
  /// One for each parameter, in order.
  std::vector<std::string> arguments;
  /// Buffers of no parameter.
  std::vector<std::string> buffers;
  /// "NAME=FILE.npy" each.
  std::vector<std::string> saved;
  std::vector<std::string> expected;
  /// What expectations demand; none: equal bits.
  std::optional<std::string> tolerance;
  /// Names of buffers.
  std::vector<std::string> printed;
  bool statistics = false;
  /// Receives reports, comparisons and statistics, JSON; "-" is stdout.
  std::string json;
  EmulatorWords emulator;
  emulator::Numerics numerics = emulator::Numerics::Exact;
  /// The passes through loops that a workgroup may take; none: the emulator's
  /// own limit.
  std::optional<uint64_t> stepBudget;
};

/// The options of a command line; exits on one that is malformed.
EmulateOptions parseEmulateOptions(int argc, char **argv);

/// Launches a kernel. What there is to tell goes to stdout, or to stderr where
/// JSON takes stdout. False means that there was a report, or a result that was
/// not expected, which has been told.
llvm::Expected<bool> emulateKernel(const EmulateOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_EMULATE_EMULATE_H
