//===- AssembleKernels.cpp - kernels to objects to load -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Compile/AssembleKernels.h"

#include "Ptxas.h"
#include "lpgemm/Conversion/Passes.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// The object with a cubin in place of PTX.
static FailureOr<Attribute> assemble(gpu::BinaryOp binary,
                                     gpu::ObjectAttr object, const Ptxas &ptxas,
                                     StringRef chip) {
  auto output = ptxas.assemble(object.getObject().getValue(), chip);
  if (!output)
    return binary.emitError(llvm::toString(output.takeError()));
  auto cubin = StringAttr::get(binary.getContext(), output->cubin);
  return Attribute(gpu::ObjectAttr::get(
      binary.getContext(), object.getTarget(), gpu::CompilationTarget::Binary,
      cubin, object.getProperties(), object.getKernels()));
}

namespace {
/// Assembles the PTX in gpu.binary ops.
struct AssemblePtx : PassWrapper<AssemblePtx, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AssemblePtx)

  AssemblePtx(Ptxas ptxas, StringRef chip)
      : ptxas(std::move(ptxas)), chip(chip) {}

  StringRef getName() const override { return "assemble-ptx"; }

  void runOnOperation() override {
    for (auto binary : getOperation().getOps<gpu::BinaryOp>()) {
      SmallVector<Attribute> objects;
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
        FailureOr<Attribute> assembled = assemble(binary, object, ptxas, chip);
        if (failed(assembled))
          return signalPassFailure();
        objects.push_back(*assembled);
      }
      binary.setObjectsAttr(ArrayAttr::get(&getContext(), objects));
    }
  }

  Ptxas ptxas;
  std::string chip;
};
} // namespace

void mlir::lpgemm::buildPrepareTranslationPipeline(OpPassManager &kernels) {
  kernels.addPass(createPreparePTXPass());
  // Other ops of the nvvm dialect that are text of PTX.
  kernels.addPass(createConvertNVVMToLLVMPass());
}

void mlir::lpgemm::buildAssembleKernelsPipeline(OpPassManager &pm,
                                                StringRef chip,
                                                StringRef toolkit) {
  buildPrepareTranslationPipeline(pm.nest<gpu::GPUModuleOp>());
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(binary));
  llvm::Expected<Ptxas> ptxas = Ptxas::find(toolkit);
  if (ptxas)
    pm.addPass(std::make_unique<AssemblePtx>(std::move(*ptxas), chip));
  else
    llvm::consumeError(ptxas.takeError());
}
