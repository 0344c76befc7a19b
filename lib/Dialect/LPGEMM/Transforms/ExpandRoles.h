//===- ExpandRoles.h - waves that load, waves that multiply -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_EXPANDROLES_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_EXPANDROLES_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lpgemm {

/// Gives the ops whose attribute `lpgemm.role` is "load" a role of their own,
/// with the loops around them: one thread drives the copy engine where that can
/// address all operands, else all threads of the role copy.
LogicalResult splitRoles(RolesOp roles, ScheduleAttr schedule);

/// Puts the ops of `loop` in stage 1 an iteration behind the others: products
/// stay in flight while the next ones are issued. The first iteration is on its
/// own. Nothing else is carried: `lpgemm-assign-pipeline` says where that
/// holds.
LogicalResult deferWaits(scf::ForOp loop);

/// In `block`, puts what the next products need in front of the wait for those
/// in flight: the wait for their slot, scales, positions. Then nothing but
/// promotions lies between two products of a wave.
void prepareInFlight(Block &block);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_EXPANDROLES_H
