//===- OpRules.h - limits of operations -------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_OPRULES_H
#define LPGEMM_LIB_EMULATOR_LOWERING_OPRULES_H

#include "OpTable.h"
#include "mlir/IR/Operation.h"

namespace mlir::lpgemm::emulator {

/// Checks the limits of an operation beyond those that MLIR checks: the chips
/// that have it, and the types that its runtime function takes.
LogicalResult checkRules(Operation *op, const OpEntry &entry,
                         const EmulatedChip &chip);

/// Says why an operation that is not in the table is none of those that may be
/// there, if there is more to say than that.
LogicalResult checkUnmodelled(Operation *op, const EmulatedChip &chip);

/// The error about an operation that the chip does not have, `chips` do.
LogicalResult emitNotOfChip(Operation *op, const EmulatedChip &chip,
                            ChipSet chips);

/// The same about one of its forms, "of f32".
LogicalResult emitNoForm(Operation *op, const EmulatedChip &chip,
                         StringRef form, ChipSet chips);

/// The error about an operation that `chips` understand differently.
LogicalResult emitChipNeeded(Operation *op, ChipSet chips);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_OPRULES_H
