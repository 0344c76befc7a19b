//===- ScalarExpr.h - scalar arithmetic as expressions ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bit manipulation is hard to read as calls of builders. A ScalarExpr is a
// value with the operators of C++, each of which emits one op of the arith
// dialect: that of integers or that of floats, by the type of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_SCALAREXPR_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_SCALAREXPR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::lpgemm {

class ScalarExpr {
public:
  ScalarExpr(ImplicitLocOpBuilder &b, Value value) : b(&b), value(value) {}

  operator Value() const { return value; }
  Type getType() const { return value.getType(); }

  /// A constant of the type of this value.
  ScalarExpr floatConstant(double literal) const {
    return {*b,
            arith::ConstantOp::create(*b, b->getFloatAttr(getType(), literal))};
  }
  ScalarExpr constant(int64_t literal) const {
    return {*b, arith::ConstantOp::create(
                    *b, b->getIntegerAttr(getType(), literal))};
  }

  ScalarExpr operator+(ScalarExpr rhs) const {
    return apply<arith::AddIOp, arith::AddFOp>(rhs);
  }
  ScalarExpr operator-(ScalarExpr rhs) const {
    return apply<arith::SubIOp, arith::SubFOp>(rhs);
  }
  ScalarExpr operator*(ScalarExpr rhs) const {
    return apply<arith::MulIOp, arith::MulFOp>(rhs);
  }
  /// Floats only.
  ScalarExpr operator/(ScalarExpr rhs) const {
    return {*b, arith::DivFOp::create(*b, value, rhs)};
  }
  ScalarExpr operator&(ScalarExpr rhs) const {
    return {*b, arith::AndIOp::create(*b, value, rhs)};
  }
  ScalarExpr operator|(ScalarExpr rhs) const {
    return {*b, arith::OrIOp::create(*b, value, rhs)};
  }
  ScalarExpr operator^(ScalarExpr rhs) const {
    return {*b, arith::XOrIOp::create(*b, value, rhs)};
  }
  ScalarExpr operator<<(ScalarExpr rhs) const {
    return {*b, arith::ShLIOp::create(*b, value, rhs)};
  }
  /// Shifts zeros in.
  ScalarExpr operator>>(ScalarExpr rhs) const {
    return {*b, arith::ShRUIOp::create(*b, value, rhs)};
  }

  ScalarExpr operator+(int64_t rhs) const { return *this + constant(rhs); }
  ScalarExpr operator-(int64_t rhs) const { return *this - constant(rhs); }
  ScalarExpr operator*(int64_t rhs) const { return *this * constant(rhs); }
  ScalarExpr operator&(int64_t rhs) const { return *this & constant(rhs); }
  ScalarExpr operator|(int64_t rhs) const { return *this | constant(rhs); }
  ScalarExpr operator<<(int64_t rhs) const { return *this << constant(rhs); }
  ScalarExpr operator>>(int64_t rhs) const { return *this >> constant(rhs); }

  /// Signed and, for floats, false if an operand is NaN.
  ScalarExpr operator>(ScalarExpr rhs) const {
    return compare(arith::CmpIPredicate::sgt, arith::CmpFPredicate::OGT, rhs);
  }
  ScalarExpr operator<(ScalarExpr rhs) const { return rhs > *this; }
  ScalarExpr operator==(ScalarExpr rhs) const {
    return compare(arith::CmpIPredicate::eq, arith::CmpFPredicate::OEQ, rhs);
  }
  ScalarExpr operator>(int64_t rhs) const { return *this > constant(rhs); }
  ScalarExpr operator==(int64_t rhs) const { return *this == constant(rhs); }
  ScalarExpr isNaN() const {
    return {*b,
            arith::CmpFOp::create(*b, arith::CmpFPredicate::UNO, value, value)};
  }

  /// The smaller and the larger of signed integers.
  ScalarExpr min(int64_t rhs) const {
    return {*b, arith::MinSIOp::create(*b, value, constant(rhs))};
  }
  ScalarExpr max(ScalarExpr rhs) const {
    return {*b, arith::MaxSIOp::create(*b, value, rhs)};
  }
  ScalarExpr max(int64_t rhs) const { return max(constant(rhs)); }

  /// The larger of floats, NaN if one of them is (S-10).
  ScalarExpr maximum(ScalarExpr rhs) const {
    return {*b, arith::MaximumFOp::create(*b, value, rhs)};
  }
  /// A float without its sign.
  ScalarExpr magnitude() const {
    unsigned width = getType().getIntOrFloatBitWidth();
    ScalarExpr bits = bitcast(b->getIntegerType(width));
    bits = bits & APInt::getSignedMaxValue(width).getSExtValue();
    return bits.bitcast(getType());
  }

  /// Of a condition: one of two values.
  ScalarExpr select(ScalarExpr ifTrue, ScalarExpr ifFalse) const {
    return {*b, arith::SelectOp::create(*b, value, ifTrue, ifFalse)};
  }
  ScalarExpr select(int64_t ifTrue, ScalarExpr ifFalse) const {
    return select(ifFalse.constant(ifTrue), ifFalse);
  }

  ScalarExpr bitcast(Type type) const {
    return {*b, arith::BitcastOp::create(*b, type, value)};
  }
  ScalarExpr extendFloat(Type type) const {
    return {*b, arith::ExtFOp::create(*b, type, value)};
  }
  /// To f32 alone: the conversions to shorter formats are not this project's.
  ScalarExpr roundToF32() const {
    return {*b, arith::TruncFOp::create(*b, b->getF32Type(), value)};
  }
  ScalarExpr extendUnsigned(Type type) const {
    return {*b, arith::ExtUIOp::create(*b, type, value)};
  }
  ScalarExpr truncate(Type type) const {
    return {*b, arith::TruncIOp::create(*b, type, value)};
  }
  /// A signed integer of a float, toward zero, and the reverse.
  ScalarExpr toSigned(Type type) const {
    return {*b, arith::FPToSIOp::create(*b, type, value)};
  }
  ScalarExpr fromSigned(Type type) const {
    return {*b, arith::SIToFPOp::create(*b, type, value)};
  }

private:
  template <typename IntegerOp, typename FloatOp>
  ScalarExpr apply(ScalarExpr rhs) const {
    if (isa<FloatType>(getType()))
      return {*b, FloatOp::create(*b, value, rhs)};
    return {*b, IntegerOp::create(*b, value, rhs)};
  }
  ScalarExpr compare(arith::CmpIPredicate integers, arith::CmpFPredicate floats,
                     ScalarExpr rhs) const {
    if (isa<FloatType>(getType()))
      return {*b, arith::CmpFOp::create(*b, floats, value, rhs)};
    return {*b, arith::CmpIOp::create(*b, integers, value, rhs)};
  }

  ImplicitLocOpBuilder *b;
  Value value;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_SCALAREXPR_H
