//===- LPGEMMToNVVM.cpp - convert-lpgemm-to-nvvm --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "ColumnLoop.h"
#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_CONVERTLPGEMMTONVVMPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

namespace {

struct TileTypeConverter : TypeConverter {
  TileTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion([](FragType type, SmallVectorImpl<Type> &types) {
      RegisterTile tile(type);
      if (isOperand(type))
        types.append(tile.getNumAtoms(), tile.getAtomType());
      else
        types.append(getNumElements(type), type.getElementType());
      return success();
    });
    addConversion([](GlobalType type, SmallVectorImpl<Type> &types) {
      MLIRContext *context = type.getContext();
      auto index = IndexType::get(context);
      types.append({LLVM::LLVMPointerType::get(context), index, index,
                    IntegerType::get(context, 64)});
      return success();
    });
    addConversion([](SlotType type, SmallVectorImpl<Type> &types) {
      types.append(2, IntegerType::get(type.getContext(), 32));
      return success();
    });
    auto toOffset = [](auto type) -> Type {
      return IntegerType::get(type.getContext(), 32);
    };
    addConversion([=](BufType type) { return toOffset(type); });
    addConversion([=](PipeType type) { return toOffset(type); });
  }
};

struct ConvertLPGEMMToNVVM
    : lpgemm::impl::ConvertLPGEMMToNVVMPassBase<ConvertLPGEMMToNVVM> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(checkPipeOps(module)))
      return signalPassFailure();
    TilePlan plan(module);
    ApplyPlan applyPlan(module);
    if (!module.getOps<gpu::GPUFuncOp>().empty())
      addSharedMemory(module);
    TileTypeConverter converter;
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalDialect<LPGEMMDialect>();
    target.addIllegalOp<gpu::SubgroupIdOp>();
    target.addLegalOp<CommitOp>();
    target.addDynamicallyLegalOp<WaitOp>(
        [&](WaitOp op) { return converter.isLegal(op.getOperation()); });
    populateApplyPatterns(converter, patterns, applyPlan);
    populateCastPattern(converter, patterns);
    populateColumnLoadPattern(converter, patterns);
    populateCopyPatterns(converter, patterns, plan);
    populateExchangePatterns(converter, patterns, plan);
    populateGlobalPatterns(converter, patterns);
    populateMemoryPatterns(converter, patterns, plan);
    populateMmaPatterns(converter, patterns);
    populatePipePatterns(converter, patterns, plan);
    populateRegisterPatterns(converter, patterns);
    populateRolePatterns(converter, patterns, plan);
    populateStagedStorePattern(converter, patterns, plan);
    populateWarpPatterns(converter, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    sinkToStores(module);
  }

  /// As large as each launch says.
  static void addSharedMemory(gpu::GPUModuleOp module) {
    if (module.lookupSymbol(kSharedName))
      return;
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
    // The swizzle of 128-byte rows repeats after 1024 bytes.
    LLVM::GlobalOp::create(
        b, module.getLoc(), bytes, /*isConstant=*/false,
        LLVM::Linkage::External, kSharedName, Attribute(), /*alignment=*/1024,
        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
  }
};

} // namespace
