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

namespace mlir::lpgemm {

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
  /// From one K tile to the next where nothing else hides what comes after each
  /// other.
  double chain;
  // Of one tile of the result, behind its K tiles.
  double epilogue;
  // Of the product.
  int64_t tiles;    // workgroups, with those that share a tile
  int64_t resident; // workgroups that a compute unit holds
  double rounds;    // workgroups of the fullest compute unit
  double work;      // all of them
  double exchange;  // adding what workgroups have of the same tile
  double memory;    // reading and writing device memory

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
  /// Tiles of the result, those of a batch included.
  int64_t getNumTiles(ScheduleAttr schedule) const;

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
  double getExchange(ScheduleAttr schedule) const;
  double getMemory() const;
  double getInfinityBytes(ScheduleAttr schedule, double active) const;
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
};

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_SCHEDULE_AMDGPUCOSTMODEL_H
