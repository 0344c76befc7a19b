//===- EmulatorOptions.h - options of the emulator --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_EMULATOROPTIONS_H
#define LPGEMM_TOOLS_EMULATOROPTIONS_H

#include "lpgemm/Emulator/Runtime.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::lpgemm {

enum class EmulatorChecks { Off, On };

/// How the emulator runs kernels, in the words of a command line.
struct EmulatorWords {
  EmulatorChecks checks = EmulatorChecks::On;
  /// OS threads; 0: one for each core.
  unsigned threads = 0;
  /// "forward", "reverse" or "random:SEED".
  std::string order = "forward";
  /// "late", "early" or "random", by the seed of the order.
  std::string loads = "late";
  emulator::WarpOrder warps = emulator::WarpOrder::Independent;
  /// What the host is told of the device.
  unsigned multiprocessors = emulator::Options().multiprocessors;
};

/// The options of a tool that has an emulator; what is given goes to `words`.
class EmulatorCommandLine {
public:
  EmulatorCommandLine(EmulatorWords &words, llvm::cl::OptionCategory &category);

private:
  llvm::cl::opt<EmulatorChecks, true> checks;
  llvm::cl::opt<unsigned, true> threads;
  llvm::cl::opt<std::string, true> order;
  llvm::cl::opt<std::string, true> loads;
  llvm::cl::opt<emulator::WarpOrder, true> warps;
  llvm::cl::opt<unsigned, true> multiprocessors;
};

/// What the words mean.
llvm::Expected<emulator::Options>
parseEmulatorOptions(const EmulatorWords &words);

/// Prints the cycles of all LDS accesses, and of the worst operations.
void printLdsStatistics(llvm::raw_ostream &os);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_EMULATOROPTIONS_H
