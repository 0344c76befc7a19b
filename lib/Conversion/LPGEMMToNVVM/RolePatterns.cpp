//===- RolePatterns.cpp - who executes what -------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

/// One thread fetches the tensor maps, so that the first copies need not.
static void buildPrefetches(ImplicitLocOpBuilder &b, gpu::GPUFuncOp func) {
  auto maps = func->getAttrOfType<DenseI32ArrayAttr>(kTensorMapsAttrName);
  if (!maps || maps.empty())
    return;
  buildIf(b, isEqual(b, buildThread(b), 0), [&] {
    for (int32_t index : maps.asArrayRef())
      NVVM::PrefetchOp::create(b, /*cacheLevel=*/nullptr,
                               /*evictPriority=*/nullptr,
                               func.getArgument(index),
                               /*predicate=*/Value(), b.getUnitAttr());
  });
}

/// What all threads of the workgroup, or of the cluster, wait for.
static void buildBarrier(ImplicitLocOpBuilder &b, bool isCluster) {
  if (!isCluster) {
    NVVM::BarrierOp::create(b);
    return;
  }
  NVVM::ClusterArriveOp::create(b, b.getUnitAttr());
  NVVM::ClusterWaitOp::create(b, b.getUnitAttr());
}

namespace {

struct RolesPattern : OpConversionPattern<RolesOp> {
  RolesPattern(const TypeConverter &converter, MLIRContext *context,
               TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(RolesOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto func = op->getParentOfType<gpu::GPUFuncOp>();
    bool isCluster = ClusterShape(op).getSize() > 1;
    Value warp = buildUniformWarp(b);
    plan.setWarp(op, warp);
    buildPrefetches(b, func);
    buildBarrier(b, isCluster); // the barriers of all pipes are initialized
    Value wave = divI32(b, warp, kWaveWarps);
    buildRole(rewriter, op, 0, wave);
    // Nobody may signal a workgroup that has ended.
    b.setInsertionPoint(op);
    if (isCluster)
      buildBarrier(b, isCluster);
    rewriter.eraseOp(op);
    return success();
  }

  /// The role of this number at the insertion point, or those behind it.
  void buildRole(ConversionPatternRewriter &rewriter, RolesOp op, unsigned role,
                 Value wave) const {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    if (role + 1 == op.getBodies().size())
      return buildBody(rewriter, op, role, wave);
    Value isHere =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, wave,
                              constantI32(b, op.getFirstWave(role + 1)));
    auto ifOp = scf::IfOp::create(b, isHere, /*withElseRegion=*/true);
    rewriter.setInsertionPointToStart(ifOp.thenBlock());
    buildBody(rewriter, op, role, wave);
    rewriter.setInsertionPointToStart(ifOp.elseBlock());
    buildRole(rewriter, op, role + 1, wave);
  }

  void buildBody(ConversionPatternRewriter &rewriter, RolesOp op, unsigned role,
                 Value wave) const {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ArrayRef<int64_t> regs = op.getRegs();
    // What the others give up goes to the role that needs most.
    if (regs[role] != 0)
      NVVM::SetMaxRegisterOp::create(
          b, regs[role],
          regs[role] == *llvm::max_element(regs)
              ? NVVM::SetMaxRegisterAction::increase
              : NVVM::SetMaxRegisterAction::decrease);
    Value first = constantI32(b, -op.getFirstWave(role));
    Value number = i32ToIndex(b, addI32(b, wave, first));
    if (plan.hasStagedStores(op, role)) {
      auto wait = NVVM::CpAsyncBulkWaitGroupOp::create(b, 0, UnitAttr());
      b.setInsertionPoint(wait);
    }
    rewriter.inlineBlockBefore(&op.getBodies()[role].front(),
                               b.getInsertionBlock(), b.getInsertionPoint(),
                               number);
  }

  TilePlan &plan;
};

struct ElectPattern : OpConversionPattern<ElectOp> {
  ElectPattern(const TypeConverter &converter, MLIRContext *context,
               TilePlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(ElectOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value isFirst =
        isEqual(b, plan.getWarp(op), plan.getRole(op).getFirstWarp());
    buildIf(b, isFirst, [&] {
      Value chosen =
          NVVM::ElectSyncOp::create(b, b.getI1Type(), /*membermask=*/Value());
      auto ifOp = scf::IfOp::create(b, chosen, /*withElseRegion=*/false);
      rewriter.inlineBlockBefore(&op.getBody().front(), ifOp.thenBlock(),
                                 ifOp.thenBlock()->begin());
    });
    rewriter.eraseOp(op);
    return success();
  }

  TilePlan &plan;
};

} // namespace

void nvvm::populateRolePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns, TilePlan &plan) {
  patterns.add<ElectPattern, RolesPattern>(converter, patterns.getContext(),
                                           plan);
}
