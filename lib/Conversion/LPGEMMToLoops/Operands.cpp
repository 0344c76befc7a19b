//===- Operands.cpp - matrices and scales in memory -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "lpgemm/Conversion/PackedStorage.h"
#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;

void lpgemm::emitLoops(ImplicitLocOpBuilder &b, ValueRange extents,
                       llvm::function_ref<void(ValueRange ivs)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> ivs;
  for (Value extent : extents) {
    auto loop = scf::ForOp::create(b, zero, extent, one);
    ivs.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  body(ivs);
}

SmallVector<Value> lpgemm::getLeadingIndices(ImplicitLocOpBuilder &b,
                                             Value memref, unsigned numTrailing,
                                             ValueRange ivs) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> indices(ivs.take_back(type.getRank() - numTrailing));
  for (auto [index, size] : llvm::zip(indices, type.getShape()))
    if (size == 1)
      index = arith::ConstantIndexOp::create(b, 0);
  return indices;
}

static Value addBase(ImplicitLocOpBuilder &b, Value index, Value base) {
  return base ? arith::AddIOp::create(b, base, index).getResult() : index;
}

/// A code as the memref holds it, and as NumericFunctions gives it.
static Value toStorage(ImplicitLocOpBuilder &b, Value element, Type type) {
  if (element.getType() == type)
    return element;
  return arith::BitcastOp::create(b, type, element);
}

//===----------------------------------------------------------------------===//
// MatrixAccess
//===----------------------------------------------------------------------===//

bool MatrixAccess::isPacked() const {
  return type.getIntOrFloatBitWidth() < 8 &&
         cast<MemRefType>(memref.getType()).getElementType() != type;
}

std::pair<Value, Value> MatrixAccess::locate(ImplicitLocOpBuilder &b, Value row,
                                             Value column) const {
  row = addBase(b, row, rowBase);
  column = addBase(b, column, columnBase);
  return transposed ? std::pair(column, row) : std::pair(row, column);
}

Value MatrixAccess::loadElement(ImplicitLocOpBuilder &b, Value row,
                                Value column) const {
  auto [outer, inner] = locate(b, row, column);
  SmallVector<Value> indices = lead;
  indices.push_back(outer);
  if (isPacked())
    return loadPackedCode(b, {memref, indices, type.getIntOrFloatBitWidth()},
                          inner);
  indices.push_back(inner);
  return memref::LoadOp::create(b, memref, indices);
}

Value MatrixAccess::load(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                         Value row, Value column, FloatType resultType) const {
  return functions.decode(b, type, loadElement(b, row, column), resultType);
}

void MatrixAccess::store(ImplicitLocOpBuilder &b, Value element, Value row,
                         Value column) const {
  auto [outer, inner] = locate(b, row, column);
  SmallVector<Value> indices = lead;
  indices.push_back(outer);
  if (isPacked())
    return storePackedCode(b, {memref, indices, type.getIntOrFloatBitWidth()},
                           inner, element);
  indices.push_back(inner);
  memref::StoreOp::create(b, toStorage(b, element, type), memref, indices);
}

void MatrixAccess::clearPacked(ImplicitLocOpBuilder &b, Value rows,
                               Value columns) const {
  if (!isPacked())
    return;
  unsigned bits = type.getIntOrFloatBitWidth();
  AffineExpr code;
  bindDims(b.getContext(), code);
  auto emit = [&](AffineExpr expr, Value of) {
    return buildExtentExpr(b, b.getLoc(), expr, of);
  };
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value firstCode = locate(b, zero, zero).second;
  Value firstByte = emit((code * bits).floorDiv(8), firstCode);
  if (transposed)
    std::swap(rows, columns);
  Value numBytes = emit((code * bits).ceilDiv(8), columns);
  emitLoops(b, {rows, numBytes}, [&](ValueRange ivs) {
    Value outer = transposed ? locate(b, zero, ivs[0]).first
                             : locate(b, ivs[0], zero).first;
    SmallVector<Value> indices = lead;
    indices.append(
        {outer, arith::AddIOp::create(b, firstByte, ivs[1]).getResult()});
    Value cleared = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    memref::StoreOp::create(b, cleared, memref, indices);
  });
}

//===----------------------------------------------------------------------===//
// ScaleAccess
//===----------------------------------------------------------------------===//

ScaleAccess lpgemm::accessScales(ImplicitLocOpBuilder &b, Value memref,
                                 ScaleAttr kind, bool kFirst, ValueRange ivs) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  unsigned numTrailing = kind.getStorageIndex(d0, d0, kFirst).size();
  return ScaleAccess(memref, getLeadingIndices(b, memref, numTrailing, ivs),
                     kind, kFirst);
}

SmallVector<Value> ScaleAccess::locate(ImplicitLocOpBuilder &b, Value outer,
                                       Value block) const {
  outer = addBase(b, outer, outerBase);
  if (kind.hasKBlocks())
    block = addBase(b, block, blockBase);
  // d0 is the element along M or N, d1 the block along K.
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  SmallVector<Value> indices = lead;
  AffineExpr row = kind.hasKBlocks() ? d0.floorDiv(kind.getOuterBlock()) : d0;
  for (AffineExpr expr : kind.getStorageIndex(row, d1, kFirst))
    indices.push_back(buildExtentExpr(b, b.getLoc(), expr, {outer, block}));
  return indices;
}

Value ScaleAccess::loadElement(ImplicitLocOpBuilder &b, Value outer,
                               Value block) const {
  return memref::LoadOp::create(b, memref, locate(b, outer, block));
}

Value ScaleAccess::load(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                        Value outer, Value block, FloatType resultType) const {
  Type type = getElementType();
  Value element = loadElement(b, outer, block);
  if (isa<Float8E4M3FNType>(type)) {
    element = arith::BitcastOp::create(b, b.getI8Type(), element);
    Value mask = arith::ConstantOp::create(b, b.getI8IntegerAttr(0x7F));
    element = arith::AndIOp::create(b, element, mask);
  }
  return functions.decode(b, type, element, resultType);
}

void ScaleAccess::store(ImplicitLocOpBuilder &b, Value element, Value outer,
                        Value block) const {
  memref::StoreOp::create(b, toStorage(b, element, getElementType()), memref,
                          locate(b, outer, block));
}

void lpgemm::emitScalePadding(ImplicitLocOpBuilder &b, Value memref,
                              ScaleAttr kind) {
  if (kind.getLayout() == ScaleLayout::Row)
    return;
  auto type = cast<MemRefType>(memref.getType());
  unsigned width = type.getElementTypeBitWidth();
  APInt bits = APInt::getSplat(width, APInt(8, kind.getPaddingByte()));
  auto integerType = b.getIntegerType(width);
  Value padding =
      arith::ConstantOp::create(b, b.getIntegerAttr(integerType, bits));
  padding = toStorage(b, padding, type.getElementType());
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim != type.getRank(); ++dim)
    extents.push_back(memref::DimOp::create(b, memref, dim));
  emitLoops(b, extents, [&](ValueRange ivs) {
    memref::StoreOp::create(b, padding, memref, ivs);
  });
}
