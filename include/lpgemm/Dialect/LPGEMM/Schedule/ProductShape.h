//===- ProductShape.h - extents as models of schedules see them -*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_SCHEDULE_PRODUCTSHAPE_H
#define LPGEMM_DIALECT_LPGEMM_SCHEDULE_PRODUCTSHAPE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// The extents of a product, as a model of schedules sees them.
struct ProductShape {
  static ProductShape describe(MatmulOp op);

  /// A dynamic extent counts as large.
  int64_t m, n, k;
  /// One of M, N and the batch is dynamic: how many tiles the last round of
  /// workgroups has is not known.
  bool hasDynamicGrid;
  bool isBatched;
  int64_t batch;
  bool hasDynamicN = false;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_SCHEDULE_PRODUCTSHAPE_H
