//===- ProductEpilogue.cpp - from the sums to the result ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductLowering.h"

#include "BlockQuantizer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

class Epilogue {
public:
  Epilogue(ImplicitLocOpBuilder &b, NumericFunctions &functions,
           ProductInterface op, const ProductInstance &instance, FloatType type)
      : b(b), functions(functions), op(op), instance(instance), type(type) {}

  void emit(Value sums);

private:
  /// Position of an element: its row counted from the instance's first, and its
  /// column.
  struct Position {
    Value row, column;
  };

  Value toType(Value value);
  Value multiply(Value x, Value y) {
    return x ? arith::MulFOp::create(b, x, y).getResult() : y;
  }
  /// Adds `term` to `sum`, which may be null.
  Value add(Value sum, Value term) {
    return sum ? arith::AddFOp::create(b, sum, term).getResult() : term;
  }
  /// The value of a rank-0 factor, or of a batch of them; null if not given.
  Value loadFactor(Value memref);
  Value loadAlphaBeta(Value operand, FloatAttr constant);
  MatrixAccess access(Value matrix, Type elementType);

  Value scaledSum(Value sums, Position position);
  Value addend(Position position);
  Value bias(Position position);
  Value buildT(Value sums, Position position);
  Value getResultColumns();
  Value applyRegion(ValueRange ts, Position position);
  Value loadExtra(Value operand, AffineMap map, Position position);
  void updateAmax(Value value);
  void emitElement(Value sums, Value panel, Position position);
  void quantize(Value panel);

  ImplicitLocOpBuilder &b;
  NumericFunctions &functions;
  ProductInterface op;
  const ProductInstance &instance;
  FloatType type;
};

} // namespace

/// A number in the type of the computation: an i32 sum through f32.
Value Epilogue::toType(Value value) {
  if (value.getType().isInteger())
    value = arith::SIToFPOp::create(b, b.getF32Type(), value);
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(b, type, value);
}

Value Epilogue::loadFactor(Value memref) {
  if (!memref)
    return {};
  SmallVector<Value> indices = getLeadingIndices(b, memref, 0, instance.ivs);
  return toType(memref::LoadOp::create(b, memref, indices));
}

Value Epilogue::loadAlphaBeta(Value operand, FloatAttr constant) {
  if (constant)
    operand = arith::ConstantOp::create(b, constant);
  return operand ? toType(operand) : Value();
}

MatrixAccess Epilogue::access(Value matrix, Type elementType) {
  MatrixAccess result(matrix, getLeadingIndices(b, matrix, 2, instance.ivs),
                      elementType, /*transposed=*/false);
  result.setBase(instance.rowBase, /*column=*/Value());
  return result;
}

/// alpha * gA * gB * (sA * sB) * Acc, with the scales that do not vary along K
/// (I-1); null where alpha is zero (G-12).
Value Epilogue::scaledSum(Value sums, Position position) {
  if (!sums)
    return {};
  Value factor = loadAlphaBeta(op.getAlpha(), op.getStaticAlphaAttr());
  for (Value tensorScale : {op.getLhsTensorScale(), op.getRhsTensorScale()})
    if (tensorScale)
      factor = multiply(factor, loadFactor(tensorScale));
  Value scale;
  if (auto lhs = getLhsScales(b, op, instance, /*blocked=*/false))
    scale = lhs->load(b, functions, position.row, /*block=*/Value(), type);
  if (auto rhs = getRhsScales(b, op, instance, /*blocked=*/false))
    scale = multiply(scale,
                     rhs->load(b, functions, position.column, Value(), type));
  if (scale)
    factor = multiply(factor, scale);
  Value sum = memref::LoadOp::create(b, sums,
                                     ValueRange{position.row, position.column});
  return factor ? multiply(factor, toType(sum)) : toType(sum);
}

/// beta * sC * C; null without C, or where beta is zero (G-12).
Value Epilogue::addend(Position position) {
  if (!op.getC() || op.hasZeroBeta())
    return {};
  Value factor = loadAlphaBeta(op.getBeta(), op.getStaticBetaAttr());
  if (Value scale = op.getCScale())
    factor = multiply(factor, loadFactor(scale));
  Type element = cast<MemRefType>(op.getC().getType()).getElementType();
  Value c = access(op.getC(), element)
                .load(b, functions, position.row, position.column, type);
  return multiply(factor, c);
}

Value Epilogue::bias(Position position) {
  Value memref = op.getBias();
  if (!memref)
    return {};
  SmallVector<Value> indices = getLeadingIndices(b, memref, 1, instance.ivs);
  Value row = position.row;
  if (instance.rowBase)
    row = arith::AddIOp::create(b, instance.rowBase, row);
  indices.push_back(*op.getBiasAxis() == Axis::M ? row : position.column);
  return toType(memref::LoadOp::create(b, memref, indices));
}

Value Epilogue::loadExtra(Value operand, AffineMap map, Position position) {
  int64_t rank = cast<MemRefType>(op.getInit().getType()).getRank();
  SmallVector<Value> result(ValueRange(instance.ivs).take_back(rank - 2));
  Value row = position.row;
  if (instance.rowBase)
    row = arith::AddIOp::create(b, instance.rowBase, row);
  result.append({row, position.column});
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    indices.push_back(dim ? result[dim.getPosition()]
                          : arith::ConstantIndexOp::create(b, 0));
  }
  return memref::LoadOp::create(b, operand, indices);
}

/// D_temp of T, or of T in a pair of columns, all in f32 if there is a region.
Value Epilogue::applyRegion(ValueRange ts, Position position) {
  if (!op.hasEpilogue())
    return ts.front();
  Block &body = op.getEpilogue().front();
  IRMapping mapping;
  for (auto [argument, t] : llvm::zip(body.getArguments(), ts)) {
    Value rounded =
        t.getType().isF32() ? t : arith::TruncFOp::create(b, b.getF32Type(), t);
    mapping.map(argument, rounded);
  }
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    AffineMap map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]).getValue();
    mapping.map(body.getArgument(ts.size() + i),
                loadExtra(operand, map, position));
  }
  for (Operation &inner : body.without_terminator())
    b.clone(inner, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

/// (G-14) NaN stays.
void Epilogue::updateAmax(Value value) {
  Value amax = op.getAmax();
  if (!amax)
    return;
  if (!value.getType().isF32())
    value = arith::TruncFOp::create(b, b.getF32Type(), value);
  Value magnitude = math::AbsFOp::create(b, value);
  Value old = memref::LoadOp::create(b, amax, ValueRange());
  memref::StoreOp::create(b, arith::MaximumFOp::create(b, old, magnitude), amax,
                          ValueRange());
}

Value Epilogue::buildT(Value sums, Position position) {
  Value t = scaledSum(sums, position);
  for (Value term : {addend(position), bias(position)})
    if (term)
      t = add(t, term);
  return t ? t : arith::ConstantOp::create(b, b.getZeroAttr(type));
}

Value Epilogue::getResultColumns() {
  int64_t numSums = op.getSumsPerResult();
  if (numSums == 1)
    return instance.columns;
  return arith::DivUIOp::create(b, instance.columns,
                                arith::ConstantIndexOp::create(b, numSums));
}

void Epilogue::emitElement(Value sums, Value panel, Position position) {
  MatrixAccess init = access(op.getInit(), op.getInitElementType());
  if (op.getInitElementType().isInteger(32)) {
    Value sum = memref::LoadOp::create(
        b, sums, ValueRange{position.row, position.column});
    return init.store(b, sum, position.row, position.column);
  }
  // (G-15) Of a pair both are in f32 in front of any conversion.
  SmallVector<Value> ts;
  int64_t numSums = op.getSumsPerResult();
  for (int64_t i = 0; i != numSums; ++i) {
    Position own = position;
    if (numSums != 1)
      own.column = arith::AddIOp::create(
          b,
          arith::MulIOp::create(b, position.column,
                                arith::ConstantIndexOp::create(b, numSums)),
          arith::ConstantIndexOp::create(b, i));
    ts.push_back(buildT(sums, own));
  }
  Value result = applyRegion(ts, position);
  updateAmax(result);
  if (panel) {
    if (!result.getType().isF32())
      result = arith::TruncFOp::create(b, b.getF32Type(), result);
    memref::StoreOp::create(b, result, panel,
                            ValueRange{position.row, position.column});
    return;
  }
  if (!result.getType().isF64())
    result = arith::ExtFOp::create(b, b.getF64Type(), result);
  if (Value scale = op.getDScale()) {
    Value factor = memref::LoadOp::create(b, scale, ValueRange());
    factor = arith::ExtFOp::create(b, b.getF64Type(), factor);
    result = arith::MulFOp::create(b, result, factor);
  }
  Overflow overflow = op.getOverflow() == OverflowMode::Sat
                          ? Overflow::Saturate
                          : Overflow::NoSaturate;
  Value element =
      functions.encode(b, op.getInitElementType(), result, overflow);
  init.store(b, element, position.row, position.column);
}

/// (G-13) Blocks along N.
void Epilogue::quantize(Value panel) {
  ScaleAccess scales =
      accessScales(b, op.getInitScale(), *op.getInitScaleKind(),
                   /*kFirst=*/false, instance.ivs);
  scales.setBase(instance.rowBase, /*block=*/Value());
  BlockQuantization quantization(
      MatrixAccess(panel, {}, b.getF32Type(), /*transposed=*/false),
      instance.rows, getResultColumns(),
      access(op.getInit(), op.getInitElementType()), scales);
  quantization.rule = *op.getInitScaleRule();
  quantization.overflow = op.getOverflow();
  if (Value factor = op.getDScale())
    quantization.tensorFactor = memref::LoadOp::create(b, factor, ValueRange());
  emitBlockQuantization(b, functions, quantization);
}

void Epilogue::emit(Value sums) {
  Value extents[] = {instance.rows, getResultColumns()};
  Value panel;
  if (op.getInitScale())
    panel = memref::AllocOp::create(
        b,
        MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                        b.getF32Type()),
        extents);
  emitLoops(b, extents, [&](ValueRange ivs) {
    emitElement(sums, panel, {ivs[0], ivs[1]});
  });
  if (!panel)
    return;
  quantize(panel);
  memref::DeallocOp::create(b, panel);
}

void lpgemm::emitEpilogue(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                          ProductInterface op, const ProductInstance &instance,
                          FloatType type, Value sums) {
  Epilogue(b, functions, op, instance, type).emit(sums);
}
