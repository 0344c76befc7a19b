//===- ProductExtents.h - where extents of a product are found --*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_PRODUCTEXTENTS_H
#define LPGEMM_DIALECT_LPGEMM_IR_PRODUCTEXTENTS_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// N as c, bias or the scales of rhs tell it, for a product whose rhs and init
/// are both packed along N; without a source if none of them does.
ShapeContract::Extent findColumnsBesideMatrices(ProductInterface op);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_IR_PRODUCTEXTENTS_H
