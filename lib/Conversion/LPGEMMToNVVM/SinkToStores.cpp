//===- SinkToStores.cpp - elements of results are made part by part -------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::nvvm;

// What follows the sums, for all elements of a tile, stands in front of the
// branch between the stores by the copy engine and those of threads. ptxas
// leaves it there: all of it would come before the first of several chunks is
// stored, and scales of columns would take a register for each.

namespace {
/// Of one branch.
class Sinking {
public:
  explicit Sinking(scf::IfOp ifOp) : ifOp(ifOp) {}

  void run();

private:
  void collect();
  bool isOnlyNeededInside(Operation *op);
  void sinkInto(Block &block);
  Value materialize(OpBuilder &b, Value value, IRMapping &mapping);

  scf::IfOp ifOp;
  llvm::SetVector<Operation *> ops; // the last one first
};
} // namespace

/// A computation with elements, or with what they are multiplied by. All lanes
/// of a warp take the same way.
static bool mayBeSunk(Operation *op) {
  if (isa<NVVM::ShflOp>(op))
    return true;
  auto isElement = [](Type type) {
    return isa<FloatType>(type) || type.isInteger(8) || type.isInteger(16);
  };
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         op->getNumOperands() != 0 && op->getNumResults() == 1 &&
         !isa<LLVM::ExtractValueOp>(op) &&
         (isElement(op->getResult(0).getType()) ||
          llvm::any_of(op->getOperandTypes(), isElement));
}

bool Sinking::isOnlyNeededInside(Operation *op) {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return ops.contains(user) || ifOp->isProperAncestor(user);
  });
}

void Sinking::collect() {
  for (Operation *op = ifOp->getPrevNode(); op; op = op->getPrevNode())
    if (mayBeSunk(op) && isOnlyNeededInside(op))
      ops.insert(op);
}

/// `value`, if it is sunk, where `b` is; what it needs in front of it.
Value Sinking::materialize(OpBuilder &b, Value value, IRMapping &mapping) {
  Operation *op = value.getDefiningOp();
  if (!op || !ops.contains(op))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  for (Value operand : op->getOperands())
    materialize(b, operand, mapping);
  return b.clone(*op, mapping)->getResult(0);
}

/// Each in front of the first op of the block that needs it.
void Sinking::sinkInto(Block &block) {
  IRMapping mapping;
  for (Operation &op : block) {
    OpBuilder b(&op);
    op.walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(materialize(b, operand.get(), mapping));
    });
  }
}

void Sinking::run() {
  collect();
  sinkInto(*ifOp.thenBlock());
  sinkInto(*ifOp.elseBlock());
  for (Operation *op : ops)
    op->erase();
}

void nvvm::sinkToStores(gpu::GPUModuleOp module) {
  llvm::SetVector<scf::IfOp> branches;
  module.walk([&](NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp store) {
    auto ifOp = store->getParentOfType<scf::IfOp>();
    while (ifOp && ifOp.getElseRegion().empty())
      ifOp = ifOp->getParentOfType<scf::IfOp>();
    // Not that of a role.
    if (ifOp && ifOp.thenBlock()->findAncestorOpInBlock(*store))
      branches.insert(ifOp);
  });
  for (scf::IfOp ifOp : branches)
    Sinking(ifOp).run();
}
