//===- Results.h - what a launch left behind --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_RESULTS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_RESULTS_H

#include "lpgemm/Emulator/Runtime.h"
#include "lpgemm/Numerics/AccuracyTolerance.h"
#include "lpgemm/Support/Npy.h"
#include "mlir/IR/Types.h"
#include "llvm/Support/JSON.h"

namespace mlir::lpgemm {

/// A buffer beside what was expected in it.
struct Expectation {
  std::string name;
  std::string path;
  NpyArray expected;
  /// After the launch.
  bool isMet = false;
  int64_t numWrong = 0;
  double maxError = 0;
};

/// Compares `result`, of elements of `type`, with what is expected.
void compare(Expectation &expectation, const NpyArray &result, Type type,
             const Tolerance &tolerance);

/// One line: whether it is met, or how far it is not.
void printExpectation(llvm::raw_ostream &os, const Expectation &expectation);

/// The first elements of a buffer, on one line.
void printElements(llvm::raw_ostream &os, StringRef name, const NpyArray &array,
                   Type type);

/// What the emulator counts, one line for each counter that is not zero.
void printStatistics(llvm::raw_ostream &os);

/// All of it for programs.
llvm::json::Value toJson(ArrayRef<emulator::Report> reports,
                         ArrayRef<Expectation> expectations);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_RESULTS_H
