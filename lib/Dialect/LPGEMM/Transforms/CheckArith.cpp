//===- CheckArith.cpp - lpgemm-check-arith --------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_CHECKARITHPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// Whether an op computes with floats, rather than passing them on bit by bit.
static bool computes(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op);
}

static LogicalResult verifyOp(Operation *op) {
  if (!computes(op))
    return success();
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    if (element && element.getWidth() < 16)
      return op->emitOpError()
             << "expects floats of at least 16 bits, because MLIR does not "
                "compute with narrower ones as lpgemm does, but got "
             << type << "; lpgemm.quantize and lpgemm.dequantize convert them";
  }
  return success();
}

namespace {
struct CheckArith : lpgemm::impl::CheckArithPassBase<CheckArith> {
  void runOnOperation() override {
    bool valid = true;
    getOperation()->walk(
        [&](Operation *op) { valid &= succeeded(verifyOp(op)); });
    if (!valid)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
