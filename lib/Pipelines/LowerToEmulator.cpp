//===- LowerToEmulator.cpp - lpgemm-lower-to-emulator ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerEmulatorKernels.h"
#include "lpgemm/Emulator/Passes.h"
#include "lpgemm/Pipelines/HostPipelines.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

void lpgemm::buildLowerToEmulatorPipeline(
    OpPassManager &pm, const LowerToEmulatorOptions &options) {
  pm.nest<gpu::GPUModuleOp>().addPass(
      createLowerEmulatorKernelsPass(options.chip, /*byHand=*/false));
  pm.addPass(createConvertGPUToEmulatorPass({options.chip}));
  buildLowerHostToLLVMPipeline(pm);
}
