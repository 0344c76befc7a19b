//===- Registration.cpp - names of the pipelines --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Pipelines/HostPipelines.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassRegistry.h"

void mlir::lpgemm::registerPipelineInterfaces(DialectRegistry &registry) {
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);

  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
}

void mlir::lpgemm::registerPipelines() {
  PassPipelineRegistration<LowerToNVVMOptions>(
      "lpgemm-lower-to-nvvm",
      "Lower lpgemm.matmul on tensors to kernels in the NVVM dialect",
      buildLowerToNVVMPipeline);
  PassPipelineRegistration<LowerToROCDLOptions>(
      "lpgemm-lower-to-rocdl",
      "Lower lpgemm.matmul on tensors to kernels in the ROCDL dialect",
      buildLowerToROCDLPipeline);
  PassPipelineRegistration<LowerToEmulatorOptions>(
      "lpgemm-lower-to-emulator",
      "Lower kernels and their host code to host code that runs them in the "
      "emulator",
      buildLowerToEmulatorPipeline);
  PassPipelineRegistration<LowerToReferenceOptions>(
      "lpgemm-lower-to-reference",
      "Lower lpgemm ops to scalar loops, their definition",
      buildLowerToReferencePipeline);
  PassPipelineRegistration<>(
      "lpgemm-lower-host-to-llvm",
      "Lower scalar loops and control flow on memrefs to the LLVM dialect",
      buildLowerHostToLLVMPipeline);
}
