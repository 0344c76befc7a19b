//===- HostPipelines.h - from lpgemm ops to code of the host ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_PIPELINES_HOSTPIPELINES_H
#define LPGEMM_PIPELINES_HOSTPIPELINES_H

#include "lpgemm/Conversion/Passes.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::lpgemm {

struct LowerToReferenceOptions
    : public PassPipelineOptions<LowerToReferenceOptions> {
  PassOptions::Option<Accumulation> accumulate{
      *this, "accumulate",
      llvm::cl::desc("The numbers in which sums are formed"),
      llvm::cl::init(Accumulation::F64),
      llvm::cl::values(
          clEnumValN(Accumulation::F64, "f64", "f64"),
          clEnumValN(Accumulation::F32, "f32", "f32, in the order of k"),
          clEnumValN(Accumulation::Hopper, "hopper",
                     "the limited accumulator of Hopper FP8 tensor cores"))};
  PassOptions::Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Sums of the limited accumulator in the order of the "
                     "kernels for this chip; empty: in that of K"),
      llvm::cl::init("")};
};

/// Adds the passes from lpgemm ops on tensors or memrefs to scalar loops, which
/// define what the ops mean. For a builtin.module.
void buildLowerToReferencePipeline(OpPassManager &pm,
                                   const LowerToReferenceOptions &options = {});

/// Adds the passes from scalar loops and control flow on memrefs to the llvm
/// dialect. For a builtin.module, whose context needs the extensions of
/// mlir::registerAllExtensions.
void buildLowerHostToLLVMPipeline(OpPassManager &pm);

} // namespace mlir::lpgemm

#endif // LPGEMM_PIPELINES_HOSTPIPELINES_H
