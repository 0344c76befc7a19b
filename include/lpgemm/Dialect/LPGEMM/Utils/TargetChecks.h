//===- TargetChecks.h - what a chip can do for an op ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_TARGETCHECKS_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_TARGETCHECKS_H

#include "lpgemm/Target/KnownTargets.h"
#include "mlir/IR/Operation.h"

namespace mlir::lpgemm {

/// Fails at `op` unless the chip multiplies operands whose elements have these
/// types.
LogicalResult checkTypesOnTarget(Operation *op, Type lhs, Type rhs,
                                 const TargetRecord &record);

/// Fails at `op` unless there is a way to kernels of the chip, so that the
/// record's `amdgpu` or its `nvidia` may be used.
LogicalResult checkLowering(Operation *op, const TargetRecord &record);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_TARGETCHECKS_H
