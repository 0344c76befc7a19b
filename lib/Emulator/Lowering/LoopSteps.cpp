//===- LoopSteps.cpp - where kernels may not end --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSteps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

// A branch that does not go forward in the order of the text closes a cycle or
// is harmless, and every cycle has one.
llvm::SmallVector<LoopEdge>
mlir::lpgemm::emulator::findLoopEdges(llvm::ArrayRef<Operation *> ops) {
  llvm::DenseMap<Block *, unsigned> order;
  for (Operation *op : ops)
    order.try_emplace(op->getBlock(), order.size());
  llvm::MapVector<Block *, Operation *> branches;
  for (Operation *op : ops)
    for (Block *successor : op->getSuccessors())
      if (order.lookup(successor) <= order.lookup(op->getBlock()))
        branches.try_emplace(successor, op);
  llvm::SmallVector<LoopEdge> edges;
  for (auto [head, branch] : branches)
    edges.push_back({head, branch});
  return edges;
}

bool mlir::lpgemm::emulator::mayTrap(Operation *op) {
  if (!isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op))
    return false;
  APInt divisor;
  bool isKnown = matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) &&
                 !divisor.isZero() && !divisor.isAllOnes();
  return !isKnown;
}
