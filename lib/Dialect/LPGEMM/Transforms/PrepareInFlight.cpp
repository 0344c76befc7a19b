//===- PrepareInFlight.cpp - what the next products need ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandRoles.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::lpgemm;

/// What is behind `wait` and in front of the next product; nothing if there is
/// none.
static SmallVector<Operation *> getPreparation(WaitOp wait) {
  SmallVector<Operation *> ops;
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode()) {
    if (isa<AsyncMmaOp>(op))
      return ops;
    ops.push_back(op);
  }
  return {};
}

/// Whether `op` may come before sums are complete, which it does not need. The
/// slot that is waited for is another one than what is released between the
/// products, unless the ring has no other: who fills it does not wait for that
/// release. A read stays behind the wait for its slot (`prepare`), and goes
/// away from where that is released. What a region needs is not among the
/// operands of its op.
static bool mayComeEarlier(Operation *op) {
  if (op->getNumRegions() != 0)
    return false;
  if (auto await = dyn_cast<PipeAwaitOp>(op))
    return await.getPipe().getType().getSlots() > 1;
  // Sums in flight and promoted ones would take different registers.
  return isa<ReadOp>(op) || (isMemoryEffectFree(op) && !isa<PromoteOp>(op));
}

/// Nothing but a release is overtaken by what waits, or reads.
static void prepare(WaitOp wait) {
  llvm::SmallPtrSet<Operation *, 16> behind = {wait};
  bool mayOvertake = true;
  for (Operation *op : getPreparation(wait)) {
    bool isFree = isMemoryEffectFree(op);
    bool isReady = llvm::none_of(op->getOperands(), [&](Value operand) {
      return behind.contains(operand.getDefiningOp());
    });
    if (isReady && mayComeEarlier(op) && (isFree || mayOvertake)) {
      op->moveBefore(wait);
      continue;
    }
    mayOvertake &= isFree || isa<PipeReleaseOp>(op);
    behind.insert(op);
  }
}

void lpgemm::prepareInFlight(Block &block) {
  for (auto wait : llvm::to_vector(block.getOps<WaitOp>()))
    if (!wait.getValues().empty())
      prepare(wait);
}
