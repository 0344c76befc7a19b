//===- Arguments.h - the arguments of a run ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_ARGUMENTS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_ARGUMENTS_H

#include "Program.h"
#include "Settings.h"
#include "lpgemm/Tools/lpgemm-run/Run.h"

namespace mlir::lpgemm {

/// The arguments of a run, from files and generators.
struct RunArguments {
  Resolution resolution;
  SmallVector<CallArgument> values;
  /// What each argument was quantized from, f32, where that is known.
  SmallVector<std::optional<NpyArray>> unquantized;
  /// A file, a number, or how the elements were made.
  SmallVector<std::string> sources;

  /// The elements of each argument; null for a destination.
  SmallVector<const NpyArray *> getElements() const;
};

/// Reads and makes the arguments of a function.
llvm::Expected<RunArguments> makeArguments(const Signature &signature,
                                           const RunOptions &options,
                                           const Settings &settings);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_ARGUMENTS_H
