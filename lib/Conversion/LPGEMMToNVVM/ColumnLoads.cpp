//===- ColumnLoads.cpp - vectors along the columns ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

// A lane needs two of each eight columns, as do seven other lanes. Each lane
// loads one of 32 neighbours and gives it to the lanes that need it: an eighth
// of the loads and of the registers until then. So the loads may come in front
// of a K loop, which hides how long they take.

namespace {
class ColumnLoad {
public:
  ColumnLoad(ImplicitLocOpBuilder &b, LoadOp op, GlobalTile source)
      : b(b), op(op), type(op.getResult().getType()), source(source),
        lane(buildLane(b)) {}

  /// Column `lane` + 32 i of the tile, as an i32.
  SmallVector<Value> loadWords();
  /// The registers of the tile.
  SmallVector<Value> distribute(ArrayRef<Value> words);

private:
  Value loadWord(int64_t first);

  ImplicitLocOpBuilder &b;
  LoadOp op;
  FragType type;
  GlobalTile source;
  Value lane;
};
} // namespace

Value ColumnLoad::loadWord(int64_t first) {
  Value column = i32ToIndex(b, addI32(b, lane, constantI32(b, first)));
  auto add = [&](Value x, Value y) {
    return b.createOrFold<arith::AddIOp>(x, y);
  };
  Value row = add(op.getRow(), op.getWaveRow()),
        col = add(op.getCol(), op.getWaveCol());
  Value &along = op.getTranspose() ? col : row;
  along = add(along, column);
  // What is behind the last column is multiplied, but not stored.
  Value bits = source.loadNearest(row, col);
  return bits.getType().isInteger(32)
             ? bits
             : arith::ExtUIOp::create(b, b.getI32Type(), bits);
}

SmallVector<Value> ColumnLoad::loadWords() {
  SmallVector<Value> words;
  for (int64_t first = 0; first < type.getDimSize(0); first += kWarpThreads)
    words.push_back(loadWord(first));
  return words;
}

SmallVector<Value> ColumnLoad::distribute(ArrayRef<Value> words) {
  SmallVector<Value> values;
  for (const Segment &segment :
       RegisterTile(type).getSegments(b, buildThreadOfWave(b, type)))
    for (int64_t e = 0; e != segment.length; ++e) {
      Segment element = segment.slice(e, 1);
      int64_t column = element.rowConst;
      Value from =
          addI32(b, element.row, constantI32(b, column % kWarpThreads));
      Value word = NVVM::ShflOp::create(b, b.getI32Type(), constantI32(b, -1),
                                        words[column / kWarpThreads], from,
                                        constantI32(b, kWarpThreads - 1),
                                        NVVM::ShflKind::idx, UnitAttr());
      Value bits = b.createOrFold<arith::TruncIOp>(source.getBitsType(), word);
      values.push_back(
          b.createOrFold<arith::BitcastOp>(type.getElementType(), bits));
    }
  return values;
}

namespace {
struct ColumnLoadPattern : OpConversionPattern<LoadOp> {
  ColumnLoadPattern(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragType type = op.getResult().getType();
    // Columns of one block have a load in common as it is.
    if (type.getLanes().getRole() != MmaRole::CCol || op.getRowBlock() != 1 ||
        type.getDimSize(0) < kWarpThreads ||
        !getMmaInfo(type.getLanes().getInstr()).readsSharedMemory())
      return rewriter.notifyMatchFailure(
          op, "is no tile of columns of their own for wgmma");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    setInsertionPointAhead(b, rewriter, op);
    GlobalTile source(b, GlobalValues(adaptor.getSource()),
                      op.getSource().getType());
    ColumnLoad load(b, op, source);
    SmallVector<Value> words = load.loadWords();
    b.setInsertionPoint(op);
    rewriter.replaceOpWithMultiple(op, {load.distribute(words)});
    return success();
  }
};
} // namespace

void nvvm::populateColumnLoadPattern(const TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<ColumnLoadPattern>(converter, patterns.getContext());
}
