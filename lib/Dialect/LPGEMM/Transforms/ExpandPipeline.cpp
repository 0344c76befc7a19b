//===- ExpandPipeline.cpp - lpgemm-expand-pipeline ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
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

/// Whether `loop` has stages. Fails if they are not those of a pipeline that
/// this pass can realise.
static FailureOr<bool> hasStages(scf::ForOp loop) {
  auto ops = loop.getBody()->without_terminator();
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
    if (*stage != 0 && *stage != 1)
      return op.emitOpError() << "expects attribute '" << kStageAttrName
                              << "' to be 0 or 1, but got " << *stage;
    // Beyond the last K tile, where it may run as well, it must do nothing.
    if (*stage == 0 && !isa<FetchOp, LoadOp>(op) && !isMemoryEffectFree(&op))
      return op.emitOpError("expects to be in stage 1: only what reads global "
                            "memory may run ahead");
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
  if (succeeded(scf::pipelineForLoop(rewriter, loop, options)))
    return success();
  return emitError(loc, "the stages of the loop cannot be realised");
}

namespace {
struct ExpandPipeline : lpgemm::impl::ExpandPipelinePassBase<ExpandPipeline> {
  LogicalResult expandAll(gpu::GPUFuncOp func) {
    SmallVector<scf::ForOp> loops;
    func.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      FailureOr<bool> staged = hasStages(loop);
      if (failed(staged) || (*staged && failed(expand(loop, rewriter))))
        return failure();
    }
    func.walk([](Operation *op) {
      op->removeAttr(kStageAttrName);
      op->removeAttr(kClusterAttrName);
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
