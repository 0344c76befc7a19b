//===- compiler.cpp - host code with kernels in it ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: compiler MODULE CHIP FORMAT
//
// Prints LLVM IR for the host. FORMAT is what is in it of each kernel: "isa" or
// "bin".
//
//===----------------------------------------------------------------------===//

#include "lpgemm/InitAll.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/ROCDL/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, mlir::linalg::LinalgDialect>();
  mlir::lpgemm::registerAllDialects(registry);
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerROCDLDialectTranslation(registry);
  mlir::ROCDL::registerROCDLTargetInterfaceExternalModels(registry);
  mlir::gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
}

/// LPGEMM's pipeline is the first part of the compiler's own.
static void buildPipeline(mlir::PassManager &pm, llvm::StringRef chip,
                          llvm::StringRef format) {
  mlir::lpgemm::LowerToROCDLOptions options;
  options.chip = chip.str();
  mlir::lpgemm::buildLowerToROCDLPipeline(pm, options);
  pm.addPass(mlir::createConvertLinalgToLoopsPass());
  pm.addPass(mlir::createSCFToControlFlowPass());
  pm.addPass(mlir::memref::createExpandStridedMetadataPass());
  pm.addPass(mlir::createLowerAffinePass());
  mlir::GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = format.str();
  pm.addPass(mlir::createGpuModuleToBinaryPass(binary));
  pm.addPass(mlir::createGpuToLLVMConversionPass());
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 1;
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager pm(&context);
  buildPipeline(pm, argv[2], argv[3]);
  if (mlir::failed(pm.run(*module)))
    return 1;
  llvm::LLVMContext llvmContext;
  auto translated = mlir::translateModuleToLLVMIR(*module, llvmContext);
  if (!translated)
    return 1;
  translated->print(llvm::outs(), nullptr);
  return 0;
}
