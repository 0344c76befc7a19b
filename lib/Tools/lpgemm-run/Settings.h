//===- Settings.h - what the options mean -----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_SETTINGS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_SETTINGS_H

#include "Inputs.h"
#include "Program.h"
#include "lpgemm/Numerics/AccuracyTolerance.h"

namespace mlir::lpgemm {

struct RunOptions;

/// The options of a run, parsed.
struct Settings {
  const Device *device = nullptr;
  Lowering lowering;
  /// The numbers in which the device forms sums of FP8.
  Accumulation deviceAccumulate = Accumulation::F64;
  std::optional<InitMode> init;
  ProblemSize size;
  /// The files of -o.
  SmallVector<StringRef> outputs;
  std::optional<Tolerance> tolerance;
  Tolerance quantizationTolerance;
  AccuracyOptions accuracy;

  bool isExact() const { return init && init->kind == InitKind::Exact; }
};

/// Checks the options, parses them and sets up the emulator.
llvm::Expected<Settings> parseSettings(const RunOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_SETTINGS_H
