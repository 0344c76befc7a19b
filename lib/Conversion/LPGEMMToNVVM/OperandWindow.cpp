//===- OperandWindow.cpp - tiles of operands in global memory -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

OperandWindow::OperandWindow(ImplicitLocOpBuilder &b,
                             const GlobalValues &global, Value row, Value col,
                             ShapedType covered, bool transpose)
    : WindowLoads(b), global(global),
      source(b, global,
             GlobalType::get(b.getContext(),
                             {ShapedType::kDynamic, ShapedType::kDynamic},
                             covered.getElementType(), ScaleLayout::Row)),
      row(row), col(col), cols(covered.getDimSize(transpose ? 0 : 1)) {}

/// The window of an iteration that there is not may be one of no elements.
SmallVector<Value> OperandWindow::load(ArrayRef<Segment> segments) {
  return source.ifNotEmpty([&] { return WindowLoads::load(segments); });
}

Value OperandWindow::getRow(const Segment &s) {
  return b.createOrFold<arith::AddIOp>(
      row, i32ToIndex(b, addI32(b, s.row, constantI32(b, s.rowConst))));
}

Value OperandWindow::getCol(const Segment &s) {
  return b.createOrFold<arith::AddIOp>(
      col, i32ToIndex(b, addI32(b, s.col, constantI32(b, s.colConst))));
}

WindowLoads::Round OperandWindow::getRound(const Segment &) const {
  return 8 * source.getUnitBytes();
}

Value OperandWindow::isAligned(int64_t bytes) {
  Value address =
      LLVM::PtrToIntOp::create(b, b.getI64Type(), source.getAddress(row, col));
  Value pitch = b.createOrFold<arith::MulIOp>(
      global.pitch, constantI64(b, source.getUnitBytes()));
  Value low = arith::AndIOp::create(b, arith::OrIOp::create(b, address, pitch),
                                    constantI64(b, bytes - 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, low,
                               constantI64(b, 0));
}

/// No column is outside, and not all rows are: a row outside is read at the
/// last one.
Value OperandWindow::buildWideCondition(const Segment &s) {
  Value last = b.createOrFold<arith::AddIOp>(
      col, arith::ConstantIndexOp::create(b, cols - 1));
  return arith::AndIOp::create(b, source.isInside(row, last),
                               isAligned(s.length * source.getUnitBytes()));
}

Value OperandWindow::loadWide(const Segment &s) {
  int64_t bytes = s.length * source.getUnitBytes();
  Value y = getRow(s);
  Value lastRow = b.createOrFold<arith::SubIOp>(
      global.rows, arith::ConstantIndexOp::create(b, 1));
  Value address =
      source.getAddress(b.createOrFold<arith::MinSIOp>(y, lastRow), getCol(s));
  auto type = VectorType::get(bytes / 4, b.getI32Type());
  Value loaded = LLVM::LoadOp::create(b, type, address, bytes);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, y, global.rows);
  return arith::SelectOp::create(b, isInside, loaded, zero);
}

Value OperandWindow::loadPieces(const Segment &s) {
  SmallVector<Value> pieces;
  for (int64_t e = 0; e != s.length; ++e) {
    Segment element = s.slice(e, 1);
    pieces.push_back(source.load(getRow(element), getCol(element)));
  }
  if (s.length == 1)
    return pieces.front();
  auto type = VectorType::get(s.length, source.getBitsType());
  return vector::FromElementsOp::create(b, type, pieces);
}

std::pair<Value, Value> OperandWindow::getInside(const Segment &s) {
  Value y = getRow(s), x = getCol(s);
  Value zero = arith::ConstantIndexOp::create(b, 0),
        length = arith::ConstantIndexOp::create(b, s.length);
  Value left = arith::MinSIOp::create(
      b,
      arith::MaxSIOp::create(b, arith::SubIOp::create(b, global.cols, x), zero),
      length);
  Value isRow =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, y, global.rows);
  left = arith::SelectOp::create(b, isRow, left, zero);
  Value isAny = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left, zero);
  Value address =
      arith::SelectOp::create(b, isAny, source.getAddress(y, x), global.ptr);
  return {address, mulI32(b, indexToI32(b, left), source.getUnitBytes())};
}
