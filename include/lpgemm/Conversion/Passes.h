//===- Passes.h - conversion passes -----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_PASSES_H
#define LPGEMM_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::lpgemm {

/// The numbers in which the reference lowering forms sums.
enum class Accumulation {
  /// f64: the definition (G-2).
  F64,
  /// f32, in the order of k (G-3).
  F32,
  /// The limited accumulator of the FP8 tensor cores of Hopper.
  Hopper
};

#define GEN_PASS_DECL
#include "lpgemm/Conversion/Passes.h.inc"

/// Registers the conversion passes of this project.
#define GEN_PASS_REGISTRATION
#include "lpgemm/Conversion/Passes.h.inc"

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_PASSES_H
