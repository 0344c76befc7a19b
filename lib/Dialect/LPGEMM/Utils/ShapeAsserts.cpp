//===- ShapeAsserts.cpp - checks of extents at run time -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/ShapeAsserts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Emits expressions of extents, which are not negative: simpler code than that
/// of affine::expandAffineExpr.
class ExprEmitter : public AffineExprVisitor<ExprEmitter, Value> {
public:
  ExprEmitter(OpBuilder &b, Location loc, ValueRange dims)
      : b(loc, b), dims(dims) {}

  Value visitDimExpr(AffineDimExpr expr) { return dims[expr.getPosition()]; }
  Value visitConstantExpr(AffineConstantExpr expr) {
    return arith::ConstantIndexOp::create(b, expr.getValue());
  }
  Value visitAddExpr(AffineBinaryOpExpr expr) {
    return emit<arith::AddIOp>(expr);
  }
  Value visitMulExpr(AffineBinaryOpExpr expr) {
    return emit<arith::MulIOp>(expr);
  }
  Value visitModExpr(AffineBinaryOpExpr expr) {
    return emit<arith::RemUIOp>(expr);
  }
  Value visitCeilDivExpr(AffineBinaryOpExpr expr) {
    return emit<arith::CeilDivUIOp>(expr);
  }
  Value visitFloorDivExpr(AffineBinaryOpExpr expr) {
    return emit<arith::DivUIOp>(expr);
  }
  Value visitSymbolExpr(AffineSymbolExpr) {
    llvm_unreachable("contracts have no symbols");
  }

private:
  template <typename Op>
  Value emit(AffineBinaryOpExpr expr) {
    Value lhs = visit(expr.getLHS());
    return Op::create(b, lhs, visit(expr.getRHS()));
  }

  ImplicitLocOpBuilder b;
  ValueRange dims;
};
} // namespace

Value lpgemm::buildExtentExpr(OpBuilder &b, Location loc, AffineExpr expr,
                              ValueRange extents) {
  return ExprEmitter(b, loc, extents).visit(expr);
}

SmallVector<Value> lpgemm::buildExtents(OpBuilder &b, Location loc,
                                        const ShapeContract &contract) {
  SmallVector<Value> extents;
  for (const ShapeContract::Extent &extent : contract.extents) {
    bool isShaped = isa<ShapedType>(extent.source.getType());
    extents.push_back(
        isShaped ? memref::DimOp::create(b, loc, extent.source, extent.dim)
                       .getResult()
                 : extent.source);
  }
  return extents;
}

/// What the verifier has not settled already.
static bool isOpen(const ShapeContract &contract, AffineExpr expr,
                   int64_t actual) {
  return ShapedType::isDynamic(actual) ||
         ShapedType::isDynamic(contract.evaluate(expr));
}

void lpgemm::buildShapeAsserts(OpBuilder &b, Operation *op,
                               const ShapeContract &contract,
                               ValueRange extents) {
  Location loc = op->getLoc();
  for (const ShapeContract::Operand &operand : contract.operands) {
    auto type = cast<ShapedType>(operand.value.getType());
    for (auto [dim, expr] : llvm::enumerate(operand.dims)) {
      if (!expr || !isOpen(contract, expr, type.getDimSize(dim)))
        continue;
      // The place where an extent is found need not be compared with itself.
      if (auto extent = dyn_cast<AffineDimExpr>(expr)) {
        const ShapeContract::Extent &source =
            contract.extents[extent.getPosition()];
        if (source.source == operand.value &&
            source.dim == static_cast<int64_t>(dim))
          continue;
      }
      Value expected = buildExtentExpr(b, loc, expr, extents);
      Value actual = memref::DimOp::create(b, loc, operand.value, dim);
      Value equal = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          actual, expected);
      cf::AssertOp::create(b, loc, equal,
                           (op->getName().getStringRef() + ": dimension " +
                            Twine(dim) + " of " + operand.name + " is not " +
                            contract.describe(expr, ShapedType::kDynamic))
                               .str());
    }
  }
}
