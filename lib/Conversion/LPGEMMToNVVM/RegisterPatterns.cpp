//===- RegisterPatterns.cpp - patterns of registers -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
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
    int64_t perAtom =
        isOperand(op.getType()) ? 1 : source.getLayout().numElements();
    SmallVector<Value> values;
    for (int64_t i = 0; i != source.getGridRows(); ++i)
      llvm::append_range(values,
                         adaptor.getSource().slice(
                             (i * source.getGridCols() + first) * perAtom,
                             result.getGridCols() * perAtom));
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

/// Which elements of vectors along the rows and columns of a tile go with one
/// of its registers.
class Position {
public:
  Position(FragType type, int64_t number)
      : info(getMmaInfo(type.getLanes().getInstr())) {
    RegisterTile tile(type);
    int64_t perAtom = tile.getLayout().numElements();
    int64_t atom = number / perAtom;
    e = number % perAtom;
    m = atom / tile.getGridCols();
    n = atom % tile.getGridCols();
  }

  Value getRow(ValueRange rows) const {
    return rows[m * info.result.row.numElements() + info.getRowElement(e)];
  }
  Value getCol(ValueRange cols) const {
    return cols[n * info.result.col.numElements() + info.getColElement(e)];
  }

private:
  const MmaInfo &info;
  int64_t m, n, e;
};

struct ApplyPattern : OpConversionPattern<ApplyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ApplyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    SmallVector<Value> values;
    for (int64_t i = 0, e = getNumElements(op.getType()); i != e; ++i) {
      Position position(op.getType(), i);
      IRMapping mapping;
      auto arg = body.args_begin();
      for (ValueRange tile : adaptor.getTiles())
        mapping.map(*arg++, tile[i]);
      for (ValueRange rows : adaptor.getRows())
        mapping.map(*arg++, position.getRow(rows));
      for (ValueRange cols : adaptor.getCols())
        mapping.map(*arg++, position.getCol(cols));
      for (Operation &inner : body.without_terminator())
        rewriter.clone(inner, mapping);
      values.push_back(
          mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
    }
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }
};

/// The scaled sum of one register (G-4).
class Promotion {
public:
  Promotion(ImplicitLocOpBuilder &b, PromoteOp op)
      : b(b), block(op->getBlock()), exponent(op.getExponent()) {}

  /// Null scales are 1.
  Value add(Value part, Value sum, Value row, Value col) {
    if (!part.getType().isF32())
      part = arith::SIToFPOp::create(b, b.getF32Type(), part);
    auto isPower = [](Value scale) {
      return !scale || isa<Float8E8M0FNUType>(scale.getType());
    };
    if ((row || col) && isPower(row) && isPower(col))
      return addByExponents(part, sum, row, col);
    if (exponent != 0)
      part = arith::MulFOp::create(b, part,
                                   constantF32(b, std::ldexp(1.0, exponent)));
    Value factor = getFactor(row, col);
    return factor ? buildFma(part, factor, sum)
                  : arith::AddFOp::create(b, part, sum).getResult();
  }

private:
  /// (I-2) The product of both scales, computed as soon as they are there: in
  /// front of the wait for the sum.
  Value getFactor(Value row, Value col) {
    auto [known, isNew] = factors.try_emplace({row, col});
    if (!isNew)
      return known->second;
    OpBuilder::InsertionGuard guard(b);
    setInsertionPointBehind(b, block, {row, col});
    for (Value scale : {row, col}) {
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

  /// 2^power, and what is left of `power`, where f32 has no such number.
  Value takePower(Value &power) {
    Value part = arith::MinSIOp::create(
        b, arith::MaxSIOp::create(b, power, constantI32(b, -126)),
        constantI32(b, 127));
    power = arith::SubIOp::create(b, power, part);
    BitOps bits{b};
    return arith::BitcastOp::create(b, b.getF32Type(),
                                    bits.shl(bits.add(part, 127), 23));
  }

  /// The exponents are added, and the sum is applied in three factors that f32
  /// has: all of them are at most 1 or at least 1, so that only a result beyond
  /// the normal numbers is rounded before it is added.
  Value addByExponents(Value part, Value sum, Value row, Value col) {
    auto [known, isNew] = powers.try_emplace({row, col});
    if (isNew)
      known->second = buildPowers(row, col);
    const auto &[first, second, last] = known->second;
    part = arith::MulFOp::create(b, part, first);
    part = arith::MulFOp::create(b, part, second);
    return buildFma(part, last, sum);
  }

  std::array<Value, 3> buildPowers(Value row, Value col) {
    Value power = constantI32(b, exponent), unit = constantF32(b, 1.0);
    for (Value scale : {row, col})
      if (scale) {
        PowerOfTwo factor = decodePowerOfTwo(b, scale);
        power = addI32(b, factor.exponent, power);
        unit = arith::MulFOp::create(b, factor.unit, unit);
      }
    Value first = takePower(power), second = takePower(power);
    return {first, second, arith::MulFOp::create(b, takePower(power), unit)};
  }

  ImplicitLocOpBuilder &b;
  Block *block;
  int64_t exponent;
  // By the scales of row and column, which many registers have in common.
  llvm::DenseMap<std::pair<Value, Value>, Value> factors;
  llvm::DenseMap<std::pair<Value, Value>, std::array<Value, 3>> powers;
};

struct PromotePattern : OpConversionPattern<PromoteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PromoteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Promotion promotion(b, op);
    SmallVector<Value> values;
    for (auto [i, part, sum] :
         llvm::enumerate(adaptor.getPart(), adaptor.getAcc())) {
      Position position(op.getType(), i);
      ValueRange rows = adaptor.getSa(), cols = adaptor.getSb();
      values.push_back(promotion.add(
          part, sum, rows.empty() ? Value() : position.getRow(rows),
          cols.empty() ? Value() : position.getCol(cols)));
    }
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
  patterns.add<ApplyPattern, DecodePattern, EncodePattern, PromotePattern,
               SlicePattern, SplatPattern>(converter, patterns.getContext());
}
