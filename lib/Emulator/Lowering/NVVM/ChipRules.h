//===- ChipRules.h - chips that have an operation ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_NVVM_CHIPRULES_H
#define LPGEMM_LIB_EMULATOR_LOWERING_NVVM_CHIPRULES_H

#include "lpgemm/Emulator/Chip.h"
#include "mlir/IR/Operation.h"

namespace mlir::lpgemm::emulator {

/// The chips that have an NVVM operation: what the operation says itself, and
/// where it does not, what the PTX ISA says.
ChipSet getChipsWith(Operation *op);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_NVVM_CHIPRULES_H
