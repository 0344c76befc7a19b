//===- AMDGPUCostModel.cpp - what a schedule costs on an AMD GPU ----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/AMDGPUCostModel.h"

#include "AMDGPULimits.h"
#include "WorkgroupOrder.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

// A SIMD takes four cycles for an instruction of a wave of 64 lanes ("AMD
// Instinct MI300 Instruction Set Architecture", vector ALU).
static constexpr double kIssueCycles = 4;
// Bytes of a bank of shared memory.
static constexpr double kBankBytes = 4;
static constexpr double kSumBytes = 4;
// A matrix instruction takes 64 bytes of a row, or less, at once; a line of the
// vector L1 cache has 128 ("CDNA3 Architecture" white paper).
static constexpr double kLinesOfPiece = 2, kLineBytes = 128;
// A store of a part of a row takes as long as one of half a line of it: an
// assumption.
static constexpr double kStoreBytes = 64;
// With strategy ping_pong waves that have read wait, meet at two barriers and
// change their priority twice before they multiply, and issue the first read.
static constexpr double kTurnInstructions = 6;
// An element of 8 bits that the instruction does not multiply as it is, counted
// in kernels.
static constexpr double kConversionInstructions = 3;
// Scaling and rounding of an element of the result.
static constexpr double kEpilogueInstructions = 2;
// Counted in kernels: what a workgroup finds before its first tile, and a
// persistent one does not find again; and what a raster adds for each tile.
static constexpr double kPlaceInstructions = 50, kRasterInstructions = 48;
// Loops of persistent workgroups have other registers, and wait for them: up to
// so much longer in the loop model (docs/loop-model.md).
static constexpr double kPersistentLoop = 1.01;
// K tiles of workgroups that run at once, and ahead of those.
static constexpr double kKTilesOfL2 = 2;

//===----------------------------------------------------------------------===//
// A side of the product
//===----------------------------------------------------------------------===//

namespace {
/// What a schedule makes of one side.
struct Side {
  const MmaOperand &operand;
  Home home;
  int64_t rows, waveRows; // of the workgroup, of a wave
  int64_t waves;          // waves that need the same rows
};
} // namespace

static std::array<Side, 2> getSides(ScheduleAttr schedule,
                                    const MmaOperands &operands) {
  HomesAttr home = schedule.getHome();
  return {Side{operands.lhs, home.getA(), schedule.getTileM(),
               schedule.getWaveM(), schedule.getWaves()[1]},
          Side{operands.rhs, home.getB(), schedule.getTileN(),
               schedule.getWaveN(), schedule.getWaves()[0]}};
}

static double getBytes(Type type) { return type.getIntOrFloatBitWidth() / 8.0; }

/// Bytes of so many rows of a K tile, with their scales.
static double getRowBytes(const Side &side, double rows, int64_t k) {
  double bytes = rows * k * getBytes(side.operand.stored);
  if (Value scales = side.operand.scales)
    bytes += std::ceil(rows / side.operand.outerBlock) *
             llvm::divideCeil(k, side.operand.kBlock) *
             getBytes(getElementTypeOrSelf(scales));
  return bytes;
}

//===----------------------------------------------------------------------===//
// A K tile
//===----------------------------------------------------------------------===//

double AMDGPUScheduleCost::getNeighbours() const {
  return std::max(1.0, std::min<double>(resident, rounds));
}

double AMDGPUScheduleCost::getKTile() const {
  return std::max(
      {matrix, vector, shared, load, l2, infinity, chain / getNeighbours()});
}

/// Instructions of one wave.
static double getNumMmas(ScheduleAttr schedule) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  return double(schedule.getWaveM() / info.m) * (schedule.getWaveN() / info.n) *
         (schedule.getTileK() / info.k);
}

/// Cycles of one wave on its SIMD.
double AMDGPUCostModel::getMatrix(ScheduleAttr schedule) const {
  const MmaCycles &cycles = rates.lookupCycles(schedule.getInstr());
  bool isNarrow = getBytes(operands.lhs.multiplied) < 1 &&
                  getBytes(operands.rhs.multiplied) < 1;
  return getNumMmas(schedule) * (isNarrow ? cycles.narrow : cycles.wide);
}

/// The same: a few instructions for each element that is converted, one for
/// each of the sums that a block of scales ends, and another where its factor
/// is none of its row alone.
double AMDGPUCostModel::getVector(ScheduleAttr schedule) const {
  double instructions = getNumMmas(schedule), lanes = machine.waveSize;
  for (const Side &side : getSides(schedule, operands))
    if (side.operand.multiplied != side.operand.stored)
      instructions +=
          kConversionInstructions * side.waveRows * schedule.getTileK() / lanes;
  if (int64_t block = operands.getShortestPromotedBlock(schedule.getInstr())) {
    double perSum = 1;
    if (operands.rhs.scales && operands.rhs.outerBlock == 1)
      ++perSum;
    double sums = schedule.getWaveM() * schedule.getWaveN() / lanes;
    instructions +=
        perSum * sums * llvm::divideCeil(schedule.getTileK(), block);
  }
  return instructions * kIssueCycles;
}

double AMDGPUCostModel::getSharedWrites(ScheduleAttr schedule) const {
  double bytes = 0;
  for (const Side &side : getSides(schedule, operands))
    if (side.home == Home::Shared)
      bytes += side.rows * schedule.getTileK() * getBytes(side.operand.stored);
  return bytes / rates.sharedWriteBytes;
}

double AMDGPUCostModel::getSharedReads(ScheduleAttr schedule) const {
  double bytes = 0;
  for (const Side &side : getSides(schedule, operands))
    if (side.home == Home::Shared)
      bytes += side.rows * side.waves * schedule.getTileK() *
               getBytes(side.operand.stored);
  return bytes / (machine.sharedBanks * kBankBytes);
}

/// What the caches give of a row of a K tile for each byte of it: lines.
double AMDGPUCostModel::getLines(const MmaOperand &operand, int64_t k) const {
  return shape.k <= k
             ? 1
             : std::max(1.0, kLineBytes / k / getBytes(operand.stored));
}

/// Registers take rows in pieces of half a line, each wave on its own.
double AMDGPUCostModel::getLoads(ScheduleAttr schedule) const {
  double bytes = 0;
  int64_t k = schedule.getTileK();
  for (const Side &side : getSides(schedule, operands))
    bytes += getRowBytes(side, side.rows, k) *
             (side.home == Home::Shared ? getLines(side.operand, k)
                                        : kLinesOfPiece * side.waves);
  return bytes;
}

double AMDGPUCostModel::getL2Bytes(ScheduleAttr schedule) const {
  double bytes = 0;
  int64_t k = schedule.getTileK();
  for (const Side &side : getSides(schedule, operands))
    bytes += getRowBytes(side, side.rows, k) * getLines(side.operand, k);
  return bytes;
}

const RunningTiles &
AMDGPUCostModel::countRunningTiles(ScheduleAttr schedule,
                                   const WorkgroupOrder &order) const {
  // Only with stream-K do workgroups begin at different K tiles.
  auto [place, isNew] =
      runningTiles.try_emplace({schedule.getTileM(), schedule.getTileN(),
                                isStreamK(schedule) ? schedule.getTileK() : 0,
                                schedule.getRaster(), schedule.getSplitK()});
  if (isNew)
    place->second = order.countRunningTiles();
  return place->second;
}

/// For `k` elements of each workgroup that runs. What those of a die have in
/// common it reads once, as long as its L2 cache has room for what is in use
/// and comes next.
double AMDGPUCostModel::getInfinityBytes(ScheduleAttr schedule,
                                         const WorkgroupOrder &order,
                                         int64_t k) const {
  auto sides = getSides(schedule, operands);
  auto getBytesOf = [&](double lhsTiles, double rhsTiles, int64_t length) {
    return lhsTiles * getRowBytes(sides[0], sides[0].rows, length) +
           rhsTiles * getRowBytes(sides[1], sides[1].rows, length);
  };
  const RunningTiles &running = countRunningTiles(schedule, order);
  double inUse =
      getBytesOf(running.rows, running.columns, schedule.getTileK()) /
      std::min(rates.dies, running.workgroups);
  if (kKTilesOfL2 * inUse <= rates.l2Size)
    return getBytesOf(running.rows, running.columns, k);
  return getBytesOf(running.workgroups, running.workgroups, k);
}

double AMDGPUCostModel::getWavesOfSIMD(ScheduleAttr schedule) const {
  return llvm::divideCeil(schedule.getNumWaves(), machine.numSIMDs);
}

/// Reads and products, one after the other in each wave. Those of the same SIMD
/// are served in turn: the first one multiplies while the others still read.
double AMDGPUCostModel::getMultiply(ScheduleAttr schedule) const {
  double product = std::max(getMatrix(schedule), getVector(schedule));
  double reads = getSharedReads(schedule);
  double waves = getWavesOfSIMD(schedule);
  double latency = reads == 0 ? 0 : rates.sharedLatency;
  return latency + std::max(reads + product, reads / waves + waves * product);
}

/// One half of the waves reads while the other one multiplies a part of their
/// tiles, and the other way round. Of the four parts the first one needs a part
/// of both sides, the next two one of them, and the last one none.
double AMDGPUCostModel::getPingPong(ScheduleAttr schedule) const {
  int64_t parts = schedule.getParts() * schedule.getParts();
  double product = getWavesOfSIMD(schedule) / 2.0 * getMatrix(schedule) / parts;
  double reads[2];
  for (auto [read, side] : llvm::zip_equal(reads, getSides(schedule, operands)))
    read = side.rows * side.waves * schedule.getTileK() *
           getBytes(side.operand.stored) / 2 / schedule.getParts() /
           (machine.sharedBanks * kBankBytes);
  double cycles = 0;
  for (double read : {reads[0] + reads[1], reads[1], reads[0]})
    cycles += std::max(product, read + rates.sharedLatency +
                                    kTurnInstructions * kIssueCycles);
  return 2 * (cycles + product);
}

/// With a single stage a K tile is loaded, stored, read and multiplied one
/// after the other. With more, loads are under way while others are read and
/// multiplied.
double AMDGPUCostModel::getChain(ScheduleAttr schedule,
                                 const AMDGPUScheduleCost &cost) const {
  double multiply = getMultiply(schedule);
  double store = getSharedWrites(schedule);
  if (schedule.getStages() == 1)
    return rates.loadLatency + cost.load + store + multiply;
  // Stored as it arrives.
  double arrival = rates.loadLatency + std::max(cost.load, store);
  if (schedule.getStrategy() == Strategy::PingPong)
    return std::max(arrival, getPingPong(schedule));
  return std::max(arrival / (schedule.getStages() - 1), multiply + store);
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

int64_t AMDGPUCostModel::getResident(ScheduleAttr schedule) const {
  // No more are launched than there are compute units.
  if (schedule.getPersistent())
    return 1;
  int64_t registers = llvm::alignTo(
      getNeededRegisters(schedule, operands, machine), machine.vectorGranule);
  int64_t waves =
      std::min(machine.maxWaves, machine.vectorRegisters / registers);
  int64_t resident = waves * machine.numSIMDs / schedule.getNumWaves();
  if (int64_t shared = getUsedSharedBytes(schedule, operands, machine))
    resident = std::min(resident, machine.sharedMemoryBytes / shared);
  return std::max<int64_t>(resident, 1);
}

/// Each is read or written once, if the cache that all dies share holds what is
/// read again. Else tiles of the result that are gone through together read rhs
/// once for all rows that they have, and with stream-K, where they are all over
/// the result, each reads its own.
double AMDGPUCostModel::getMemory(ScheduleAttr schedule,
                                  const WorkgroupOrder &order) const {
  double lhs = double(shape.m) * shape.k * getBytes(operands.lhs.stored);
  double rhs = double(shape.n) * shape.k * getBytes(operands.rhs.stored);
  double result = double(shape.m) * shape.n * getResultBytes();
  if (lhs + rhs > rates.infinitySize) {
    double bands = llvm::divideCeil(
        order.getTilesM(), countRunningTiles(schedule, order).chipRows);
    if (isStreamK(schedule)) {
      lhs *= order.getTilesN();
      rhs *= order.getTilesM();
    } else if (rhs + lhs / bands > rates.infinitySize) {
      rhs *= bands;
    }
  }
  return shape.batch * (lhs + rhs + result) / rates.memoryBytes;
}

/// On the way of a tile of the result to the caches. An instruction stores a
/// part of each row that it has, or whole rows behind shared memory, where
/// waves wait for what they write and for what they read, in each turn.
double AMDGPUCostModel::getResultStores(ScheduleAttr schedule) const {
  double bytes =
      double(schedule.getTileM()) * schedule.getTileN() * getResultBytes();
  bool isStaged = schedule.getEpilogue() == ResultPath::Staged;
  const LaneLayout &atom = getMmaInfo(schedule.getInstr()).result.c;
  int64_t columns = isStaged
                        ? schedule.getTileN() / schedule.getParts()
                        : atom.chunkLen * machine.waveSize / atom.outerLanes;
  double stores = bytes *
                  std::max(1.0, kStoreBytes / (columns * getResultBytes())) /
                  rates.loadBytes;
  if (!isStaged)
    return stores;
  int64_t turns = getStageTurns(schedule, operands, machine, resultBits) *
                  schedule.getParts() * schedule.getParts();
  return stores + bytes / rates.sharedWriteBytes +
         bytes / (machine.sharedBanks * kBankBytes) +
         2.0 * turns * rates.sharedLatency;
}

double AMDGPUCostModel::getEpilogue(ScheduleAttr schedule) const {
  double elements = double(schedule.getTileM()) * schedule.getTileN();
  if (schedule.getSplitK() > 1)
    return elements * kSumBytes / rates.loadBytes;
  double simds = std::min(schedule.getNumWaves(), machine.numSIMDs);
  return elements / machine.waveSize * kEpilogueInstructions * kIssueCycles /
             simds +
         getResultStores(schedule);
}

/// Another kernel reads what each has of the sums, which no L2 cache of a die
/// keeps for the others.
double AMDGPUCostModel::getExchange(ScheduleAttr schedule,
                                    const WorkgroupOrder &order) const {
  if (schedule.getSplitK() == 1)
    return 0;
  double elements = double(shape.m) * shape.n * shape.batch;
  double sums = kSumBytes * elements * schedule.getSplitK();
  if (isStreamK(schedule))
    sums = kSumBytes * schedule.getTileM() * schedule.getTileN() *
           order.getStreamShares().parts;
  double rate = sums > rates.infinitySize
                    ? std::min(rates.memoryBytes, rates.infinityBytes)
                    : rates.infinityBytes;
  return rates.launchCycles + 2.0 * rates.loadLatency +
         (sums + elements * getResultBytes()) / rate;
}

/// A new workgroup waits for its arguments, and finds its place and addresses.
/// A persistent one has them.
double AMDGPUCostModel::getTurn(ScheduleAttr schedule,
                                const AMDGPUScheduleCost &cost) const {
  double raster = schedule.getRaster() == 1 ? 0 : kRasterInstructions;
  if (schedule.getPersistent())
    return kIssueCycles * raster;
  return (rates.startCycles + kIssueCycles * (kPlaceInstructions + raster)) /
         cost.getNeighbours();
}

double AMDGPUCostModel::getTraffic(ScheduleAttr schedule) const {
  WorkgroupOrder order(shape, schedule, machine);
  double rounds =
      llvm::divideCeil(order.getNumWorkgroups(), rates.computeUnits);
  int64_t k = llvm::divideCeil(shape.k, schedule.getSplitK());
  double raster = schedule.getRaster() == 1 ? 0 : kRasterInstructions;
  return rounds * (getInfinityBytes(schedule, order, k) / rates.infinityBytes +
                   raster * kIssueCycles) +
         getMemory(schedule, order);
}

void AMDGPUCostModel::estimateGrid(ScheduleAttr schedule,
                                   const WorkgroupOrder &order,
                                   AMDGPUScheduleCost &cost) const {
  cost.resident = getResident(schedule);
  if (isStreamK(schedule)) {
    StreamShares shares = order.getStreamShares();
    cost.tiles = shares.parts;
    cost.rounds = double(shares.each) / order.getKTiles();
    cost.kTiles = shares.each;
    cost.begun = shares.tiles;
    return;
  }
  cost.tiles = order.getNumTiles() * schedule.getSplitK();
  double rounds = double(cost.tiles) / rates.computeUnits;
  cost.rounds =
      std::max(1.0, shape.hasDynamicGrid ? rounds : std::ceil(rounds));
  cost.kTiles =
      cost.rounds * llvm::divideCeil(order.getKTiles(), schedule.getSplitK());
  cost.begun = cost.rounds;
}

void AMDGPUCostModel::estimateKTile(ScheduleAttr schedule,
                                    const WorkgroupOrder &order,
                                    AMDGPUScheduleCost &cost) const {
  // The waves of all that a compute unit holds fill its SIMDs.
  double perSIMD = double(schedule.getNumWaves()) / machine.numSIMDs;
  cost.matrix = perSIMD * getMatrix(schedule);
  cost.vector = perSIMD * getVector(schedule);
  cost.shared = getSharedWrites(schedule) + getSharedReads(schedule);
  cost.load = getLoads(schedule) / rates.loadBytes;
  double active =
      std::min<double>(order.getNumWorkgroups(), rates.computeUnits);
  cost.l2 =
      std::ceil(active / rates.dies) * getL2Bytes(schedule) / rates.l2Bytes;
  cost.infinityBytes = getInfinityBytes(schedule, order, schedule.getTileK());
  cost.infinity = cost.infinityBytes / rates.infinityBytes;
  cost.chain = getChain(schedule, cost);
}

AMDGPUScheduleCost AMDGPUCostModel::estimate(ScheduleAttr schedule) const {
  AMDGPUScheduleCost cost = {};
  WorkgroupOrder order(shape, schedule, machine);
  estimateGrid(schedule, order, cost);
  estimateKTile(schedule, order, cost);
  cost.turn = getTurn(schedule, cost);
  cost.epilogue = getEpilogue(schedule);
  // Nothing but another workgroup hides the first load.
  double start = rates.loadLatency / cost.getNeighbours();
  double loop = schedule.getPersistent() ? kPersistentLoop : 1;
  cost.work = cost.begun * (start + cost.epilogue) +
              (cost.begun - 1) * cost.turn +
              cost.kTiles * loop * cost.getKTile();
  cost.exchange = getExchange(schedule, order);
  cost.memory = getMemory(schedule, order);
  return cost;
}
