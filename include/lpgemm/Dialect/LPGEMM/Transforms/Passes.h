//===- Passes.h - passes on the dialect -------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_H
#define LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::lpgemm {

/// The stage of an op of a pipelined loop, and its place in the loop (see
/// lpgemm-assign-pipeline).
inline constexpr StringLiteral kStageAttrName = "lpgemm.stage";
inline constexpr StringLiteral kClusterAttrName = "lpgemm.cluster";
/// The role that is to execute an op (see lpgemm-assign-pipeline).
inline constexpr StringLiteral kRoleAttrName = "lpgemm.role";
/// A K loop over what a fast one leaves (see lpgemm-split-loops).
inline constexpr StringLiteral kRestAttrName = "lpgemm.rest";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_H
