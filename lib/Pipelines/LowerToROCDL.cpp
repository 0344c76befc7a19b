//===- LowerToROCDL.cpp - lpgemm-lower-to-rocdl ---------------------------===//
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

void lpgemm::buildLowerKernelsToROCDLPipeline(OpPassManager &kernels,
                                              StringRef chip,
                                              bool takesPointers) {
  kernels.addPass(createCheckArithPass());
  kernels.addPass(createExpandMathPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToROCDLOpsOptions rocdl;
  rocdl.chipset = chip.str();
  rocdl.runtime = gpu::amd::Runtime::HIP;
  rocdl.useBarePtrCallConv = takesPointers;
  // The kernels work on 32-bit offsets from 64-bit bases: half the scalar
  // instructions of a 64-bit index.
  rocdl.indexBitwidth = 32;
  kernels.addPass(createConvertGpuOpsToROCDLOps(rocdl));
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

void lpgemm::buildLowerToROCDLPipeline(OpPassManager &pm,
                                       const LowerToROCDLOptions &options) {
  buildTilePipeline(pm, options.chip);
  GpuROCDLAttachTargetOptions target;
  target.chip = options.chip;
  target.optLevel = 3;
  pm.addPass(createGpuROCDLAttachTarget(target));

  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createConvertLPGEMMToAMDGPUPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createInsertWaitsPass({options.conservativeWaits}));
  kernels.addPass(createPinSumsPass());
  buildLowerKernelsToROCDLPipeline(kernels, options.chip);
}
