//===- Promote.cpp - lpgemm-promote ---------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromoteToPipe.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_PROMOTEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// A load whose data go through shared memory, and the rows of the workgroup's
/// tile of that operand.
struct Candidate {
  LoadOp load;
  int64_t tileRows;
};
} // namespace

/// The load from which `value`, an operand of a product, is taken.
static LoadOp findLoad(Value value) {
  while (isa_and_nonnull<CastOp, SliceOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp<LoadOp>();
}

/// The loads to be promoted, in order, by the block they are in.
static llvm::MapVector<Block *, SmallVector<Candidate>>
collect(gpu::GPUFuncOp func, ScheduleAttr schedule) {
  llvm::MapVector<Operation *, int64_t> tileRows;
  func.walk([&](MmaOp op) {
    if (LoadOp a = findLoad(op.getA());
        a && schedule.getHome().getA() == Home::Shared)
      tileRows.insert({a, schedule.getTileM() / schedule.getParts()});
    if (LoadOp b = findLoad(op.getB());
        b && schedule.getHome().getB() == Home::Shared)
      tileRows.insert({b, schedule.getTileN() / schedule.getParts()});
  });
  llvm::MapVector<Block *, SmallVector<Candidate>> candidates;
  for (auto [load, rows] : tileRows)
    candidates[load->getBlock()].push_back({cast<LoadOp>(load), rows});
  return candidates;
}

namespace {
/// Puts the operands that one block loads through shared memory.
class Promoter {
public:
  /// `slots` of each buffer; 1: it is emptied before it is filled again.
  Promoter(gpu::GPUFuncOp func, Block *block, int64_t slots)
      : func(func), block(block), slots(slots), b(func.getContext()) {}

  LogicalResult run(ArrayRef<Candidate> candidates);

private:
  FailureOr<AllocOp> createBuffer(const Candidate &candidate);
  Value createTile(AllocOp buffer, Location loc);

  gpu::GPUFuncOp func;
  Block *block;
  int64_t slots;
  IRRewriter b;
};
} // namespace

FailureOr<AllocOp> Promoter::createBuffer(const Candidate &candidate) {
  LoadOp load = candidate.load;
  FragType type = load.getResult().getType();
  SmallVector<int64_t> shape = {candidate.tileRows, type.getDimSize(1)};
  if (slots > 1)
    shape.insert(shape.begin(), slots);
  auto bufType = BufType::getChecked(
      [&] { return load.emitOpError(); }, func.getContext(), ArrayRef(shape),
      type.getElementType(), MemorySpace::Shared, /*layout=*/SmemAttr());
  if (!bufType)
    return failure();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&func.getBody().front());
  return AllocOp::create(b, load.getLoc(), bufType, /*offset=*/IntegerAttr());
}

/// The buffer, or the slot of the K tile at hand.
Value Promoter::createTile(AllocOp buffer, Location loc) {
  if (slots == 1)
    return buffer;
  auto loop = cast<scf::ForOp>(block->getParentOp());
  Value begin = arith::SubIOp::create(b, loc, loop.getInductionVar(),
                                      loop.getLowerBound());
  Value number = arith::DivUIOp::create(b, loc, begin, loop.getStep());
  Value index = arith::RemUIOp::create(
      b, loc, number, arith::ConstantIndexOp::create(b, loc, slots));
  BufType type = buffer.getType();
  auto tile = cast<BufType>(
      type.cloneWith(type.getShape().drop_front(), type.getElementType()));
  return SlotOp::create(b, loc, tile, buffer, index);
}

/// Copies in front, one wait and one barrier, reads in place of the loads, and,
/// where there is one slot, at the end of the block a wait and a barrier,
/// behind which the next iteration may overwrite the buffers.
LogicalResult Promoter::run(ArrayRef<Candidate> candidates) {
  SmallVector<Value> tokens;
  SmallVector<AllocOp> buffers;
  Operation *first = candidates.front().load;
  for (const Candidate &c : candidates)
    if (c.load->isBeforeInBlock(first))
      first = c.load;
  Location loc = first->getLoc();
  for (const Candidate &candidate : candidates) {
    LoadOp load = candidate.load;
    Value position[] = {load.getSource(), load.getRow(), load.getCol()};
    if (failed(moveValueDefinitions(b, position, first)))
      return load.emitOpError("expects a position that can be computed in "
                              "front of the first load of its block");
    FailureOr<AllocOp> buffer = createBuffer(candidate);
    if (failed(buffer))
      return failure();
    b.setInsertionPoint(first);
    Value tile = createTile(*buffer, load.getLoc());
    tokens.push_back(CopyOp::create(b, load.getLoc(), load.getSource(),
                                    load.getRow(), load.getCol(), tile,
                                    load.getTranspose(), load.getWhole(),
                                    /*lds_dma=*/false));
    buffers.push_back(*buffer);
  }
  WaitOp::create(b, loc, tokens);
  BarrierOp::create(b, loc);
  for (auto [candidate, buffer] : llvm::zip_equal(candidates, buffers)) {
    LoadOp load = candidate.load;
    b.setInsertionPoint(load);
    // The buffer is not transposed any more.
    Value row = load.getWaveRow(), col = load.getWaveCol();
    if (load.getTranspose())
      std::swap(row, col);
    Value tile = createTile(buffer, load.getLoc());
    b.replaceOpWithNewOp<ReadOp>(load, load.getResult().getType(), tile, row,
                                 col);
  }
  if (slots > 1)
    return success();
  b.setInsertionPoint(block->getTerminator());
  WaitOp::create(b, loc, ValueRange());
  BarrierOp::create(b, loc);
  return success();
}

/// A ring has a slot for each stage, where a loop goes around it.
static int64_t getNumSlots(gpu::GPUFuncOp func, ScheduleAttr schedule,
                           Block *block) {
  TargetAttr target = lookupTarget(func);
  bool hasRing = target && lookupTargetRecord(target.getChip())->nvidia &&
                 schedule.getStages() > 2 &&
                 isa<scf::ForOp>(block->getParentOp());
  return hasRing ? schedule.getStages() : 1;
}

namespace {
struct Promote : lpgemm::impl::PromotePassBase<Promote> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
      if (!schedule)
        continue;
      if (getMmaInfo(schedule.getInstr()).readsSharedMemory()) {
        if (failed(promoteToPipe(func, schedule)))
          return signalPassFailure();
        continue;
      }
      for (auto &[block, candidates] : collect(func, schedule))
        if (failed(Promoter(func, block, getNumSlots(func, schedule, block))
                       .run(candidates)))
          return signalPassFailure();
    }
  }
};
} // namespace
