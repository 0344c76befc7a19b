//===- ROCDLPatterns.cpp - instructions of AMD GPUs -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace mlir::lpgemm::expand_math;
using arith::FastMathFlags;

namespace {

/// v_exp_f32 and v_log_f32 take subnormals for zeros: what is near them is
/// scaled by a power of two.
struct Exp2Pattern : F32Pattern<math::Exp2Op> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::Exp2Op op, ImplicitLocOpBuilder &b) const override {
    Value x = op.getOperand();
    Value isSmall = isBelow(b, x, -126);
    x = arith::AddFOp::create(b, x, select(b, isSmall, 64, 0));
    Value power = ROCDL::ROCDLExp2::create(b, op.getType(), x);
    return arith::MulFOp::create(b, power, select(b, isSmall, 0x1p-64, 1));
  }
};

struct Log2Pattern : F32Pattern<math::Log2Op> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::Log2Op op, ImplicitLocOpBuilder &b) const override {
    Value x = op.getOperand();
    Value isSmall = isBelow(b, x, 0x1p-126);
    x = arith::MulFOp::create(b, x, select(b, isSmall, 0x1p32, 1));
    Value exponent = ROCDL::ROCDLLog::create(b, op.getType(), x);
    return arith::SubFOp::create(b, exponent, select(b, isSmall, 32, 0));
  }
};

struct FastExp2Pattern : F32Pattern<math::Exp2Op> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::Exp2Op op, ImplicitLocOpBuilder &b) const override {
    return ROCDL::ROCDLExp2::create(b, op.getType(), op.getOperand());
  }
};

struct FastDivPattern : F32Pattern<arith::DivFOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(arith::DivFOp op, ImplicitLocOpBuilder &b) const override {
    Value inverse = ROCDL::ROCDLRcp::create(b, op.getType(), op.getRhs());
    return arith::MulFOp::create(b, op.getLhs(), inverse);
  }
};

} // namespace

void mlir::lpgemm::expand_math::populateROCDLPatterns(
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<Exp2Pattern, Log2Pattern>(context, FastMathFlags::none,
                                         /*benefit=*/1);
  patterns.add<FastExp2Pattern>(context, FastMathFlags::afn, /*benefit=*/2);
  patterns.add<FastDivPattern>(context, FastMathFlags::arcp, /*benefit=*/2);
}
