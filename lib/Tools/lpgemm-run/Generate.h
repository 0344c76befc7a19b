//===- Generate.h - arguments that are made ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_GENERATE_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_GENERATE_H

#include "Inputs.h"

namespace mlir::lpgemm {

/// Longer sums are not exact with InitKind::Exact.
constexpr int64_t kLargestExactK = 1 << 16;

/// An argument that was made.
struct GeneratedArgument {
  NpyArray elements;
  /// The f32 values that elements and their scales were quantized from.
  std::optional<NpyArray> unquantized;
};

/// Makes the arguments of which `isNeeded` is set, each from a seed of its own.
/// Elements and scales that are both made belong together.
llvm::Expected<SmallVector<std::optional<GeneratedArgument>>>
generateArguments(const Signature &signature, const Resolution &resolution,
                  ArrayRef<bool> isNeeded, InitMode mode);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_GENERATE_H
