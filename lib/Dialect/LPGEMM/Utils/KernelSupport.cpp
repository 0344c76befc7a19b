//===- KernelSupport.cpp - what has a lowering to kernels -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"

using namespace mlir;
using namespace mlir::lpgemm;

static LogicalResult verifyClauses(ProductInterface op) {
  std::pair<StringRef, bool> clauses[] = {
      {"transpose_a", op.getTransposeA()},
      {"lhs_tensor_scale", op.getLhsTensorScale() != nullptr},
      {"rhs_tensor_scale", op.getRhsTensorScale() != nullptr},
      {"alpha", op.getAlpha() || op.getStaticAlphaAttr()},
      {"beta", op.getBeta() || op.getStaticBetaAttr()},
      {"c", op.getC() != nullptr},
      {"bias", op.getBias() != nullptr},
      {"d_scale", op.getDScale() != nullptr},
      {"scale_outs", op.getInitScale() != nullptr},
      {"amax", op.getAmax() != nullptr},
      {"an epilogue", op.hasEpilogue()},
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
  if (scale && scale->getKind() == ScaleKind::MX &&
      scale->getLayout() == ScaleLayout::Row)
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "has no lowering to kernels for " << name;
  if (scale)
    error << " with scale " << *scale;
  else
    error << " without a scale";
  return error << " yet: only for <mx>";
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
                           op.getRhsScaleKind())))
    return failure();
  if (!op.getInitElementType().isF32())
    return op->emitOpError()
           << "has no lowering to kernels for init of "
           << op.getInitElementType() << " yet: only for 'f32'";
  return verifyClauses(op);
}
