//===- TypeRules.h - types that kernels may have ----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_TYPERULES_H
#define LPGEMM_LIB_EMULATOR_LOWERING_TYPERULES_H

#include "mlir/IR/Operation.h"

namespace mlir::lpgemm::emulator {

/// Reports operands and results of types that no device has, or that the
/// emulator has no room for.
LogicalResult checkTypes(Operation *op);

/// Whether an array, also one within the type, has more elements than any
/// memory that the emulator models.
bool isHuge(Type type);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_TYPERULES_H
