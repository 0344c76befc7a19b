//===- InFlightLoads.cpp - LDS loads across barriers ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InFlightLoads.h"

#include "LdsLayout.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

namespace {
/// Values that hold what is loaded, in registers that the load writes.
using ValueSet = llvm::SmallPtrSet<Value, 8>;

/// A place in the search, and what holds the loaded data there.
struct Step {
  Block *block;
  Block::iterator begin;
  ValueSet values;
};

enum class PathEnd { None, Used, Barrier };
} // namespace

/// Operations that only give registers another name.
static bool isRenaming(Operation *op) {
  return isa<LLVM::BitcastOp, LLVM::ExtractElementOp, LLVM::ExtractValueOp,
             LLVM::InsertElementOp, LLVM::InsertValueOp, LLVM::ShuffleVectorOp>(
      op);
}

/// Whether an operation loads from LDS to registers.
static bool isLdsLoad(Operation *op) {
  if (isa<ROCDL::ds_read_tr4_b64, ROCDL::ds_read_tr6_b96,
          ROCDL::ds_read_tr8_b64, ROCDL::ds_read_tr16_b64>(op))
    return true;
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return load && cast<LLVM::LLVMPointerType>(load.getAddr().getType())
                         .getAddressSpace() == kLdsAddressSpace;
}

/// Follows a step to the end of its block. The LDS returns in order: the use of
/// a later load waits for this one too, so later loads join the values.
static PathEnd followBlock(Step &step) {
  for (Operation &op :
       llvm::make_range(step.begin, step.block->without_terminator().end())) {
    if (isa<ROCDL::SBarrierOp>(op))
      return PathEnd::Barrier;
    bool uses = llvm::any_of(op.getOperands(), [&](Value operand) {
      return step.values.contains(operand);
    });
    // What a called function does is not known.
    if ((uses && !isRenaming(&op)) || isa<LLVM::CallOp>(op))
      return PathEnd::Used;
    if (uses || isLdsLoad(&op))
      step.values.insert(op.getResult(0));
  }
  return PathEnd::None;
}

/// Adds the steps after the branch at the end of a block.
static void followBranch(const Step &step, SmallVectorImpl<Step> &steps) {
  auto branch = dyn_cast<BranchOpInterface>(step.block->getTerminator());
  if (!branch)
    return;
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    Block *successor = branch->getSuccessor(i);
    Step next{successor, successor->begin(), step.values};
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    for (unsigned j = 0; j < operands.size(); ++j) {
      if (operands.isOperandProduced(j))
        continue;
      if (step.values.contains(operands[j]))
        next.values.insert(successor->getArgument(j));
      else
        next.values.erase(successor->getArgument(j));
    }
    steps.push_back(std::move(next));
  }
}

static bool reachesBarrier(Operation *load) {
  llvm::SmallPtrSet<Block *, 8> visited;
  SmallVector<Step> steps;
  steps.push_back({load->getBlock(), std::next(load->getIterator()), {}});
  steps.front().values.insert(load->getResult(0));
  while (!steps.empty()) {
    Step step = steps.pop_back_val();
    switch (followBlock(step)) {
    case PathEnd::Barrier:
      return true;
    case PathEnd::Used:
      continue;
    case PathEnd::None:
      break;
    }
    SmallVector<Step> next;
    followBranch(step, next);
    for (Step &successor : next)
      if (visited.insert(successor.block).second)
        steps.push_back(std::move(successor));
  }
  return false;
}

llvm::DenseSet<Operation *>
mlir::lpgemm::emulator::findLoadsAcrossBarriers(LLVM::LLVMFuncOp function) {
  llvm::DenseSet<Operation *> found;
  function.walk([&](Operation *op) {
    if (isLdsLoad(op) && reachesBarrier(op))
      found.insert(op);
  });
  return found;
}
