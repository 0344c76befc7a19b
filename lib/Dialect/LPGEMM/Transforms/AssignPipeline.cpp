//===- AssignPipeline.cpp - lpgemm-assign-pipeline ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectLoops.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_ASSIGNPIPELINEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Places in the pipelined loop.
enum Cluster { Buffers, NextTile, Products };
/// The same where buffers have two slots: behind the reads, for each copy, the
/// put of the next tile, and the fetch of the one behind it.
enum RingCluster { Start, Reads, Copies };
} // namespace

/// The slots of the ring that a copy fills a slot of; 1 if it does not.
static int64_t getRingSlots(CopyOp copy) {
  auto slot = copy.getDest().getDefiningOp<SlotOp>();
  return slot ? slot.getSource().getType().getDimSize(0) : 1;
}

/// Puts `copy` as its halves.
static LogicalResult split(CopyOp copy, gpu::GPUFuncOp func,
                           RewriterBase &rewriter) {
  std::optional<ArrayRef<int32_t>> size = func.getKnownBlockSize();
  if (!size || (*size)[1] != 1 || (*size)[2] != 1)
    return func.emitOpError(
        "expects 'known_block_size' with threads along x only");
  BufType type = copy.getDest().getType();
  if (!type.getLayout())
    return copy.emitOpError() << "expects a buffer with a layout, but got "
                              << type << ": run lpgemm-assign-layouts first";
  splitCopy(rewriter, copy, size->front());
  return success();
}

/// The ops of these types in `loop`, and those there that they need. Fails if
/// one of them waits for an earlier iteration.
template <typename... OpTys>
static FailureOr<SetVector<Operation *>> collectAhead(scf::ForOp loop) {
  SetVector<Operation *> ops;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<OpTys...>(op))
      ops.insert(&op);
  for (size_t i = 0; i != ops.size(); ++i)
    for (Value operand : ops[i]->getOperands()) {
      if (operand == loop.getInductionVar())
        continue;
      Operation *definition = operand.getDefiningOp();
      if (operand.getParentBlock() != loop.getBody())
        continue;
      if (!definition || !isMemoryEffectFree(definition))
        return ops.front()->emitOpError(
            "expects positions that can be computed an iteration ahead");
      ops.insert(definition);
    }
  return ops;
}

/// Copies to a ring of S slots run S - 1 iterations ahead, what else reads
/// global memory one.
static LogicalResult assign(scf::ForOp loop) {
  FailureOr<SetVector<Operation *>> copies = collectAhead<CopyOp>(loop),
                                    loads = collectAhead<FetchOp, LoadOp>(loop);
  if (failed(copies) || failed(loads))
    return failure();
  int64_t last = 1;
  for (auto copy : loop.getOps<CopyOp>())
    last = getRingSlots(copy) - 1;
  Builder b(loop.getContext());
  Cluster cluster = Buffers;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isCopy = copies->contains(&op), isLoad = loads->contains(&op);
    int64_t stage = isCopy ? 0 : isLoad ? last - 1 : last;
    op.setAttr(kStageAttrName, b.getI32IntegerAttr(stage));
    op.setAttr(kClusterAttrName,
               b.getI32IntegerAttr(isCopy || isLoad ? NextTile : cluster));
    if (isa<BarrierOp>(op))
      cluster = Products;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers of two slots
//===----------------------------------------------------------------------===//

/// The buffers that `loop` copies to, if each is filled in front of its first
/// barrier, and emptied before the one at its end; else none.
static SetVector<Operation *> getBuffers(scf::ForOp loop) {
  SetVector<Operation *> buffers;
  for (auto put : loop.getOps<PutOp>()) {
    auto alloc = put.getDest().getDefiningOp<AllocOp>();
    if (!alloc || alloc.getType().getRank() != 2)
      return {};
    buffers.insert(alloc);
  }
  auto barriers = loop.getOps<BarrierOp>();
  auto end =
      dyn_cast<BarrierOp>(loop.getBody()->getTerminator()->getPrevNode());
  auto wait = end ? dyn_cast_or_null<WaitOp>(end->getPrevNode()) : WaitOp();
  if (!wait || !wait.getTokens().empty() || llvm::range_size(barriers) != 2)
    return {};
  return buffers;
}

static const TargetRecord *findRecord(gpu::GPUFuncOp func) {
  TargetAttr target = lookupTarget(func);
  return target ? lookupTargetRecord(target.getChip()) : nullptr;
}

/// Whether shared memory has room for each of `buffers` twice.
static bool fitTwice(const SetVector<Operation *> &buffers,
                     gpu::GPUFuncOp func) {
  const TargetRecord *record = findRecord(func);
  int64_t bytes = 0;
  func.walk([&](AllocOp alloc) {
    bytes +=
        (buffers.contains(alloc) ? 2 : 1) * getBufferBytes(alloc.getType());
  });
  return record && record->amdgpu && bytes <= record->getSharedMemoryBytes();
}

/// The slot of the tile at hand: that of the one before is still being read.
static Value buildSlot(OpBuilder &b, scf::ForOp loop, Value buffer) {
  Location loc = loop.getLoc();
  Value distance = arith::SubIOp::create(b, loc, loop.getInductionVar(),
                                         loop.getLowerBound());
  Value tile = arith::DivUIOp::create(b, loc, distance, loop.getStep());
  Value index = arith::RemUIOp::create(
      b, loc, tile, arith::ConstantIndexOp::create(b, loc, 2));
  auto type = cast<BufType>(buffer.getType());
  auto slot = cast<BufType>(
      type.cloneWith(type.getShape().drop_front(), type.getElementType()));
  return SlotOp::create(b, loc, slot, buffer, index);
}

/// Gives `buffers` two slots, which the tiles of `loop` fill in turn. Then one
/// barrier for each of them is enough; the other one goes behind the loop.
static void makeRing(scf::ForOp loop, const SetVector<Operation *> &buffers,
                     IRRewriter &rewriter) {
  for (Operation *buffer : buffers) {
    auto alloc = cast<AllocOp>(buffer);
    BufType type = alloc.getType();
    SmallVector<int64_t> shape = {2};
    llvm::append_range(shape, type.getShape());
    SmallVector<OpOperand *> uses = llvm::map_to_vector(
        alloc.getResult().getUses(), [](OpOperand &use) { return &use; });
    alloc.getResult().setType(
        cast<BufType>(type.cloneWith(shape, type.getElementType())));
    rewriter.setInsertionPointAfter(alloc);
    Value zero = arith::ConstantIndexOp::create(rewriter, alloc.getLoc(), 0);
    Value first =
        SlotOp::create(rewriter, alloc.getLoc(), type, alloc.getResult(), zero);
    Value toPut, toRead;
    for (OpOperand *use : uses) {
      if (use->getOwner()->getBlock() != loop.getBody()) {
        use->set(first);
        continue;
      }
      // Of different stages: an index for each.
      Value &slot = isa<PutOp>(use->getOwner()) ? toPut : toRead;
      if (!slot) {
        rewriter.setInsertionPointToStart(loop.getBody());
        slot = buildSlot(rewriter, loop, alloc.getResult());
      }
      use->set(slot);
    }
  }
  Operation *barrier = loop.getBody()->getTerminator()->getPrevNode();
  Operation *wait = barrier->getPrevNode();
  rewriter.moveOpAfter(barrier, loop);
  rewriter.moveOpAfter(wait, loop);
}

/// The ops of `loop` that `op` needs, itself included, without those that have
/// a place already.
static void place(Operation *op, scf::ForOp loop, int32_t stage,
                  int32_t cluster) {
  if (op->getBlock() != loop.getBody() || op->hasAttr(kStageAttrName))
    return;
  Builder b(op->getContext());
  op->setAttr(kStageAttrName, b.getI32IntegerAttr(stage));
  op->setAttr(kClusterAttrName, b.getI32IntegerAttr(cluster));
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp())
      place(definition, loop, stage, cluster);
}

/// The copy of a tile is in shared memory an iteration before its products, and
/// in registers two. Each put is followed by the fetch into its registers:
/// while a put waits for what was fetched, other fetches are on their way.
static void assignRing(scf::ForOp loop) {
  int32_t copy = Copies;
  for (auto fetch : llvm::to_vector(loop.getOps<FetchOp>()))
    place(fetch, loop, 0, 2 * copy++ + 1);
  int32_t last = 2 * copy;
  copy = Copies;
  for (auto put : llvm::to_vector(loop.getOps<PutOp>()))
    place(put, loop, 1, 2 * copy++);
  for (auto load : llvm::to_vector(loop.getOps<LoadOp>()))
    place(load, loop, 1, 2 * Copies);
  for (auto read : llvm::to_vector(loop.getOps<ReadOp>()))
    place(read, loop, 2, Reads);
  for (Operation &op : loop.getBody()->without_terminator())
    place(&op, loop, 2, isa<WaitOp, BarrierOp>(op) ? Start : last);
}

/// Whether nothing but the next products of `loop`, and what follows the loop,
/// uses their sums.
static bool carriesSums(scf::ForOp loop) {
  for (auto product : loop.getOps<AsyncMmaOp>()) {
    auto acc = dyn_cast<BlockArgument>(product.getAcc());
    if (!acc || acc.getOwner() != loop.getBody() ||
        !product.getResult().hasOneUse())
      return false;
    auto wait = dyn_cast<WaitOp>(*product.getResult().user_begin());
    if (!wait || wait->getNumResults() != 1 || !wait.getResult(0).hasOneUse() ||
        wait.getResult(0) != loop.getTiedLoopYieldedValue(acc)->get())
      return false;
  }
  return true;
}

/// What fills the ring goes to a role of its own. Where sums stay in flight
/// from one iteration to the next, so may the wait for them, and what stands
/// behind it.
static void assignRoles(scf::ForOp loop) {
  Builder b(loop.getContext());
  bool defers = carriesSums(loop);
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isa<PipeAcquireOp, PipeCopyOp, PipeCommitOp>(op))
      op.setAttr(kRoleAttrName, b.getStringAttr(kLoadRoleName));
    if (defers && isa<WaitOp, PipeReleaseOp>(op))
      op.setAttr(kStageAttrName, b.getI32IntegerAttr(1));
  }
}

namespace {
struct AssignPipeline : lpgemm::impl::AssignPipelinePassBase<AssignPipeline> {
  LogicalResult run(scf::ForOp loop, gpu::GPUFuncOp func) {
    auto hasStage = [](Operation &op) { return op.hasAttr(kStageAttrName); };
    auto ops = loop.getBody()->without_terminator();
    if (llvm::none_of(ops, [](Operation &op) { return isa<MmaOp>(op); }) ||
        llvm::all_of(ops, hasStage) || loop->hasAttr(kRestAttrName))
      return success();
    IRRewriter rewriter(&getContext());
    for (CopyOp copy : llvm::to_vector(loop.getOps<CopyOp>()))
      if (getRingSlots(copy) == 1 && failed(split(copy, func, rewriter)))
        return failure();
    SetVector<Operation *> buffers = getBuffers(loop);
    if (buffers.empty() || !fitTwice(buffers, func))
      return assign(loop);
    // The positions of the next tile must not need this one.
    if (failed(collectAhead<FetchOp, LoadOp>(loop)))
      return failure();
    makeRing(loop, buffers, rewriter);
    assignRing(loop);
    return success();
  }

  /// K loops whose operands come by direct copies.
  LogicalResult runOnDirectLoops(gpu::GPUFuncOp func, ScheduleAttr schedule) {
    SmallVector<scf::ForOp> loops;
    func.walk([&](scf::ForOp loop) {
      bool isDecided = llvm::any_of(*loop.getBody(), [](Operation &op) {
        return op.hasAttr(kStageAttrName);
      });
      if (!loop.getOps<MmaOp>().empty() && !loop->hasAttr(kRestAttrName) &&
          !isDecided && makeDirect(loop))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      if (failed(assignDirectLoop(loop, schedule, rewriter)))
        return failure();
    return success();
  }

  /// Loops over products of a ring, unless they are decided already.
  static void runOnRings(gpu::GPUFuncOp func) {
    func.walk([](scf::ForOp loop) {
      bool isDecided = llvm::any_of(*loop.getBody(), [](Operation &op) {
        return op.hasAttr(kRoleAttrName) || op.hasAttr(kStageAttrName);
      });
      if (!loop.getOps<AsyncMmaOp>().empty() &&
          !loop.getOps<PipeCommitOp>().empty() && !isDecided)
        assignRoles(loop);
    });
  }

  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>()) {
      auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
      if (schedule && schedule.getRoles()) {
        runOnRings(func);
        continue;
      }
      if (!schedule || schedule.getStages() == 1)
        continue;
      const TargetRecord *record = findRecord(func);
      if (schedule.copiesDirectly() && !(record && record->nvidia)) {
        if (failed(runOnDirectLoops(func, schedule)))
          return signalPassFailure();
        continue;
      }
      WalkResult result = func.walk([&](scf::ForOp loop) {
        return failed(run(loop, func)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
