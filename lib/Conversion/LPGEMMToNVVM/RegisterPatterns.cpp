//===- RegisterPatterns.cpp - patterns of registers -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnLoop.h"
#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

bool nvvm::isOperand(FragType type) {
  return llvm::is_contained({MmaRole::A, MmaRole::B},
                            type.getLanes().getRole());
}

int64_t nvvm::getNumElements(FragType type) {
  RegisterTile tile(type);
  return tile.getNumAtoms() * tile.getLayout().numElements();
}

namespace {

struct SplatPattern : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> values(getNumElements(op.getType()), adaptor.getValue());
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

struct SlicePattern : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RegisterTile source(op.getSource().getType()), result(op.getType());
    int64_t first = op.getCol() / source.getLayout().cols;
    int64_t firstRow = op.getRow() / source.getLayout().rows;
    int64_t perAtom =
        isOperand(op.getType()) ? 1 : source.getLayout().numElements();
    SmallVector<Value> values;
    for (int64_t i = 0; i != result.getGridRows(); ++i)
      llvm::append_range(
          values, adaptor.getSource().slice(
                      ((firstRow + i) * source.getGridCols() + first) * perAtom,
                      result.getGridCols() * perAtom));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

/// The scaled sums of the registers of one tile (G-4).
class Promotion {
public:
  /// The scales of each register; null ones are 1.
  using Scales = std::pair<Value, Value>;

  Promotion(ImplicitLocOpBuilder &b, PromoteOp op, ArrayRef<Scales> scales)
      : b(b), block(op->getBlock()), exponent(op.getExponent()) {
    llvm::DenseSet<Scales> distinct(scales.begin(), scales.end());
    areShared = 2 * distinct.size() <= scales.size();
  }

  Value add(Value part, Value sum, Scales scales) {
    if (!part.getType().isF32())
      part = arith::SIToFPOp::create(b, b.getF32Type(), part);
    auto isPower = [](Value scale) {
      return !scale || isa<Float8E8M0FNUType>(scale.getType());
    };
    auto [row, col] = scales;
    if ((row || col) && isPower(row) && isPower(col))
      return addByExponents(part, sum, scales);
    if (exponent != 0)
      part = arith::MulFOp::create(b, part,
                                   constantF32(b, std::ldexp(1.0, exponent)));
    Value factor = getFactor(scales);
    return factor ? buildFma(part, factor, sum)
                  : arith::AddFOp::create(b, part, sum).getResult();
  }

private:
  /// Powers that many registers have in common are computed as soon as the
  /// scales are there, in front of the wait for the sum; else the pairs would
  /// need twice as many registers as the sum.
  void chooseInsertionPoint(Scales scales) {
    if (areShared)
      setInsertionPointBehind(b, block, {scales.first, scales.second});
  }

  /// (I-2) The product of both scales, computed as soon as they are there: in
  /// front of the wait for the sum.
  Value getFactor(Scales scales) {
    auto [known, isNew] = factors.try_emplace(scales);
    if (!isNew)
      return known->second;
    OpBuilder::InsertionGuard guard(b);
    setInsertionPointBehind(b, block, {scales.first, scales.second});
    for (Value scale : {scales.first, scales.second}) {
      if (!scale)
        continue;
      Value decoded = decodeScale(b, scale);
      known->second =
          known->second
              ? arith::MulFOp::create(b, known->second, decoded).getResult()
              : decoded;
    }
    return known->second;
  }

  /// Not math.fma, which becomes a call of libdevice.
  Value buildFma(Value x, Value y, Value sum) {
    return LLVM::FMAOp::create(b, x.getType(), x, y, sum);
  }

  /// Two factors whose product is that of the scales, which f32 may not have.
  /// Both are at most 1 or at least 1. What overflows by the first is too large
  /// as a whole. What is below the normal numbers behind the first, rounded
  /// there, is less than half of the smallest number as a whole: `part`, a sum
  /// of products of elements, is 0 or at least 2^-32.
  Value addByExponents(Value part, Value sum, Scales scales) {
    auto [known, isNew] = powers.try_emplace(scales);
    if (isNew)
      known->second = buildPowers(scales);
    auto [first, second] = known->second;
    return buildFma(arith::MulFOp::create(b, part, first), second, sum);
  }

  std::pair<Value, Value> buildPowers(Scales scales) {
    auto [row, col] = scales;
    if (!row || !col)
      return takeRoots(row ? row : col, exponent);
    // The smaller half of one with the larger half of the other.
    auto [rowFloor, rowCeil] = takeRoots(row, exponent);
    auto [colFloor, colCeil] = takeRoots(col, /*exponent=*/0);
    OpBuilder::InsertionGuard guard(b);
    chooseInsertionPoint({rowFloor, colFloor});
    return {arith::MulFOp::create(b, rowFloor, colCeil),
            arith::MulFOp::create(b, rowCeil, colFloor)};
  }

  /// 2^floor(x / 2) and 2^ceil(x / 2), where 2^(x - exponent) is the scale. The
  /// first is NaN for a scale that is NaN, and comes last.
  std::pair<Value, Value> takeRoots(Value scale, int64_t exponent) {
    auto [known, isNew] = roots.try_emplace(scale);
    if (!isNew)
      return known->second;
    OpBuilder::InsertionGuard guard(b);
    chooseInsertionPoint({scale, Value()});
    BitOps bits{b};
    PowerOfTwo power = decodePowerOfTwo(b, scale);
    Value whole = addI32(b, power.exponent, constantI32(b, exponent));
    Value floor = arith::ShRSIOp::create(b, whole, constantI32(b, 1));
    Value ceil = arith::SubIOp::create(b, whole, floor);
    auto toF32 = [&](Value x) -> Value {
      return arith::BitcastOp::create(b, b.getF32Type(),
                                      bits.shl(bits.add(x, 127), 23));
    };
    Value larger = toF32(ceil);
    known->second = {arith::MulFOp::create(b, toF32(floor), power.unit),
                     larger};
    return known->second;
  }

  ImplicitLocOpBuilder &b;
  Block *block;
  int64_t exponent;
  bool areShared;
  llvm::DenseMap<Scales, Value> factors;
  llvm::DenseMap<Value, std::pair<Value, Value>> roots;
  llvm::DenseMap<Scales, std::pair<Value, Value>> powers;
};

struct PromotePattern : OpConversionPattern<PromoteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PromoteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    ValueRange rows = adaptor.getSa(), cols = adaptor.getSb();
    SmallVector<Promotion::Scales> scales;
    for (unsigned i = 0, e = adaptor.getPart().size(); i != e; ++i) {
      RegisterPosition position(op.getType(), i);
      scales.emplace_back(rows.empty() ? Value() : position.getRow(rows),
                          cols.empty() ? Value() : position.getCol(cols));
    }
    Promotion promotion(b, op, scales);
    SmallVector<Value> values;
    for (auto [part, sum, both] :
         llvm::zip_equal(adaptor.getPart(), adaptor.getAcc(), scales))
      values.push_back(promotion.add(part, sum, both));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

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

/// Saturating, PTX ISA, "cvt", .satfinite: as C-3 and C-5 say, and NaN has the
/// one code 0x7F. There is an instruction for two numbers only.
static Value encodeByChip(ImplicitLocOpBuilder &b, Value value, Type type) {
  return NVVM::ConvertF32x2ToF8x2Op::create(
      b, b.getI16Type(), value, value, NVVM::FPRoundingMode::RN,
      NVVM::SaturationMode::SATFINITE, /*relu=*/false, type);
}

struct EncodePattern : OpConversionPattern<EncodeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(EncodeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type type = op.getType();
    bool byChip = !op.getNosat() && isConvertedByChip(op, type);
    Value code =
        byChip ? encodeByChip(b, adaptor.getSource(), type)
               : encodeElement(b, adaptor.getSource(), type, op.getNosat());
    code = arith::TruncIOp::create(b, b.getI8Type(), code);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, code);
    return success();
  }
};

} // namespace

void nvvm::populateRegisterPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<DecodePattern, EncodePattern, PromotePattern, SlicePattern,
               SplatPattern>(converter, patterns.getContext());
}
