//===- Recipe.h - how to quantize a matrix ----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_QUANTIZE_RECIPE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_QUANTIZE_RECIPE_H

#include "lpgemm/Numerics/Layouts.h"
#include "lpgemm/Numerics/Quantize.h"
#include "lpgemm/Tools/lpgemm-quantize/QuantizeFile.h"

namespace mlir::lpgemm {

/// What the words of a command line mean.
struct Recipe {
  QuantizeOptions options;
  BufferLayout layout;
  /// Whether the bytes of the codes are shuffled in tiles of 16 x 16.
  bool shuffles;
};

/// Reads the words. Does not ask whether they go together.
llvm::Expected<Recipe> makeRecipe(const QuantizeFileOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_QUANTIZE_RECIPE_H
