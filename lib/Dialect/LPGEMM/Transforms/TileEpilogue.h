//===- TileEpilogue.h - what follows the sum of a tile ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_TILEEPILOGUE_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_TILEEPILOGUE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"

namespace mlir::lpgemm {

/// Positions among the sums, as index values.
struct TilePlace {
  Value row0, col0;       // of the workgroup's tile
  Value waveRow, waveCol; // of the wave in it
};

/// The same place in the result: with an epilogue of pairs, of half as many
/// columns.
TilePlace getResultPlace(OpBuilder &b, MatmulOp op, const TilePlace &place);

/// The wave's tile of the result from `sum`, 2^-exponent times that of its
/// products: scales that are not applied inside the product, alpha, C, bias,
/// the epilogue, amax, and the rounding to the type of the result. A sum of i32
/// is rounded to f32 in front of all that, or is the result. Gives `sum` itself
/// if there is nothing to be done.
Value createTileEpilogue(OpBuilder &b, MatmulOp op, const TilePlace &place,
                         Value sum, int64_t exponent = 0);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_TILEEPILOGUE_H
