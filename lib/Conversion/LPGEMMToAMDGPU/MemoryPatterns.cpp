//===- MemoryPatterns.cpp - patterns of ops that touch memory -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/IR/TileBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

/// Where a load, a store or an amax starts in its global.
template <typename OpTy>
static std::pair<Value, Value> getStart(ImplicitLocOpBuilder &b, OpTy op) {
  return {b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow()),
          b.createOrFold<arith::AddIOp>(op.getCol(), op.getWaveCol())};
}

/// Along K, from where a whole window counts from to where it is.
template <typename OpTy>
static Value buildDistance(ImplicitLocOpBuilder &b, OpTy op) {
  return b.createOrFold<arith::SubIOp>(op.getKPositionMutable().get(),
                                       op.getWhole());
}

namespace {
/// What a load reads: with `transpose` and `row_block` undone.
class LoadPlan {
public:
  LoadPlan(ImplicitLocOpBuilder &b, LoadOp op);

  /// Of the executing lane, from the start on.
  SmallVector<Segment> getSegments(ImplicitLocOpBuilder &b);

  Value row, col;
  /// Of the tile without `transpose`, whose rows are those of the source.
  SmallVector<int64_t, 2> shape;

private:
  Value getBlock(ImplicitLocOpBuilder &b, const RegisterTile &tile,
                 const Segment &segment);

  LoadOp op;
  Value inBlock; // the start in a block of rows, i32
  /// So many rows, from each multiple of it on, are known to be in one block.
  int64_t sameBlock = 1;
};
} // namespace

LoadPlan::LoadPlan(ImplicitLocOpBuilder &b, LoadOp op)
    : shape(op.getResult().getType().getShape()), op(op) {
  std::tie(row, col) = getStart(b, op);
  Value whole = op.getWhole();
  if (whole && op.getSource().getType().getLayout() == ScaleLayout::Row) {
    Value &position = op.getTranspose() ? row : col;
    Value waveStart = op.getTranspose() ? op.getWaveRow() : op.getWaveCol();
    position = b.createOrFold<arith::AddIOp>(whole, waveStart);
  }
  int64_t rowBlock = op.getRowBlock();
  if (rowBlock == 1)
    return;
  Value &start = op.getTranspose() ? col : row;
  sameBlock = std::gcd(getKnownDivisor(start), rowBlock);
  Value size = arith::ConstantIndexOp::create(b, rowBlock);
  inBlock = indexToI32(b, b.createOrFold<arith::RemUIOp>(start, size));
  start = b.createOrFold<arith::DivUIOp>(start, size);
  // The most blocks of which so many rows have a part.
  shape[0] = (shape[0] + rowBlock - 2) / rowBlock + 1;
}

/// The block of a segment, which lies in one row of the tile. Rows of one block
/// get it by the same operations, so that one load serves all of them.
Value LoadPlan::getBlock(ImplicitLocOpBuilder &b, const RegisterTile &tile,
                         const Segment &s) {
  const LaneLayout &layout = tile.getLayout();
  bool alongRows = layout.vectorDim == 0;
  Value position = inBlock;
  int64_t constant = s.rowConst;
  if (sameBlock % layout.rows == 0) {
    constant -= constant % sameBlock;
  } else {
    position = addI32(b, position, s.row);
    if (alongRows && sameBlock % layout.chunkLen == 0)
      constant -= constant % layout.chunkLen;
  }
  return divI32(b, addI32(b, position, constantI32(b, constant)),
                op.getRowBlock());
}

/// With `transpose`, what a lane holds down a column are neighbours in a row of
/// the source, and one segment.
static SmallVector<Segment> joinColumns(ArrayRef<Segment> segments,
                                        int64_t length) {
  SmallVector<Segment> joined;
  for (; !segments.empty(); segments = segments.drop_front(length)) {
    joined.push_back(segments.front());
    joined.back().length = length;
    joined.back().downColumn = true;
  }
  return joined;
}

SmallVector<Segment> LoadPlan::getSegments(ImplicitLocOpBuilder &b) {
  RegisterTile tile(op.getResult().getType());
  SmallVector<Segment> segments = tile.getSegments(b, buildLane(b, op));
  bool isMatrix = op.getSource().getType().getLayout() == ScaleLayout::Row;
  if (op.getTranspose() && isMatrix && !inBlock &&
      tile.getLayout().vectorDim == 0)
    segments = joinColumns(segments, tile.getLayout().chunkLen);
  for (Segment &s : segments) {
    if (inBlock) {
      s.row = getBlock(b, tile, s);
      s.rowConst = 0;
    }
    Type element = op.getResult().getType().getElementType();
    if (op.getTranspose())
      s = s.transposed();
    else if (isSubByteFloat(element))
      s = s.inBytes(b, element.getIntOrFloatBitWidth());
  }
  return segments;
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
      return window.load(plan.getSegments(b));
    }
    auto covered = RankedTensorType::get(plan.shape, type.getElementType());
    if (op.getWhole())
      return WholeWindow(b, global, plan.row, plan.col, covered,
                         op.getTranspose(), buildDistance(b, op))
          .load(plan.getSegments(b));
    GlobalWindow window(b, global, plan.row, plan.col, covered,
                        op.getTranspose());
    return window.load(plan.getSegments(b));
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

struct SlotPattern : OpConversionPattern<SlotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SlotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value bytes = arith::ConstantIndexOp::create(
        b, SharedTile::getBytes(op.getResult().getType()));
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

/// The pieces of the executing thread: `thread`, `thread + threads`, ..
static SmallVector<Segment> getPieces(ImplicitLocOpBuilder &b,
                                      const CopyPlan &plan, Value thread,
                                      int64_t threads) {
  int64_t perRow = plan.piecesPerRow, length = plan.pieceLength;
  int64_t rowStep = plan.downColumn ? length : 1;
  int64_t colStep = plan.downColumn ? 1 : length;
  // Where a round covers whole rows, the rounds differ by a constant.
  bool wholeRows = threads % perRow == 0;
  SmallVector<Segment> pieces;
  for (int64_t q = 0; q != plan.piecesPerThread; ++q) {
    Value id =
        wholeRows ? thread : addI32(b, thread, constantI32(b, q * threads));
    Value row = mulI32(b, divI32(b, id, perRow), rowStep);
    Value col = mulI32(b, remI32(b, id, perRow), colStep);
    int64_t rowConst = wholeRows ? q * (threads / perRow) * rowStep : 0;
    pieces.push_back(
        {row, col, rowConst, /*colConst=*/0, length, plan.downColumn});
  }
  return pieces;
}

struct FetchPattern : OpConversionPattern<FetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FetchOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getDestType();
    int64_t threads = getWorkgroupSize(op);
    CopyPlan plan(type, op.getTranspose(), threads);
    SmallVector<Value> pieces =
        load(b, op, GlobalValues(adaptor.getSource()), plan, threads);
    VectorType pieceType = plan.getPieceType(op.getContext());
    for (Value &piece : pieces) {
      if (!isa<VectorType>(piece.getType()))
        piece = vector::BroadcastOp::create(
            b, VectorType::get(1, piece.getType()), piece);
      piece = b.createOrFold<vector::BitCastOp>(pieceType, piece);
    }
    rewriter.replaceOp(op, pieces);
    return success();
  }

  static SmallVector<Value> load(ImplicitLocOpBuilder &b, FetchOp op,
                                 const GlobalValues &source,
                                 const CopyPlan &plan, int64_t threads) {
    BufType type = op.getDestType();
    Value row = op.getRow(), col = op.getCol();
    if (!op.getWhole()) {
      GlobalWindow window(b, source, row, col, type, op.getTranspose());
      return window.load(getPieces(b, plan, buildThread(b), threads));
    }
    (op.getTranspose() ? row : col) = op.getWhole();
    WholeWindow window(b, source, row, col, type, op.getTranspose(),
                       buildDistance(b, op),
                       plan.piecesPerThread * threads > plan.numPieces);
    return window.load(getPieces(b, plan, buildThread(b), threads));
  }
};

struct PutPattern : OpConversionPattern<PutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getDest().getType();
    int64_t threads = getWorkgroupSize(op);
    CopyPlan plan(type, op.getTranspose(), threads);
    Value thread = buildThread(b);
    SharedTile shared(b, type, adaptor.getDest().front());
    SmallVector<Segment> pieces = getPieces(b, plan, thread, threads);
    for (Segment &piece : pieces) {
      if (op.getTranspose())
        piece = piece.transposed();
      if (plan.downColumn)
        piece = piece.inBytes(b, type.getElementTypeBitWidth());
    }
    for (size_t q = 0; q != pieces.size(); ++q) {
      Value value = adaptor.getPieces()[q].front();
      int64_t rest = plan.numPieces - q * threads;
      if (rest >= threads) {
        shared.store(pieces[q], value, plan.alignment);
        continue;
      }
      Value mine = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                         constantI32(b, rest));
      scf::IfOp::create(b, mine, [&](OpBuilder &, Location) {
        shared.store(pieces[q], value, plan.alignment);
        scf::YieldOp::create(b);
      });
    }
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
    BufType type = op.getSource().getType();
    RegisterTile tile(op.getResult().getType());
    SharedTile shared(b, type, adaptor.getSource().front());
    Value row = indexToI32(b, op.getRow()), col = indexToI32(b, op.getCol());
    int64_t alignment = getAlignment(op, tile);
    SmallVector<Value> values;
    for (Segment segment : tile.getSegments(b, buildLane(b, op))) {
      segment.row = addI32(b, segment.row, row);
      segment.col = addI32(b, segment.col, col);
      if (isSubByteFloat(type.getElementType()))
        segment = segment.inBytes(b, type.getElementTypeBitWidth());
      values.push_back(shared.load(segment, alignment));
    }
    rewriter.replaceOpWithMultiple(op, {tile.assemble(b, values)});
    return success();
  }

  /// What is known of the alignment of every segment.
  static int64_t getAlignment(ReadOp op, const RegisterTile &tile) {
    BufType type = op.getSource().getType();
    int64_t bits = type.getElementTypeBitWidth();
    APInt col;
    if (!matchPattern(op.getCol(), m_ConstantInt(&col)))
      return getUnitBytes(type.getElementType());
    int64_t alignment = getRowAlignment(type);
    for (int64_t elements : {tile.getLayout().chunkLen, col.getSExtValue()})
      alignment = std::gcd(alignment, elements * bits / 8);
    return alignment;
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
