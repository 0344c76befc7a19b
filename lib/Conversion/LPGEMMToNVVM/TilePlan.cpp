//===- TilePlan.cpp - what ops know of ops around them --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

ClusterShape::ClusterShape(Operation *op) {
  auto func = op->getParentOfType<gpu::GPUFuncOp>();
  if (auto schedule = func->getAttrOfType<ScheduleAttr>(kScheduleAttrName)) {
    m = schedule.getClusterM();
    n = schedule.getClusterN();
    k = schedule.getSplitK();
  }
}

SmallVector<PipeCopyOp> nvvm::getCopies(PipeCommitOp op) {
  SmallVector<PipeCopyOp> copies;
  for (Operation *user : op.getSlot().getUsers())
    if (auto copy = dyn_cast<PipeCopyOp>(user);
        copy && copy.getPipe() == op.getPipe() &&
        copy->getBlock() == op->getBlock())
      copies.push_back(copy);
  return copies;
}

/// Whether a matrix instruction reads the buffer that `tile` is a part of.
static bool isReadByMma(TypedValue<BufType> tile) {
  auto view = tile.getDefiningOp<ViewOp>();
  if (!view)
    return true;
  return llvm::any_of(view.getSource().getUsers(), [](Operation *user) {
    return llvm::any_of(user->getUsers(),
                        [](Operation *op) { return isa<AsyncMmaOp>(op); });
  });
}

void TilePlan::visitCommit(PipeCommitOp op) {
  for (PipeCopyOp copy : getCopies(op)) {
    if (copy.getEngine() == CopyEngine::TMA)
      announcedBytes[op] += getTileBytes(copy.getDest().getType());
    else if (::isReadByMma(copy.getDest()))
      readByMma.insert(op);
  }
}

/// A buffer without copies is not a slot of a ring.
int64_t TilePlan::getCopiedRows(AllocOp op) const {
  auto found = copiedRows.find(op);
  return found == copiedRows.end()
             ? *std::prev(op.getType().getShape().end(), 2)
             : found->second;
}

void TilePlan::visitCopy(PipeCopyOp op) {
  auto view = op.getDest().getDefiningOp<ViewOp>();
  auto buffer = view ? view.getSource().getDefiningOp<AllocOp>() : AllocOp();
  if (!buffer || !matchPattern(view.getRow(), m_Zero()))
    return;
  int64_t &rows = copiedRows[buffer];
  rows = std::max(rows, op.getDest().getType().getDimSize(0));
}

/// The condition around `op`: whether the copy engine can address its matrix.
/// Null if there is another one.
static HasMapOp getGuard(StagedStoreOp op) {
  auto ifOp = dyn_cast<scf::IfOp>(op->getParentOp());
  return ifOp ? ifOp.getCondition().getDefiningOp<HasMapOp>() : HasMapOp();
}

/// A warp stores chunks of 16 rows.
static int64_t countChunks(StagedStoreOp op) {
  FragType type = op.getValue().getType();
  return type.getDimSize(0) / getMmaInfo(type.getLanes().getInstr()).m *
         type.getDimSize(1) / op.getStage().getType().getDimSize(1);
}

/// Stores of one block, under conditions that are the same for all of them and
/// for every tile, come in one order.
void TilePlan::visitStagedStores(ArrayRef<StagedStoreOp> ops) {
  int64_t total = 0;
  for (StagedStoreOp op : ops) {
    StagedStoreOp firstOp = ops.front();
    HasMapOp guard = getGuard(op), first = getGuard(firstOp);
    if (!guard || !first || guard.getOperands() != first.getOperands() ||
        op->getParentOp()->getBlock() != firstOp->getParentOp()->getBlock() ||
        op.getStage() != firstOp.getStage())
      return;
    total += countChunks(op);
  }
  int64_t next = 0;
  for (StagedStoreOp op : ops) {
    chunks[op] = {next, total};
    next += countChunks(op);
  }
}

void TilePlan::visitRole(RolesOp op, unsigned role) {
  RoleInfo info{role, op.getFirstWave(role), op.getWaves()[role]};
  bool reads = false;
  SmallVector<PipeReleaseOp> releases;
  SmallVector<StagedStoreOp> stores;
  DenseSet<Operation *> released;
  op.getBodies()[role].walk([&](Operation *inner) {
    roles[inner] = info;
    if (inner->getParentOfType<ElectOp>())
      elected.insert(inner);
    reads |= isa<ReadOp>(inner);
    if (auto store = dyn_cast<StagedStoreOp>(inner)) {
      staging.insert({op, role});
      stores.push_back(store);
    }
    if (auto copy = dyn_cast<PipeCopyOp>(inner))
      visitCopy(copy);
    if (auto commit = dyn_cast<PipeCommitOp>(inner))
      visitCommit(commit);
    if (auto release = dyn_cast<PipeReleaseOp>(inner))
      releases.push_back(release);
  });
  visitStagedStores(stores);
  for (PipeReleaseOp release : releases) {
    auto pipe = release.getPipe().getDefiningOp<PipeOp>();
    released.insert(pipe);
    if (pipe.getCluster())
      ofCluster.insert(release);
    if (reads)
      reading.insert(release);
  }
  int64_t warps = info.waves * kWaveWarps;
  for (Operation *pipe : released) {
    releasingWarps[pipe] += warps;
    localArrivals[pipe] += reads ? warps * kWarpThreads : warps;
  }
}

/// One number for all tiles is at hand. And partial sums and those that they
/// are added to leave no registers for what is not needed yet.
void TilePlan::visitLoads(gpu::GPUFuncOp func) {
  bool promotes = func.walk([](PromoteOp) { return WalkResult::interrupt(); })
                      .wasInterrupted();
  func.walk([&](LoadOp op) {
    auto lanes = op.getResult().getType().getLanes();
    if (!promotes && op->getParentOfType<RolesOp>() &&
        lanes.getRole() == MmaRole::CRow && op.getRowBlock() == 1 &&
        op.getSource().getType().getRank() != 0)
      ahead.insert(op);
  });
}

TilePlan::TilePlan(gpu::GPUModuleOp module) {
  for (auto func : module.getOps<gpu::GPUFuncOp>())
    visitLoads(func);
  module.walk([&](RolesOp op) {
    for (unsigned role = 0; role != op.getBodies().size(); ++role)
      visitRole(op, role);
  });
}
