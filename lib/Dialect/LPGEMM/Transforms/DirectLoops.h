//===- DirectLoops.h - K loops that an engine copies for --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_DIRECTLOOPS_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_DIRECTLOOPS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm {

/// Whether an engine copies for `loop`.
bool hasDirectCopies(scf::ForOp loop);

/// Has an engine make the copies of `loop`, if they are whole.
bool makeDirect(scf::ForOp loop);

/// Decides the stages and clusters of the ops of such a loop, and for strategy
/// `ping_pong` deals the reads out to the products.
LogicalResult assignDirectLoop(scf::ForOp loop, ScheduleAttr schedule,
                               RewriterBase &rewriter);

/// Realises them, with as many slots of each buffer as the schedule has stages.
/// The loop has one iteration at least, and its last one is whole.
LogicalResult expandDirectLoop(scf::ForOp loop, ScheduleAttr schedule,
                               RewriterBase &rewriter);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_DIRECTLOOPS_H
