//===- HostPipelines.h - from lpgemm ops to code of the host ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_PIPELINES_HOSTPIPELINES_H
#define LPGEMM_PIPELINES_HOSTPIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::lpgemm {

/// Adds the passes from lpgemm ops on tensors or memrefs to scalar loops, which
/// define what the ops mean. For a builtin.module.
void buildLowerToReferencePipeline(OpPassManager &pm);

/// Adds the passes from scalar loops and control flow on memrefs to the llvm
/// dialect. For a builtin.module, whose context needs the extensions of
/// mlir::registerAllExtensions.
void buildLowerHostToLLVMPipeline(OpPassManager &pm);

} // namespace mlir::lpgemm

#endif // LPGEMM_PIPELINES_HOSTPIPELINES_H
