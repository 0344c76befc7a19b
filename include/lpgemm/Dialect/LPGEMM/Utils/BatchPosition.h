//===- BatchPosition.h - which entry of a batch -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_BATCHPOSITION_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_BATCHPOSITION_H

#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/IR/Builders.h"

namespace mlir::lpgemm {

/// The number of the entry of the batch that a workgroup of a kernel belongs
/// to; null without a batch. `extents` are those of the interface, as index
/// values.
Value buildBatchEntry(OpBuilder &b, Location loc,
                      const KernelInterface &interface, ValueRange extents);

/// The same as its position along each dimension of the batch.
SmallVector<Value> buildBatchPosition(OpBuilder &b, Location loc,
                                      const KernelInterface &interface,
                                      ValueRange extents);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_BATCHPOSITION_H
