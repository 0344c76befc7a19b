//===- Run.h - execute a module and compare ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_LPGEMM_RUN_RUN_H
#define LPGEMM_TOOLS_LPGEMM_RUN_RUN_H

#include "lpgemm/Tools/EmulatorOptions.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::lpgemm {

/// What lpgemm-run does, in the words of its command line.
struct RunOptions {
  /// A module at any stage: tensors, after any pass, or lowered.
  std::string input;
  /// The function to call; empty: the only public one.
  std::string entry;
  std::string chip;
  /// "reference", "emulate" or "cuda".
  std::string device;
  /// "f64", "f32" or "hopper": the numbers in which the reference forms sums.
  std::string accumulate = "f64";
  /// An .npy file for each argument, in order, or "N=FILE" or "N=NUMBER".
  std::vector<std::string> arguments;
  /// "KIND:SEED": how arguments without a file are made; empty: not at all.
  std::string init;
  /// "MxNxK", with the extents of a batch in front, for extents that neither
  /// types nor files give.
  std::string size;
  /// "3,0,5", the sizes of the groups of lpgemm.grouped_matmul.
  std::string groups;
  /// Surround every row and every argument by NaN.
  bool poison = false;
  /// "reference" or an .npy file for each result, with commas between them;
  /// none: no comparison.
  std::optional<std::string> compare;
  /// What a comparison demands, as criteria with commas between them; none:
  /// what the type of the result demands.
  std::optional<std::string> tolerance;
  /// "ROWSxCOLUMNS" of the tiles of which the worst is told.
  std::string tile = "128x128";
  /// The f32 operands before they were quantized, .npy.
  std::string lhsUnquantized;
  std::string rhsUnquantized;
  /// What the error of quantization must fulfil; none: it is only told.
  std::optional<std::string> quantizationTolerance;
  /// Receives everything that was measured, JSON; "-" is stdout.
  std::string json;
  /// The module that defines the result, if the input is already lowered.
  std::string reference;
  /// Receive the results, .npy, with commas between them.
  std::string output;
  EmulatorWords emulator;
  /// How emulated tensor cores round.
  emulator::Numerics emulatorNumerics = emulator::Numerics::Exact;
  /// Print what the emulator counts.
  bool emulatorStatistics = false;
  /// Print how long the call took.
  bool time = false;
};

/// The options of a command line; exits on one that is malformed.
RunOptions parseRunOptions(int argc, char **argv);

/// Runs a module. What there is to tell goes to stdout, or to stderr where JSON
/// takes stdout. False means that the
/// result was wrong, which has been told.
llvm::Expected<bool> runModule(const RunOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_RUN_RUN_H
