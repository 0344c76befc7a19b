//===- ApplyPatterns.cpp - functions of the elements of tiles -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColumnLoop.h"
#include "Lowering.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

//===----------------------------------------------------------------------===//
// What goes by parts
//===----------------------------------------------------------------------===//

/// The operands of which some columns are taken at a time: all but the tile
/// that the op is applied to, and what all columns have in common.
static SmallVector<Value> getPartedOperands(ApplyOp op) {
  SmallVector<Value> operands(op.getTiles().drop_front());
  llvm::append_range(operands, op.getCols());
  return operands;
}

/// Whether `operand` is loaded for `op` alone, and might be right in front of
/// it as well.
static bool isLoadedFor(ApplyOp op, Value operand) {
  auto load = operand.getDefiningOp<LoadOp>();
  if (!load || !load->hasOneUse() || load->getBlock() != op->getBlock())
    return false;
  for (Operation *between = load->getNextNode(); between != op;
       between = between->getNextNode())
    if (!isa<LoadOp>(between) && !isMemoryEffectFree(between))
      return false;
  return true;
}

/// Whether a body is too much code to be there for each register of a tile.
static bool isLarge(ApplyOp op) {
  constexpr size_t kFew = 10;
  return llvm::range_size(op.getBody().front()) > kFew;
}

/// The functions of an epilogue keep many values for each element.
static ColumnLoop getLoop(ApplyOp op, FragType tile) {
  return ColumnLoop(RegisterTile(tile), isLarge(op) ? 8 : 16);
}

/// Another matrix, loaded as a whole, would take as many registers again.
static bool isWorthParts(ApplyOp op) {
  auto source = cast<FragType>(op.getTiles().front().getType());
  return source.getElementType() == op.getType().getElementType() &&
         (op.getTiles().size() > 1 || isLarge(op)) &&
         getLoop(op, source).getNumIterations() > 1;
}

ApplyPlan::ApplyPlan(gpu::GPUModuleOp module) {
  module.walk([&](ApplyOp op) {
    SmallVector<Value> operands = getPartedOperands(op);
    if (!isWorthParts(op) || !llvm::all_of(operands, [&](Value operand) {
          return isLoadedFor(op, operand);
        }))
      return;
    parted.insert(op);
    for (Value operand : operands)
      sources[operand.getDefiningOp()];
  });
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// As a whole nobody reads it.
struct PartLoadPattern : OpConversionPattern<LoadOp> {
  PartLoadPattern(const TypeConverter &converter, MLIRContext *context,
                  ApplyPlan &plan)
      : OpConversionPattern(converter, context, /*benefit=*/3), plan(plan) {}

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!plan.isByParts(op))
      return rewriter.notifyMatchFailure(
          op, "is not loaded for an lpgemm.apply by parts");
    plan.setSource(op, adaptor.getSource());
    FragType type = op.getResult().getType();
    Value nothing = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getZeroAttr(type.getElementType()));
    SmallVector<Value> values(getNumElements(type), nothing);
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

  ApplyPlan &plan;
};

struct ApplyPattern : OpConversionPattern<ApplyOp> {
  ApplyPattern(const TypeConverter &converter, MLIRContext *context,
               ApplyPlan &plan)
      : OpConversionPattern(converter, context), plan(plan) {}

  LogicalResult
  matchAndRewrite(ApplyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> values =
        plan.isByParts(op)
            ? buildByParts(b, op, adaptor)
            : buildElements(
                  b, op, op.getType(),
                  {adaptor.getTiles(), adaptor.getRows(), adaptor.getCols()});
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

private:
  /// The registers of the operands.
  struct Operands {
    ArrayRef<ValueRange> tiles, rows, cols;
  };

  /// Those of a result of this type.
  static SmallVector<Value> buildElements(ImplicitLocOpBuilder &b, ApplyOp op,
                                          FragType type,
                                          const Operands &operands) {
    Block &body = op.getBody().front();
    SmallVector<Value> values;
    for (int64_t i = 0, e = getNumElements(type); i != e; ++i) {
      RegisterPosition position(type, i);
      IRMapping mapping;
      auto arg = body.args_begin();
      for (ValueRange tile : operands.tiles)
        mapping.map(*arg++, tile[i]);
      for (ValueRange rows : operands.rows)
        mapping.map(*arg++, position.getRow(rows));
      for (ValueRange cols : operands.cols)
        mapping.map(*arg++, position.getCol(cols));
      for (Operation &inner : body.without_terminator())
        b.clone(inner, mapping);
      values.push_back(
          mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
    }
    return values;
  }

  SmallVector<Value> buildByParts(ImplicitLocOpBuilder &b, ApplyOp op,
                                  OneToNOpAdaptor adaptor) const {
    FragType type = op.getType();
    ColumnLoop loop = getLoop(op, type);
    int64_t count = loop.getColsAtOnce();
    auto partType = FragType::get(b.getContext(), {type.getDimSize(0), count},
                                  type.getElementType(), type.getLanes());
    auto buildPart = [&](Value col, ValueRange part) {
      auto load = [&](Value operand) {
        auto whole = operand.getDefiningOp<LoadOp>();
        FragType tile = whole.getResult().getType();
        SmallVector<int64_t> shape(tile.getShape());
        shape[tile.getLanes().getRole() == MmaRole::C ? 1 : 0] = count;
        return loadColumns(b, whole, plan.getSource(whole),
                           FragType::get(b.getContext(), shape,
                                         tile.getElementType(),
                                         tile.getLanes()),
                           col);
      };
      auto loadedTiles = llvm::map_to_vector(op.getTiles().drop_front(), load);
      auto loadedCols = llvm::map_to_vector(op.getCols(), load);
      SmallVector<ValueRange> tiles = {part};
      llvm::append_range(tiles, loadedTiles);
      SmallVector<ValueRange> cols(loadedCols.begin(), loadedCols.end());
      return buildElements(b, op, partType, {tiles, adaptor.getRows(), cols});
    };
    ValueRange tile = adaptor.getTiles().front();
    return loop.build(b, tile, buildPart);
  }

  ApplyPlan &plan;
};

} // namespace

void nvvm::populateApplyPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns, ApplyPlan &plan) {
  patterns.add<ApplyPattern, PartLoadPattern>(converter, patterns.getContext(),
                                              plan);
}
