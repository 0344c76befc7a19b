//===- LowerEmulatorKernels.cpp - kernels written by hand -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

static void buildConversions(OpPassManager &kernels, StringRef chip,
                             bool takesPointers) {
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  if (chip.starts_with("sm_"))
    buildLowerKernelsToNVVMPipeline(kernels, takesPointers);
  else
    buildLowerKernelsToROCDLPipeline(kernels, chip, takesPointers);
}

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

  explicit LowerEmulatorKernels(StringRef chip) : chip(chip) {}

  StringRef getName() const override { return "LowerEmulatorKernels"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    makePipeline(/*takesPointers=*/true).getDependentDialects(registry);
  }

  void runOnOperation() override {
    gpu::GPUModuleOp gpuModule = getOperation();
    if (isLowered(gpuModule))
      return;
    OpPassManager pipeline = makePipeline(takesStaticMemrefs(gpuModule));
    if (failed(runPipeline(pipeline, gpuModule)))
      signalPassFailure();
  }

private:
  OpPassManager makePipeline(bool takesPointers) const {
    OpPassManager pipeline(gpu::GPUModuleOp::getOperationName());
    buildConversions(pipeline, chip, takesPointers);
    return pipeline;
  }

  std::string chip;
};
} // namespace

void lpgemm::buildLowerEmulatorKernelsPipeline(OpPassManager &pm,
                                               StringRef chip) {
  pm.addPass(createIsolateEmulatorKernelsPass());
  pm.nest<gpu::GPUModuleOp>().addPass(
      std::make_unique<LowerEmulatorKernels>(chip));
}
