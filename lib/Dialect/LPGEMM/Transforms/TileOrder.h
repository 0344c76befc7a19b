//===- TileOrder.h - which tile comes when ----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_TILEORDER_H
#define LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_TILEORDER_H

#include "mlir/IR/Builders.h"

namespace mlir::lpgemm {

/// Tiles go row by row, or, with `raster` above 1, down the columns of so many
/// rows of tiles, then down those of the next ones. All values are of index
/// type.
class TileOrder {
public:
  TileOrder(Location loc, int64_t raster, Value tilesM, Value tilesN)
      : loc(loc), raster(raster), tilesM(tilesM), tilesN(tilesN) {}

  /// Writes where `b` is, in front of the loop over the tiles of a workgroup,
  /// what makes finding each of them cheap.
  void prepare(OpBuilder &b);
  /// Row and column of a tile.
  std::pair<Value, Value> locate(OpBuilder &b, Value tile);

private:
  /// Row in its band, and column.
  std::pair<Value, Value> locateInBand(OpBuilder &b, Value inBand, Value left);

  Location loc;
  int64_t raster;
  Value tilesM, tilesN;
  /// i32: of tilesN times `raster`, of `raster`, and of the rows of the last
  /// band; null if they are not prepared.
  Value bandReciprocal, reciprocal, lastReciprocal;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_TRANSFORMS_TILEORDER_H
