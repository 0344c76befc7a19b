//===- Pipeline.cpp - from GPU kernels to host code -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Emulator.h"

#include "lpgemm/Emulator/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lpgemm;

void emulator::buildHostPipeline(OpPassManager &pm) {
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void emulator::buildEmulatorPipeline(OpPassManager &pm,
                                     const PipelineOptions &options) {
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToROCDLOpsOptions toROCDL;
  toROCDL.chipset = options.chip;
  toROCDL.indexBitwidth = 32;
  toROCDL.useBarePtrCallConv = true;
  toROCDL.runtime = gpu::amd::Runtime::HIP;
  kernels.addPass(createConvertGpuOpsToROCDLOps(toROCDL));
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createConvertGPUToEmulatorPass({options.chip}));
  buildHostPipeline(pm);
}

namespace {
struct PipelineFlags : public PassPipelineOptions<PipelineFlags> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("The emulated chip"),
                           llvm::cl::init("gfx950")};
};
} // namespace

void emulator::registerEmulatorPipelines() {
  PassPipelineRegistration<PipelineFlags>(
      "lpgemm-emulator-pipeline",
      "Lower GPU kernels and their host code to host code that runs them in "
      "the emulator",
      [](OpPassManager &pm, const PipelineFlags &flags) {
        buildEmulatorPipeline(pm, {flags.chip});
      });
}
