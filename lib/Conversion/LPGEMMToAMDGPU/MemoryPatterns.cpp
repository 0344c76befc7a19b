//===- MemoryPatterns.cpp - patterns of ops that touch memory -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Where a store or an amax starts in its global.
template <typename OpTy>
static std::pair<Value, Value> getStart(ImplicitLocOpBuilder &b, OpTy op) {
  return {b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow()),
          b.createOrFold<arith::AddIOp>(op.getCol(), op.getWaveCol())};
}

namespace {
struct LoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LoadPlan plan(b, op);
    RegisterTile tile(op.getResult().getType());
    SmallVector<Value> values = load(b, op, adaptor.getSource(), plan);
    rewriter.replaceOpWithMultiple(op, {tile.assemble(b, values)});
    return success();
  }

  static SmallVector<Value> load(ImplicitLocOpBuilder &b, LoadOp op,
                                 ValueRange source, LoadPlan &plan) {
    GlobalValues global(source);
    GlobalType type = op.getSource().getType();
    if (type.getLayout() != ScaleLayout::Row) {
      ScaleWindow window(b, global, plan.row, plan.col, type);
      return window.load(plan.getSegments(b, buildLane(b, op)));
    }
    GlobalWindow window(b, global, plan.row, plan.col, plan.getCoveredType(),
                        op.getTranspose());
    return window.load(plan.getSegments(b, buildLane(b, op)));
  }
};

/// The elements of each segment of the tile, as a vector.
static SmallVector<Value> splitAtoms(ImplicitLocOpBuilder &b,
                                     const RegisterTile &tile,
                                     ValueRange atoms) {
  int64_t length = tile.getSegmentLength();
  SmallVector<Value> parts;
  for (Value atom : atoms)
    for (int64_t e = 0; e != tile.getLayout().numElements(); e += length)
      parts.push_back(sliceVector(b, atom, e, length));
  return parts;
}

struct StorePattern : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragType type = op.getValue().getType();
    RegisterTile tile(type);
    auto [row, col] = getStart(b, op);
    GlobalWindow window(b, GlobalValues(adaptor.getDest()), row, col, type);
    window.store(tile.getSegments(b, buildLane(b, op)),
                 splitAtoms(b, tile, adaptor.getValue()));
    rewriter.eraseOp(op);
    return success();
  }
};

/// As unsigned integers the bits of magnitudes are in the order of these, NaN
/// above all. LLVM has one lane of a wave update the memory for all of them,
/// where the target can tell that the address is the same in all.
struct AmaxPattern : OpConversionPattern<AmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AmaxOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragType type = op.getValue().getType();
    RegisterTile tile(type);
    auto [row, col] = getStart(b, op);
    GlobalWindow window(b, GlobalValues(adaptor.getWithin()), row, col, type);
    int64_t length = tile.getSegmentLength(),
            perAtom = tile.getLayout().numElements();
    Value zero = constantI32(b, 0), largest = zero;
    SmallVector<Segment> segments = tile.getSegments(b, buildLane(b, op));
    for (int64_t i = 0, e = tile.getNumAtoms() * perAtom; i != e; ++i) {
      Value atom = adaptor.getValue()[i / perAtom];
      Value magnitude = buildMagnitude(b, tile.extract(b, atom, i % perAtom));
      Segment element = segments[i / length].slice(i % length, 1);
      magnitude =
          arith::SelectOp::create(b, window.isInside(element), magnitude, zero);
      largest = arith::MaxUIOp::create(b, largest, magnitude);
    }
    GlobalValues dest(adaptor.getDest());
    LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::umax, dest.ptr,
                              canonicalizeNaN(b, largest),
                              LLVM::AtomicOrdering::monotonic, "agent");
    rewriter.eraseOp(op);
    return success();
  }
};

struct AllocPattern : OpConversionPattern<AllocOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<MemRefType>(op.getType());
    auto func = op->getParentOfType<gpu::GPUFuncOp>();
    BlockArgument buffer;
    rewriter.modifyOpInPlace(func, [&] {
      buffer = func.addWorkgroupAttribution(type, op.getLoc());
      func.setWorkgroupAttributionAttr(func.getNumWorkgroupAttributions() - 1,
                                       LLVM::LLVMDialect::getAlignAttrName(),
                                       rewriter.getI64IntegerAttr(16));
    });
    rewriter.replaceOp(op, buffer);
    return success();
  }
};

struct CopyPattern : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CopyOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    splitCopy(rewriter, op, getWorkgroupSize(op));
    return success();
  }
};

struct FetchPattern : OpConversionPattern<FetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    GlobalWindow window(b, GlobalValues(adaptor.getSource()), op.getRow(),
                        op.getCol(), op.getDestType(), op.getTranspose());
    TileCopy copy(b, op.getDestType(), op.getTranspose(), buildThread(b),
                  getWorkgroupSize(op));
    rewriter.replaceOp(op, copy.load(window));
    return success();
  }
};

struct PutPattern : OpConversionPattern<PutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LdsTile shared(b, op.getDest().getType(), adaptor.getDest().front());
    SmallVector<Value> pieces;
    for (ValueRange piece : adaptor.getPieces())
      pieces.push_back(piece.front());
    TileCopy(b, op.getDest().getType(), op.getTranspose(), buildThread(b),
             getWorkgroupSize(op))
        .store(shared, pieces);
    rewriter.replaceOpWithNewOp<CommitOp>(op, op.getToken().getType(),
                                          Counter::DS);
    return success();
  }
};

struct ReadPattern : OpConversionPattern<ReadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    LdsTile shared(b, op.getSource().getType(), adaptor.getSource().front());
    rewriter.replaceOpWithMultiple(
        op, {readAtoms(b, op, shared, buildLane(b, op))});
    return success();
  }
};

} // namespace

void lpgemm::populateMemoryPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<AllocPattern, AmaxPattern, CopyPattern, FetchPattern,
               LoadPattern, PutPattern, ReadPattern, StorePattern>(
      converter, patterns.getContext());
}
