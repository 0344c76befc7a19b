//===- ExpandMath.cpp - mathematical functions in kernels -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using arith::FastMathFlags;

static Value constantF32(ImplicitLocOpBuilder &b, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), value));
}

static Value isBelow(ImplicitLocOpBuilder &b, Value x, double limit) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                               constantF32(b, limit));
}

static Value select(ImplicitLocOpBuilder &b, Value condition, double ifTrue,
                    double ifFalse) {
  return arith::SelectOp::create(b, condition, constantF32(b, ifTrue),
                                 constantF32(b, ifFalse));
}

/// What is short, where an op allows it.
static constexpr FastMathFlags kShort =
    FastMathFlags::afn | FastMathFlags::arcp;

namespace {

/// A pattern of an op of scalars of f32, `flags` among its own.
template <typename OpTy>
struct F32Pattern : OpRewritePattern<OpTy> {
  F32Pattern(MLIRContext *context, FastMathFlags flags, PatternBenefit benefit)
      : OpRewritePattern<OpTy>(context, benefit), flags(flags) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    if (!bitEnumContainsAll(op.getFastmath(), flags))
      return rewriter.notifyMatchFailure(op, "flags do not allow it");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, rewrite(op, b));
    return success();
  }

  virtual Value rewrite(OpTy op, ImplicitLocOpBuilder &b) const = 0;

  FastMathFlags flags;
};

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

struct Log10Pattern : F32Pattern<math::Log10Op> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::Log10Op op, ImplicitLocOpBuilder &b) const override {
    Value logarithm = math::LogOp::create(b, op.getOperand(), op.getFastmath());
    return arith::MulFOp::create(b, logarithm,
                                 constantF32(b, 1 / llvm::numbers::ln10));
  }
};

struct RsqrtPattern : F32Pattern<math::RsqrtOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::RsqrtOp op, ImplicitLocOpBuilder &b) const override {
    Value root = math::SqrtOp::create(b, op.getOperand(), op.getFastmath());
    return arith::DivFOp::create(b, constantF32(b, 1), root, op.getFastmath());
  }
};

struct FastExp2Pattern : F32Pattern<math::Exp2Op> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::Exp2Op op, ImplicitLocOpBuilder &b) const override {
    return ROCDL::ROCDLExp2::create(b, op.getType(), op.getOperand());
  }
};

struct FastExpPattern : F32Pattern<math::ExpOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::ExpOp op, ImplicitLocOpBuilder &b) const override {
    Value x = arith::MulFOp::create(b, op.getOperand(),
                                    constantF32(b, llvm::numbers::log2e));
    return ROCDL::ROCDLExp2::create(b, op.getType(), x);
  }
};

struct FastTanhPattern : F32Pattern<math::TanhOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::TanhOp op, ImplicitLocOpBuilder &b) const override {
    Value one = constantF32(b, 1);
    Value x = arith::MulFOp::create(b, op.getOperand(), constantF32(b, 2));
    Value power = math::ExpOp::create(b, x, kShort);
    Value quotient = arith::DivFOp::create(
        b, constantF32(b, 2), arith::AddFOp::create(b, power, one), kShort);
    return arith::SubFOp::create(b, one, quotient);
  }
};

struct FastDivPattern : F32Pattern<arith::DivFOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(arith::DivFOp op, ImplicitLocOpBuilder &b) const override {
    Value inverse = ROCDL::ROCDLRcp::create(b, op.getType(), op.getRhs());
    return arith::MulFOp::create(b, op.getLhs(), inverse);
  }
};

struct ExpandMath : lpgemm::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpansions(patterns);
    populateShortForms(patterns);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }

  void populateExpansions(RewritePatternSet &patterns) {
    MLIRContext *context = patterns.getContext();
    patterns.add<Exp2Pattern, Log2Pattern, Log10Pattern, RsqrtPattern>(
        context, FastMathFlags::none, /*benefit=*/1);
    static constexpr StringLiteral kApproximated[] = {
        "math.erf", "math.expm1", "math.log1p", "math.tanh"};
    auto isApproximated = [](StringRef name) {
      return llvm::is_contained(kApproximated, name);
    };
    auto isExpanded = [&](StringRef name) {
      return isApproximated(name) ||
             llvm::is_contained(
                 {"math.exp2", "math.log2", "math.log10", "math.rsqrt"}, name);
    };
    populateMathF32ExpansionPatterns(patterns, isExpanded);
    populateMathPolynomialApproximationPatterns(patterns, isApproximated);
  }

  void populateShortForms(RewritePatternSet &patterns) {
    MLIRContext *context = patterns.getContext();
    patterns.add<FastExpPattern, FastExp2Pattern, FastTanhPattern>(
        context, FastMathFlags::afn, /*benefit=*/2);
    patterns.add<FastDivPattern>(context, FastMathFlags::arcp, /*benefit=*/2);
  }
};

} // namespace
