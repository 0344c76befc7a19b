//===- ReachPattern.cpp - how far offsets reach ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

static constexpr int64_t kReach = int64_t(1) << 30;

namespace {
struct ReachPattern : OpConversionPattern<ReachOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReachOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    GlobalValues global(adaptor.getSource());
    int64_t bits =
        op.getSource().getType().getElementType().getIntOrFloatBitWidth();
    int64_t unit = getUnitBytes(op.getSource().getType().getElementType());
    Value pitch =
        b.createOrFold<arith::MulIOp>(global.pitch, constantI64(b, unit));
    // The pitch of a single row leads nowhere.
    Value hasRows = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ugt, global.rows,
        arith::ConstantIndexOp::create(b, 1));
    pitch = arith::SelectOp::create(b, hasRows, pitch, constantI64(b, 0));
    int64_t rows = op.getStep()[0], bytes = op.getStep()[1] * bits / 8;
    // A power of two of columns; of rows, which may be far apart, one step.
    int64_t steps =
        rows == 0 ? llvm::bit_floor(uint64_t(kReach / bytes)) / 2 : 1;
    Value isIn = isAligned(b, op, global, pitch);
    if (rows != 0) {
      Value span = b.createOrFold<arith::AddIOp>(
          b.createOrFold<arith::MulIOp>(pitch, constantI64(b, rows)),
          constantI64(b, bytes));
      isIn = arith::AndIOp::create(
          b, isIn, isNear(b, pitch, span));
    }
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, isIn, arith::ConstantIndexOp::create(b, steps),
        arith::ConstantIndexOp::create(b, 0));
    return success();
  }

  static Value isAligned(ImplicitLocOpBuilder &b, ReachOp op,
                         const GlobalValues &global, Value pitch) {
    Value address = LLVM::PtrToIntOp::create(b, b.getI64Type(), global.ptr);
    Value low = arith::AndIOp::create(
        b, arith::OrIOp::create(b, address, pitch),
        constantI64(b, op.getAlignment() - 1));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, low,
                                 constantI64(b, 0));
  }

  /// Neither is beyond reach: a span may have wrapped around.
  static Value isNear(ImplicitLocOpBuilder &b, Value pitch, Value span) {
    Value larger = arith::MaxUIOp::create(b, pitch, span);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, larger,
                                 constantI64(b, kReach));
  }
};
} // namespace

void lpgemm::populateReachPattern(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ReachPattern>(converter, patterns.getContext());
}
