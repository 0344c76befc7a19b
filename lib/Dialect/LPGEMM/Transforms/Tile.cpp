//===- Tile.cpp - lpgemm-tile ---------------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEpilogue.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_TILEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Writes the tiled form of one matrix product in front of it.
class Tiler {
public:
  Tiler(MatmulOp op, RewriterBase &rewriter)
      : op(op), b(rewriter), loc(op.getLoc()), schedule(*op.getSchedule()) {
    b.setInsertionPoint(op);
  }

  void run() {
    locateWorkgroup();
    locateWave();
    Value result = createTileEpilogue(b, op, place, createKLoop());
    StoreOp::create(b, loc, result, op.getInit(), place.row0, place.col0,
                    place.waveRow, place.waveCol);
    b.eraseOp(op);
  }

private:
  Value constant(int64_t v) {
    return arith::ConstantIndexOp::create(b, loc, v);
  }
  Value mul(Value v, int64_t by) {
    return arith::MulIOp::create(b, loc, v, constant(by));
  }
  Value div(Value v, Value by) { return arith::DivUIOp::create(b, loc, v, by); }
  Value rem(Value v, Value by) { return arith::RemUIOp::create(b, loc, v, by); }

  FragType frag(int64_t rows, int64_t cols, Type elementType) {
    return FragType::get(b.getContext(), {rows, cols}, elementType,
                         /*lanes=*/{});
  }

  /// Workgroups go through the tiles of the result row by row.
  void locateWorkgroup() {
    Value n = DimOp::create(b, loc, op.getInit(), 1);
    Value tilesN =
        arith::CeilDivUIOp::create(b, loc, n, constant(schedule.getTileN()));
    Value id = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
    place.row0 = mul(div(id, tilesN), schedule.getTileM());
    place.col0 = mul(rem(id, tilesN), schedule.getTileN());
  }

  void locateWave() {
    Value wavesN = constant(schedule.getWaves()[1]);
    Value id = gpu::SubgroupIdOp::create(b, loc, /*upper_bound=*/IntegerAttr());
    place.waveRow = mul(div(id, wavesN), schedule.getWaveM());
    place.waveCol = mul(rem(id, wavesN), schedule.getWaveN());
  }

  /// The part of `source` that this wave needs for one K tile: `rows` x `cols`
  /// from (`row` + `wave`, `col`), in a source that may be stored transposed.
  Value load(Value source, Value row, Value col, Value wave, int64_t rows,
             int64_t cols, bool transposed = false) {
    Type elementType = cast<GlobalType>(source.getType()).getElementType();
    Value none = constant(0);
    Value waveRow = wave, waveCol = none;
    if (transposed) {
      std::swap(row, col);
      std::swap(waveRow, waveCol);
    }
    return LoadOp::create(b, loc, frag(rows, cols, elementType), source, row,
                          col, waveRow, waveCol, transposed);
  }

  Value createKLoop() {
    Type f32 = b.getF32Type();
    Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
    Value init = SplatOp::create(
        b, loc, frag(schedule.getWaveM(), schedule.getWaveN(), f32), zero);
    // (G-12) A constant alpha of zero: lhs and rhs are not read.
    Value k = ProductInterface(op).hasZeroAlpha()
                  ? constant(0)
                  : DimOp::create(b, loc, op.getLhs(), 1).getResult();
    auto loop = scf::ForOp::create(b, loc, constant(0), k,
                                   constant(schedule.getTileK()), init);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value acc = createProduct(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(b, loc, acc);
    return loop.getResult(0);
  }

  Value createProduct(Value k, Value acc) {
    int64_t m = schedule.getWaveM(), n = schedule.getWaveN(),
            tileK = schedule.getTileK(), block = getScaleBlock(op);
    bool kByN = !op.getTransposeB();
    Value a = load(op.getLhs(), place.row0, k, place.waveRow, m, tileK);
    Value rhs = load(op.getRhs(), place.col0, k, place.waveCol, n, tileK, kByN);
    Value sa, sb;
    if (block != 0) {
      Value kBlock = div(k, constant(block));
      int64_t blocks = tileK / block;
      sa = load(op.getLhsScale(), place.row0, kBlock, place.waveRow, m, blocks);
      sb = load(op.getRhsScale(), place.col0, kBlock, place.waveCol, n, blocks,
                kByN);
    }
    return MmaOp::create(b, loc, acc.getType(), schedule.getInstr(), a, rhs,
                         acc, sa, sb);
  }

  MatmulOp op;
  RewriterBase &b;
  Location loc;
  ScheduleAttr schedule;
  TilePlace place;
};

struct Tile : lpgemm::impl::TilePassBase<Tile> {
  /// `op` can be tiled as it is.
  LogicalResult verify(MatmulOp op, gpu::GPUFuncOp func) {
    if (!op.getSchedule() || !isa<GlobalType>(op.getInit().getType()) || !func)
      return op.emitOpError(
          "expects a schedule and operands in a kernel's form: "
          "run lpgemm-select-schedule and lpgemm-outline first");
    int64_t k = op.getSchedule()->getTileK();
    int64_t block = getScaleBlock(op);
    if (block != 0 && k % block != 0)
      return op.emitOpError()
             << "expects the K of the tile (" << k
             << ") to be a multiple of the scale block (" << block << ")";
    // Later passes ask the kernel for the schedule.
    auto other = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    if (other && other != *op.getSchedule())
      return op.emitOpError() << "expects the schedule of its kernel, " << other
                              << ", but got " << *op.getSchedule();
    return success();
  }

  void runOnOperation() override {
    SmallVector<MatmulOp> ops;
    getOperation()->walk([&](MatmulOp op) { ops.push_back(op); });
    for (MatmulOp op : ops) {
      auto func = op->getParentOfType<gpu::GPUFuncOp>();
      if (failed(verify(op, func)))
        return signalPassFailure();
      func->setAttr(kScheduleAttrName, *op.getSchedule());
      IRRewriter rewriter(&getContext());
      Tiler(op, rewriter).run();
    }
  }
};
} // namespace
