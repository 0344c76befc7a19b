//===- TileBounds.h - places and sizes of tiles -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the values that say where a tile lies are known to be: those that loops
// over tiles make.

#ifndef LPGEMM_DIALECT_LPGEMM_IR_TILEBOUNDS_H
#define LPGEMM_DIALECT_LPGEMM_IR_TILEBOUNDS_H

#include "lpgemm/Dialect/LPGEMM/IR/ShapeContract.h"

#include "mlir/IR/OpDefinition.h"

namespace mlir::lpgemm {

/// The largest number that is known to divide `value`; 0, which every number
/// divides, gives 0.
int64_t getKnownDivisor(OpFoldResult value);

/// Whether a tile is known to be all of an extent.
bool spansAll(const ShapeContract::Extent &extent, OpFoldResult offset,
              OpFoldResult size);

/// Whether a tile is known to end at a multiple of `unit` or with the extent.
bool endsWithUnit(const ShapeContract::Extent &extent, OpFoldResult offset,
                  OpFoldResult size, int64_t unit);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_IR_TILEBOUNDS_H
