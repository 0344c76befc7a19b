//===- Inputs.h - arguments from the command line ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_INPUTS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_INPUTS_H

#include "Shapes.h"
#include "lpgemm/Numerics/Accuracy.h"

namespace mlir::lpgemm {

/// How elements are generated; see the overview of lpgemm-run.
enum class InitKind { Normal, Codes, Exact };

struct InitMode {
  InitKind kind;
  uint64_t seed;
};

/// Reads "KIND:SEED".
llvm::Expected<InitMode> parseInit(StringRef text);

/// Reads "ROWSxCOLUMNS", the size of a tile.
llvm::Expected<AccuracyOptions> parseTile(StringRef text);

/// Reads "MxNxK", with the extents of a batch in front.
llvm::Expected<Shape> parseSize(StringRef text);

/// Reads "3,0,5", the sizes of groups.
llvm::Expected<Shape> parseGroups(StringRef text);

/// What --arg says of an argument.
struct GivenArgument {
  std::string text;
  /// A number instead of a file.
  bool isNumber;
};

/// Which argument each --arg is for. "N=..." names the argument, the others
/// take those that are not named, in order.
llvm::Expected<SmallVector<std::optional<GivenArgument>>>
assignArguments(const Signature &signature, ArrayRef<std::string> texts);

/// Reads the file or the number of an argument and checks its element type.
llvm::Expected<NpyArray> readArgument(const Signature &signature,
                                      unsigned argument,
                                      const GivenArgument &given);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_INPUTS_H
