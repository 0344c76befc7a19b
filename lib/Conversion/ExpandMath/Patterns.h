//===- Patterns.h - functions of f32 by chips -------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_CONVERSION_EXPANDMATH_PATTERNS_H
#define LPGEMM_LIB_CONVERSION_EXPANDMATH_PATTERNS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm::expand_math {

Value constantF32(ImplicitLocOpBuilder &b, double value);
Value isBelow(ImplicitLocOpBuilder &b, Value x, double limit);
Value select(ImplicitLocOpBuilder &b, Value condition, double ifTrue,
             double ifFalse);

/// A pattern of an op of scalars of f32, `flags` among its own.
template <typename OpTy>
struct F32Pattern : OpRewritePattern<OpTy> {
  F32Pattern(MLIRContext *context, arith::FastMathFlags flags,
             PatternBenefit benefit)
      : OpRewritePattern<OpTy>(context, benefit), flags(flags) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    if (!arith::bitEnumContainsAll(op.getFastmath(), flags))
      return rewriter.notifyMatchFailure(op, "flags do not allow it");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, rewrite(op, b));
    return success();
  }

  virtual Value rewrite(OpTy op, ImplicitLocOpBuilder &b) const = 0;

  arith::FastMathFlags flags;
};

// What has an instruction of its own, and all others in terms of that.
void populateROCDLPatterns(RewritePatternSet &patterns);
void populateNVVMPatterns(RewritePatternSet &patterns);

/// Scales operands of logarithms that are subnormal, which the approximation
/// does not know.
void scaleLogarithms(Operation *root);

} // namespace mlir::lpgemm::expand_math

#endif // LPGEMM_LIB_CONVERSION_EXPANDMATH_PATTERNS_H
