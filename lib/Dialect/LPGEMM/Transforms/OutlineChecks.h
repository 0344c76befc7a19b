//===- OutlineChecks.h - what lpgemm-outline relies on ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_OUTLINECHECKS_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_OUTLINECHECKS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// An error if lpgemm-outline cannot move `op` into a kernel as it is.
LogicalResult verifyOutlining(MatmulOp op);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_OUTLINECHECKS_H
