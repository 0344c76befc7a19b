//===- ShapeContract.cpp - shapes that belong together --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/ShapeContract.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::lpgemm;

int64_t ShapeContract::Extent::getStatic() const {
  if (auto shaped = dyn_cast<ShapedType>(source.getType()))
    return dim >= 0 && dim < shaped.getRank() ? shaped.getDimSize(dim)
                                              : ShapedType::kDynamic;
  APInt value;
  return matchPattern(source, m_ConstantInt(&value)) ? value.getSExtValue()
                                                     : ShapedType::kDynamic;
}

AffineExpr ShapeContract::addExtent(StringRef name, Value source, int64_t dim,
                                    StringRef sourceName) {
  extents.push_back({name, source, dim, sourceName});
  return getAffineDimExpr(extents.size() - 1, source.getContext());
}

void ShapeContract::addOperand(StringRef name, Value value,
                               ArrayRef<AffineExpr> dims) {
  if (value)
    operands.push_back({name, value, llvm::to_vector(dims)});
}

int64_t ShapeContract::evaluate(AffineExpr expr) const {
  SmallVector<AffineExpr> values;
  for (const Extent &extent : extents) {
    int64_t size = extent.getStatic();
    values.push_back(ShapedType::isDynamic(size)
                         ? getAffineDimExpr(values.size(), expr.getContext())
                         : getAffineConstantExpr(size, expr.getContext()));
  }
  auto folded = dyn_cast<AffineConstantExpr>(expr.replaceDims(values));
  return folded ? folded.getValue() : ShapedType::kDynamic;
}

namespace {
/// Writes an expression with the names of the extents, and collects them.
class ExprPrinter : public AffineExprVisitor<ExprPrinter, std::string> {
public:
  explicit ExprPrinter(ArrayRef<ShapeContract::Extent> extents)
      : used(extents.size()), extents(extents) {}

  std::string visitDimExpr(AffineDimExpr expr) {
    used.set(expr.getPosition());
    return extents[expr.getPosition()].name.str();
  }
  std::string visitConstantExpr(AffineConstantExpr expr) {
    return std::to_string(expr.getValue());
  }
  std::string visitCeilDivExpr(AffineBinaryOpExpr expr) {
    return "ceil(" + operands(expr, " / ") + ")";
  }
  std::string visitFloorDivExpr(AffineBinaryOpExpr expr) {
    return "floor(" + operands(expr, " / ") + ")";
  }
  std::string visitMulExpr(AffineBinaryOpExpr expr) {
    return operands(expr, " * ");
  }
  std::string visitAddExpr(AffineBinaryOpExpr expr) {
    return "(" + operands(expr, " + ") + ")";
  }
  std::string visitModExpr(AffineBinaryOpExpr expr) {
    return "(" + operands(expr, " % ") + ")";
  }
  std::string visitSymbolExpr(AffineSymbolExpr) {
    llvm_unreachable("contracts have no symbols");
  }

  llvm::SmallBitVector used;

private:
  std::string operands(AffineBinaryOpExpr expr, StringRef between) {
    return visit(expr.getLHS()) + between.str() + visit(expr.getRHS());
  }

  ArrayRef<ShapeContract::Extent> extents;
};
} // namespace

std::string ShapeContract::describe(AffineExpr expr, int64_t value) const {
  ExprPrinter printer(extents);
  std::string text = printer.visit(expr);
  if (ShapedType::isDynamic(value))
    return text;
  if (isa<AffineConstantExpr>(expr))
    return std::to_string(value);
  text = std::to_string(value) + ", " + text;
  bool isExtent = isa<AffineDimExpr>(expr);
  for (auto [i, position] : llvm::enumerate(printer.used.set_bits())) {
    const Extent &extent = extents[position];
    if (!isExtent)
      text += (i ? ", " : " with ") + extent.name.str() + " = " +
              std::to_string(extent.getStatic());
    text += " of " + extent.sourceName.str();
  }
  return text;
}

SmallVector<AffineExpr> lpgemm::broadcastBatch(Value value,
                                               unsigned numTrailing,
                                               ArrayRef<AffineExpr> batch) {
  auto type = cast<ShapedType>(value.getType());
  size_t numLeading = std::clamp<int64_t>(type.getRank() - int64_t(numTrailing),
                                          0, batch.size());
  SmallVector<AffineExpr> dims(batch.take_back(numLeading));
  for (auto [dim, size] : llvm::zip(dims, type.getShape()))
    if (size == 1)
      dim = getAffineConstantExpr(1, value.getContext());
  return dims;
}

/// The rank, and each dimension that is static.
static LogicalResult verifyOperand(Operation *op, const ShapeContract &contract,
                                   const ShapeContract::Operand &operand) {
  auto type = cast<ShapedType>(operand.value.getType());
  if (type.getRank() != static_cast<int64_t>(operand.dims.size())) {
    InFlightDiagnostic error = op->emitOpError()
                               << "expects " << operand.name << " to have rank "
                               << operand.dims.size();
    if (!operand.dims.empty()) {
      error << " (";
      llvm::interleaveComma(operand.dims, error, [&](AffineExpr expr) {
        error << (expr ? contract.describe(expr, ShapedType::kDynamic) : "?");
      });
      error << ")";
    }
    return error << ", but got " << Type(type);
  }
  for (auto [dim, expr] : llvm::enumerate(operand.dims)) {
    int64_t actual = type.getDimSize(dim);
    int64_t expected = expr ? contract.evaluate(expr) : ShapedType::kDynamic;
    if (ShapedType::isDynamic(actual) || ShapedType::isDynamic(expected) ||
        actual == expected)
      continue;
    return op->emitOpError()
           << "expects " << operand.name << " dimension " << dim << " to be "
           << contract.describe(expr, expected) << ", but got " << actual;
  }
  return success();
}

LogicalResult lpgemm::verifyShapeContract(Operation *op,
                                          const ShapeContract &contract) {
  for (const ShapeContract::Operand &operand : contract.operands)
    if (failed(verifyOperand(op, contract, operand)))
      return failure();
  return success();
}
