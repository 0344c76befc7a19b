//===- ElementPatterns.cpp - patterns of single narrow floats -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// By arithmetic on bits
//===----------------------------------------------------------------------===//

namespace {
/// How a format is encoded (docs/spec.md, Formats).
struct EncodingInfo {
  int64_t mantissa, bias;
  int64_t largest;  // code of the largest finite magnitude
  int64_t nan;      // code of NaN, also of one with a sign
  int64_t overflow; // (C-4) code of a magnitude beyond the largest
  bool hasNegativeZero;
};
} // namespace

static EncodingInfo getEncodingInfo(Type type) {
  return llvm::TypeSwitch<Type, EncodingInfo>(type)
      .Case([](Float8E4M3FNType) {
        return EncodingInfo{3, 7, 0x7E, 0x7F, 0x7F, true};
      })
      .Case([](Float8E5M2Type) {
        return EncodingInfo{2, 15, 0x7B, 0x7F, 0x7C, true};
      })
      .Case([](Float8E4M3FNUZType) {
        return EncodingInfo{3, 8, 0x7F, 0x80, 0x80, false};
      })
      .Case([](Float8E5M2FNUZType) {
        return EncodingInfo{2, 16, 0x7F, 0x80, 0x80, false};
      });
}

namespace {
/// The bits of the f32 that is encoded, and of its code, as i32.
class Encoder {
public:
  Encoder(ImplicitLocOpBuilder &b, EncodingInfo format)
      : b(b), format(format) {}

  Value encode(Value value, bool nosat);

private:
  Value roundNormal(Value magnitude);
  Value roundSubnormal(Value magnitude);
  Value isAbove(Value bits, int64_t limit) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, bits,
                                 constantI32(b, limit));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }

  static constexpr int64_t kMantissa = 23, kBias = 127; // of f32

  ImplicitLocOpBuilder &b;
  EncodingInfo format;
};
} // namespace

/// A carry out of the mantissa runs into the exponent field as it should.
Value Encoder::roundNormal(Value magnitude) {
  int64_t shift = kMantissa - format.mantissa;
  Value rebased =
      addI32(b, magnitude, constantI32(b, (format.bias - kBias) * (1 << 23)));
  Value place = constantI32(b, shift);
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, rebased, place), constantI32(b, 1));
  Value almostHalf = constantI32(b, (int64_t(1) << (shift - 1)) - 1);
  Value rounded = addI32(b, addI32(b, rebased, almostHalf), odd);
  return arith::ShRUIOp::create(b, rounded, place);
}

/// Added to an f32 whose last place is the smallest number of the format, the
/// magnitude is rounded as it should be, and is the difference of the bits.
Value Encoder::roundSubnormal(Value magnitude) {
  double power = std::ldexp(1.0, kMantissa + 1 - format.bias - format.mantissa);
  Value large =
      arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), power));
  Value sum = arith::AddFOp::create(
      b, arith::BitcastOp::create(b, b.getF32Type(), magnitude), large);
  return arith::SubIOp::create(
      b, arith::BitcastOp::create(b, b.getI32Type(), sum),
      constantI32(b, llvm::bit_cast<int32_t>(static_cast<float>(power))));
}

/// (C-1) to (C-7)
Value Encoder::encode(Value value, bool nosat) {
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  Value magnitude = arith::AndIOp::create(b, bits, constantI32(b, 0x7FFFFFFF));
  Value sign = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, constantI32(b, 24)),
      constantI32(b, 0x80));
  int64_t largestSubnormal = ((kBias + 1 - format.bias) << kMantissa) - 1;
  Value code = select(isAbove(magnitude, largestSubnormal),
                      roundNormal(magnitude), roundSubnormal(magnitude));
  code = select(isAbove(code, format.largest),
                constantI32(b, nosat ? format.overflow : format.largest), code);
  if (!format.hasNegativeZero) // (C-7)
    sign = select(isAbove(code, 0), sign, constantI32(b, 0));
  code = arith::OrIOp::create(b, code, sign);
  return select(isAbove(magnitude, 0x7F800000), constantI32(b, format.nan),
                code);
}

//===----------------------------------------------------------------------===//
// By the chip
//===----------------------------------------------------------------------===//

/// The value of the largest finite code.
static double getLargest(Type type) {
  return llvm::APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
      .convertToDouble();
}

/// A chip with matrix instructions for an FP8 format also converts to it.
static bool isConvertedByChip(Operation *op, Type type) {
  const TargetRecord &record = *lookupTargetRecord(lookupTarget(op).getChip());
  std::optional<ElementKind> kind = getElementKind(type);
  return kind &&
         record.lookupProduct(*kind, *kind) == OperandKinds{*kind, *kind};
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
    Value source = adaptor.getSource();
    bool byChip = !op.getNosat() && isConvertedByChip(op, op.getType());
    Value code = byChip ? encodeByChip(b, source, op.getType())
                        : Encoder(b, getEncodingInfo(op.getType()))
                              .encode(source, op.getNosat());
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
