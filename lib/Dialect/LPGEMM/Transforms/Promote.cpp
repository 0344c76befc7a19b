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
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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

/// Copies in front, one wait and one barrier, reads in place of the loads, and
/// at the end of the block a wait and a barrier, behind which the next
/// iteration may overwrite the buffers.
static LogicalResult promote(Block *block, ArrayRef<Candidate> candidates,
                             gpu::GPUFuncOp func, IRRewriter &rewriter) {
  SmallVector<Value> tokens, buffers;
  Operation *first = candidates.front().load;
  for (const Candidate &c : candidates)
    if (c.load->isBeforeInBlock(first))
      first = c.load;
  Location loc = first->getLoc();
  for (auto [load, rows] : candidates) {
    Value position[] = {load.getSource(), load.getRow(), load.getCol()};
    if (failed(moveValueDefinitions(rewriter, position, first)))
      return load.emitOpError("expects a position that can be computed in "
                              "front of the first load of its block");
    FragType type = load.getResult().getType();
    LoadOp at = load;
    auto bufType = BufType::getChecked(
        [&] { return at.emitOpError(); }, func.getContext(),
        {rows, type.getDimSize(1)}, type.getElementType(), MemorySpace::Shared,
        /*layout=*/SmemAttr());
    if (!bufType)
      return failure();
    rewriter.setInsertionPointToStart(&func.getBody().front());
    Value buffer = AllocOp::create(rewriter, load.getLoc(), bufType,
                                   /*offset=*/IntegerAttr());
    rewriter.setInsertionPoint(first);
    Value token = CopyOp::create(rewriter, load.getLoc(), load.getSource(),
                                 load.getRow(), load.getCol(), buffer,
                                 load.getTranspose(), load.getWhole(),
                                 /*lds_dma=*/false);
    buffers.push_back(buffer);
    tokens.push_back(token);
  }
  WaitOp::create(rewriter, loc, tokens);
  BarrierOp::create(rewriter, loc);
  for (auto [candidate, buffer] : llvm::zip_equal(candidates, buffers)) {
    LoadOp load = candidate.load;
    rewriter.setInsertionPoint(load);
    // The buffer is not transposed any more.
    Value row = load.getWaveRow(), col = load.getWaveCol();
    if (load.getTranspose())
      std::swap(row, col);
    rewriter.replaceOpWithNewOp<ReadOp>(load, load.getResult().getType(),
                                        buffer, row, col);
  }
  rewriter.setInsertionPoint(block->getTerminator());
  WaitOp::create(rewriter, loc, ValueRange());
  BarrierOp::create(rewriter, loc);
  return success();
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
      IRRewriter rewriter(&getContext());
      for (auto &[block, candidates] : collect(func, schedule))
        if (failed(promote(block, candidates, func, rewriter)))
          return signalPassFailure();
    }
  }
};
} // namespace
