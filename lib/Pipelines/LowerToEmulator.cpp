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
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Says what is wrong with the option before conversions, which would speak of
/// their own options and at no location, get to see it.
class CheckEmulatorChip
    : public PassWrapper<CheckEmulatorChip, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckEmulatorChip)

  explicit CheckEmulatorChip(StringRef chip) : chip(chip) {}

  StringRef getName() const override { return "CheckEmulatorChip"; }

  void runOnOperation() override {
    if (llvm::Error error = emulator::checkChip(chip)) {
      getOperation().emitError("option 'chip': ")
          << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  std::string chip;
};
} // namespace

void lpgemm::buildLowerToEmulatorPipeline(
    OpPassManager &pm, const LowerToEmulatorOptions &options) {
  pm.addPass(std::make_unique<CheckEmulatorChip>(options.chip.getValue()));
  pm.nest<gpu::GPUModuleOp>().addPass(
      createLowerEmulatorKernelsPass(options.chip, /*byHand=*/false));
  pm.addPass(createConvertGPUToEmulatorPass({options.chip}));
  buildLowerHostToLLVMPipeline(pm);
}
