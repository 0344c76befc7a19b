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
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "lpgemm/Target/MmaInfo.h"
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
  Tiler(MatmulOp op, const MmaOperands &operands, RewriterBase &rewriter)
      : op(op), operands(operands), b(rewriter), loc(op.getLoc()),
        schedule(*op.getSchedule()) {
    b.setInsertionPoint(op);
  }

  void run(bool isBatched) {
    locateWorkgroup(isBatched);
    locateWave();
    Value sum = createKLoop();
    bool isScaled = operands.lhs.scales || operands.rhs.scales;
    Value result = createTileEpilogue(b, op, place, sum,
                                      isScaled ? 0 : operands.getExponent());
    StoreOp::create(b, loc, result, op.getInit(), place.row0, place.col0,
                    place.waveRow, place.waveCol);
    b.eraseOp(op);
  }

private:
  /// Rows of a side: those of the workgroup's tile start at `first`, the wave's
  /// at `wave` in it.
  struct Rows {
    Value first, wave;
    int64_t count;
  };

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

  Value getNumTiles(int64_t dim, int64_t tile) {
    Value extent = DimOp::create(b, loc, op.getInit(), dim);
    return arith::CeilDivUIOp::create(b, loc, extent, constant(tile));
  }

  /// Workgroups go through the tiles of the result row by row, and with a batch
  /// through those of one entry after the other.
  void locateWorkgroup(bool isBatched) {
    Value tilesN = getNumTiles(1, schedule.getTileN());
    Value id = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
    if (isBatched)
      id = rem(id, arith::MulIOp::create(
                       b, loc, getNumTiles(0, schedule.getTileM()), tilesN));
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
  /// from (`row` + `wave`, `col`), in a source that may be stored transposed,
  /// and each of whose rows may serve `rowBlock` of them.
  Value load(Value source, Value row, Value col, Value wave, int64_t rows,
             int64_t cols, bool transposed, int64_t rowBlock = 1) {
    Type elementType = cast<GlobalType>(source.getType()).getElementType();
    Value none = constant(0);
    Value waveRow = wave, waveCol = none;
    if (transposed) {
      std::swap(row, col);
      std::swap(waveRow, waveCol);
    }
    return LoadOp::create(b, loc, frag(rows, cols, elementType), source, row,
                          col, waveRow, waveCol, transposed, rowBlock);
  }

  /// What the sum over K is formed in: with scales along K, in f32.
  Type getSumType() {
    if (operands.lhs.scales || operands.rhs.scales)
      return b.getF32Type();
    return getMmaInfo(schedule.getInstr()).getAccumulatorType(b.getContext());
  }

  Value createKLoop() {
    Type type = getSumType();
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
    Value init = SplatOp::create(
        b, loc, frag(schedule.getWaveM(), schedule.getWaveN(), type), zero);
    // (G-12) A constant alpha of zero: lhs and rhs are not read.
    Value k =
        ProductInterface(op).hasZeroAlpha()
            ? constant(0)
            : DimOp::create(b, loc, op.getLhs(), operands.lhs.isKFirst ? 0 : 1)
                  .getResult();
    auto loop = scf::ForOp::create(b, loc, constant(0), k,
                                   constant(schedule.getTileK()), init);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value acc = createProduct(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(b, loc, acc);
    return loop.getResult(0);
  }

  /// A side's rows of the wave, with the elements of one K tile from `k` on, in
  /// the type of the instruction.
  Value loadMatrix(const MmaOperand &side, const Rows &rows, Value k) {
    Value tile = load(side.matrix, rows.first, k, rows.wave, rows.count,
                      schedule.getTileK(), side.isKFirst);
    if (side.multiplied == side.stored)
      return tile;
    return CastOp::create(
        b, loc, frag(rows.count, schedule.getTileK(), side.multiplied), tile);
  }

  /// Its scales, in columns of one for each block.
  Value loadScales(const MmaOperand &side, const Rows &rows, Value k) {
    if (!side.scales)
      return {};
    int64_t blocks = std::max<int64_t>(schedule.getTileK() / side.kBlock, 1);
    return load(side.scales, rows.first, div(k, constant(side.kBlock)),
                rows.wave, rows.count, blocks, side.areScalesKFirst,
                side.outerBlock);
  }

  Value createProduct(Value k, Value acc) {
    Rows m = {place.row0, place.waveRow, schedule.getWaveM()},
         n = {place.col0, place.waveCol, schedule.getWaveN()};
    Value a = loadMatrix(operands.lhs, m, k),
          rhs = loadMatrix(operands.rhs, n, k);
    Value sa = loadScales(operands.lhs, m, k),
          sb = loadScales(operands.rhs, n, k);
    // Without scales the factor is the epilogue's.
    int64_t exponent = sa || sb ? operands.getExponent() : 0;
    return MmaOp::create(b, loc, acc.getType(), schedule.getInstr(), a, rhs,
                         acc, sa, sb, exponent);
  }

  MatmulOp op;
  const MmaOperands &operands;
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
    // Later passes ask the kernel for the schedule.
    auto other = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    if (other && other != *op.getSchedule())
      return op.emitOpError() << "expects the schedule of its kernel, " << other
                              << ", but got " << *op.getSchedule();
    return success();
  }

  /// How the instruction of the schedule multiplies the operands of `op`.
  FailureOr<MmaOperands> getOperands(MatmulOp op) {
    TargetAttr target = lookupTarget(op);
    if (!target)
      return op.emitOpError("needs a target: run lpgemm-attach-target first");
    const TargetRecord &record = *lookupTargetRecord(target.getChip());
    if (failed(checkAMDGPULowering(op, record)))
      return failure();
    return checkMmaOperands(op, *op.getSchedule(), record);
  }

  void runOnOperation() override {
    SmallVector<MatmulOp> ops;
    getOperation()->walk([&](MatmulOp op) { ops.push_back(op); });
    for (MatmulOp op : ops) {
      auto func = op->getParentOfType<gpu::GPUFuncOp>();
      if (failed(verify(op, func)))
        return signalPassFailure();
      FailureOr<MmaOperands> operands = getOperands(op);
      auto interface = KernelInterface::lookup(func);
      if (failed(operands) || failed(interface))
        return signalPassFailure();
      func->setAttr(kScheduleAttrName, *op.getSchedule());
      IRRewriter rewriter(&getContext());
      bool isBatched = *interface && (*interface)->getNumBatch() != 0;
      Tiler(op, *operands, rewriter).run(isBatched);
    }
  }
};
} // namespace
