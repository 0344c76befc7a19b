//===- BlockQuantizer.cpp - codes and scales of blocks --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockQuantizer.h"

#include "ScalarExpr.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

using ElementFold = llvm::function_ref<Value(Value acc, Value value)>;

/// Folds the values of a range, as f32, into `init`.
static Value emitFold(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                      const MatrixAccess &values, const MatrixRange &range,
                      Value init, ElementFold fold) {
  OpBuilder::InsertionGuard guard(b);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto rows = scf::ForOp::create(b, range.rowBegin, range.rowEnd, one,
                                 ValueRange(init));
  b.setInsertionPointToStart(rows.getBody());
  auto columns = scf::ForOp::create(b, range.columnBegin, range.columnEnd, one,
                                    rows.getRegionIterArgs());
  scf::YieldOp::create(b, columns.getResults());
  b.setInsertionPointToStart(columns.getBody());
  Value value = values.load(b, functions, rows.getInductionVar(),
                            columns.getInductionVar(), b.getF32Type());
  Value next = fold(columns.getRegionIterArg(0), value);
  scf::YieldOp::create(b, next);
  return rows.getResult(0);
}

Value lpgemm::emitAmax(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                       const MatrixAccess &values, const MatrixRange &range,
                       Value init) {
  return emitFold(
      b, functions, values, range, init, [&](Value acc, Value value) -> Value {
        return ScalarExpr(b, acc).maximum(ScalarExpr(b, value).magnitude());
      });
}

/// How many magnitudes have bits, as an i32, below `limit`.
static Value emitCountBelow(ImplicitLocOpBuilder &b,
                            NumericFunctions &functions,
                            const MatrixAccess &values,
                            const MatrixRange &range, ScalarExpr limit) {
  Value zero = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  return emitFold(
      b, functions, values, range, zero, [&](Value acc, Value value) -> Value {
        ScalarExpr bits =
            ScalarExpr(b, value).magnitude().bitcast(b.getI32Type());
        return ScalarExpr(b, acc) +
               (bits < limit).extendUnsigned(b.getI64Type());
      });
}

/// The rank, from 0, of the smallest magnitude that `part` of all `count` do
/// not exceed: ceil(part * count) - 1.
static ScalarExpr emitRank(ImplicitLocOpBuilder &b, double part, Value count) {
  ScalarExpr total(
      b, arith::IndexCastUIOp::create(b, b.getI64Type(), count).getResult());
  ScalarExpr covered = total.fromSigned(b.getF64Type());
  covered = covered * covered.floatConstant(part);
  ScalarExpr whole = covered.toSigned(b.getI64Type());
  ScalarExpr isCut = covered > whole.fromSigned(b.getF64Type());
  return (whole + isCut.extendUnsigned(b.getI64Type()) - 1).max(0);
}

/// The quantile that stands for `amax` (S-18). Zero, as of a sparse matrix,
/// would say nothing of the range, and neither would any where amax is NaN or
/// infinite: there it is amax.
static Value emitQuantile(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                          const MatrixAccess &values, const MatrixRange &range,
                          double part, Value amax) {
  Value count =
      arith::MulIOp::create(b, range.rowEnd, range.columnEnd).getResult();
  ScalarExpr rank = emitRank(b, part, count);
  // Magnitudes are ordered as their bits are: find those of the quantile from
  // the top one down, which is set unless too many magnitudes lie below.
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value bound = arith::ConstantIndexOp::create(b, 0);
  Value numBits = arith::ConstantIndexOp::create(b, 31);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::ForOp::create(b, bound, numBits, one, ValueRange(zero));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ScalarExpr position(
        b, arith::IndexCastOp::create(b, b.getI32Type(), loop.getInductionVar())
               .getResult());
    ScalarExpr known(b, loop.getRegionIterArg(0));
    ScalarExpr bit = position.constant(1) << (position.constant(30) - position);
    ScalarExpr candidate = known | bit;
    ScalarExpr below(b, emitCountBelow(b, functions, values, range, candidate));
    ScalarExpr next = (below > rank).select(known, candidate);
    scf::YieldOp::create(b, Value(next));
  }
  ScalarExpr quantile =
      ScalarExpr(b, loop.getResult(0)).bitcast(b.getF32Type());
  ScalarExpr largest(b, amax), none = largest.floatConstant(0);
  ScalarExpr infinity =
      largest.floatConstant(std::numeric_limits<double>::infinity());
  ScalarExpr counts =
      (quantile > none) & (largest > none) & (largest < infinity);
  return counts.select(quantile, largest);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {

/// The scale of a block as it is used: f32, and where its values are all zero.
struct BlockScale {
  Value scale;
  /// An i1; null where scales are given.
  Value isZeroBlock;
};

class BlockEmitter {
public:
  BlockEmitter(ImplicitLocOpBuilder &b, NumericFunctions &functions,
               const BlockQuantization &q)
      : b(b), functions(functions), q(q), codeType(q.codes.getElementType()),
        scaleType(q.scales.getElementType()), f32(b.getF32Type()) {}

  void emit();

private:
  ScalarExpr constant(float value) {
    return {b, arith::ConstantOp::create(b, b.getF32FloatAttr(value))};
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  /// How many blocks of `size` elements there are; 0: all in one.
  Value countBlocks(Value extent, int64_t size);
  /// Where block `block` of such blocks begins and ends.
  std::pair<Value, Value> getBounds(Value block, int64_t size, Value extent);

  BlockScale emitScale(const MatrixRange &range, Value kBlock);
  /// The scale of a block, as NumericFunctions::encode gives it.
  Value chooseScale(Value amax);
  void emitCode(const BlockScale &scale, Value row, Value column);
  Value divide(Value value, Value scale);
  Value drawRandomBits(Value row, Value column);

  ImplicitLocOpBuilder &b;
  NumericFunctions &functions;
  const BlockQuantization &q;
  Type codeType, scaleType;
  FloatType f32;
  Value tensorFactor;
};

} // namespace

static ScaleRule getPowerRule(ScaleRuleMode rule) {
  switch (rule) {
  case ScaleRuleMode::RCeil:
    return ScaleRule::RCeil;
  case ScaleRuleMode::Floor:
    return ScaleRule::Floor;
  case ScaleRuleMode::Ceil:
    return ScaleRule::Ceil;
  case ScaleRuleMode::Even:
    return ScaleRule::Even;
  case ScaleRuleMode::Amax:
  case ScaleRuleMode::Pow2:
    break;
  }
  llvm_unreachable("the verifier admits rules for f8E8M0FNU only");
}

Value BlockEmitter::countBlocks(Value extent, int64_t size) {
  if (size == 0)
    return index(1);
  return arith::CeilDivUIOp::create(b, extent, index(size));
}

std::pair<Value, Value> BlockEmitter::getBounds(Value block, int64_t size,
                                                Value extent) {
  if (size == 0)
    return {index(0), extent};
  Value begin = arith::MulIOp::create(b, block, index(size));
  Value end = arith::AddIOp::create(b, begin, index(size));
  return {begin, arith::MinUIOp::create(b, end, extent)};
}

Value BlockEmitter::chooseScale(Value amax) {
  ScalarExpr largest(b, amax);
  if (q.amaxFloor)
    largest = largest.maximum(constant(*q.amaxFloor));
  if (isa<Float8E8M0FNUType>(scaleType)) {
    ScalarExpr code(b, functions.computeE8M0Scale(
                           b, codeType, getPowerRule(q.rule), largest));
    if (!q.saturateScale)
      return code;
    ScalarExpr infinity = constant(std::numeric_limits<float>::infinity());
    return (largest == infinity).select(0xFE, code);
  }
  if (isa<Float8E4M3FNType>(scaleType))
    return functions.computeE4M3Scale(b, tensorFactor, largest,
                                      q.minScale.value_or(0));
  ScalarExpr scale(b, q.rule == ScaleRuleMode::Pow2
                          ? functions.computePow2Scale(b, codeType, largest)
                          : functions.computeF32Scale(b, codeType, largest));
  return functions.encode(b, scaleType, scale.extendFloat(b.getF64Type()));
}

BlockScale BlockEmitter::emitScale(const MatrixRange &range, Value kBlock) {
  if (q.scalesGiven)
    return {q.scales.load(b, functions, range.rowBegin, kBlock, f32), Value()};
  ScalarExpr zero = constant(0);
  ScalarExpr amax(b, emitAmax(b, functions, q.values, range, zero));
  if (q.percentile != 1)
    amax = {b, emitQuantile(b, functions, q.values, range, q.percentile, amax)};
  Value scale = chooseScale(amax);
  q.scales.store(b, scale, range.rowBegin, kBlock);
  return {functions.decode(b, scaleType, scale, f32), amax == zero};
}

Value BlockEmitter::divide(Value value, Value scale) {
  if (isa<Float8E8M0FNUType>(scaleType))
    return functions.scaleByE8M0(b, codeType, value, scale);
  if (isa<Float8E4M3FNType>(scaleType))
    return functions.scaleByE4M3(b, value, tensorFactor, scale);
  return functions.scaleByF32(b, value, scale, q.reciprocal);
}

Value BlockEmitter::drawRandomBits(Value row, Value column) {
  Value element = arith::MulIOp::create(b, row, q.columns);
  element = arith::AddIOp::create(b, element, column);
  if (q.firstIndex)
    element = arith::AddIOp::create(b, q.firstIndex, element);
  return functions.drawRandomBits(b, q.seed, element);
}

void BlockEmitter::emitCode(const BlockScale &scale, Value row, Value column) {
  Value value = q.values.load(b, functions, row, column, f32);
  Value random = q.seed ? drawRandomBits(row, column) : Value();
  Overflow overflow = q.overflow == OverflowMode::Sat ? Overflow::Saturate
                                                      : Overflow::NoSaturate;
  ScalarExpr code(b, functions.encode(b, codeType, divide(value, scale.scale),
                                      overflow, random));
  if (scale.isZeroBlock)
    code = ScalarExpr(b, scale.isZeroBlock).select(0, code);
  q.codes.store(b, code, row, column);
}

void BlockEmitter::emit() {
  q.codes.clearPacked(b, q.rows, q.columns);
  tensorFactor = q.tensorFactor ? q.tensorFactor : Value(constant(1));
  int64_t outerBlock = q.scales.getKind().getOuterBlock();
  int64_t kBlock = q.scales.getKind().getKBlock();
  Value counts[] = {countBlocks(q.rows, outerBlock),
                    countBlocks(q.columns, kBlock)};
  emitLoops(b, counts, [&](ValueRange block) {
    MatrixRange range;
    std::tie(range.rowBegin, range.rowEnd) =
        getBounds(block[0], outerBlock, q.rows);
    std::tie(range.columnBegin, range.columnEnd) =
        getBounds(block[1], kBlock, q.columns);
    BlockScale scale = emitScale(range, block[1]);
    Value extents[] = {
        arith::SubIOp::create(b, range.rowEnd, range.rowBegin),
        arith::SubIOp::create(b, range.columnEnd, range.columnBegin)};
    emitLoops(b, extents, [&](ValueRange ivs) {
      Value row = arith::AddIOp::create(b, range.rowBegin, ivs[0]);
      Value column = arith::AddIOp::create(b, range.columnBegin, ivs[1]);
      emitCode(scale, row, column);
    });
  });
}

void lpgemm::emitBlockQuantization(ImplicitLocOpBuilder &b,
                                   NumericFunctions &functions,
                                   const BlockQuantization &quantization) {
  BlockEmitter(b, functions, quantization).emit();
}
