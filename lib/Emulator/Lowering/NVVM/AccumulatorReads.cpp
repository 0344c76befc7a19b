//===- AccumulatorReads.cpp - reads of wgmma accumulators in flight -------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorReads.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

using namespace mlir;
using namespace mlir::lpgemm::emulator;

namespace {
/// Values whose registers the wgmma writes.
using ValueSet = llvm::SmallPtrSet<Value, 8>;

/// The groups that were committed since the wgmma: 0, not even its own.
using GroupCount = int64_t;

/// A place in the search.
struct Step {
  Block *block;
  Block::iterator begin;
  ValueSet values;
  GroupCount groups;
};

/// Follows the registers of one wgmma along all paths until they are waited
/// for.
class Search {
public:
  Search(NVVM::WgmmaMmaAsyncOp wgmma, int64_t mostPending)
      : wgmma(wgmma), mostPending(mostPending) {}
  /// Returns false if it has reported uses.
  bool run();

private:
  bool followBlock(Step &step);
  void followBranch(const Step &step);
  void visit(Step step);
  void report(Operation *use);

  NVVM::WgmmaMmaAsyncOp wgmma;
  /// Of all waits in the function: more groups than that make no difference.
  int64_t mostPending;
  SmallVector<Step> steps;
  std::map<std::pair<Block *, GroupCount>, ValueSet> visited;
  llvm::SetVector<Operation *> uses;
};
} // namespace

static bool isRenaming(Operation *op) {
  return isa<LLVM::BitcastOp, LLVM::ExtractValueOp, LLVM::InsertValueOp>(op);
}

static bool passesNumber(Operation &call, const ValueSet &values) {
  return llvm::any_of(call.getOperands(), [&](Value operand) {
    return values.contains(operand) &&
           !isa<LLVM::LLVMStructType>(operand.getType());
  });
}

void Search::report(Operation *use) {
  if (!uses.insert(use))
    return;
  auto error = use->emitError("reads the accumulator of a wgmma that was not "
                              "waited for");
  error.attachNote(wgmma.getLoc())
      << "'" << wgmma->getName() << "' is here; expected its commit, and a "
      << "'nvvm.wgmma.wait.group.sync.aligned' that covers it, before the use";
}

/// Returns false where the path ends within the block.
bool Search::followBlock(Step &step) {
  for (Operation &op : llvm::make_range(step.begin, step.block->end())) {
    if (isa<NVVM::WgmmaGroupSyncAlignedOp>(op))
      step.groups = std::min(step.groups + 1, mostPending + 1);
    auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(op);
    // Its own group is one of the committed ones.
    if (wait && step.groups > static_cast<int64_t>(wait.getGroup()))
      return false;
    bool uses = llvm::any_of(op.getOperands(), [&](Value operand) {
      return step.values.contains(operand);
    });
    // What a called function waits for is not known. It may go on with a whole
    // accumulator, but a number that is passed to it has been read.
    if (isa<LLVM::CallOp>(op)) {
      if (passesNumber(op, step.values))
        report(&op);
      return false;
    }
    auto choice = dyn_cast<LLVM::SwitchOp>(op);
    bool isBranch = isa<BranchOpInterface>(op) &&
                    !(choice && step.values.contains(choice.getValue()));
    if (uses && !isRenaming(&op) && !isBranch &&
        !isa<NVVM::WgmmaMmaAsyncOp>(op)) {
      report(&op);
      continue;
    }
    for (Value result : op.getResults())
      if (uses && isRenaming(&op))
        step.values.insert(result);
      else
        step.values.erase(result);
    if (step.values.empty())
      return false;
  }
  return true;
}

/// Places that were seen with these values already bring nothing new.
void Search::visit(Step step) {
  ValueSet &seen = visited[{step.block, step.groups}];
  bool isNew = false;
  for (Value value : step.values)
    isNew |= seen.insert(value).second;
  if (isNew)
    steps.push_back(std::move(step));
}

void Search::followBranch(const Step &step) {
  auto branch = dyn_cast<BranchOpInterface>(step.block->getTerminator());
  for (unsigned i = 0; branch && i < branch->getNumSuccessors(); ++i) {
    Block *successor = branch->getSuccessor(i);
    Step next{successor, successor->begin(), step.values, step.groups};
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    for (unsigned j = 0; j < operands.size(); ++j) {
      bool carries =
          !operands.isOperandProduced(j) && step.values.contains(operands[j]);
      if (carries)
        next.values.insert(successor->getArgument(j));
      else
        next.values.erase(successor->getArgument(j));
    }
    visit(std::move(next));
  }
}

bool Search::run() {
  Step first{wgmma->getBlock(), std::next(wgmma->getIterator()), {}, 0};
  first.values.insert(wgmma.getResults());
  steps.push_back(std::move(first));
  while (!steps.empty()) {
    Step step = steps.pop_back_val();
    if (followBlock(step))
      followBranch(step);
  }
  return uses.empty();
}

LogicalResult
mlir::lpgemm::emulator::checkAccumulatorReads(LLVM::LLVMFuncOp function) {
  int64_t mostPending = 0;
  function.walk([&](NVVM::WgmmaWaitGroupSyncOp wait) {
    mostPending = std::max(mostPending, static_cast<int64_t>(wait.getGroup()));
  });
  bool isGood = true;
  function.walk([&](NVVM::WgmmaMmaAsyncOp wgmma) {
    isGood &= Search(wgmma, mostPending).run();
  });
  return success(isGood);
}
