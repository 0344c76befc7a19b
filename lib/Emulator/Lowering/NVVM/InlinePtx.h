//===- InlinePtx.h - texts of PTX in kernels --------------------*- C++ -*-===//
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
/// spells, under its predicate. Reports the texts that are not in the table.
LogicalResult expandInlinePtx(Operation *module);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_NVVM_INLINEPTX_H
