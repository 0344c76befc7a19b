//===- SplitSubchannels.cpp - lpgemm-split-subchannels --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_SPLITSUBCHANNELSPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

/// `cols` columns of `source` from `col` on.
static Value slice(OpBuilder &b, Location loc, Value source, int64_t col,
                   int64_t cols) {
  auto type = cast<FragType>(source.getType());
  auto part = FragType::get(b.getContext(), {type.getDimSize(0), cols},
                            type.getElementType(), type.getLanes());
  return SliceOp::create(b, loc, part, source, col);
}

/// Elements of K that share one scale.
static int64_t getBlock(MmaOp op) {
  return op.getA().getType().getDimSize(1) / op.getSa().getType().getDimSize(1);
}

static void split(MmaOp op, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  int64_t block = getBlock(op);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
  Value acc = op.getAcc();
  for (int64_t i = 0, e = op.getSa().getType().getDimSize(1); i < e; ++i) {
    Value a = slice(rewriter, loc, op.getA(), i * block, block);
    Value b = slice(rewriter, loc, op.getB(), i * block, block);
    Value init = SplatOp::create(rewriter, loc, acc.getType(), zero);
    Value part = MmaOp::create(rewriter, loc, acc.getType(), op.getInstr(), a,
                               b, init, /*sa=*/Value(), /*sb=*/Value());
    Value sa = slice(rewriter, loc, op.getSa(), i, 1);
    Value sb = slice(rewriter, loc, op.getSb(), i, 1);
    acc = PromoteOp::create(rewriter, loc, part, acc, sa, sb);
  }
  rewriter.replaceOp(op, acc);
}

namespace {
struct SplitSubchannels
    : lpgemm::impl::SplitSubchannelsPassBase<SplitSubchannels> {
  void runOnOperation() override {
    SmallVector<MmaOp> ops;
    getOperation()->walk([&](MmaOp op) {
      if (op.getSa() && getMmaInfo(op.getInstr()).scaleBlock != getBlock(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (MmaOp op : ops) {
      int64_t block = getBlock(op), k = getMmaInfo(op.getInstr()).k;
      if (block % k) {
        op.emitOpError() << "expects a scale block (" << block
                         << ") that is a multiple of the instruction's K (" << k
                         << ")";
        return signalPassFailure();
      }
      split(op, rewriter);
    }
  }
};
} // namespace
