//===- KernelSupport.cpp - what has a lowering to kernels -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

static LogicalResult verifyClauses(ProductInterface op) {
  std::pair<StringRef, bool> clauses[] = {
      {"transpose_a", op.getTransposeA()},
      {"k", op.getK() != nullptr},
      {"lhs_tensor_scale", op.getLhsTensorScale() != nullptr},
      {"rhs_tensor_scale", op.getRhsTensorScale() != nullptr},
      {"d_scale", op.getDScale() != nullptr},
      {"scale_outs", op.getInitScale() != nullptr},
      {"amax", op.getAmax() != nullptr},
      {"promote_k", op.getPromoteK().has_value()}};
  for (auto [clause, given] : clauses)
    if (given)
      return op->emitOpError() << "has no lowering to kernels with " << clause
                               << " yet: only the reference runs it";
  return success();
}

static LogicalResult verifyOperand(ProductInterface op, StringRef name,
                                   Type type, std::optional<ScaleAttr> scale) {
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return op->emitOpError()
           << "has no lowering to kernels for " << name << " of " << type
           << " yet: only for 'f8E4M3FN' and 'f8E5M2'";
  if (!scale || !scale->hasKBlocks() ||
      (scale->getKind() == ScaleKind::MX &&
       scale->getLayout() == ScaleLayout::Row))
    return success();
  return op->emitOpError()
         << "has no lowering to kernels for " << name << " with scale "
         << *scale << " yet: only for <mx>, <tensor>, <row> and <column>";
}

/// The instructions scale both operands or neither.
static LogicalResult verifyScalePair(ProductInterface op) {
  auto describe = [](std::optional<ScaleAttr> scale) {
    return scale ? "scale <" + scale->getKindName() + ">"
                 : std::string("no scale");
  };
  std::optional<ScaleAttr> lhs = op.getLhsScaleKind(),
                           rhs = op.getRhsScaleKind();
  auto isBlocked = [](std::optional<ScaleAttr> scale) {
    return scale && scale->hasKBlocks();
  };
  if (isBlocked(lhs) == isBlocked(rhs))
    return success();
  return op->emitOpError() << "has no lowering to kernels for lhs with "
                           << describe(lhs) << " and rhs with " << describe(rhs)
                           << " yet: only for <mx> on both";
}

static LogicalResult verifyResult(ProductInterface op) {
  std::pair<StringRef, Type> operands[] = {
      {"init", op.getInitElementType()},
      {"c", op.getC() ? getElementTypeOrSelf(op.getC()) : Type()}};
  for (auto [name, type] : operands)
    if (type && !isWideFloat(type))
      return op->emitOpError()
             << "has no lowering to kernels for " << name << " of " << type
             << " yet: only for 'f32', 'bf16' and 'f16'";
  return success();
}

/// What needs no library of device functions. In kernels `index` has 32 bits.
static LogicalResult verifyEpilogueOp(ProductInterface op, Operation &inner) {
  static constexpr StringLiteral kMathOps[] = {
      "math.absf",  "math.ceil", "math.copysign", "math.exp",
      "math.floor", "math.fma",  "math.log",      "math.sqrt"};
  StringRef name = inner.getName().getStringRef();
  if (inner.getName().getDialectNamespace() == "math" &&
      !llvm::is_contained(kMathOps, name))
    return inner.emitError()
           << "'" << op->getName() << "' epilogue: has no lowering to kernels "
           << "with '" << name << "' yet: only with ops of arith and "
           << llvm::join(ArrayRef(kMathOps), ", ");
  for (Type type : llvm::concat<const Type>(inner.getOperandTypes(),
                                            inner.getResultTypes()))
    if (type.isIndex())
      return inner.emitError() << "'" << op->getName()
                               << "' epilogue: has no lowering to kernels with "
                                  "'index' yet: only with integers and floats";
  return success();
}

static LogicalResult verifyEpilogue(ProductInterface op) {
  if (!op.hasEpilogue())
    return success();
  for (auto [i, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    AffineMap map = cast<AffineMapAttr>(op.getEpilogueMapsAttr()[i]).getValue();
    if (!map.isProjectedPermutation())
      return op->emitOpError()
             << "has no lowering to kernels for the map of epilogue operand "
             << i << ", " << AffineMapAttr::get(map)
             << ", yet: only for a row and a column, each at most once";
    Type type = getElementTypeOrSelf(operand);
    if (!type.isIntOrFloat() ||
        !llvm::is_contained({8, 16, 32}, type.getIntOrFloatBitWidth()))
      return op->emitOpError()
             << "has no lowering to kernels for epilogue operand " << i
             << " of " << type << " yet: only for 8, 16 and 32 bits";
  }
  for (Operation &inner : op.getEpilogue().front().without_terminator())
    if (failed(verifyEpilogueOp(op, inner)))
      return failure();
  return success();
}

LogicalResult lpgemm::verifyKernelSupport(ProductInterface op) {
  if (!isa<MatmulOp>(op))
    return op->emitOpError("has no lowering to kernels yet: only "
                           "lpgemm.matmul has");
  if (cast<ShapedType>(op.getInit().getType()).getRank() != 2)
    return op->emitOpError("has no lowering to kernels with batch dimensions "
                           "yet");
  if (failed(verifyOperand(op, "lhs", op.getLhsElementType(),
                           op.getLhsScaleKind())) ||
      failed(verifyOperand(op, "rhs", op.getRhsElementType(),
                           op.getRhsScaleKind())) ||
      failed(verifyScalePair(op)) || failed(verifyResult(op)) ||
      failed(verifyClauses(op)))
    return failure();
  return verifyEpilogue(op);
}

int64_t lpgemm::getScaleBlock(ProductInterface op) {
  std::optional<ScaleAttr> kind = op.getLhsScaleKind();
  return kind ? kind->getKBlock() : 0;
}
