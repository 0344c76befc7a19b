//===- InlinePtx.h - operations that are spelled out ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_NVVM_INLINEPTX_H
#define LPGEMM_LIB_EMULATOR_LOWERING_NVVM_INLINEPTX_H

#include "mlir/IR/Operation.h"

namespace mlir::lpgemm::emulator {

/// Replaces each nvvm.inline_ptx in `module` by the operation that its text
/// spells, under its predicate, and calls of intrinsics by the operation of
/// NVVM that is made of them. Reports the texts that are not in the table.
LogicalResult expandSpelledOps(Operation *module);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_NVVM_INLINEPTX_H
