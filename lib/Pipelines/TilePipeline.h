//===- TilePipeline.h - from lpgemm ops to ops on tiles ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_PIPELINES_TILEPIPELINE_H
#define LPGEMM_LIB_PIPELINES_TILEPIPELINE_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lpgemm {

/// Adds the passes from lpgemm ops on tensors or memrefs to host code and
/// kernels of tile ops for `chip`, the same for all vendors. For a
/// builtin.module.
void buildTilePipeline(OpPassManager &pm, const std::string &chip);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_PIPELINES_TILEPIPELINE_H
