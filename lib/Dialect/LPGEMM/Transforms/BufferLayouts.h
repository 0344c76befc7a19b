//===- BufferLayouts.h - layouts of shared buffers --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_BUFFERLAYOUTS_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_BUFFERLAYOUTS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Adds the layouts that exchange pieces of `unit` bytes within a row; none
/// where a row has no power of two of them.
void addExchanges(BufType type, int64_t unit,
                  SmallVectorImpl<SmemAttr> &candidates);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_BUFFERLAYOUTS_H
