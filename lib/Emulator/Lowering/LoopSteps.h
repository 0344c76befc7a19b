//===- LoopSteps.h - where kernels may not end ------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_LOOPSTEPS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_LOOPSTEPS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::lpgemm::emulator {

/// The first block of a loop, and a branch that goes back to it.
struct LoopEdge {
  Block *head;
  Operation *branch;
};

/// One edge for each block that a path from it leads back to, such that every
/// cycle has one. `ops` are those of a function, in order.
llvm::SmallVector<LoopEdge> findLoopEdges(llvm::ArrayRef<Operation *> ops);

/// Whether the host may be unable to do the operation: a division of integers
/// by what is not known.
bool mayTrap(Operation *op);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_LOOPSTEPS_H
