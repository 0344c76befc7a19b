//===- CostModel.h - what a schedule costs on an NVIDIA GPU -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_SCHEDULE_COSTMODEL_H
#define LPGEMM_DIALECT_LPGEMM_SCHEDULE_COSTMODEL_H

#include "lpgemm/Dialect/LPGEMM/Schedule/ProductShape.h"
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"

namespace mlir::lpgemm {

/// What the model asks about a product.
struct ProductTraits : ProductShape {
  static ProductTraits describe(MatmulOp op, MmaInstr instr,
                                const MmaOperands &operands,
                                const NVIDIAMachine &machine);

  int64_t elementBytes; // of lhs and rhs
  int64_t resultBytes;
  /// Sums of a K tile leave the accumulator of the matrix instruction, because
  /// of scales or of `promote_k` (G-8).
  bool isPromoted;
  /// Rows of lhs, columns of rhs, that share a scale of a block of K; 0 without
  /// such scales.
  int64_t lhsOuterBlock, rhsOuterBlock;
  int64_t lhsScaleBytes, rhsScaleBytes; // of one scale
  int64_t epilogueOperands;             // C, bias, d_scale and amax
};

/// What the model says about a schedule, in cycles of a multiprocessor. Such a
/// figure ranks schedules; it is never a speed.
struct ScheduleCost {
  // Of one K tile.
  double tensor; // matrix instructions, and promotion where nothing hides it
  double shared; // shared memory: filled by copies, read by the instructions
  double l2;     // the L2 cache, shared by all multiprocessors
  double turn;   // of a slot, however little is in it
  double power;  // what all of it takes of the power, as time
  // Of one tile of the result, behind its K tiles.
  double exchange; // with the other workgroups that share it
  double epilogue;
  // Of the product.
  int64_t tiles;
  double rounds;
  double work;   // all rounds of a multiprocessor
  double memory; // reading and writing device memory

  /// Where `share` of all multiprocessors share the L2 cache, and power is not
  /// what limits them.
  double getKTile(double share) const {
    return std::max({tensor, shared, share * l2, turn});
  }
  double getTotal() const {
    return std::max(work, memory + exchange + epilogue);
  }
};

/// What schedules take of a machine, and cost on it, for one product.
class CostModel {
public:
  CostModel(const ProductTraits &product, const NVIDIAMachine &machine)
      : product(product), machine(machine) {}

  ScheduleCost estimate(ScheduleAttr schedule) const;

  /// Registers that a thread which multiplies needs.
  int64_t getMmaRegisters(ScheduleAttr schedule) const;
  /// Bytes of shared memory that the slots take, with their barriers.
  int64_t getSlotBytes(ScheduleAttr schedule) const;
  /// What the sums take that workgroups of a cluster add, with their barriers.
  int64_t getExchangeBytes(ScheduleAttr schedule) const;
  /// Whether the sums of a tile take more than half of the registers.
  bool isLarge(int64_t tileM, int64_t tileN) const {
    return tileM * tileN > machine.registers / 2;
  }
  /// What the result takes on its way out; less will do, but costs time.
  int64_t getStagingBytes(ScheduleAttr schedule) const;
  /// How many rows of tiles it takes for copies of neighbours to be the same
  /// most often.
  int64_t getRaster(ScheduleAttr schedule) const;
  /// Clusters of so many workgroups that the machine holds at once, with one
  /// workgroup on a multiprocessor.
  int64_t getHeldClusters(int64_t workgroups) const;
  /// Tiles of the result along M and N.
  std::pair<int64_t, int64_t> getGrid(ScheduleAttr schedule) const;

  const ProductTraits &getProduct() const { return product; }
  const NVIDIAMachine &getMachine() const { return machine; }

private:
  int64_t getChunkBytes(ScheduleAttr schedule) const;
  int64_t getPlaceBytes(ScheduleAttr schedule) const;
  int64_t countChunks(ScheduleAttr schedule) const;
  /// Rows of atoms that a wave has.
  static int64_t countParts(ScheduleAttr schedule) {
    return schedule.getWaveM() / getMmaInfo(schedule.getInstr()).m;
  }
  void estimateKTile(ScheduleAttr schedule, ScheduleCost &cost) const;
  double getExchange(ScheduleAttr schedule) const;
  double getEpilogue(ScheduleAttr schedule) const;
  double getMemoryBytes(ScheduleAttr schedule) const;
  int64_t getNumClusters(ScheduleAttr schedule) const;
  /// Clusters that run at once.
  int64_t getActiveClusters(ScheduleAttr schedule) const;

  ProductTraits product;
  const NVIDIAMachine &machine;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_SCHEDULE_COSTMODEL_H
