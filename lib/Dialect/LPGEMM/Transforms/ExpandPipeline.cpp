//===- ExpandPipeline.cpp - lpgemm-expand-pipeline ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DirectLoops.h"
#include "ExpandRoles.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

namespace mlir::lpgemm {
#define GEN_PASS_DEF_EXPANDPIPELINEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

static std::optional<int64_t> lookup(Operation &op, StringRef name) {
  auto attr = op.getAttrOfType<IntegerAttr>(name);
  return attr ? std::optional(attr.getInt()) : std::nullopt;
}

/// What is written ahead of its tile, in a slot of its own, nobody reads.
static bool mayRunAhead(Operation *op) {
  Value dest;
  llvm::TypeSwitch<Operation *>(op).Case<CopyOp, PutOp>(
      [&](auto write) { dest = write.getDest(); });
  return isa<FetchOp, LoadOp>(op) || isMemoryEffectFree(op) ||
         (dest && dest.getDefiningOp<SlotOp>());
}

/// How many iterations ahead the ops of `loop` may run: two, or to a ring that
/// copies fill one less than it has slots.
static int64_t getLastStage(scf::ForOp loop) {
  int64_t last = 2;
  for (auto copy : loop.getOps<CopyOp>())
    if (auto slot = copy.getDest().getDefiningOp<SlotOp>())
      last = std::max(last, slot.getSource().getType().getDimSize(0) - 1);
  return last;
}

/// Whether `loop` has stages. Fails if they are not those of a pipeline that
/// this pass can realise.
static FailureOr<bool> hasStages(scf::ForOp loop) {
  auto ops = loop.getBody()->without_terminator();
  if (llvm::none_of(ops, [](Operation &op) {
        return lookup(op, kStageAttrName) || lookup(op, kClusterAttrName);
      }))
    return false;
  int64_t last = 1, limit = getLastStage(loop);
  for (Operation &op : ops)
    last = std::max(last, lookup(op, kStageAttrName).value_or(0));
  for (Operation &op : ops) {
    std::optional<int64_t> stage = lookup(op, kStageAttrName);
    if (!stage || !lookup(op, kClusterAttrName))
      return op.emitOpError() << "expects integers as attributes '"
                              << kStageAttrName << "' and '" << kClusterAttrName
                              << "', as the other ops of its loop";
    if (*stage < 0 || *stage > limit)
      return op.emitOpError()
             << "expects attribute '" << kStageAttrName << "' to be from 0 to "
             << limit << ", but got " << *stage;
    // Beyond the last K tile, where it may run as well, it must do nothing.
    if (*stage < last && !mayRunAhead(&op))
      return op.emitOpError()
             << "expects to be in stage " << last
             << ": only what reads global memory, or fills a slot of a buffer, "
                "may run ahead";
  }
  return true;
}

/// The ops of a loop in the order of the pipelined loop, with their stages.
static void getSchedule(scf::ForOp loop,
                        std::vector<std::pair<Operation *, unsigned>> &order) {
  std::map<int64_t, SmallVector<Operation *>> clusters;
  for (Operation &op : loop.getBody()->without_terminator())
    clusters[*lookup(op, kClusterAttrName)].push_back(&op);
  for (const auto &[cluster, ops] : clusters)
    for (Operation *op : ops)
      order.emplace_back(op, *lookup(*op, kStageAttrName));
}

/// Every op is behind what it needs: in a later stage, or later in the loop.
static LogicalResult verifyOrder(scf::ForOp loop) {
  std::vector<std::pair<Operation *, unsigned>> order;
  getSchedule(loop, order);
  llvm::SmallPtrSet<Operation *, 32> seen; // what came so far
  for (auto [op, stage] : order) {
    for (Value operand : op->getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (!definition || definition->getBlock() != loop.getBody())
        continue;
      int64_t other = *lookup(*definition, kStageAttrName);
      if (other < stage || (other == stage && seen.contains(definition)))
        continue;
      return op->emitOpError()
             << "expects to be behind '" << definition->getName()
             << "', which it needs: in a later stage, or a later cluster of "
                "its "
                "stage";
    }
    seen.insert(op);
  }
  return success();
}

/// Beyond the last K tile nothing is read, as that is out of bounds, or it is
/// a tile that is there: the loop has one. What comes of it is not used.
static Operation *makeHarmless(RewriterBase &rewriter, Operation *op,
                               Value isInside) {
  llvm::TypeSwitch<Operation *>(op).Case<FetchOp, LoadOp>([&](auto read) {
    if (!read.getWhole())
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(read);
    OpOperand &position = read.getKPositionMutable();
    Value safe = arith::SelectOp::create(rewriter, read.getLoc(), isInside,
                                         position.get(), read.getWhole());
    rewriter.modifyOpInPlace(read, [&] { position.set(safe); });
  });
  return op;
}

/// What ran ahead of the last tile is still on its way behind the loop.
static void waitForRest(scf::ForOp loop, RewriterBase &rewriter) {
  SmallVector<Value> tokens;
  for (Value result : loop.getResults())
    if (isa<TokenType>(result.getType()) && result.use_empty())
      tokens.push_back(result);
  rewriter.setInsertionPointAfter(loop);
  if (!tokens.empty())
    WaitOp::create(rewriter, loop.getLoc(), tokens);
}

static LogicalResult expand(scf::ForOp loop, RewriterBase &rewriter) {
  if (failed(verifyOrder(loop)))
    return failure();
  scf::PipeliningOption options;
  options.getScheduleFn = getSchedule;
  options.peelEpilogue = false;
  options.supportDynamicLoops = true;
  options.predicateFn = makeHarmless;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  FailureOr<scf::ForOp> pipelined =
      scf::pipelineForLoop(rewriter, loop, options);
  if (failed(pipelined))
    return emitError(loc, "the stages of the loop cannot be realised");
  waitForRest(*pipelined, rewriter);
  return success();
}

/// Loops over asynchronous products, of the functions whose schedule has roles.
static LogicalResult expandRoles(gpu::GPUFuncOp func, ScheduleAttr schedule) {
  // Those that were not assigned anything, or expanded before, stay as they
  // are.
  SmallVector<scf::ForOp> loops;
  func.walk([&](scf::ForOp loop) {
    bool isAssigned = llvm::any_of(*loop.getBody(), [](Operation &op) {
      return op.hasAttr(kRoleAttrName) || op.hasAttr(kStageAttrName);
    });
    if (!loop.getOps<AsyncMmaOp>().empty() && isAssigned)
      loops.push_back(loop);
  });
  for (RolesOp roles : llvm::to_vector(func.getOps<RolesOp>()))
    if (failed(splitRoles(roles, schedule)))
      return failure();
  for (scf::ForOp loop : loops) {
    bool isDeferred = llvm::any_of(*loop.getBody(), [](Operation &op) {
      return op.hasAttr(kStageAttrName);
    });
    if (failed(deferWaits(loop)))
      return failure();
    // (A rest of iterations runs in a loop of its own.) A loop that is known to
    // have none would go, and what fills its ring stay (G-12).
    std::optional<APInt> iterations = loop.getStaticTripCount();
    bool isEmpty = iterations && iterations->isZero();
    if (!isDeferred && !isEmpty && schedule.getUnroll() > 1 &&
        failed(loopUnrollByFactor(loop, schedule.getUnroll())))
      return loop.emitOpError()
             << "cannot be unrolled by " << schedule.getUnroll();
  }
  func.walk([](Block *block) { prepareInFlight(*block); });
  return success();
}

/// Whether an engine copies for `loop`, and its ops have stages.
static bool isStagedDirectLoop(scf::ForOp loop, ScheduleAttr schedule) {
  return schedule && schedule.copiesDirectly() && hasDirectCopies(loop) &&
         llvm::any_of(*loop.getBody(),
                      [](Operation &op) { return op.hasAttr(kStageAttrName); });
}

/// All stages are looked at first: what a loop does ahead of its first
/// iteration has them as well, and may be in another loop.
static LogicalResult expandLoops(gpu::GPUFuncOp func, ScheduleAttr schedule) {
  SmallVector<scf::ForOp> staged, direct;
  WalkResult result = func.walk([&](scf::ForOp loop) {
    if (isStagedDirectLoop(loop, schedule)) {
      direct.push_back(loop);
      return WalkResult::advance();
    }
    FailureOr<bool> found = hasStages(loop);
    if (succeeded(found) && *found)
      staged.push_back(loop);
    return failed(found) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  IRRewriter rewriter(func.getContext());
  for (scf::ForOp loop : direct)
    if (failed(expandDirectLoop(loop, schedule, rewriter)))
      return failure();
  for (scf::ForOp loop : staged)
    if (failed(expand(loop, rewriter)))
      return failure();
  return success();
}

namespace {
struct ExpandPipeline : lpgemm::impl::ExpandPipelinePassBase<ExpandPipeline> {
  LogicalResult expandAll(gpu::GPUFuncOp func) {
    auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    bool hasRoles = schedule && schedule.getRoles();
    if (failed(hasRoles ? expandRoles(func, schedule)
                        : expandLoops(func, schedule)))
      return failure();
    func.walk([](Operation *op) {
      for (StringRef name : {kStageAttrName, kClusterAttrName, kRoleAttrName})
        op->removeAttr(name);
    });
    return success();
  }

  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(expandAll(func)))
        return signalPassFailure();
  }
};
} // namespace
