//===- LPGEMMToAMDGPU.cpp - lowering to amdgpu and rocdl ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "Lowering.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_CONVERTLPGEMMTOAMDGPUPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// 1:N: a tile of registers is many values, a global a pointer and its extents.
struct TileTypeConverter : TypeConverter {
  TileTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](FragType type, SmallVectorImpl<Type> &types) {
      if (ScaleWords::areIn(type)) {
        types.append(ScaleWords(type).getNumWords(),
                     ScaleWords::getWordType(type.getContext()));
        return success();
      }
      RegisterTile tile(type);
      types.append(tile.getNumAtoms(), tile.getAtomType());
      return success();
    });
    addConversion([](GlobalType type, SmallVectorImpl<Type> &types) {
      MLIRContext *context = type.getContext();
      auto index = IndexType::get(context);
      types.append({LLVM::LLVMPointerType::get(context), index, index,
                    IntegerType::get(context, 64)});
      return success();
    });
    addConversion([](BufType type) -> Type {
      MLIRContext *context = type.getContext();
      return MemRefType::get(
          {getBufferBytes(type)}, IntegerType::get(context, 8),
          MemRefLayoutAttrInterface(),
          gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup));
    });
  }
};

struct ConvertLPGEMMToAMDGPU
    : lpgemm::impl::ConvertLPGEMMToAMDGPUPassBase<ConvertLPGEMMToAMDGPU> {
  void runOnOperation() override {
    if (failed(checkTileOps(getOperation())))
      return signalPassFailure();
    TileTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalDialect<LPGEMMDialect>();
    target.addIllegalOp<gpu::SubgroupIdOp>();
    target.addLegalOp<CommitOp, WaitOp>();
    populateBlockPatterns(converter, patterns);
    populateCastPattern(converter, patterns);
    populateElementPatterns(converter, patterns);
    populateGlobalPatterns(converter, patterns);
    populatePromotePattern(converter, patterns);
    populateMemoryPatterns(converter, patterns);
    populateRegisterPatterns(converter, patterns);
    populateStagePatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
