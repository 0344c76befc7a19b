//===- QuantizeLowering.cpp - loops that quantize -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizeLowering.h"

#include "BlockQuantizer.h"
#include "ScalarExpr.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// The extents of an op, and its operands at one place of the batch.
class BatchedMatrix {
public:
  /// Emits the checks of the extents.
  BatchedMatrix(ImplicitLocOpBuilder &b, ShapeContractInterface op,
                bool transposed)
      : b(b), transposed(transposed) {
    ShapeContract contract = op.getShapeContract();
    extents = buildExtents(b, b.getLoc(), contract);
    buildShapeAsserts(b, op, contract, extents);
  }

  ValueRange getBatch() const { return ValueRange(extents).drop_back(2); }
  Value getRows() const { return extents[extents.size() - 2]; }
  Value getColumns() const { return extents.back(); }

  /// `packed`: the type of an element if the memref holds packed bytes.
  MatrixAccess access(Value memref, TypeAttr packed, ValueRange batch) const {
    Type type = cast<MemRefType>(memref.getType()).getElementType();
    return {memref, getLeadingIndices(b, memref, /*numTrailing=*/2, batch),
            packed ? packed.getValue() : type, transposed};
  }
  ScaleAccess accessScales(Value memref, ScaleAttr kind,
                           ValueRange batch) const {
    return lpgemm::accessScales(b, memref, kind, transposed, batch);
  }
  /// The row-major index of the first element at a place of the batch.
  Value getFirstIndex(ValueRange batch) const;

private:
  ImplicitLocOpBuilder &b;
  bool transposed;
  SmallVector<Value> extents;
};

/// Emits the loops of one op.
class QuantizeEmitter {
public:
  QuantizeEmitter(QuantizeOp op, NumericFunctions &functions)
      : op(op), functions(functions), b(op.getLoc(), op),
        matrix(b, cast<ShapeContractInterface>(op.getOperation()),
               op.getTransposed()) {}

  void emit();

private:
  /// Sets the rank 0 `cell` to the largest magnitude of the whole batch.
  void emitTensorAmax(Value cell);
  /// The encode factor of the tensor; null where the kind has none.
  Value emitTensorFactor(Value amaxCell);
  void emitMatrix(Value tensorFactor, Value seed, ValueRange batch);

  QuantizeOp op;
  NumericFunctions &functions;
  ImplicitLocOpBuilder b;
  BatchedMatrix matrix;
};

} // namespace

Value BatchedMatrix::getFirstIndex(ValueRange batch) const {
  Value index = arith::ConstantIndexOp::create(b, 0);
  for (auto [place, extent] : llvm::zip_equal(batch, getBatch())) {
    index = arith::MulIOp::create(b, index, extent);
    index = arith::AddIOp::create(b, index, place);
  }
  index = arith::MulIOp::create(b, index, getRows());
  return arith::MulIOp::create(b, index, getColumns());
}

//===----------------------------------------------------------------------===//
// lpgemm.quantize
//===----------------------------------------------------------------------===//

void QuantizeEmitter::emitTensorAmax(Value cell) {
  Value none = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  memref::StoreOp::create(b, none, cell);
  emitLoops(b, matrix.getBatch(), [&](ValueRange batch) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value amax = memref::LoadOp::create(b, cell);
    amax = emitAmax(b, functions, matrix.access(op.getInput(), {}, batch),
                    {zero, matrix.getRows(), zero, matrix.getColumns()}, amax);
    memref::StoreOp::create(b, amax, cell);
  });
}

Value QuantizeEmitter::emitTensorFactor(Value amaxCell) {
  if (Value given = op.getTensorScale())
    return functions.invertTensorScale(b, memref::LoadOp::create(b, given));
  Value found = op.getTensorScaleInit();
  if (!found)
    return {};
  Value amax = memref::LoadOp::create(b, amaxCell);
  ScalarExpr factor(b, functions.computeTensorFactor(b, amax));
  Value scale = factor.floatConstant(1) / factor; // S-16
  memref::StoreOp::create(b, scale, found);
  return factor;
}

void QuantizeEmitter::emitMatrix(Value tensorFactor, Value seed,
                                 ValueRange batch) {
  Value scales = op.getScale() ? op.getScale() : op.getScaleInit();
  BlockQuantization q(
      matrix.access(op.getInput(), {}, batch), matrix.getRows(),
      matrix.getColumns(),
      matrix.access(op.getInit(), op.getInitPackedAttr(), batch),
      matrix.accessScales(scales, op.getKind(), batch));
  q.scalesGiven = op.getScale() != nullptr;
  if (op.getRule())
    q.rule = *op.getRule();
  if (std::optional<APFloat> floor = op.getAmaxFloor())
    q.amaxFloor = floor->convertToFloat();
  if (std::optional<APFloat> scale = op.getMinScale())
    q.minScale = scale->convertToFloat();
  if (std::optional<APFloat> percentile = op.getPercentile())
    q.percentile = percentile->convertToDouble();
  q.saturateScale = op.getSaturateScale();
  q.tensorFactor = tensorFactor;
  q.reciprocal = op.getReciprocal();
  q.overflow = op.getOverflow();
  q.seed = seed;
  if (seed)
    q.firstIndex = matrix.getFirstIndex(batch);
  emitBlockQuantization(b, functions, q);
}

void QuantizeEmitter::emit() {
  Value found = op.getTensorScaleInit();
  // Until it is found, the scale of the tensor can hold the magnitude.
  Value amaxCell = op.getAmax() ? op.getAmax() : found;
  if (amaxCell)
    emitTensorAmax(amaxCell);
  Value tensorFactor = emitTensorFactor(amaxCell);
  Value seed;
  if (std::optional<uint64_t> value = op.getSeed())
    seed = arith::ConstantOp::create(b, b.getI64IntegerAttr(*value));
  if (Value scales = op.getScaleInit())
    emitScalePadding(b, scales, op.getKind());
  emitLoops(b, matrix.getBatch(),
            [&](ValueRange batch) { emitMatrix(tensorFactor, seed, batch); });
}

void lpgemm::lowerQuantize(QuantizeOp op, NumericFunctions &functions) {
  QuantizeEmitter(op, functions).emit();
  op.erase();
}

//===----------------------------------------------------------------------===//
// lpgemm.dequantize
//===----------------------------------------------------------------------===//

void lpgemm::lowerDequantize(DequantizeOp op, NumericFunctions &functions) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  BatchedMatrix matrix(b, cast<ShapeContractInterface>(op.getOperation()),
                       op.getTransposed());
  FloatType f64 = b.getF64Type();
  ScaleAttr kind = op.getKind();
  Value tensorScale;
  if (Value scale = op.getTensorScale())
    tensorScale = functions.decode(b, b.getF32Type(),
                                   memref::LoadOp::create(b, scale), f64);
  SmallVector<Value> extents(matrix.getBatch());
  extents.append({matrix.getRows(), matrix.getColumns()});
  emitLoops(b, extents, [&](ValueRange ivs) {
    ValueRange batch = ivs.drop_back(2);
    Value row = ivs[ivs.size() - 2], column = ivs.back();
    Value block = arith::ConstantIndexOp::create(
        b, std::max<int64_t>(kind.getKBlock(), 1));
    block = arith::DivUIOp::create(b, column, block);
    ScalarExpr scale(b, matrix.accessScales(op.getScale(), kind, batch)
                            .load(b, functions, row, block, f64));
    if (tensorScale)
      scale = ScalarExpr(b, tensorScale) * scale;
    ScalarExpr value(
        b, matrix.access(op.getInput(), op.getInputPackedAttr(), batch)
               .load(b, functions, row, column, f64));
    MatrixAccess init = matrix.access(op.getInit(), {}, batch);
    init.store(b, functions.encode(b, init.getElementType(), scale * value),
               row, column);
  });
  op.erase();
}
