//===- CostModel.cpp - what a schedule costs on an NVIDIA GPU -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/CostModel.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

// Bytes of a row of a K tile: one swizzle span (PTX ISA 9.0, "Strides" of
// wgmma's shared memory layouts). A chunk of the staged result is as wide.
static constexpr int64_t kRowBytes = 128;
static constexpr int64_t kChunkRows = 16;
// Two chunks for each warp: one is written while the other is copied out.
static constexpr int64_t kChunksPerWarp = 2;
static constexpr int64_t kWarpSize = 32;
static constexpr int64_t kSumBytes = 4;
// Addresses, counters of the loops, scales of rows: what a thread that
// multiplies keeps besides the sums.
static constexpr int64_t kOtherRegisters = 40;

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

static int64_t getBytes(Type type) {
  return llvm::divideCeil(getElementTypeOrSelf(type).getIntOrFloatBitWidth(),
                          8);
}

/// (G-8) FP8 products have a narrow accumulator.
static bool isPromoted(MatmulOp op, MmaInstr instr, const MmaOperands &operands,
                       const NVIDIAMachine &machine) {
  if (operands.getShortestPromotedBlock(instr) != 0)
    return true;
  bool isNarrow = operands.lhs.multiplied.getIntOrFloatBitWidth() == 8;
  return isNarrow && op.getPromoteK().value_or(machine.promoteK) != 0;
}

ProductTraits ProductTraits::describe(MatmulOp op, MmaInstr instr,
                                      const MmaOperands &operands,
                                      const NVIDIAMachine &machine) {
  ProductTraits result = {};
  static_cast<ProductShape &>(result) = ProductShape::describe(op);
  result.elementBytes = getBytes(operands.lhs.multiplied);
  result.resultBytes =
      getBytes(cast<ProductInterface>(*op).getInitElementType());
  result.isPromoted = ::isPromoted(op, instr, operands, machine);
  if (operands.lhs.scales) {
    result.lhsOuterBlock = operands.lhs.outerBlock;
    result.lhsScaleBytes = getBytes(operands.lhs.scales.getType());
  }
  if (operands.rhs.scales) {
    result.rhsOuterBlock = operands.rhs.outerBlock;
    result.rhsScaleBytes = getBytes(operands.rhs.scales.getType());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// What a schedule takes
//===----------------------------------------------------------------------===//

/// A result whose rows in a wave are whole chunks goes through shared memory.
bool CostModel::isStaged(ScheduleAttr schedule) const {
  return schedule.getWaveN() * product.resultBytes % kRowBytes == 0;
}

int64_t CostModel::getMmaRegisters(ScheduleAttr schedule) const {
  int64_t atom = getMmaInfo(schedule.getInstr()).m;
  int64_t n = schedule.getWaveN();
  int64_t sums = schedule.getWaveM() * n / machine.waveSize;
  // One set of partial sums serves all atoms in turn.
  int64_t partial = product.isPromoted ? atom * n / machine.waveSize : 0;
  // A thread has two of eight columns, each with a scale of its own.
  int64_t scales = product.rhsOuterBlock == 1 ? n / 4 : 0;
  return sums + partial + scales + kOtherRegisters;
}

int64_t CostModel::getSlotBytes(ScheduleAttr schedule) const {
  // Of the columns or rows that share a scale a tile may have a part only.
  auto scaleBytes = [&](int64_t rows, int64_t block, int64_t bytes) -> int64_t {
    if (block == 0)
      return 0;
    int64_t scales = block == 1 ? rows : llvm::divideCeil(rows, block) + 1;
    return llvm::alignTo(schedule.getStages() * scales * bytes, kRowBytes);
  };
  int64_t rows = schedule.getTileM() + schedule.getTileN();
  int64_t tile = rows * schedule.getTileK() * product.elementBytes;
  // Two mbarriers of 8 bytes for each slot.
  return schedule.getStages() * (tile + 16) +
         scaleBytes(schedule.getTileM(), product.lhsOuterBlock,
                    product.lhsScaleBytes) +
         scaleBytes(schedule.getTileN(), product.rhsOuterBlock,
                    product.rhsScaleBytes);
}

int64_t CostModel::getExchangeBytes(ScheduleAttr schedule) const {
  if (schedule.getSplitK() == 1)
    return 0;
  // Room for two mbarriers of each warp.
  int64_t warps = schedule.getNumWaves() * machine.waveSize / kWarpSize;
  return schedule.getTileM() * schedule.getTileN() * kSumBytes + 16 * warps;
}

int64_t CostModel::getStagingBytes(ScheduleAttr schedule) const {
  if (!isStaged(schedule))
    return 0;
  int64_t warps = schedule.getNumWaves() * machine.waveSize / kWarpSize;
  return warps * kChunksPerWarp * kChunkRows * kRowBytes;
}

//===----------------------------------------------------------------------===//
// What a schedule costs
//===----------------------------------------------------------------------===//

std::pair<int64_t, int64_t> CostModel::getGrid(ScheduleAttr schedule) const {
  return {llvm::divideCeil(product.m, schedule.getTileM()),
          llvm::divideCeil(product.n, schedule.getTileN())};
}

int64_t CostModel::getNumClusters(ScheduleAttr schedule) const {
  auto [rows, columns] = getGrid(schedule);
  return llvm::divideCeil(rows, schedule.getClusterM()) *
         llvm::divideCeil(columns, schedule.getClusterN()) * product.batch;
}

/// Any pair of neighbours is a cluster of two. One of more lies in one of the
/// parts of the chip, each of which may have pairs left that are too few.
int64_t CostModel::getHeldClusters(int64_t workgroups) const {
  int64_t unused =
      machine.multiprocessorGroups * std::max<int64_t>(workgroups - 2, 0);
  return (machine.multiprocessors - unused) / workgroups;
}

int64_t CostModel::getActiveClusters(ScheduleAttr schedule) const {
  return std::min(getNumClusters(schedule),
                  getHeldClusters(schedule.getClusterSize()));
}

/// With R rows of clusters the others lie in active / R columns: the fewest
/// different rows of lhs and rhs are copied where both together are as long.
int64_t CostModel::getRaster(ScheduleAttr schedule) const {
  double height = schedule.getTileM() * schedule.getClusterM();
  double width = schedule.getTileN() * schedule.getClusterN();
  double rows = std::sqrt(getActiveClusters(schedule) * width / height);
  int64_t raster = int64_t(1)
                   << std::max<long>(std::lround(std::log2(rows)), 0);
  int64_t available =
      llvm::divideCeil(getGrid(schedule).first, schedule.getClusterM());
  return std::min<int64_t>(
      {raster, int64_t(llvm::PowerOf2Ceil(available)), 64});
}

/// Each row of rhs is read once for each raster of rows, unless all of rhs
/// stays in the L2 cache.
double CostModel::getMemoryBytes(ScheduleAttr schedule) const {
  double lhs = double(product.m) * product.k * product.elementBytes;
  double rhs = double(product.n) * product.k * product.elementBytes;
  double result = double(product.m) * product.n * product.resultBytes;
  int64_t rasterRows =
      schedule.getRaster() * schedule.getTileM() * schedule.getClusterM();
  double reads =
      rhs <= machine.l2Bytes ? 1 : llvm::divideCeil(product.m, rasterRows);
  return product.batch * (lhs + reads * rhs + result);
}

/// Conversions, and the way through shared memory and out of it again; or
/// stores of a warp, two elements for each lane, that reach eight rows.
double CostModel::getEpilogue(ScheduleAttr schedule) const {
  double elements = double(schedule.getTileM()) * schedule.getTileN();
  double conversions = elements / machine.lanes;
  if (isStaged(schedule))
    return conversions +
           2 * elements * product.resultBytes / machine.sharedBytesPerCycle;
  return conversions + elements / (2 * kWarpSize) * 8;
}

/// A workgroup writes its sums to shared memory, tells the others, and reads
/// from each of them the part that it adds.
double CostModel::getExchange(ScheduleAttr schedule) const {
  double parts = schedule.getSplitK();
  if (parts == 1)
    return 0;
  double bytes = double(schedule.getTileM()) * schedule.getTileN() * kSumBytes;
  return bytes / machine.sharedBytesPerCycle + 2 * machine.clusterLatency +
         bytes * (parts - 1) / parts / machine.clusterBytesPerCycle;
}

ScheduleCost CostModel::estimate(ScheduleAttr schedule) const {
  ScheduleCost cost = {};
  double m = schedule.getTileM(), n = schedule.getTileN(),
         k = schedule.getTileK();
  double rowBytes = k * product.elementBytes;
  const MmaInfo &info = getMmaInfo(schedule.getInstr());

  cost.tensor = 2 * m * n * k * product.elementBytes / machine.flopsOfBytes;
  // One wave has nothing to multiply while it promotes.
  if (product.isPromoted && schedule.getNumWaves() == 1)
    cost.tensor += m * n / machine.lanes;

  // Each instruction reads its rows of lhs and all of its columns of rhs.
  double instructions = m / info.m * schedule.getWaves()[1];
  double reads = instructions * (info.m + schedule.getWaveN()) * rowBytes;
  cost.shared = ((m + n) * rowBytes + reads) / machine.sharedBytesPerCycle;

  int64_t active = getActiveClusters(schedule) * schedule.getClusterSize();
  // Rows beyond the matrix are asked for as well.
  double copied = m / schedule.getClusterN() + n / schedule.getClusterM();
  cost.l2 = active * copied * rowBytes / machine.l2BytesPerCycle;

  cost.turn = machine.slotCycles;

  // A slot of a cluster is empty when its slowest wave is done; waves that
  // promote are one promotion apart.
  if (product.isPromoted && schedule.getClusterSize() > 1)
    cost.skew = info.m * double(schedule.getWaveN()) / machine.lanes;

  cost.exchange = getExchange(schedule);
  cost.epilogue = getEpilogue(schedule);
  auto [rows, columns] = getGrid(schedule);
  cost.tiles = rows * columns * product.batch;
  double rounds = double(getNumClusters(schedule)) /
                  getHeldClusters(schedule.getClusterSize());
  cost.rounds =
      std::max(1.0, product.hasDynamicGrid ? rounds : std::ceil(rounds));
  double kTiles = llvm::divideCeil(
      llvm::divideCeil(product.k, schedule.getTileK()), schedule.getSplitK());
  cost.work =
      cost.rounds * (kTiles * cost.getKTile() + cost.exchange + cost.epilogue);
  cost.memory = getMemoryBytes(schedule) / machine.memoryBytesPerCycle;
  return cost;
}
