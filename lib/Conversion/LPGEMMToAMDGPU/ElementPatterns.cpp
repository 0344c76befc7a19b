//===- ElementPatterns.cpp - patterns of single narrow floats -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// By the chip
//===----------------------------------------------------------------------===//

/// The value of the largest finite code.
static double getLargest(Type type) {
  return llvm::APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
      .convertToDouble();
}

/// (C-3) The instruction makes NaN or an infinity of what is out of range ("AMD
/// Instinct MI300 (CDNA3) Instruction Set Architecture", V_CVT_PK_FP8_F32), so
/// that the value is clamped first; NaN passes.
static Value encodeByChip(ImplicitLocOpBuilder &b, Value value, Type type) {
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), number));
  };
  double largest = getLargest(type);
  Value clamped = arith::MinNumFOp::create(
      b, arith::MaxNumFOp::create(b, value, constant(-largest)),
      constant(largest));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  clamped = arith::SelectOp::create(b, isNaN, value, clamped);
  Value zero = constantI32(b, 0);
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType>(type))
    return ROCDL::CvtPkFp8F32Op::create(b, b.getI32Type(), clamped, clamped,
                                        zero, /*wordSel=*/false);
  return ROCDL::CvtPkBf8F32Op::create(b, b.getI32Type(), clamped, clamped, zero,
                                      /*wordSel=*/false);
}

Value lpgemm::encodeOnChip(ImplicitLocOpBuilder &b, Operation *op, Value value,
                           Type type, bool nosat) {
  return !nosat && isFP8(type) && isConvertedByChip(op, type)
             ? encodeByChip(b, value, type)
             : encodeElement(b, value, type, nosat);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct DecodePattern : OpConversionPattern<DecodeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DecodeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, decodeElement(b, adaptor.getSource()));
    return success();
  }
};

struct EncodePattern : OpConversionPattern<EncodeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(EncodeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value code =
        encodeOnChip(b, op, adaptor.getSource(), op.getType(), op.getNosat());
    code = arith::TruncIOp::create(b, b.getI8Type(), code);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), code);
    return success();
  }
};
} // namespace

void lpgemm::populateElementPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<DecodePattern, EncodePattern>(converter, patterns.getContext());
}
