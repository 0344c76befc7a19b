//===- ProductTiling.cpp - tiles of lpgemm.matmul along K -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A product does not add to its destination (C12). So the tiles of K are a
// partial reduction: the destination, filled with zero, is the running sum. An
// f32 tile takes it as C; i32, which no C has, is added by linalg.

#include "Tiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// Only a sum in the type of the accumulator can be continued (G-10).
static LogicalResult verifyPlainSum(MatmulOp op) {
  const struct {
    StringLiteral name;
    bool given;
  } clauses[] = {
      {"alpha", op.getAlpha() || op.getStaticAlphaAttr()},
      {"c", op.getC() != nullptr},
      {"bias", op.getBias() != nullptr},
      {"d_scale", op.getDScale() != nullptr},
      {"an epilogue", !op.getEpilogue().empty()},
      {"scale_outs", op.getInitScale() != nullptr},
      {"amax", op.getAmax() != nullptr},
  };
  auto refuse = [&]() {
    return op.emitOpError() << "expects a plain sum in f32 or i32 to tile K, "
                               "such as lpgemm-split-epilogue makes, but got ";
  };
  for (const auto &clause : clauses)
    if (clause.given)
      return refuse() << clause.name;
  Type type = cast<ShapedType>(op.getInit().getType()).getElementType();
  if (!type.isF32() && !type.isSignlessInteger(32))
    return refuse() << "a result of type " << type;
  auto hasBlocks = [](std::optional<ScaleAttr> kind) {
    return kind && kind->hasKBlocks();
  };
  ProductInterface product = op;
  if (type.isF32() && product.getLhsElementType().isSignlessInteger(8) &&
      !hasBlocks(op.getLhsScaleKind()) && !hasBlocks(op.getRhsScaleKind()))
    return refuse() << "the conversion of an i32 sum to f32";
  return success();
}

FailureOr<SmallVector<Value>>
MatmulOp::generateInitialTensorForPartialReduction(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult>,
    const SetVector<unsigned> &) {
  if (getNumResults() == 0)
    return emitOpError("expects tensors, because only they are tiled, but got "
                       "no result: tile before bufferization");
  if (failed(verifyPlainSum(*this)))
    return failure();
  Type type = cast<ShapedType>(getInit().getType()).getElementType();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  auto fill = linalg::FillOp::create(b, loc, zero, getInit());
  return SmallVector<Value>{fill.getResult(0)};
}

FailureOr<TilingResult> MatmulOp::tileToPartialReduction(
    OpBuilder &b, Location loc, ReductionTilingStrategy strategy,
    ValueRange init, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, const SetVector<unsigned> &,
    ArrayRef<OpFoldResult>) {
  if (strategy != ReductionTilingStrategy::PartialReductionOuterReduction)
    return emitOpError("expects the tiles of K one after the other, because "
                       "they share one sum, but got tiles in parallel");
  if (failed(verifyPlainSum(*this)) ||
      failed(verifyTileUnits(*this, offsets, sizes)))
    return failure();
  SmallVector<Value> operands(getOperands());
  operands.back() = init.front();
  TilingResult tile = createTile(b, *this, operands, offsets, sizes);
  auto product = cast<MatmulOp>(tile.tiledOps.front());
  Value sum = product.getInit();
  auto type = cast<RankedTensorType>(sum.getType());
  if (type.getElementType().isF32()) {
    product.getCMutable().assign(sum);
    return tile;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(product);
  product.getInitMutable().set(tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, sum), type.getElementType()));
  b.setInsertionPointAfter(product);
  auto add = linalg::AddOp::create(
      b, loc, ValueRange{product.getResult(0), sum}, ValueRange{sum});
  tile.tiledOps.push_back(add);
  tile.tiledValues = {add.getResult(0)};
  return tile;
}

FailureOr<MergeResult> MatmulOp::mergeReductions(OpBuilder &, Location,
                                                 ValueRange partialReduce,
                                                 const SetVector<unsigned> &) {
  // The loop that carries the sum has merged it.
  MergeResult result;
  if (Operation *loop = partialReduce.front().getDefiningOp())
    result.mergeOps.push_back(loop);
  llvm::append_range(result.replacements, partialReduce);
  return result;
}

LogicalResult MatmulOp::getPartialResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ReductionTilingStrategy,
    ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
    const SetVector<unsigned> &, ArrayRef<OpFoldResult>,
    SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  return locateResultTile(b, *this, resultNumber, offsets, sizes, resultOffsets,
                          resultSizes);
}
