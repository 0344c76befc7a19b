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
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

/// The window that `op`, a load or store, accesses with the tile `type`.
template <typename OpTy>
static GlobalWindow getWaveWindow(ImplicitLocOpBuilder &b, OpTy op,
                                  ValueRange global, FragType type,
                                  bool transpose = false) {
  Value row = b.createOrFold<arith::AddIOp>(op.getRow(), op.getWaveRow());
  Value col = b.createOrFold<arith::AddIOp>(op.getCol(), op.getWaveCol());
  return GlobalWindow(b, GlobalValues(global), row, col, type, transpose);
}

namespace {
struct LoadPattern : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FragType type = op.getResult().getType();
    RegisterTile tile(type);
    bool transpose = op.getTranspose();
    GlobalWindow window =
        getWaveWindow(b, op, adaptor.getSource(), type, transpose);
    SmallVector<Segment> segments = tile.getSegments(b, buildLane(b, op));
    if (transpose)
      for (Segment &s : segments)
        s = s.transposed();
    SmallVector<Value> values = window.load(segments);
    rewriter.replaceOpWithMultiple(op, {tile.assemble(b, values)});
    return success();
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
    GlobalWindow window = getWaveWindow(b, op, adaptor.getDest(), type);
    SmallVector<Segment> segments = tile.getSegments(b, buildLane(b, op));
    int64_t perAtom = segments.size() / tile.getNumAtoms();
    for (auto [i, segment] : llvm::enumerate(segments)) {
      Value atom = adaptor.getValue()[i / perAtom];
      Value element = tile.extract(b, atom, i % perAtom);
      // Buffer stores of less than a word take integers.
      if (getElementBytes(element.getType()) == 2)
        element = b.createOrFold<arith::BitcastOp>(b.getI16Type(), element);
      window.store(segment, element);
    }
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
  matchAndRewrite(CopyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getDest().getType();
    int64_t threads = getWorkgroupSize(op);
    CopyPlan plan(type, op.getTranspose(), threads);
    GlobalWindow window(b, GlobalValues(adaptor.getSource()), op.getRow(),
                        op.getCol(), type, op.getTranspose());
    Value thread = buildThread(b);
    SmallVector<Segment> pieces = getPieces(b, plan, thread, threads);
    // All loads first, so that they are in flight together.
    SmallVector<Value> values = window.load(pieces);
    SharedTile shared(b, type, adaptor.getDest().front());
    if (op.getTranspose())
      for (Segment &piece : pieces)
        piece = piece.transposed();
    for (int64_t q = 0; q != plan.piecesPerThread; ++q) {
      int64_t rest = plan.numPieces - q * threads;
      if (rest >= threads) {
        shared.store(pieces[q], values[q], plan.pieceBytes);
        continue;
      }
      Value mine = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                         constantI32(b, rest));
      scf::IfOp::create(b, mine, [&](OpBuilder &, Location) {
        shared.store(pieces[q], values[q], plan.pieceBytes);
        scf::YieldOp::create(b);
      });
    }
    rewriter.replaceOpWithNewOp<CommitOp>(op, op.getToken().getType(),
                                          Counter::DS);
    return success();
  }

  /// The pieces of the executing thread: `thread`, `thread + threads`, ..
  static SmallVector<Segment> getPieces(ImplicitLocOpBuilder &b,
                                        const CopyPlan &plan, Value thread,
                                        int64_t threads) {
    // Where a round covers whole rows, the rounds differ by a constant.
    bool wholeRows = threads % plan.piecesPerRow == 0;
    SmallVector<Segment> pieces;
    for (int64_t q = 0; q != plan.piecesPerThread; ++q) {
      Value id =
          wholeRows ? thread : addI32(b, thread, constantI32(b, q * threads));
      Value row = divI32(b, id, plan.piecesPerRow);
      Value col = mulI32(b, remI32(b, id, plan.piecesPerRow), plan.pieceBytes);
      int64_t rowConst = wholeRows ? q * (threads / plan.piecesPerRow) : 0;
      pieces.push_back({row, col, rowConst, /*colConst=*/0, plan.pieceBytes});
    }
    return pieces;
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
      values.push_back(shared.load(segment, alignment));
    }
    rewriter.replaceOpWithMultiple(op, {tile.assemble(b, values)});
    return success();
  }

  /// What is known of the alignment of every segment.
  static int64_t getAlignment(ReadOp op, const RegisterTile &tile) {
    BufType type = op.getSource().getType();
    APInt col;
    if (!matchPattern(op.getCol(), m_ConstantInt(&col)))
      return 1;
    int64_t alignment = 16;
    for (int64_t bytes :
         {tile.getLayout().chunkLen, type.getLayout().getUnit(),
          type.getDimSize(1) + type.getLayout().getPad(), col.getSExtValue()})
      alignment = std::gcd(alignment, bytes);
    return alignment;
  }
};

} // namespace

void lpgemm::populateMemoryPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns
      .add<AllocPattern, CopyPattern, LoadPattern, ReadPattern, StorePattern>(
          converter, patterns.getContext());
}
