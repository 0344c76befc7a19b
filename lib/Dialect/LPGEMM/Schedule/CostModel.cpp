//===- CostModel.cpp - what a schedule costs on an NVIDIA GPU -------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/CostModel.h"

#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

// Two chunks for each warp, if it has as many: one is written while the other
// is copied out.
static constexpr int64_t kChunksPerWarp = 2;
static constexpr int64_t kWarpSize = 32;
static constexpr int64_t kSumBytes = 4;
// Addresses, counters of the loops, scales of rows: what a thread that
// multiplies keeps besides the sums.
static constexpr int64_t kOtherRegisters = 40;
// Scales of a byte, which are unpacked, leave room for what so many operands of
// an epilogue keep through the K loop; each further one takes an address. With
// four of them 256 x 128 spilled 24 bytes.
static constexpr int64_t kFreeOperands = 2, kOperandRegisters = 2;
// Measured on an H200 with kernels of this project, in cycles:
//  - What copying a row of 128 bytes to shared memory, and promoting 128 sums,
//    take of the power: tiles of 128 x 128 to 128 x 256, and of 256 x 128, that
//    run once on each multiprocessor, K = 8192. Each scale that sums have in
//    common is multiplied with those of two rows.
static constexpr double kPowerOfRow = 1.04, kPowerOfPromotion = 0.6,
                        kScaleColumns = 6;
//  - What a wave waits for its own products and scales, if no other wave has
//    some meanwhile: 64 x 16 to 64 x 128 with scales of blocks.
static constexpr double kAloneCycles = 270;
//  - What the turn of a slot takes longer in a cluster, with one wave and, as
//    each of two waits for all others, with two: 64 x 32, 128 x 32.
static constexpr double kClusterSlotCycles = 70;
//  - What the L2 cache takes shows with three stages: a cluster of two gains
//    half a percent, with promotion 1 to 5. With four stages and promotion one
//    gains or loses 2.5: 256 x 128 and 128 x 192, N of 2112 to 12592.
static constexpr double kFewStagesL2 = 0.02, kPromotedL2 = 0.05;
//  - With three stages a slot with products in flight is not free, so that no
//    more than one of the others is on its way: 128 x 256, K = 512.
//    At the start of a tile products wait for them: 256 x 176 and 256 x 192, K
//    of 1536 to 16384.
static constexpr double kFewStagesCycles = 300, kFewStagesTileCycles = 1600;
//  - The share of what comes between the products of one tile and those of the
//    next one that the clock, where power sets it, does not make up for: 128 x
//    192 to 256 x 192, one chain, K of 1152 to 16384.
static constexpr double kVisibleEpilogue = 0.35;
//  - Of each tile of the result: finding it, the first and the last products,
//    which nothing overlaps, more so with one wave; and of what a warp
//    stores at once: a fence, and the start of the copies.
static constexpr double kTileCycles = 1200, kAloneTileCycles = 1800,
                        kCopyCycles = 450;
//  - Of a kernel whose workgroups exchange sums, whatever their number: 64 x 64
//    and 128 x 64 in 2 and 4 parts. Words are read at half of the rate that
//    wider loads reach, and rows of rhs in several places.
static constexpr double kExchangeStart = 4500, kExchangeReads = 2,
                        kSplitMemory = 1.25;
// Of the L2 cache, for lhs to stay there while rhs and the result pass: 4096 x
// 4096 does, 4096 x 8192 does not.
static constexpr double kLhsShare = 0.4;

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
  result.epilogueOperands = llvm::count_if(
      ArrayRef<Value>{op.getC(), op.getBias(), op.getDScale(), op.getAmax()},
      [](Value operand) { return bool(operand); });
  return result;
}

//===----------------------------------------------------------------------===//
// What a schedule takes
//===----------------------------------------------------------------------===//

/// Of the chunks in which the result goes through shared memory; 0 if it does
/// not.
int64_t CostModel::getChunkBytes(ScheduleAttr schedule) const {
  return lpgemm::getChunkBytes(schedule.getWaveN(), 8 * product.resultBytes);
}

/// Of a warp, for one tile; 0 if it stores from registers.
int64_t CostModel::countChunks(ScheduleAttr schedule) const {
  int64_t rowBytes = schedule.getWaveN() * product.resultBytes;
  int64_t bytes = getChunkBytes(schedule);
  return bytes == 0 ? 0 : countParts(schedule) * rowBytes / bytes;
}

/// Of one chunk of each warp.
int64_t CostModel::getPlaceBytes(ScheduleAttr schedule) const {
  int64_t warps = schedule.getNumWaves() * machine.waveSize / kWarpSize;
  return warps * kChunkRows * getChunkBytes(schedule);
}

int64_t CostModel::getMmaRegisters(ScheduleAttr schedule) const {
  int64_t atom = getMmaInfo(schedule.getInstr()).m;
  int64_t n = schedule.getWaveN();
  int64_t sums = schedule.getWaveM() * n / machine.waveSize;
  // One set of partial sums serves all atoms in turn.
  int64_t partial = product.isPromoted ? atom * n / machine.waveSize : 0;
  // A thread has two of eight columns, each with a scale of its own.
  int64_t scales = product.rhsOuterBlock == 1 ? n / 4 : 0;
  bool hasBytes = product.isPromoted &&
                  (product.lhsScaleBytes == 1 || product.rhsScaleBytes == 1);
  int64_t operands =
      hasBytes ? std::max<int64_t>(product.epilogueOperands - kFreeOperands, 0)
               : 0;
  return sums + partial + scales + operands * kOperandRegisters +
         kOtherRegisters;
}

int64_t CostModel::getSlotBytes(ScheduleAttr schedule) const {
  // Of the columns or rows that share a scale a tile may have a part only.
  auto scaleBytes = [&](int64_t rows, int64_t block, int64_t bytes) -> int64_t {
    if (block == 0)
      return 0;
    int64_t scales = block == 1 ? rows : llvm::divideCeil(rows, block) + 1;
    return llvm::alignTo(schedule.getStages() * scales * bytes, kSwizzleBytes);
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
  // The slots of large tiles leave no room for more than one.
  int64_t wanted =
      isLarge(schedule.getTileM(), schedule.getTileN()) ? 1 : kChunksPerWarp;
  int64_t chunks = std::min(wanted, countChunks(schedule));
  return chunks * getPlaceBytes(schedule);
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
/// But where all of lhs stays in the L2 cache, R is all rows, and each row of
/// rhs is copied once.
int64_t CostModel::getRaster(ScheduleAttr schedule) const {
  double height = schedule.getTileM() * schedule.getClusterM();
  double width = schedule.getTileN() * schedule.getClusterN();
  double rows = std::sqrt(getActiveClusters(schedule) * width / height);
  int64_t raster = int64_t(1)
                   << std::max<long>(std::lround(std::log2(rows)), 0);
  int64_t all = llvm::PowerOf2Ceil(
      llvm::divideCeil(getGrid(schedule).first, schedule.getClusterM()));
  if (product.m * product.k * product.elementBytes <=
      kLhsShare * machine.l2Bytes)
    raster = all;
  return std::min<int64_t>({raster, all, 64});
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
  double start = schedule.getNumWaves() == 1 ? kAloneTileCycles : kTileCycles;
  int64_t copies = countChunks(schedule);
  if (copies == 0)
    return start + conversions + elements / (2 * kWarpSize) * 8;
  // With a place for each chunk they go out together.
  int64_t left = machine.sharedMemoryBytes - getSlotBytes(schedule) -
                 getExchangeBytes(schedule);
  if (left >= copies * getPlaceBytes(schedule))
    copies = countParts(schedule);
  return start + conversions + copies * kCopyCycles;
}

/// A workgroup writes its sums to shared memory, tells the others, and reads
/// from each of them the part that it adds.
double CostModel::getExchange(ScheduleAttr schedule) const {
  double parts = schedule.getSplitK();
  if (parts == 1)
    return 0;
  double bytes = double(schedule.getTileM()) * schedule.getTileN() * kSumBytes;
  return kExchangeStart + bytes / machine.sharedBytesPerCycle +
         2 * machine.clusterLatency +
         kExchangeReads * bytes * (parts - 1) / parts /
             machine.clusterBytesPerCycle;
}

void CostModel::estimateKTile(ScheduleAttr schedule, ScheduleCost &cost) const {
  double m = schedule.getTileM(), n = schedule.getTileN(),
         k = schedule.getTileK();
  double rowBytes = k * product.elementBytes;
  const MmaInfo &info = getMmaInfo(schedule.getInstr());

  bool isAlone = schedule.getNumWaves() == 1;
  double promotion = product.isPromoted ? m * n / machine.lanes : 0;
  if (product.rhsOuterBlock > 1)
    promotion *= 1 + kScaleColumns /
                         std::gcd(schedule.getTileN(), product.rhsOuterBlock);
  cost.tensor = 2 * m * n * k * product.elementBytes / machine.flopsOfBytes;
  // What is copied of a single tile of lhs is no more than it has.
  double rows = std::min<int64_t>(
      m, llvm::alignTo(product.m, kSwizzleRows * schedule.getClusterN()));
  cost.power = cost.tensor +
               kPowerOfRow * (rows + n) * rowBytes / kSwizzleBytes +
               kPowerOfPromotion * promotion;
  // One wave has nothing to multiply while it promotes.
  if (product.isPromoted && isAlone)
    cost.tensor += promotion + kAloneCycles;

  // Each instruction reads its rows of lhs and all of its columns of rhs.
  double instructions = m / info.m * schedule.getWaves()[1];
  double reads = instructions * (info.m + schedule.getWaveN()) * rowBytes;
  cost.shared = ((rows + n) * rowBytes + reads) / machine.sharedBytesPerCycle;

  int64_t size = schedule.getClusterSize();
  double copied = rows / schedule.getClusterN() + n / schedule.getClusterM();
  cost.l2 = getHeldClusters(size) * size * copied * rowBytes /
            machine.l2BytesPerCycle;

  bool hasFewStages = schedule.getStages() <= 3;
  if (product.isPromoted) {
    double unshared = machine.multiprocessors * (rows + n) * rowBytes /
                      machine.l2BytesPerCycle;
    cost.power += kPromotedL2 * (hasFewStages ? cost.l2 : unshared);
  } else if (hasFewStages) {
    cost.power += kFewStagesL2 * cost.l2;
    cost.tensor += kFewStagesCycles;
  }

  cost.turn = machine.slotCycles;

  // A slot of a cluster is empty when its slowest wave is done.
  if (size > 1)
    cost.turn +=
        kClusterSlotCycles * schedule.getNumWaves() * schedule.getNumWaves();
}

ScheduleCost CostModel::estimate(ScheduleAttr schedule) const {
  ScheduleCost cost = {};
  estimateKTile(schedule, cost);
  cost.exchange = getExchange(schedule);
  cost.epilogue = getEpilogue(schedule);
  auto [gridRows, gridColumns] = getGrid(schedule);
  cost.tiles = gridRows * gridColumns * product.batch;
  cost.rounds = std::max(product.hasDynamicGrid ? 1.0 : 0.0,
                         double(getNumClusters(schedule)) /
                             getHeldClusters(schedule.getClusterSize()));
  double kTiles = llvm::divideCeil(
      llvm::divideCeil(product.k, schedule.getTileK()), schedule.getSplitK());
  // Of kernels that promote, two waves hide it from each other.
  double between = 0;
  if (!product.isPromoted)
    between = kVisibleEpilogue * cost.epilogue +
              (schedule.getStages() <= 3 ? kFewStagesTileCycles : 0);
  auto getRound = [&](double share) {
    double path = cost.getKTile(share) * kTiles + cost.exchange + cost.epilogue;
    return std::max(path, share * cost.power * kTiles + between);
  };
  // How full the last round is, is not known of a dynamic grid.
  double full = std::floor(cost.rounds), rest = cost.rounds - full;
  if (product.hasDynamicGrid)
    cost.work = cost.rounds * getRound(1);
  else
    cost.work = full * getRound(1) + (rest > 0 ? getRound(rest) : 0);
  cost.memory = getMemoryBytes(schedule) / machine.memoryBytesPerCycle;
  if (schedule.getSplitK() > 1)
    cost.memory *= kSplitMemory;
  return cost;
}
