//===- StagePatterns.cpp - results by way of shared memory ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/IR/TileBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
struct ReusePattern : OpConversionPattern<ReuseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReuseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value start =
        arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0).getResult();
    rewriter.replaceOpWithNewOp<memref::ViewOp>(
        op, getTypeConverter()->convertType<MemRefType>(op.getType()),
        adaptor.getSource(), start, ValueRange());
    return success();
  }
};

struct WritePattern : OpConversionPattern<WriteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(WriteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getDest().getType();
    RegisterTile tile(op.getValue().getType());
    LdsTile shared(b, type, adaptor.getDest().front());
    Value row = indexToI32(b, op.getRow()), col = indexToI32(b, op.getCol());
    SmallVector<Segment> segments = tile.getSegments(b, buildLane(b, op));
    for (Segment &s : segments) {
      s.row = addI32(b, s.row, row);
      s.col = addI32(b, s.col, col);
      if (isSubByteFloat(type.getElementType()))
        s = s.inBytes(b, type.getElementTypeBitWidth());
    }
    shared.store(segments, splitAtoms(b, tile, adaptor.getValue()),
                 getAlignment(op, tile));
    rewriter.replaceOpWithNewOp<CommitOp>(op, op.getToken().getType(),
                                          Counter::DS);
    return success();
  }

  /// What is known of the alignment of every segment.
  static int64_t getAlignment(WriteOp op, const RegisterTile &tile) {
    BufType type = op.getDest().getType();
    int64_t elements =
        std::gcd(tile.getSegmentLength(), getKnownDivisor(op.getCol()));
    // Less than a byte where the column is not known to start with one.
    int64_t bytes = elements * type.getElementTypeBitWidth() / 8;
    return std::gcd(getRowAlignment(type), std::max<int64_t>(bytes, 1));
  }
};

struct CopyOutPattern : OpConversionPattern<CopyOutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CopyOutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    BufType type = op.getSource().getType();
    int64_t threads = getWorkgroupSize(op);
    Value thread = buildThread(b);
    TileCopy copy(b, type, /*transpose=*/false, thread, threads);
    const CopyPlan &plan = copy.getPlan();
    LdsTile shared(b, type, adaptor.getSource().front());
    GlobalWindow window(b, GlobalValues(adaptor.getDest()), op.getRow(),
                        op.getCol(), type);
    auto store = [&](ArrayRef<Segment> pieces) {
      SmallVector<Value> values;
      for (const Segment &piece : pieces)
        values.push_back(shared.loadPiece(piece, plan));
      window.store(pieces, values);
    };
    SmallVector<Segment> pieces = copy.getPieces();
    size_t whole = plan.numPieces / threads;
    if (whole != 0)
      store(ArrayRef(pieces).take_front(whole));
    if (copy.hasSpareThreads()) {
      Value mine = arith::CmpIOp::create(
          b, arith::CmpIPredicate::ult, thread,
          constantI32(b, plan.numPieces - whole * threads));
      scf::IfOp::create(b, mine, [&](OpBuilder &, Location) {
        store(ArrayRef(pieces).drop_front(whole));
        scf::YieldOp::create(b);
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void lpgemm::populateStagePatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<CopyOutPattern, ReusePattern, WritePattern>(
      converter, patterns.getContext());
}
