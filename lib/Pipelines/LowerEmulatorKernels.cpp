//===- LowerEmulatorKernels.cpp - kernels written by hand -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerEmulatorKernels.h"

#include "lpgemm/Emulator/Passes.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Whether there is nothing to convert.
static bool isLowered(gpu::GPUModuleOp gpuModule) {
  return !gpuModule.getBodyRegion()
              .walk([](Operation *op) {
                StringRef dialect = op->getName().getDialectNamespace();
                bool isLow = dialect == "llvm" || dialect == "nvvm" ||
                             dialect == "rocdl";
                return isLow ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether pointers alone tell the kernels all about their memrefs.
static bool takesStaticMemrefs(gpu::GPUModuleOp gpuModule) {
  auto isStatic = [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return !memref ||
           (memref.hasStaticShape() && memref.getLayout().isIdentity());
  };
  return llvm::all_of(
      gpuModule.getOps<gpu::GPUFuncOp>(), [&](gpu::GPUFuncOp function) {
        return llvm::all_of(function.getArgumentTypes(), isStatic);
      });
}

namespace {
/// Converts what is not lowered yet. Which conversions that takes, the kernels
/// tell.
class LowerEmulatorKernels
    : public PassWrapper<LowerEmulatorKernels,
                         OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerEmulatorKernels)

  LowerEmulatorKernels(StringRef chip, bool byHand)
      : chip(chip), byHand(byHand) {}

  StringRef getName() const override { return "LowerEmulatorKernels"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    makePipeline(/*takesPointers=*/true).getDependentDialects(registry);
  }

  void runOnOperation() override {
    gpu::GPUModuleOp gpuModule = getOperation();
    if (isLowered(gpuModule))
      return;
    OpPassManager pipeline =
        makePipeline(!byHand || takesStaticMemrefs(gpuModule));
    if (failed(runPipeline(pipeline, gpuModule)))
      signalPassFailure();
  }

private:
  OpPassManager makePipeline(bool takesPointers) const {
    OpPassManager pipeline(gpu::GPUModuleOp::getOperationName());
    if (byHand) {
      pipeline.addPass(createConvertVectorToSCFPass());
      pipeline.addPass(memref::createExpandStridedMetadataPass());
    }
    if (StringRef(chip).starts_with("sm_"))
      buildLowerKernelsToNVVMPipeline(pipeline, takesPointers);
    else
      buildLowerKernelsToROCDLPipeline(pipeline, chip, takesPointers);
    return pipeline;
  }

  std::string chip;
  bool byHand;
};
} // namespace

std::unique_ptr<Pass> lpgemm::createLowerEmulatorKernelsPass(StringRef chip,
                                                             bool byHand) {
  return std::make_unique<LowerEmulatorKernels>(chip, byHand);
}

void lpgemm::buildLowerEmulatorKernelsPipeline(OpPassManager &pm,
                                               StringRef chip) {
  pm.addPass(createIsolateEmulatorKernelsPass());
  pm.nest<gpu::GPUModuleOp>().addPass(
      createLowerEmulatorKernelsPass(chip, /*byHand=*/true));
}
