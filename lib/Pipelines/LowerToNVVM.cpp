//===- LowerToNVVM.cpp - lpgemm-lower-to-nvvm -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePipeline.h"
#include "lpgemm/Conversion/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Without the pattern of MLIR that compares each pair of the values that a
/// loop carries: of registers there are hundreds, and no two are the same.
static std::unique_ptr<Pass> createRegisterCanonicalizer() {
  return createCanonicalizerPass(
      GreedyRewriteConfig(),
      {"(anonymous namespace)::RemoveDuplicateSuccessorInputUses"});
}

void lpgemm::buildLowerTilesToNVVMPipeline(OpPassManager &kernels,
                                           bool conservativeWaits) {
  kernels.addPass(createConvertLPGEMMToNVVMPass());
  kernels.addPass(createRegisterCanonicalizer());
  kernels.addPass(createCSEPass());
  kernels.addPass(createInsertWaitsPass({conservativeWaits}));
  kernels.addPass(createCheckArithPass());
  kernels.addPass(createExpandMathPass());
  // In front of convert-nvgpu-to-nvvm, which gives loops over vectors of FP8
  // an index of 64 bits.
  kernels.addPass(createSCFToControlFlowPass());
  // Offsets in shared memory and positions in a tile fit 32 bits; those in
  // global memory are i64.
  buildLowerKernelsToNVVMPipeline(kernels, /*takesPointers=*/true,
                                  /*indexBits=*/32);
  kernels.addPass(createFinalizeNVVMKernelsPass());
}

void lpgemm::buildLowerToNVVMPipeline(OpPassManager &pm,
                                      const LowerToNVVMOptions &options) {
  buildTilePipeline(pm, options.chip);
  pm.addNestedPass<gpu::GPUModuleOp>(createPinAccumulatorsPass());
  pm.addPass(createFinalizeABIPass());
  GpuNVVMAttachTargetOptions target;
  target.chip = options.chip;
  target.features = "+ptx86";
  target.optLevel = 3;
  pm.addPass(createGpuNVVMAttachTarget(target));
  buildLowerTilesToNVVMPipeline(pm.nest<gpu::GPUModuleOp>(),
                                options.conservativeWaits);
  pm.addPass(createFinalizeLaunchesPass());
}
