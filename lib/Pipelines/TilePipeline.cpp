//===- TilePipeline.cpp - from lpgemm ops to ops on tiles -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilePipeline.h"

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;

void lpgemm::buildTilePipeline(OpPassManager &pm, const std::string &chip) {
  pm.addPass(createCheckArithPass());
  pm.addPass(createAttachTargetPass({chip}));
  pm.addPass(createMaterializeStoragePass());
  pm.addPass(createBufferizePass());
  pm.addPass(createSelectSchedulePass());
  pm.addPass(createOutlinePass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createTilePass());
  kernels.addPass(createSplitSubchannelsPass());
  kernels.addPass(createPromotePass());
  kernels.addPass(createAssignLayoutsPass());
  kernels.addPass(createSplitLoopsPass());
  kernels.addPass(createAssignPipelinePass());
  kernels.addPass(createExpandPipelinePass());
  kernels.addPass(createStageResultsPass());
}
