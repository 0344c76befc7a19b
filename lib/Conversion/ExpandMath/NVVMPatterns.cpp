//===- NVVMPatterns.cpp - instructions of NVIDIA GPUs ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm::expand_math;
using arith::FastMathFlags;

namespace {

/// p (1 + d ln 2): p is 2^y, for which there is an instruction that knows
/// subnormals (PTX ISA 9.0, "ex2"), y is x log2(e) as rounded and d what that
/// lost.
struct ExpPattern : F32Pattern<math::ExpOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::ExpOp op, ImplicitLocOpBuilder &b) const override {
    constexpr double kHigh = 0x1.715476p+0; // log2(e) in f32
    constexpr double kLow = llvm::numbers::log2e - kHigh;
    // Beyond these the result is infinity and zero, and no infinity takes part.
    Value x = arith::MinimumFOp::create(b, op.getOperand(), constantF32(b, 90));
    x = arith::MaximumFOp::create(b, x, constantF32(b, -110));
    Value high = constantF32(b, kHigh);
    Value y = arith::MulFOp::create(b, x, high);
    Value lost = math::FmaOp::create(b, x, high, arith::NegFOp::create(b, y));
    lost = math::FmaOp::create(b, x, constantF32(b, kLow), lost);
    lost = arith::MulFOp::create(b, lost, constantF32(b, llvm::numbers::ln2));
    Value power = math::Exp2Op::create(b, y);
    Value exact = math::FmaOp::create(b, power, lost, power);
    return arith::SelectOp::create(b, isBelow(b, power, INFINITY), exact,
                                   power);
  }
};

/// Upstream takes the others from libdevice.
struct TruncPattern : OpRewritePattern<math::TruncOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TruncOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FTruncOp>(op, op.getType(),
                                                op.getOperand());
    return success();
  }
};

struct FastDivPattern : F32Pattern<arith::DivFOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(arith::DivFOp op, ImplicitLocOpBuilder &b) const override {
    Value inverse =
        NVVM::RcpApproxFtzF32Op::create(b, op.getType(), op.getRhs());
    return arith::MulFOp::create(b, op.getLhs(), inverse);
  }
};

} // namespace

void mlir::lpgemm::expand_math::populateNVVMPatterns(
    RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpPattern>(context, FastMathFlags::none,
                           /*benefit=*/1);
  patterns.add<TruncPattern>(context);
  patterns.add<FastDivPattern>(context, FastMathFlags::arcp, /*benefit=*/2);
}

/// log(x) is log(x 2^32) less log(2^32).
template <typename OpTy>
static void scale(OpTy op, double lessBy) {
  if (!op.getType().isF32())
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value x = op.getOperand();
  Value isSmall = isBelow(b, x, 0x1p-126);
  op->setOperand(0, arith::MulFOp::create(b, x, select(b, isSmall, 0x1p32, 1)));
  b.setInsertionPointAfter(op);
  auto result = arith::SubFOp::create(b, op, select(b, isSmall, lessBy, 0));
  op.getResult().replaceAllUsesExcept(result, result);
}

void mlir::lpgemm::expand_math::scaleLogarithms(Operation *root) {
  root->walk([](math::LogOp op) { scale(op, 32 * llvm::numbers::ln2); });
  root->walk([](math::Log2Op op) { scale(op, 32); });
}
