//===- WorkgroupOrder.h - what workgroups have in common --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the tiles are of the workgroups that run at once on an AMD GPU, in the
// order that the kernel gives them (lpgemm-tile), and on which die.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_WORKGROUPORDER_H
#define LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_WORKGROUPORDER_H

#include "lpgemm/Dialect/LPGEMM/Schedule/AMDGPUCostModel.h"

namespace mlir::lpgemm {

/// Shares of stream-K: the K tiles of all tiles of the result are one sequence.
struct StreamShares {
  int64_t each;       // K tiles of a workgroup
  int64_t workgroups; // that have any
  int64_t tiles;      // of the result, that a workgroup has a part of at most
  int64_t parts;      // of the sums of all tiles of the result
};

/// The order of the workgroups of a product in tiles of a schedule.
class WorkgroupOrder {
public:
  WorkgroupOrder(const ProductShape &shape, ScheduleAttr schedule,
                 const AMDGPUMachine &machine);

  /// K tiles of a tile of the result.
  int64_t getKTiles() const { return kTiles; }
  /// Tiles of the result, those of a batch included.
  int64_t getNumTiles() const { return numTiles; }
  int64_t getTilesM() const { return tilesM; }
  int64_t getTilesN() const { return tilesN; }
  /// Workgroups that share a tile are as many workgroups.
  int64_t getNumWorkgroups() const;
  /// Of those that compute units take first, one each.
  RunningTiles countRunningTiles() const;
  /// With stream-K.
  StreamShares getStreamShares() const;

private:
  /// Rows, of all entries of a batch, and columns of tiles; workgroups of the
  /// same row with different parts of K multiply nothing in common.
  struct Place {
    int64_t row, column, part;
  };
  Place locate(int64_t workgroup) const;
  int64_t dealToDies(int64_t tile) const;

  ScheduleAttr schedule;
  int64_t batch, tilesM, tilesN, kTiles, dies, computeUnits, numTiles;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_WORKGROUPORDER_H
