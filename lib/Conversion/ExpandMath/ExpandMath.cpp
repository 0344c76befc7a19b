//===- ExpandMath.cpp - mathematical functions in kernels -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/Passes.h"

#include "Patterns.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "lpgemm/Conversion/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::expand_math;
using arith::FastMathFlags;

Value expand_math::constantF32(ImplicitLocOpBuilder &b, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), value));
}

Value expand_math::isBelow(ImplicitLocOpBuilder &b, Value x, double limit) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                               constantF32(b, limit));
}

Value expand_math::select(ImplicitLocOpBuilder &b, Value condition,
                          double ifTrue, double ifFalse) {
  return arith::SelectOp::create(b, condition, constantF32(b, ifTrue),
                                 constantF32(b, ifFalse));
}

/// What is short, where an op allows it.
static constexpr FastMathFlags kShort =
    FastMathFlags::afn | FastMathFlags::arcp;

namespace {

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

struct FastExpPattern : F32Pattern<math::ExpOp> {
  using F32Pattern::F32Pattern;

  Value rewrite(math::ExpOp op, ImplicitLocOpBuilder &b) const override {
    Value x = arith::MulFOp::create(b, op.getOperand(),
                                    constantF32(b, llvm::numbers::log2e));
    return math::Exp2Op::create(b, x, FastMathFlags::afn);
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

struct ExpandMath : lpgemm::impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    TargetAttr target = lookupTarget(getOperation());
    bool isNVIDIA =
        target && lookupTargetRecord(target.getChip())->nvidia != nullptr;
    RewritePatternSet patterns(&getContext());
    populateExpansions(patterns);
    isNVIDIA ? populateNVVMPatterns(patterns) : populateROCDLPatterns(patterns);
    if (failed(rewrite(std::move(patterns))))
      return signalPassFailure();
    if (!isNVIDIA)
      return;
    // There is no instruction whose error is small next to 1.
    scaleLogarithms(getOperation());
    RewritePatternSet logarithms(&getContext());
    populateMathPolynomialApproximationPatterns(logarithms, [](StringRef name) {
      return llvm::is_contained({"math.log", "math.log2"}, name);
    });
    if (failed(rewrite(std::move(logarithms))))
      signalPassFailure();
  }

  LogicalResult rewrite(RewritePatternSet patterns) {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    return applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }

  static void populateExpansions(RewritePatternSet &patterns) {
    MLIRContext *context = patterns.getContext();
    patterns.add<Log10Pattern, RsqrtPattern>(context, FastMathFlags::none,
                                             /*benefit=*/1);
    patterns.add<FastExpPattern, FastTanhPattern>(context, FastMathFlags::afn,
                                                  /*benefit=*/2);
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
};

} // namespace
