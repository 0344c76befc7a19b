//===- AMDGPUCostModel.h - what a schedule costs on an AMD GPU --*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_SCHEDULE_AMDGPUCOSTMODEL_H
#define LPGEMM_DIALECT_LPGEMM_SCHEDULE_AMDGPUCOSTMODEL_H

#include "lpgemm/Dialect/LPGEMM/Schedule/ProductShape.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::lpgemm {

class WorkgroupOrder;

/// Different rows of tiles, of lhs, and columns of them, of rhs, that the
/// workgroups which run at once multiply.
struct RunningTiles {
  int64_t workgroups;
  int64_t rows, columns; // of each die, all dies together
  int64_t chipRows;      // of the chip
};

/// What the model says about a schedule, in cycles of a compute unit. Such a
/// figure ranks schedules; it is never a speed.
struct AMDGPUScheduleCost {
  // Of one K tile of a workgroup: what each resource is busy for.
  double matrix;   // matrix instructions, on the SIMD with the most waves
  double vector;   // issue of those, of conversions and of promotion
  double shared;   // shared memory: filled, and read by each wave
  double load;     // out of the caches of the compute unit
  double l2;       // the L2 cache of a die, shared by its compute units
  double infinity; // the cache behind those
  /// What passes that cache for one K tile of all workgroups that run at once.
  double infinityBytes;
  /// From one K tile to the next where nothing else hides what comes after each
  /// other.
  double chain;
  // Of one tile of the result, before and behind its K tiles.
  double turn; // from the tile before to this one
  double epilogue;
  // Of the product.
  int64_t tiles;    // of the result, or parts of them that are added
  int64_t resident; // workgroups that a compute unit has at once
  double rounds;    // tiles of the fullest compute unit
  double kTiles;    // of all these
  double begun;     // how many of the tiles it begins to multiply
  double work;      // all of that
  double exchange;  // adding what workgroups have of the same tile
  double memory;    // reading and writing device memory

  /// Workgroups that a compute unit has something of at the same time.
  double getNeighbours() const;
  double getKTile() const;
  double getTotal() const { return std::max(work, memory) + exchange; }
};

/// What schedules cost on a machine for one product with one instruction.
class AMDGPUCostModel {
public:
  AMDGPUCostModel(const ProductShape &shape, const MmaOperands &operands,
                  int64_t resultBits, const AMDGPUMachine &machine)
      : shape(shape), operands(operands), resultBits(resultBits),
        machine(machine), rates(machine.rates) {}

  AMDGPUScheduleCost estimate(ScheduleAttr schedule) const;

  /// Workgroups that a compute unit holds at once.
  int64_t getResident(ScheduleAttr schedule) const;
  /// Cycles that what is read of lhs and rhs takes on its way to the dies, and
  /// those in which workgroups find their tiles in another order than row by
  /// row.
  double getTraffic(ScheduleAttr schedule) const;

  const ProductShape &getShape() const { return shape; }
  const MmaOperands &getOperands() const { return operands; }
  /// Of an element.
  int64_t getResultBits() const { return resultBits; }
  const AMDGPUMachine &getMachine() const { return machine; }

private:
  double getMatrix(ScheduleAttr schedule) const;
  double getVector(ScheduleAttr schedule) const;
  /// Waves of a workgroup on the same SIMD.
  double getWavesOfSIMD(ScheduleAttr schedule) const;
  double getMultiply(ScheduleAttr schedule) const;
  double getPingPong(ScheduleAttr schedule) const;
  double getChain(ScheduleAttr schedule, const AMDGPUScheduleCost &cost) const;
  double getEpilogue(ScheduleAttr schedule) const;
  double getResultStores(ScheduleAttr schedule) const;
  double getResultBytes() const { return resultBits / 8.0; }
  double getExchange(ScheduleAttr schedule, const WorkgroupOrder &order) const;
  double getMemory(ScheduleAttr schedule, const WorkgroupOrder &order) const;
  double getInfinityBytes(ScheduleAttr schedule, const WorkgroupOrder &order,
                          int64_t k) const;
  const RunningTiles &countRunningTiles(ScheduleAttr schedule,
                                        const WorkgroupOrder &order) const;
  double getTurn(ScheduleAttr schedule, const AMDGPUScheduleCost &cost) const;
  void estimateGrid(ScheduleAttr schedule, const WorkgroupOrder &order,
                    AMDGPUScheduleCost &cost) const;
  void estimateKTile(ScheduleAttr schedule, const WorkgroupOrder &order,
                     AMDGPUScheduleCost &cost) const;
  /// Bytes of a K tile that pass shared memory on their way in and out of it.
  double getSharedWrites(ScheduleAttr schedule) const;
  double getSharedReads(ScheduleAttr schedule) const;
  double getLines(const MmaOperand &operand, int64_t k) const;
  /// Bytes of a K tile, with scales, that the waves of a workgroup take out of
  /// the caches of the compute unit, and these out of the L2 cache.
  double getLoads(ScheduleAttr schedule) const;
  double getL2Bytes(ScheduleAttr schedule) const;

  ProductShape shape;
  const MmaOperands &operands;
  int64_t resultBits;
  const AMDGPUMachine &machine;
  const AMDGPURates &rates;
  /// Of schedules that were seen, by what they depend on.
  mutable llvm::DenseMap<
      std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>, RunningTiles>
      runningTiles;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_SCHEDULE_AMDGPUCOSTMODEL_H
