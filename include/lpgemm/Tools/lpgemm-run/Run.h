//===- Run.h - execute a module and compare ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_LPGEMM_RUN_RUN_H
#define LPGEMM_TOOLS_LPGEMM_RUN_RUN_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::lpgemm {

enum class EmulatorChecks { Off, On };

/// What lpgemm-run does, in the words of its command line.
struct RunOptions {
  /// A module at any stage: tensors, after any pass, or lowered.
  std::string input;
  /// The function to call; empty: the only public one.
  std::string entry;
  std::string chip;
  /// "reference" or "emulate".
  std::string device;
  /// An .npy file for each argument, in order.
  std::vector<std::string> arguments;
  /// "KIND:SEED": how arguments without a file are made; empty: not at all.
  std::string init;
  /// "MxNxK", for extents that neither types nor files give.
  std::string size;
  /// Surround every row and every argument by NaN.
  bool poison = false;
  /// "reference" or an .npy file; none: no comparison.
  std::optional<std::string> compare;
  /// The module that defines the result, if the input is already lowered.
  std::string reference;
  /// Receives the result, .npy.
  std::string output;
  EmulatorChecks emulatorChecks = EmulatorChecks::On;
  /// OS threads of the emulator; 0: one for each core.
  unsigned emulatorThreads = 0;
  /// "forward", "reverse" or "random:SEED".
  std::string emulatorOrder = "forward";
  /// "late", "early" or "random", by the seed of the order.
  std::string emulatorLoads = "late";
  /// Print how long the call took.
  bool time = false;
};

/// The options of a command line; exits on one that is malformed.
RunOptions parseRunOptions(int argc, char **argv);

/// Runs a module. What there is to tell goes to stdout. False means that the
/// result was wrong, which has been told.
llvm::Expected<bool> runModule(const RunOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_RUN_RUN_H
