//===- HopperAccumulator.cpp - sums of Hopper FP8 tensor cores ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericTypes.h"
#include "ScalarExpr.h"
#include "lpgemm/Conversion/NumericFunctions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// The fraction bits of the accumulator and of what is added to it.
constexpr int fractionBits = 13;
/// The smallest and the largest exponent of finite f32 values.
constexpr int minAccExponent = -126;
constexpr int maxAccExponent = 127;

/// Emits one step of the accumulator (Accumulation in docs/spec.md).
class HopperStep {
public:
  HopperStep(ImplicitLocOpBuilder &b, Type lhsType, Type rhsType,
             ValueRange arguments)
      : b(b), minLhsExponent(getMinExponent(lhsType)),
        minRhsExponent(getMinExponent(rhsType)),
        acc(ScalarExpr(b, arguments[0]).extendFloat(b.getF64Type())),
        lhs(arguments[1]), rhs(arguments[2]) {}

  Value emit();

private:
  using Reduction = llvm::function_ref<ScalarExpr(
      ScalarExpr carried, ScalarExpr lhs, ScalarExpr rhs)>;

  static int getMinExponent(Type type) {
    return 1 - getFormatInfo(*parseElementFormat(printType(type))).bias;
  }
  /// What `step` makes of `initial` and all pairs of elements.
  ScalarExpr reduce(ScalarExpr initial, Reduction step);
  /// The exponent of `value` as i64; zero and subnormals have `minExponent`.
  ScalarExpr getExponent(ScalarExpr value, int minExponent);
  /// 2 to the power of an i64.
  ScalarExpr getPower(ScalarExpr exponent);
  ScalarExpr getLargestExponent();
  ScalarExpr addIEEE();
  ScalarExpr addAligned(ScalarExpr exponent);

  ImplicitLocOpBuilder &b;
  int minLhsExponent, minRhsExponent;
  ScalarExpr acc;
  Value lhs, rhs;
};

} // namespace

ScalarExpr HopperStep::reduce(ScalarExpr initial, Reduction step) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value size =
      arith::ConstantIndexOp::create(b, NumericFunctions::hopperGroupSize);
  auto loop = scf::ForOp::create(b, zero, size, one, Value(initial));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value iv = loop.getInductionVar();
  ScalarExpr lhsElement(b, memref::LoadOp::create(b, lhs, iv));
  ScalarExpr rhsElement(b, memref::LoadOp::create(b, rhs, iv));
  Value next = step({b, loop.getRegionIterArg(0)}, lhsElement, rhsElement);
  scf::YieldOp::create(b, next);
  return {b, loop.getResult(0)};
}

ScalarExpr HopperStep::getExponent(ScalarExpr value, int minExponent) {
  using namespace binary64;
  ScalarExpr bits = value.bitcast(b.getI64Type());
  return (((bits >> mantissaBits) & exponentMask) - bias).max(minExponent);
}

ScalarExpr HopperStep::getPower(ScalarExpr exponent) {
  using namespace binary64;
  return ((exponent + bias) << mantissaBits).bitcast(b.getF64Type());
}

ScalarExpr HopperStep::getLargestExponent() {
  return reduce(getExponent(acc, minAccExponent),
                [&](ScalarExpr largest, ScalarExpr lhs, ScalarExpr rhs) {
                  ScalarExpr exponent = getExponent(lhs, minLhsExponent) +
                                        getExponent(rhs, minRhsExponent);
                  ScalarExpr product = lhs * rhs;
                  return (product == product.floatConstant(0))
                      .select(largest, largest.max(exponent));
                });
}

/// With a NaN or an infinity among them the terms add as in IEEE 754: all
/// others are so small that their sum is finite.
ScalarExpr HopperStep::addIEEE() {
  return reduce(acc, [](ScalarExpr sum, ScalarExpr lhs, ScalarExpr rhs) {
    return sum + lhs * rhs;
  });
}

/// Adds multiples of 2^(exponent - fractionBits). A term is less than four
/// times 2^exponent, so that the sum fits an i32.
ScalarExpr HopperStep::addAligned(ScalarExpr exponent) {
  ScalarExpr minusExponent = exponent.constant(0) - exponent;
  ScalarExpr factor = getPower(minusExponent + fractionBits);
  ScalarExpr sum =
      reduce((acc * factor).toSigned(b.getI32Type()),
             [&](ScalarExpr sum, ScalarExpr lhs, ScalarExpr rhs) {
               return sum + (lhs * rhs * factor).toSigned(b.getI32Type());
             });
  ScalarExpr bits = sum.fromSigned(b.getF64Type()).bitcast(b.getI64Type());
  const int64_t excess =
      (int64_t(1) << (binary64::mantissaBits - fractionBits)) - 1;
  ScalarExpr kept = (bits & ~excess).bitcast(b.getF64Type());
  return kept * getPower(exponent - fractionBits);
}

Value HopperStep::emit() {
  ScalarExpr exponent = getLargestExponent();
  ScalarExpr isSpecial = exponent > maxAccExponent;
  auto branch = scf::IfOp::create(
      b, isSpecial,
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, Value(addIEEE())); },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, Value(addAligned(exponent)));
      });
  return ScalarExpr(b, branch.getResult(0)).roundToF32();
}

Value NumericFunctions::accumulateHopper(ImplicitLocOpBuilder &b, Type lhsType,
                                         Type rhsType, Value acc, Value lhs,
                                         Value rhs) {
  // One function serves elements at any offset.
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, 1);
  auto type = MemRefType::get(hopperGroupSize, b.getF64Type(), layout);
  SmallVector<Value> arguments = {acc};
  for (Value elements : {lhs, rhs})
    arguments.push_back(memref::CastOp::create(b, type, elements));
  return call(
      b, "accumulate_hopper_" + printType(lhsType) + "_" + printType(rhsType),
      b.getF32Type(), arguments,
      [&](ImplicitLocOpBuilder &b, ValueRange arguments) {
        return HopperStep(b, lhsType, rhsType, arguments).emit();
      });
}
