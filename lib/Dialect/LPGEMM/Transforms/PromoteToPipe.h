//===- PromoteToPipe.h - operands through rings of slots --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_PROMOTETOPIPE_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_PROMOTETOPIPE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::lpgemm {

/// The part of lpgemm-promote for instructions that read shared memory: the
/// operands of each K loop, and scales that a copy engine can move, go through
/// a ring of as many slots as `schedule` has stages; products become
/// asynchronous ones on them. The result goes through shared memory where it
/// may. Errors are emitted at the op that does not fit.
LogicalResult promoteToPipe(gpu::GPUFuncOp func, ScheduleAttr schedule);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_PROMOTETOPIPE_H
