//===- Arithmetic.cpp - short forms of arithmetic -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lpgemm;

Value lpgemm::constantI32(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(
      b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value lpgemm::addI32(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value lpgemm::mulI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  return b.createOrFold<arith::MulIOp>(lhs, constantI32(b, rhs));
}

Value lpgemm::divI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  return b.createOrFold<arith::DivUIOp>(lhs, constantI32(b, rhs));
}

Value lpgemm::remI32(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  return b.createOrFold<arith::RemUIOp>(lhs, constantI32(b, rhs));
}

Value lpgemm::indexToI32(ImplicitLocOpBuilder &b, Value index) {
  return b.createOrFold<arith::IndexCastOp>(b.getI32Type(), index);
}

Value lpgemm::constantI64(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

Value lpgemm::indexToI64(ImplicitLocOpBuilder &b, Value index) {
  return b.createOrFold<arith::IndexCastOp>(b.getI64Type(), index);
}

Value lpgemm::buildMagnitude(ImplicitLocOpBuilder &b, Value value) {
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  return arith::AndIOp::create(b, bits, constantI32(b, 0x7FFFFFFF));
}

Value lpgemm::canonicalizeNaN(ImplicitLocOpBuilder &b, Value magnitude) {
  Value isNaN = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, magnitude,
                                      constantI32(b, 0x7F800000));
  return arith::SelectOp::create(b, isNaN, constantI32(b, 0x7FC00000),
                                 magnitude);
}
