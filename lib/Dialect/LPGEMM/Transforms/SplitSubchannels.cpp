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

namespace {
/// Rewrites one product as chains that no scale outside of the instruction
/// changes in.
class Splitter {
public:
  Splitter(MmaOp op, RewriterBase &rewriter)
      : op(op), info(getMmaInfo(op.getInstr())), b(rewriter), loc(op.getLoc()) {
    b.setInsertionPoint(op);
  }

  /// Reports a block that the instruction cannot keep apart from the next.
  LogicalResult verify() {
    for (TypedValue<FragType> scales : {op.getSa(), op.getSb()}) {
      if (!scales || ridesInInstruction(scales))
        continue;
      int64_t block = op.getScaleBlock(scales);
      if (block % info.k)
        return op.emitOpError()
               << "expects a scale block (" << block
               << ") that is a multiple of the instruction's K (" << info.k
               << ")";
    }
    return success();
  }

  void run() {
    int64_t k = op.getA().getType().getDimSize(1), chain = k;
    for (TypedValue<FragType> scales : {op.getSa(), op.getSb()})
      if (scales && !ridesInInstruction(scales))
        chain = std::min(chain, op.getScaleBlock(scales));
    bool promotes = isPromoted(op.getSa()) || isPromoted(op.getSb()) ||
                    op.getExponent() != 0;
    Value acc = op.getAcc();
    for (int64_t start = 0; start < k; start += chain)
      acc = promotes ? createPromotion(start, chain, acc)
                     : createChain(start, chain, acc);
    b.replaceOp(op, acc);
  }

private:
  /// Whether the instruction multiplies by `scales` itself.
  bool ridesInInstruction(TypedValue<FragType> scales) {
    return info.scaleBlock != 0 &&
           info.scaleBlock == op.getScaleBlock(scales) &&
           isa<Float8E8M0FNUType>(scales.getType().getElementType());
  }
  bool isPromoted(TypedValue<FragType> scales) {
    return scales && !ridesInInstruction(scales);
  }

  Value constant(Type type, double value) {
    TypedAttr attr = isa<FloatType>(type)
                         ? TypedAttr(b.getFloatAttr(type, value))
                         : b.getIntegerAttr(type, value);
    return arith::ConstantOp::create(b, loc, attr);
  }

  /// `cols` columns of `source` from `col` on.
  Value slice(Value source, int64_t col, int64_t cols) {
    auto type = cast<FragType>(source.getType());
    if (cols == type.getDimSize(1))
      return source;
    auto part = FragType::get(b.getContext(), {type.getDimSize(0), cols},
                              type.getElementType(), type.getLanes());
    return SliceOp::create(b, loc, part, source, col);
  }

  /// The scales of elements `start` to `start + length` of K.
  Value sliceScales(TypedValue<FragType> scales, int64_t start,
                    int64_t length) {
    int64_t block = op.getScaleBlock(scales);
    return slice(scales, start / block, std::max<int64_t>(length / block, 1));
  }

  /// What the instruction takes for a side: its scales, or 1.0 where they are
  /// not its own but those of the other side are.
  Value getInstructionScales(TypedValue<FragType> own,
                             TypedValue<FragType> other, int64_t rows,
                             int64_t start, int64_t length) {
    if (own && ridesInInstruction(own))
      return sliceScales(own, start, length);
    if (!other || !ridesInInstruction(other))
      return {};
    Type type = other.getType().getElementType();
    auto ones = FragType::get(b.getContext(), {rows, length / info.scaleBlock},
                              type, /*lanes=*/{});
    return SplatOp::create(b, loc, ones, constant(type, 1.0));
  }

  Value createChain(int64_t start, int64_t length, Value acc) {
    int64_t m = op.getType().getDimSize(0), n = op.getType().getDimSize(1);
    Value sa = getInstructionScales(op.getSa(), op.getSb(), m, start, length);
    Value sb = getInstructionScales(op.getSb(), op.getSa(), n, start, length);
    return MmaOp::create(b, loc, acc.getType(), op.getInstr(),
                         slice(op.getA(), start, length),
                         slice(op.getB(), start, length), acc, sa, sb);
  }

  Value createPromotion(int64_t start, int64_t length, Value acc) {
    bool ownScales = (op.getSa() && ridesInInstruction(op.getSa())) ||
                     (op.getSb() && ridesInInstruction(op.getSb()));
    Type type = ownScales ? Type(b.getF32Type())
                          : info.getAccumulatorType(b.getContext());
    FragType sum = op.getType();
    auto partType =
        FragType::get(b.getContext(), sum.getShape(), type, sum.getLanes());
    Value zero = SplatOp::create(b, loc, partType, constant(type, 0));
    Value part = createChain(start, length, zero);
    auto promoted = [&](TypedValue<FragType> scales) {
      return isPromoted(scales) ? sliceScales(scales, start, length) : Value();
    };
    return PromoteOp::create(b, loc, sum, part, acc, promoted(op.getSa()),
                             promoted(op.getSb()), op.getExponent());
  }

  MmaOp op;
  const MmaInfo &info;
  RewriterBase &b;
  Location loc;
};

struct SplitSubchannels
    : lpgemm::impl::SplitSubchannelsPassBase<SplitSubchannels> {
  void runOnOperation() override {
    SmallVector<MmaOp> ops;
    getOperation()->walk([&](MmaOp op) {
      if (op.getSa() || op.getSb())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (MmaOp op : ops) {
      Splitter splitter(op, rewriter);
      if (failed(splitter.verify()))
        return signalPassFailure();
      splitter.run();
    }
  }
};
} // namespace
