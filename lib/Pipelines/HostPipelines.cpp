//===- HostPipelines.cpp - from lpgemm ops to code of the host ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Pipelines/HostPipelines.h"

#include "lpgemm/Conversion/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lpgemm;

void mlir::lpgemm::buildLowerToReferencePipeline(
    OpPassManager &pm, const LowerToReferenceOptions &options) {
  // Schedules say in which order kernels add.
  bool isOrdered = !options.chip.empty();
  if (isOrdered)
    pm.addPass(createAttachTargetPass({options.chip}));
  pm.addPass(createMaterializeStoragePass());
  pm.addPass(createBufferizePass());
  if (isOrdered)
    pm.addPass(createSelectSchedulePass());
  pm.addPass(createConvertLPGEMMToLoopsPass({options.accumulate}));
}

void mlir::lpgemm::buildLowerHostToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createCheckArithPass());
  // What a program does around the products.
  pm.addPass(createConvertLinalgToLoopsPass());
  // What expand-strided-metadata makes of subviews are affine ops.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  // What LLVM has no intrinsic for, such as erf, is in the C library; so is
  // what it has but an approximation of.
  pm.addPass(createCallLibmPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}
