//===- PipePatterns.cpp - rings of slots in shared memory -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

/// A slot: its number, and the parity of the round.
namespace {
struct SlotValues {
  explicit SlotValues(ValueRange values) : index(values[0]), phase(values[1]) {}
  Value index, phase; // i32
};
} // namespace

/// Until the phase of this parity is over.
static void buildWait(ImplicitLocOpBuilder &b, Value barrier, Value parity) {
  // A hint of how long to sleep (PTX ISA, mbarrier.try_wait).
  constexpr int64_t kTicks = 10000000;
  NVVM::MBarrierTryWaitParityOp::create(b, barrier, parity,
                                        constantI32(b, kTicks));
}

/// By the threads where `predicate` holds. There is no NVVM op with one.
static void buildArrive(ImplicitLocOpBuilder &b, StringRef text, Value address,
                        Value predicate) {
  NVVM::InlinePtxOp::create(b, TypeRange(), address, ValueRange(),
                            b.getStringAttr(text), predicate);
}

namespace {

template <typename OpTy>
struct PlanPattern : OpConversionPattern<OpTy> {
  PlanPattern(const TypeConverter &converter, MLIRContext *context,
              TilePlan &plan)
      : OpConversionPattern<OpTy>(converter, context), plan(plan) {}

  TilePlan &plan;
};

struct PipePattern : PlanPattern<PipeOp> {
  using PlanPattern::PlanPattern;

  LogicalResult
  matchAndRewrite(PipeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    PipeType type = op.getType();
    Value pipe = constantI32(b, *op.getOffset());
    int64_t workgroups = ClusterShape(op).getSize();
    // What is exchanged comes from all other workgroups, and only once.
    int64_t fills = op.getExchange() ? workgroups - 1 : 1;
    int64_t releases =
        plan.getLocalArrivals(op) +
        (op.getCluster() ? plan.getReleasingWarps(op) * (workgroups - 1) : 0);
    buildIf(b, isEqual(b, buildThread(b), 0), [&] {
      for (int64_t i = 0; i != type.getSlots(); ++i) {
        Value slot = constantI32(b, i);
        NVVM::MBarrierInitOp::create(b, buildFullBarrier(b, pipe, slot),
                                     constantI32(b, fills),
                                     /*predicate=*/Value());
        if (!op.getExchange())
          NVVM::MBarrierInitOp::create(
              b, buildEmptyBarrier(b, type, pipe, slot),
              constantI32(b, releases), /*predicate=*/Value());
      }
      NVVM::FenceMbarrierInitOp::create(b);
    });
    rewriter.replaceOp(op, pipe);
    return success();
  }
};

struct PipeStartPattern : OpConversionPattern<PipeStartOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PipeStartOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value zero = constantI32(b, 0);
    rewriter.replaceOpWithMultiple(op, {{zero, zero}});
    return success();
  }
};

struct PipeNextPattern : OpConversionPattern<PipeNextOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PipeNextOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SlotValues slot(adaptor.getSlot());
    Value next = addI32(b, slot.index, constantI32(b, 1));
    Value isBehind = isEqual(b, next, op.getPipe().getType().getSlots());
    next = arith::SelectOp::create(b, isBehind, constantI32(b, 0), next);
    Value phase = arith::XOrIOp::create(
        b, slot.phase, arith::ExtUIOp::create(b, b.getI32Type(), isBehind));
    rewriter.replaceOpWithMultiple(op, {{next, phase}});
    return success();
  }
};

struct PipeAcquirePattern : OpConversionPattern<PipeAcquireOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PipeAcquireOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SlotValues slot(adaptor.getSlot());
    // In the first round the phase before counts as over: every slot is empty.
    Value parity = BitOps{b}.xor_(slot.phase, 1);
    buildWait(b,
              buildEmptyBarrier(b, op.getPipe().getType(),
                                adaptor.getPipe().front(), slot.index),
              parity);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PipeAwaitPattern : OpConversionPattern<PipeAwaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PipeAwaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SlotValues slot(adaptor.getSlot());
    buildWait(b, buildFullBarrier(b, adaptor.getPipe().front(), slot.index),
              slot.phase);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PipeCommitPattern : PlanPattern<PipeCommitOp> {
  using PlanPattern::PlanPattern;

  LogicalResult
  matchAndRewrite(PipeCommitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SlotValues slot(adaptor.getSlot());
    Value full = buildFullBarrier(b, adaptor.getPipe().front(), slot.index);
    const RoleInfo &role = plan.getRole(op);
    if (plan.isReadByMma(op))
      buildProxyFence(b);
    if (plan.isElected(op)) {
      buildArrival(b, full, plan.getAnnouncedBytes(op));
    } else {
      buildRoleBarrier(b, role);
      buildIf(b, isEqual(b, buildThread(b), role.getFirstThread()),
              [&] { buildArrival(b, full, /*bytes=*/0); });
    }
    rewriter.eraseOp(op);
    return success();
  }

  /// The one arrival of the phase. Copies that are complete before have made
  /// the number of bytes negative; it does not end without the arrival.
  static void buildArrival(ImplicitLocOpBuilder &b, Value full, int64_t bytes) {
    if (bytes == 0)
      NVVM::MBarrierArriveOp::create(b, TypeRange(), full, /*count=*/Value());
    else
      NVVM::MBarrierArriveExpectTxOp::create(
          b, /*res=*/Type(), full, constantI32(b, bytes),
          NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
  }
};

struct PipeReleasePattern : PlanPattern<PipeReleaseOp> {
  using PlanPattern::PlanPattern;

  LogicalResult
  matchAndRewrite(PipeReleaseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    PipeType type = op.getPipe().getType();
    Value pipe = adaptor.getPipe().front();
    SlotValues slot(adaptor.getSlot());
    // Each lane that reads gives back what it has read. Else one lane arrives
    // for its warp, and everywhere in other workgroups.
    bool hasReads = plan.hasReads(op), isOfCluster = plan.isOfCluster(op);
    Value empty = buildEmptyBarrier(b, type, pipe, slot.index);
    Value lane = buildLane(b);
    if (hasReads)
      NVVM::MBarrierArriveOp::create(b, TypeRange(), empty, /*count=*/Value());
    else if (!isOfCluster)
      buildArrive(b, "mbarrier.arrive.shared::cta.b64 _, [$0];", empty,
                  isEqual(b, lane, 0));
    if (isOfCluster) {
      if (hasReads)
        NVVM::SyncWarpOp::create(b, constantI32(b, -1));
      arriveInCluster(b, type, pipe, slot.index, lane, /*first=*/hasReads,
                      ClusterShape(op).getSize());
    }
    rewriter.eraseOp(op);
    return success();
  }

  /// Lane r arrives in the workgroup r behind this one, from `first` on. Not
  /// with `.release.cluster`, for which ptxas puts a fence of all memory in
  /// front; the default is enough, because what is ordered are reads of shared
  /// memory.
  static void arriveInCluster(ImplicitLocOpBuilder &b, PipeType type,
                              Value pipe, Value slot, Value lane, int64_t first,
                              int64_t size) {
    auto ptr = LLVM::LLVMPointerType::get(
        b.getContext(),
        static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    // Of slot 0: it does not change in loops.
    Value start = buildEmptyBarrier(b, type, pipe, constantI32(b, 0));
    Value rank = NVVM::ClusterId::create(b, b.getI32Type());
    Value other = remI32(b, addI32(b, rank, lane), size);
    Value remote = NVVM::MapaOp::create(b, ptr, start, other);
    Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), remote);
    address = addI32(b, address, mulI32(b, slot, 8));
    Value isHere = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ult, addI32(b, lane, constantI32(b, -first)),
        constantI32(b, size - first));
    buildArrive(b, "mbarrier.arrive.shared::cluster.b64 _, [$0];", address,
                isHere);
  }
};

} // namespace

void nvvm::populatePipePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns, TilePlan &plan) {
  patterns.add<PipeAcquirePattern, PipeAwaitPattern, PipeNextPattern,
               PipeStartPattern>(converter, patterns.getContext());
  patterns.add<PipeCommitPattern, PipePattern, PipeReleasePattern>(
      converter, patterns.getContext(), plan);
}
