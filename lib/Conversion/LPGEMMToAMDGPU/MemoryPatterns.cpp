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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

SmallVector<Value> lpgemm::splitAtoms(ImplicitLocOpBuilder &b,
                                      const RegisterTile &tile,
                                      ValueRange atoms) {
  int64_t length = tile.getSegmentLength();
  SmallVector<Value> parts;
  if (!isa<VectorType>(tile.getAtomType())) {
    auto type = VectorType::get(1, tile.getAtomType());
    for (Value atom : atoms)
      parts.push_back(vector::BroadcastOp::create(b, type, atom));
    return parts;
  }
  auto type = cast<VectorType>(tile.getAtomType());
  int64_t bits = type.getElementTypeBitWidth(), perAtom = type.getNumElements();
  bool isPacked = isSubByteFloat(type.getElementType());
  for (Value atom : atoms) {
    if (isPacked) // LLVM has no instructions for parts of bytes
      atom = b.createOrFold<vector::BitCastOp>(
          VectorType::get(perAtom * bits / 8, b.getI8Type()), atom);
    int64_t unit = isPacked ? 8 : bits;
    for (int64_t e = 0; e != perAtom; e += length)
      parts.push_back(
          sliceVector(b, atom, e * bits / unit, length * bits / unit));
  }
  return parts;
}

/// Along K, from where a whole window counts from to where it is.
template <typename OpTy>
static Value buildDistance(ImplicitLocOpBuilder &b, OpTy op) {
  return b.createOrFold<arith::SubIOp>(op.getKPositionMutable().get(),
                                       op.getWhole());
}

/// Packing waits for what was loaded: it goes behind everything up to the
/// barrier in front of the first use.
static void setPointOfPacking(ImplicitLocOpBuilder &b, LoadOp op) {
  Block *block = op->getBlock();
  Operation *point = block->getTerminator();
  for (Operation *user : op->getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (inBlock && inBlock->isBeforeInBlock(point))
      point = inBlock;
  }
  b.setInsertionPoint(point);
  Operation *barrier = point;
  while (barrier != op && !isa<BarrierOp>(barrier))
    barrier = barrier->getPrevNode();
  if (barrier == op)
    return;
  while (isa<BarrierOp, WaitOp, SchedFenceOp>(barrier->getPrevNode()))
    barrier = barrier->getPrevNode();
  b.setInsertionPoint(barrier);
}

namespace {
struct LoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragType type = op.getResult().getType();
    if (ScaleWords::areStored(op)) {
      GlobalValues global(adaptor.getSource());
      rewriter.replaceOpWithMultiple(op,
                                     {ScaleWords(type).load(b, op, global)});
      return success();
    }
    LoadPlan plan(b, op);
    SmallVector<Value> values =
        RegisterTile(type).assemble(b, load(b, op, adaptor.getSource(), plan));
    if (ScaleWords::areIn(type)) {
      setPointOfPacking(b, op);
      values = ScaleWords(type).pack(b, values);
    }
    rewriter.replaceOpWithMultiple(op, {values});
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
    RankedTensorType covered = plan.getCoveredType();
    SmallVector<Segment> segments = plan.getSegments(b, buildLane(b, op));
    if (op.getWhole())
      return WholeWindow(b, global, plan.row, plan.col, covered,
                         op.getTranspose(), buildDistance(b, op))
          .load(segments);
    GlobalWindow window(b, global, plan.row, plan.col, covered,
                        op.getTranspose());
    return window.load(segments);
  }
};

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
    Value lane = buildLane(b, op);
    auto store = [&] {
      SmallVector<Segment> segments = tile.getSegments(b, lane);
      if (isSubByteFloat(type.getElementType()))
        for (Segment &s : segments)
          s = s.inBytes(b, type.getElementTypeBitWidth());
      window.store(segments, splitAtoms(b, tile, adaptor.getValue()));
    };
    if (type.getLanes().getRole() != MmaRole::CRow) {
      store();
    } else { // the other lanes have the same
      Value isFirst =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, lane,
                                constantI32(b, tile.getLayout().outerLanes));
      scf::IfOp::create(b, isFirst, [&](OpBuilder &, Location) {
        store();
        scf::YieldOp::create(b);
      });
    }
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

struct SlotPattern : OpConversionPattern<SlotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SlotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value bytes = arith::ConstantIndexOp::create(
        b, getBufferBytes(op.getResult().getType()));
    Value start = arith::MulIOp::create(b, adaptor.getIndex(), bytes);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(
        op, getTypeConverter()->convertType<MemRefType>(op.getType()),
        adaptor.getSource(), start, ValueRange());
    return success();
  }
};

/// 2^30 bytes, a few windows less than an offset may be.
struct ReachPattern : OpConversionPattern<ReachOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReachOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    GlobalValues global(adaptor.getSource());
    GlobalType type = op.getSource().getType();
    int64_t bits = type.getElementTypeBitWidth();
    Value zero = constantI64(b, 0);
    Value isSingle =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sle,
                              indexToI64(b, global.rows), constantI64(b, 1));
    Value pitch = arith::SelectOp::create(
        b, isSingle, zero,
        b.createOrFold<arith::MulIOp>(
            global.pitch, constantI64(b, getUnitBytes(type.getElementType()))));
    Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), global.ptr);
    Value rest =
        b.createOrFold<arith::RemUIOp>(arith::OrIOp::create(b, address, pitch),
                                       constantI64(b, op.getAlignment()));
    Value rowBits = b.createOrFold<arith::MulIOp>(indexToI64(b, global.cols),
                                                  constantI64(b, bits));
    if (op.getPiece() != 1)
      rest =
          arith::OrIOp::create(b, rest,
                               b.createOrFold<arith::RemUIOp>(
                                   rowBits, constantI64(b, 8 * op.getPiece())));
    Value step = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(pitch, constantI64(b, op.getStep()[0])),
        constantI64(b, llvm::divideCeil(op.getStep()[1] * bits, 8)));
    rewriter.replaceOp(op, buildSteps(b, step, rest));
    return success();
  }

  /// How many times `step` is below 2^30, or 0 if `rest` is not.
  static Value buildSteps(ImplicitLocOpBuilder &b, Value step, Value rest) {
    Value zero = constantI64(b, 0);
    // A step of n bits: 2^(30 - n) of them.
    Value zeros = LLVM::CountLeadingZerosOp::create(b, b.getI64Type(), step,
                                                    /*is_zero_poison=*/false);
    Value power = arith::SubIOp::create(b, zeros, constantI64(b, 64 - 30));
    Value reaches =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, power, zero);
    Value isAligned =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, zero);
    Value amount = arith::MinSIOp::create(
        b, arith::MaxSIOp::create(b, power, zero), constantI64(b, 30));
    Value steps = arith::ShLIOp::create(b, constantI64(b, 1), amount);
    Value result = arith::SelectOp::create(
        b, arith::AndIOp::create(b, reaches, isAligned), steps, zero);
    return arith::IndexCastOp::create(b, b.getIndexType(), result);
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
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getLdsDma()) {
      splitCopy(rewriter, op, getWorkgroupSize(op));
      return success();
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    DirectCopy(b, op, GlobalValues(adaptor.getSource()))
        .run(adaptor.getDest().front());
    rewriter.replaceOpWithNewOp<CommitOp>(op, op.getToken().getType(),
                                          Counter::Load);
    return success();
  }
};

struct FetchPattern : OpConversionPattern<FetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileCopy copy(b, op.getDestType(), op.getTranspose(), buildThread(b),
                  getWorkgroupSize(op));
    rewriter.replaceOp(op,
                       load(b, op, GlobalValues(adaptor.getSource()), copy));
    return success();
  }

  static SmallVector<Value> load(ImplicitLocOpBuilder &b, FetchOp op,
                                 const GlobalValues &source, TileCopy &copy) {
    BufType type = op.getDestType();
    Value row = op.getRow(), col = op.getCol();
    if (!op.getWhole()) {
      GlobalWindow window(b, source, row, col, type, op.getTranspose());
      return copy.load(window);
    }
    (op.getTranspose() ? row : col) = op.getWhole();
    WholeWindow window(b, source, row, col, type, op.getTranspose(),
                       buildDistance(b, op), copy.hasSpareThreads());
    return copy.load(window);
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
  patterns
      .add<AllocPattern, AmaxPattern, CopyPattern, FetchPattern, LoadPattern,
           PutPattern, ReachPattern, ReadPattern, SlotPattern, StorePattern>(
          converter, patterns.getContext());
}
