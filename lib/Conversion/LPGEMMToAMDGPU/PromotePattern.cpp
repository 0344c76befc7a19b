//===- PromotePattern.cpp - pattern of lpgemm.promote ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// What is multiplied with the parts of an accumulator.
class Promotion {
public:
  Promotion(ImplicitLocOpBuilder &b, PromoteOp op,
            PromoteOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor)
      : b(b), op(op), info(getMmaInfo(op.getType().getLanes().getInstr())),
        acc(op.getType()), rows(getScales(op.getSa(), adaptor.getSa())),
        cols(getScales(op.getSb(), adaptor.getSb())) {}

  /// `part`, the atom in row `m` and column `n` of atoms, scaled and added.
  Value add(Value part, Value sum, int64_t m, int64_t n);

private:
  SmallVector<Value> getScales(TypedValue<FragType> scales, ValueRange atoms) {
    if (!scales)
      return {};
    RegisterTile tile(scales.getType());
    SmallVector<Value> elements;
    for (Value atom : atoms)
      for (int64_t e = 0; e != tile.getLayout().numElements(); ++e)
        elements.push_back(tile.extract(b, atom, e));
    return elements;
  }
  bool arePowersOfTwo() {
    return llvm::all_of(llvm::concat<Value>(rows, cols), [](Value v) {
      return isa<Float8E8M0FNUType>(v.getType());
    });
  }

  /// The scale, or none, of a row or column of an atom's element `e`.
  Value getRow(int64_t m, int64_t e) const {
    int64_t length = info.result.row.numElements();
    return rows.empty() ? Value() : rows[m * length + info.getRowElement(e)];
  }
  Value getCol(int64_t n, int64_t e) const {
    int64_t length = info.result.col.numElements();
    return cols.empty() ? Value() : cols[n * length + info.getColElement(e)];
  }

  Value toF32(Value part);
  Value addByExponents(Value part, Value sum, int64_t m, int64_t n);
  Value buildFactor(int64_t m, int64_t n);

  ImplicitLocOpBuilder &b;
  PromoteOp op;
  const MmaInfo &info;
  RegisterTile acc;
  SmallVector<Value> rows, cols;
  llvm::SmallDenseMap<Value, Value> decoded;
};
} // namespace

Value Promotion::toF32(Value part) {
  auto type = cast<VectorType>(part.getType());
  if (type.getElementType().isF32())
    return part;
  return arith::SIToFPOp::create(b, type.clone(Type(b.getF32Type())), part);
}

/// The product of two scales may be out of the range of f32, so that their
/// exponents are added instead: exact as long as the result is in range (G-4).
/// NaN goes by a factor: a condition for each element would need two scalar
/// registers each.
Value Promotion::addByExponents(Value part, Value sum, int64_t m, int64_t n) {
  int64_t length = acc.getLayout().numElements();
  SmallVector<Value> scaled, units;
  for (int64_t e = 0; e != length; ++e) {
    PowerOfTwo power = {constantI32(b, op.getExponent()), constantF32(b, 1.0)};
    for (Value scale : {getRow(m, e), getCol(n, e)}) {
      if (!scale)
        continue;
      PowerOfTwo factor = decodePowerOfTwo(b, scale);
      power.exponent = addI32(b, factor.exponent, power.exponent);
      power.unit = b.createOrFold<arith::MulFOp>(factor.unit, power.unit);
    }
    units.push_back(power.unit);
    scaled.push_back(LLVM::LoadExpOp::create(
        b, b.getF32Type(), acc.extract(b, part, e), power.exponent));
  }
  auto join = [&](ValueRange elements) {
    return vector::FromElementsOp::create(b, acc.getAtomType(), elements);
  };
  return math::FmaOp::create(b, join(scaled), join(units), sum);
}

/// (I-2) The product of the scales, for each element of the atom. Elements with
/// the same two scales share one.
Value Promotion::buildFactor(int64_t m, int64_t n) {
  int64_t length = acc.getLayout().numElements();
  llvm::SmallDenseMap<std::pair<Value, Value>, Value> products;
  SmallVector<Value> factors;
  for (int64_t e = 0; e != length; ++e) {
    Value row = getRow(m, e), col = getCol(n, e);
    Value &product = products[{row, col}];
    if (!product) {
      for (Value scale : {row, col})
        if (scale && !decoded.contains(scale))
          decoded[scale] = decodeScale(b, scale);
      product = row && col
                    ? arith::MulFOp::create(b, decoded[row], decoded[col])
                    : decoded[row ? row : col];
    }
    factors.push_back(product);
  }
  return vector::FromElementsOp::create(b, acc.getAtomType(), factors);
}

Value Promotion::add(Value part, Value sum, int64_t m, int64_t n) {
  part = toF32(part);
  if (arePowersOfTwo())
    return addByExponents(part, sum, m, n);
  if (op.getExponent() != 0) {
    auto type = cast<VectorType>(part.getType());
    Attribute power =
        b.getFloatAttr(b.getF32Type(), std::ldexp(1.0, op.getExponent()));
    part = arith::MulFOp::create(
        b, part,
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, power)));
  }
  return math::FmaOp::create(b, part, buildFactor(m, n), sum);
}

namespace {
struct PromotePattern : OpConversionPattern<PromoteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PromoteOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RegisterTile acc(op.getType());
    Promotion promotion(b, op, adaptor);
    SmallVector<Value> atoms;
    for (int64_t m = 0; m != acc.getGridRows(); ++m)
      for (int64_t n = 0; n != acc.getGridCols(); ++n) {
        int64_t index = m * acc.getGridCols() + n;
        atoms.push_back(promotion.add(adaptor.getPart()[index],
                                      adaptor.getAcc()[index], m, n));
      }
    rewriter.replaceOpWithMultiple(op, {atoms});
    return success();
  }
};
} // namespace

void lpgemm::populatePromotePattern(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<PromotePattern>(converter, patterns.getContext());
}
