//===- GlobalPatterns.cpp - matrices in global memory ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;

GlobalValues::GlobalValues(ValueRange values)
    : ptr(values[0]), rows(values[1]), cols(values[2]), pitch(values[3]) {}

namespace {

struct BindPattern : OpConversionPattern<BindOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BindOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op,
                                   {{adaptor.getPtr(), adaptor.getRows(),
                                     adaptor.getCols(), adaptor.getPitch()}});
    return success();
  }
};

struct DimPattern : OpConversionPattern<DimOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    GlobalValues global(adaptor.getSource());
    rewriter.replaceOp(op, op.getDim() == 0 ? global.rows : global.cols);
    return success();
  }
};

} // namespace

void lpgemm::populateGlobalPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<BindPattern, DimPattern>(converter, patterns.getContext());
}
