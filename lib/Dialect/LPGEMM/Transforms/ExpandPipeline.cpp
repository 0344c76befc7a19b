//===- ExpandPipeline.cpp - lpgemm-expand-pipeline ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

static bool mayRunAhead(Operation &op) {
  auto copy = dyn_cast<CopyOp>(op);
  return isa<FetchOp, LoadOp>(op) || isMemoryEffectFree(&op) ||
         (copy && copy.getDest().getDefiningOp<ViewOp>());
}

/// How many iterations ahead what `loop` copies to a ring may run; 1 without a
/// ring, as the next iteration has registers of its own.
static int64_t getLastStage(scf::ForOp loop) {
  int64_t last = 1;
  for (auto copy : loop.getOps<CopyOp>())
    if (auto view = copy.getDest().getDefiningOp<ViewOp>())
      last = view.getSource().getType().getDimSize(0) - 1;
  return last;
}

/// Whether `loop` has stages. Fails if they are not those of a pipeline that
/// this pass can realise.
static FailureOr<bool> hasStages(scf::ForOp loop) {
  auto ops = loop.getBody()->without_terminator();
  int64_t last = getLastStage(loop);
  if (llvm::none_of(ops, [](Operation &op) {
        return lookup(op, kStageAttrName) || lookup(op, kClusterAttrName);
      }))
    return false;
  for (Operation &op : ops) {
    std::optional<int64_t> stage = lookup(op, kStageAttrName);
    if (!stage || !lookup(op, kClusterAttrName))
      return op.emitOpError() << "expects integers as attributes '"
                              << kStageAttrName << "' and '" << kClusterAttrName
                              << "', as the other ops of its loop";
    if (*stage < 0 || *stage > last)
      return op.emitOpError()
             << "expects attribute '" << kStageAttrName << "' to be 0 "
             << (last == 1 ? "or " : "to ") << last << ", but got " << *stage;
    // Beyond the last K tile, where it may run as well, it must do nothing.
    if (*stage != last && !mayRunAhead(op))
      return op.emitOpError()
             << "expects to be in stage " << last
             << ": only what reads global memory may run ahead";
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

/// Waits for the copies of tiles that are beyond the end of the loop.
static void waitForRest(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<Value> tokens;
  for (Value result : loop.getResults())
    if (isa<TokenType>(result.getType()) && result.use_empty())
      tokens.push_back(result);
  if (tokens.empty())
    return;
  rewriter.setInsertionPointAfter(loop);
  WaitOp::create(rewriter, loop.getLoc(), tokens);
}

static LogicalResult expand(scf::ForOp loop, RewriterBase &rewriter) {
  if (failed(verifyOrder(loop)))
    return failure();
  scf::PipeliningOption options;
  options.getScheduleFn = getSchedule;
  options.peelEpilogue = false;
  options.supportDynamicLoops = true;
  // Out of bounds nothing is read, and what comes of it is not used.
  options.predicateFn = [](RewriterBase &, Operation *op, Value) { return op; };
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  FailureOr<scf::ForOp> pipelined =
      scf::pipelineForLoop(rewriter, loop, options);
  if (failed(pipelined))
    return emitError(loc, "the stages of the loop cannot be realised");
  waitForRest(rewriter, *pipelined);
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
  return success();
}

static LogicalResult expandLoops(gpu::GPUFuncOp func) {
  SmallVector<scf::ForOp> loops;
  func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(func.getContext());
  for (scf::ForOp loop : loops) {
    FailureOr<bool> staged = hasStages(loop);
    if (failed(staged) || (*staged && failed(expand(loop, rewriter))))
      return failure();
  }
  return success();
}

namespace {
struct ExpandPipeline : lpgemm::impl::ExpandPipelinePassBase<ExpandPipeline> {
  LogicalResult expandAll(gpu::GPUFuncOp func) {
    auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    bool hasRoles = schedule && schedule.getRoles();
    if (failed(hasRoles ? expandRoles(func, schedule) : expandLoops(func)))
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
