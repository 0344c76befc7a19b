//===- ScaleWindow.cpp - scales in a layout of tiles ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExpr.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

/// The least number such that moving by multiples of it in dimension `dim` adds
/// to the value of each of `exprs`, whatever the rest of the position is: a
/// multiple of all by which it divides.
static int64_t getUnit(ArrayRef<AffineExpr> exprs, unsigned dim) {
  int64_t unit = 1;
  for (AffineExpr expr : exprs)
    if (expr.isFunctionOfDim(dim))
      expr.walk([&](AffineExpr part) {
        if (part.getKind() != AffineExprKind::Mod &&
            part.getKind() != AffineExprKind::FloorDiv)
          return;
        AffineExpr divisor = cast<AffineBinaryOpExpr>(part).getRHS();
        unit = std::lcm(unit, cast<AffineConstantExpr>(divisor).getValue());
      });
  return unit;
}

/// Cuts `position`, an index, at a multiple of `unit`: what is in front of it
/// as an index, the rest as i32.
static std::pair<Value, Value> splitAtUnit(ImplicitLocOpBuilder &b,
                                           Value position, int64_t unit) {
  Value rest = b.createOrFold<arith::RemUIOp>(
      position, arith::ConstantIndexOp::create(b, unit));
  return {b.createOrFold<arith::SubIOp>(position, rest), indexToI32(b, rest)};
}

/// The first index has the pitch for a stride; the host has checked that the
/// others are contiguous. Positions are split into one in 64 bits that layouts
/// add to, and one of a few tiles in 32 bits.
ScaleWindow::ScaleWindow(ImplicitLocOpBuilder &b, const GlobalValues &global,
                         Value row, Value col, GlobalType type)
    : b(b), fillsOne(isa<Float8E8M0FNUType>(type.getElementType())) {
  // Any kind that has the layout: the position is the same for all.
  auto scale = ScaleAttr::get(b.getContext(), ScaleKind::MX, type.getLayout());
  SmallVector<AffineExpr> index = scale.getStorageIndex(
      b.getAffineDimExpr(0), b.getAffineDimExpr(1), /*kFirst=*/false);
  first = index.front();
  inner = b.getAffineConstantExpr(0);
  for (auto [expr, stride] :
       llvm::zip_equal(ArrayRef(index).drop_front(), scale.getInnerStrides()))
    inner = inner + expr * stride;

  Value tileRow, tileCol;
  std::tie(tileRow, startRow) = splitAtUnit(b, row, getUnit(index, 0));
  std::tie(tileCol, startCol) = splitAtUnit(b, col, getUnit(index, 1));
  auto left = [&](Value extent, Value start) {
    return indexToI32(b, b.createOrFold<arith::SubIOp>(extent, start));
  };
  rowsLeft = left(global.rows, tileRow);
  colsLeft = left(global.cols, tileCol);
  pitch32 = b.createOrFold<arith::TruncIOp>(b.getI32Type(), global.pitch);

  auto evaluate = [&](AffineExpr expr) {
    return indexToI64(b,
                      buildExtentExpr(b, b.getLoc(), expr, {tileRow, tileCol}));
  };
  Value offset = b.createOrFold<arith::AddIOp>(
      b.createOrFold<arith::MulIOp>(evaluate(first), global.pitch),
      evaluate(inner));
  Value base = LLVM::GEPOp::create(b, global.ptr.getType(), b.getI8Type(),
                                   global.ptr, offset);
  resource = buildBufferResource(b, base, constantI64(b, kOutside - 1));
}

/// Bytes from the base to a position in i32.
Value ScaleWindow::buildOffset(Value row, Value col) {
  auto toIndex = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, b.getIndexType(), value);
  };
  Value position[] = {toIndex(row), toIndex(col)};
  auto evaluate = [&](AffineExpr expr) {
    return indexToI32(b, buildExtentExpr(b, b.getLoc(), expr, position));
  };
  return addI32(b, arith::MulIOp::create(b, evaluate(first), pitch32),
                evaluate(inner));
}

/// Every access is checked: the bytes of padding lie between the others.
Value ScaleWindow::loadElement(const Segment &s) {
  Value row = addI32(b, startRow, s.row), col = addI32(b, startCol, s.col);
  Value inside = arith::AndIOp::create(b, isBelow(b, row, s.rowConst, rowsLeft),
                                       isBelow(b, col, s.colConst, colsLeft));
  Value offset = arith::SelectOp::create(
      b, inside,
      buildOffset(addI32(b, row, constantI32(b, s.rowConst)),
                  addI32(b, col, constantI32(b, s.colConst))),
      constantI32(b, kOutside - 1));
  Value zero = constantI32(b, 0);
  Value value = ROCDL::RawPtrBufferLoadOp::create(
      b, b.getI8Type(), resource, offset, zero, zero, ArrayAttr(), ArrayAttr(),
      ArrayAttr());
  if (!fillsOne)
    return value;
  Value one = arith::ConstantOp::create(b, b.getI8IntegerAttr(kScaleOne));
  return arith::SelectOp::create(b, inside, value, one);
}

SmallVector<Value> ScaleWindow::load(ArrayRef<Segment> segments) {
  return llvm::map_to_vector(segments, [&](const Segment &s) -> Value {
    if (s.length == 1)
      return loadElement(s);
    SmallVector<Value> elements;
    for (int64_t e = 0; e != s.length; ++e)
      elements.push_back(loadElement(s.slice(e, 1)));
    auto type = VectorType::get(s.length, b.getI8Type());
    return vector::FromElementsOp::create(b, type, elements);
  });
}
