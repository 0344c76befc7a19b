//===- AssignPipeline.cpp - lpgemm-assign-pipeline ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_ASSIGNPIPELINEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// Places in the pipelined loop.
enum Cluster { Buffers, NextTile, Products };
} // namespace

/// The slots of the ring that a copy fills a slot of; 1 if it does not.
static int64_t getRingSlots(CopyOp copy) {
  auto view = copy.getDest().getDefiningOp<ViewOp>();
  return view ? view.getSource().getType().getDimSize(0) : 1;
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

/// Adds the ops of the body of `loop` that those of `ops` need. Fails if one of
/// them waits for an earlier iteration.
static LogicalResult addDefinitions(scf::ForOp loop,
                                    SetVector<Operation *> &ops) {
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
  return success();
}

/// Copies to a ring of S slots run S - 1 iterations ahead, what else reads
/// global memory one.
static LogicalResult assign(scf::ForOp loop) {
  int64_t last = 1;
  SetVector<Operation *> copies, loads;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto copy = dyn_cast<CopyOp>(op)) {
      copies.insert(copy);
      last = getRingSlots(copy) - 1;
    }
    if (isa<FetchOp, LoadOp>(op))
      loads.insert(&op);
  }
  if (failed(addDefinitions(loop, copies)) ||
      failed(addDefinitions(loop, loads)))
    return failure();
  Builder b(loop.getContext());
  Cluster cluster = Buffers;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isNext = copies.contains(&op) || loads.contains(&op);
    int64_t stage = copies.contains(&op)  ? 0
                    : loads.contains(&op) ? last - 1
                                          : last;
    op.setAttr(kStageAttrName, b.getI32IntegerAttr(stage));
    op.setAttr(kClusterAttrName,
               b.getI32IntegerAttr(isNext ? NextTile : cluster));
    if (isa<BarrierOp>(op))
      cluster = Products;
  }
  return success();
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
        llvm::all_of(ops, hasStage))
      return success();
    IRRewriter rewriter(&getContext());
    for (CopyOp copy : llvm::to_vector(loop.getOps<CopyOp>()))
      if (getRingSlots(copy) == 1 && failed(split(copy, func, rewriter)))
        return failure();
    return assign(loop);
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
