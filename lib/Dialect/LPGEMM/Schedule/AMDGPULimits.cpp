//===- AMDGPULimits.cpp - what an AMD GPU allows of a schedule ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDGPULimits.h"

#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "lpgemm/Dialect/LPGEMM/Utils/CopyPlan.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelInterface.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Addresses and what the back end keeps for a while: so many registers, and,
// where tiles come through registers, one for so many of the tiles. Kernels of
// chosen schedules were seen to spill nothing with that.
static constexpr int64_t kOtherRegisters = 24, kTilesPerOther = 8;
// What persistent workgroups keep from tile to tile, with two stages and with
// more slots, whose loops have more addresses. A wave has 256 registers without
// accumulation registers: with those loops of persistent workgroups were seen
// to move many values, or to spill.
static constexpr int64_t kPersistentRegisters = 28,
                         kPersistentSlotRegisters = 76, kPlainRegisters = 256;
// Of the sums of a block that one instruction makes, so many are waited for.
static constexpr int64_t kSumsPerPartial = 4;
// Sums of a lane: at most, with promotion, and with promotion in other waves
// than 2 x 2.
static constexpr int64_t kMaxSums = 128, kMaxPromotedSums = 64, kFewSums = 16;
// Columns with scales of their own.
static constexpr int64_t kMaxScaleColumns = 16;

//===----------------------------------------------------------------------===//
// What a schedule takes
//===----------------------------------------------------------------------===//

static int64_t getBits(Type type) { return type.getIntOrFloatBitWidth(); }

/// Of the buffers of both sides, one slot each.
static std::pair<int64_t, int64_t> getSlotBytes(ScheduleAttr schedule,
                                                const MmaOperands &operands) {
  auto bytes = [&](Home home, int64_t rows, Type stored) -> int64_t {
    if (home != Home::Shared)
      return 0;
    return rows * schedule.getTileK() * getBits(stored) / 8;
  };
  HomesAttr home = schedule.getHome();
  return {bytes(home.getA(), schedule.getTileM(), operands.lhs.stored),
          bytes(home.getB(), schedule.getTileN(), operands.rhs.stored)};
}

int64_t lpgemm::getSharedBytes(ScheduleAttr schedule,
                               const MmaOperands &operands) {
  int64_t slots = schedule.copiesDirectly() ? schedule.getStages() : 1;
  auto [lhs, rhs] = getSlotBytes(schedule, operands);
  return slots * (lhs + rhs);
}

int64_t lpgemm::getUsedSharedBytes(ScheduleAttr schedule,
                                   const MmaOperands &operands,
                                   const AMDGPUMachine &machine) {
  int64_t bytes = getSharedBytes(schedule, operands);
  bool hasTwoSlots = schedule.getStages() == 2 && !schedule.copiesDirectly() &&
                     2 * bytes <= machine.sharedMemoryBytes;
  return hasTwoSlots ? 2 * bytes : bytes;
}

/// Of the larger buffer with all its slots, but for those that are copied to,
/// which are buffers of their own. Each part of a side has one.
static int64_t getStageRoom(ScheduleAttr schedule, const MmaOperands &operands,
                            const AMDGPUMachine &machine) {
  auto [lhs, rhs] = getSlotBytes(schedule, operands);
  if (lhs + rhs == 0)
    return 0;
  int64_t slots =
      schedule.copiesDirectly()
          ? 1
          : getUsedSharedBytes(schedule, operands, machine) / (lhs + rhs);
  return slots * std::max(lhs, rhs) / schedule.getParts();
}

/// Bits of a row of the part of each wave.
static int64_t getStageRowBits(ScheduleAttr schedule, int64_t resultBits) {
  return schedule.getWaves()[0] * schedule.getTileN() / schedule.getParts() *
         resultBits;
}

int64_t lpgemm::getStageTurns(ScheduleAttr schedule,
                              const MmaOperands &operands,
                              const AMDGPUMachine &machine,
                              int64_t resultBits) {
  int64_t room = getStageRoom(schedule, operands, machine);
  int64_t waveRows = schedule.getWaveM() / schedule.getParts();
  int64_t rows = getStageRows(waveRows, getMmaInfo(schedule.getInstr()).m,
                              getStageRowBits(schedule, resultBits), room);
  return rows == 0 ? 0 : waveRows / rows;
}

int64_t lpgemm::getResultBlock(MatmulOp op) {
  std::optional<ScaleAttr> kind = op.getInitScaleKind();
  return ProductInterface(op).getSumsPerResult() *
         (kind ? kind->getKBlock() : 1);
}

int64_t lpgemm::getResultBits(MatmulOp op) {
  ProductInterface product = op;
  return getBits(product.getInitElementType()) / product.getSumsPerResult();
}

int64_t lpgemm::getTileRegisters(ScheduleAttr schedule,
                                 const MmaOperands &operands,
                                 const AMDGPUMachine &machine) {
  int64_t m = schedule.getWaveM(), n = schedule.getWaveN(),
          k = schedule.getTileK();
  // With parts, one of lhs and both of rhs are in registers.
  int64_t tileBits =
      m * n * 32 +
      m / schedule.getParts() * k * getBits(operands.lhs.multiplied) +
      n * k * getBits(operands.rhs.multiplied);
  if (schedule.getStages() == 2 && !schedule.copiesDirectly()) {
    // The next K tile: all threads share what goes through shared memory.
    auto add = [&](Home home, int64_t shared, int64_t own, Type type) {
      tileBits +=
          k * getBits(type) *
          (home == Home::Shared ? shared / schedule.getNumWaves() : own);
    };
    add(schedule.getHome().getA(), schedule.getTileM(), m, operands.lhs.stored);
    add(schedule.getHome().getB(), schedule.getTileN(), n, operands.rhs.stored);
  }
  return llvm::divideCeil(tileBits, 32 * machine.waveSize);
}

/// Scales that the instruction takes, of a K tile and of the next one. Words
/// have those of two rows of instructions in two steps of K. In layout amd32x8
/// they are loaded so, in others byte by byte.
static int64_t getScaleRegisters(ScheduleAttr schedule, const MmaOperand &side,
                                 int64_t rows, int64_t length) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  Value scales = side.scales;
  if (!scales ||
      !appliesScales(info.instr, side.kBlock, getElementTypeOrSelf(scales)))
    return 0;
  int64_t atoms = rows / length;
  int64_t tiles = schedule.getTileK() / info.k;
  int64_t words = llvm::divideCeil(atoms, 2) * llvm::divideCeil(tiles, 2);
  return words +
         (side.scaleLayout == ScaleLayout::AMD32x8 ? words : atoms * tiles);
}

/// Of the scales of a side that are multiplied with the sums of their block:
/// those of the columns or rows that a lane has, in a K tile.
static int64_t countLaneScales(ScheduleAttr schedule, const MmaOperand &side,
                               int64_t rows, int64_t length, int64_t ofAtom) {
  if (!side.scales || appliesScales(schedule.getInstr(), side.kBlock,
                                    getElementTypeOrSelf(side.scales)))
    return 0;
  int64_t ofLane = std::min<int64_t>(rows / length * ofAtom,
                                     llvm::divideCeil(rows, side.outerBlock));
  return ofLane * std::max<int64_t>(schedule.getTileK() / side.kBlock, 1);
}

/// All of a K tile are loaded before its products. Where each is a power of
/// two, it becomes an exponent and a factor, which is 1 or NaN.
static int64_t getSumScaleRegisters(ScheduleAttr schedule,
                                    const MmaOperands &operands) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  auto isPowerOfTwo = [](const MmaOperand &side) {
    return !side.scales ||
           isa<Float8E8M0FNUType>(getElementTypeOrSelf(side.scales));
  };
  int64_t scales = countLaneScales(schedule, operands.lhs, schedule.getWaveM(),
                                   info.m, info.result.row.numElements()) +
                   countLaneScales(schedule, operands.rhs, schedule.getWaveN(),
                                   info.n, info.result.col.numElements());
  return isPowerOfTwo(operands.lhs) && isPowerOfTwo(operands.rhs) ? 2 * scales
                                                                  : scales;
}

int64_t lpgemm::getNeededRegisters(ScheduleAttr schedule,
                                   const MmaOperands &operands,
                                   const AMDGPUMachine &machine) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  int64_t tiles = getTileRegisters(schedule, operands, machine);
  int64_t scales =
      getScaleRegisters(schedule, operands.lhs, schedule.getWaveM(), info.m) +
      getScaleRegisters(schedule, operands.rhs, schedule.getWaveN(), info.n);
  int64_t registers = tiles + kOtherRegisters;
  // What points to scales stays in registers where tiles do not pass them.
  registers +=
      schedule.copiesDirectly() ? 2 * scales : scales + tiles / kTilesPerOther;
  int64_t block = operands.getShortestPromotedBlock(info.instr);
  int64_t sums = schedule.getWaveM() * schedule.getWaveN() / machine.waveSize;
  // One instruction has all of a block: its sums are promoted one by one.
  if (block != 0)
    registers += block > info.k ? sums : sums / kSumsPerPartial;
  if (schedule.getPersistent())
    registers += schedule.getStages() > 2 ? kPersistentSlotRegisters
                                          : kPersistentRegisters;
  return registers;
}

/// Where the sums of each block of K are multiplied by scales of their own,
/// what the back end needs for those grows with the tile of a wave in ways that
/// no count here follows. Low tiles, and those of 64 x 64 in workgroups of 2 x
/// 2 waves, were seen to spill nothing, unless a lane has scales of many
/// columns.
static bool fitsPromotion(ScheduleAttr schedule, const MmaOperands &operands,
                          int64_t sums) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  int64_t columns =
      schedule.getWaveN() / info.n * info.result.col.numElements();
  if (operands.rhs.scales && operands.rhs.outerBlock == 1 &&
      columns > kMaxScaleColumns)
    return false;
  bool isSquare = llvm::equal(schedule.getWaves(), ArrayRef<int64_t>{2, 2});
  return sums <= kFewSums || (isSquare && sums <= kMaxPromotedSums);
}

/// An engine copies from rows of K to shared memory.
static bool isCopiedByRows(const MmaOperand &side, Home home) {
  return home == Home::Shared && !side.isKFirst;
}

/// What all threads of a workgroup copy at once.
static int64_t getRoundBytes(ScheduleAttr schedule,
                             const AMDGPUMachine &machine) {
  return schedule.getNumWaves() * machine.waveSize * machine.directPieceBytes;
}

/// Each wave issues as many loads of pieces as the others, and these are rows
/// of the operand as it is stored.
static bool isCopiedInRounds(ScheduleAttr schedule, const MmaOperand &side,
                             int64_t rows, const AMDGPUMachine &machine) {
  int64_t rowBytes = schedule.getTileK() * getBits(side.stored) / 8;
  int64_t round = getRoundBytes(schedule, machine);
  int64_t bytes = rows / schedule.getParts() * rowBytes;
  return rowBytes % machine.directPieceBytes == 0 && round % rowBytes == 0 &&
         bytes % round == 0;
}

static bool hasDirectCopies(const AMDGPUMachine &machine) {
  return machine.directPieceBytes == 16;
}

static bool areDirectCopiesLegal(ScheduleAttr schedule,
                                 const MmaOperands &operands,
                                 const AMDGPUMachine &machine) {
  HomesAttr home = schedule.getHome();
  return hasDirectCopies(machine) &&
         isCopiedByRows(operands.lhs, home.getA()) &&
         isCopiedByRows(operands.rhs, home.getB()) &&
         isCopiedInRounds(schedule, operands.lhs, schedule.getTileM(),
                          machine) &&
         isCopiedInRounds(schedule, operands.rhs, schedule.getTileN(), machine);
}

static bool hasTurns(ScheduleAttr schedule, const AMDGPUMachine &machine) {
  return schedule.getNumWaves() % (2 * machine.numSIMDs) == 0 &&
         schedule.getStages() == 2;
}

static bool isPartsLegal(ScheduleAttr schedule, const MmaOperands &operands,
                         const AMDGPUMachine &machine) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  int64_t parts = schedule.getParts();
  return hasTurns(schedule, machine) &&
         schedule.getWaveM() % (parts * info.m) == 0 &&
         schedule.getWaveN() % (parts * info.n) == 0 &&
         operands.lhs.stored == operands.lhs.multiplied &&
         operands.rhs.stored == operands.rhs.multiplied &&
         !operands.getShortestPromotedBlock(schedule.getInstr());
}

bool lpgemm::fits(ScheduleAttr schedule, const MmaOperands &operands,
                  const AMDGPUMachine &machine) {
  if (schedule.copiesDirectly() &&
      !areDirectCopiesLegal(schedule, operands, machine))
    return false;
  if (schedule.getStrategy() == Strategy::PingPong &&
      !isPartsLegal(schedule, operands, machine))
    return false;
  int64_t sums = schedule.getWaveM() * schedule.getWaveN() / machine.waveSize;
  int64_t registers = getRegisterLimit(schedule, machine);
  if (schedule.getPersistent())
    registers = std::min(registers, kPlainRegisters);
  return getSharedBytes(schedule, operands) <= machine.sharedMemoryBytes &&
         sums <= kMaxSums &&
         (!operands.getShortestPromotedBlock(schedule.getInstr()) ||
          fitsPromotion(schedule, operands, sums)) &&
         getNeededRegisters(schedule, operands, machine) <= registers;
}

int64_t lpgemm::getRegisterLimit(ScheduleAttr schedule,
                                 const AMDGPUMachine &machine) {
  int64_t wavesOfSIMD =
      llvm::divideCeil(schedule.getNumWaves(), machine.numSIMDs);
  return machine.vectorRegisters / wavesOfSIMD;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// The checks of one schedule.
class Verifier {
public:
  Verifier(MatmulOp op, ScheduleAttr schedule, const MmaOperands &operands,
           const AMDGPUMachine &machine, StringRef chip)
      : op(op), schedule(schedule), operands(operands), machine(machine),
        chip(chip) {}

  LogicalResult verifyPersistent();
  LogicalResult verifyDirectCopies();
  LogicalResult verifyDirectCopies(const MmaOperand &side, Home home,
                                   int64_t rows);
  LogicalResult verifyParts();
  LogicalResult verifyBlocks();
  LogicalResult verifyResultPath();
  LogicalResult verifyResources();
  LogicalResult verifyRegisters();

private:
  InFlightDiagnostic emitError() { return op.emitOpError() << "schedule: "; }

  MatmulOp op;
  ScheduleAttr schedule;
  const MmaOperands &operands;
  const AMDGPUMachine &machine;
  StringRef chip;
};
} // namespace

/// Tiles of what adds the parts of a tile are in it.
LogicalResult Verifier::verifyPersistent() {
  if (!schedule.getPersistent())
    return success();
  if (cast<ShapedType>(op.getInit().getType()).getRank() > 2)
    return emitError() << "expects persistent = false for a batch, but got "
                          "true";
  if (!isStreamK(schedule))
    return success();
  if (schedule.getRaster() != 1)
    return emitError() << "expects raster = 1 with persistent = true and "
                          "split_k = "
                       << schedule.getSplitK() << ", but got "
                       << schedule.getRaster();
  return verifyMultiple(op, "the N of the tile", schedule.getTileN(),
                        getSumSchedule(schedule).getTileN(),
                        "that of what adds the parts of a persistent kernel");
}

LogicalResult Verifier::verifyDirectCopies(const MmaOperand &side, Home home,
                                           int64_t rows) {
  if (!isCopiedByRows(side, home))
    return emitError() << "expects operands with K in the last dimension, and "
                          "home = shared for them, in copies to "
                       << schedule.getStages() << " slots";
  if (isCopiedInRounds(schedule, side, rows, machine))
    return success();
  return emitError() << "expects a multiple of "
                     << getRoundBytes(schedule, machine)
                     << " bytes in each copy to shared memory, of whole rows "
                        "that divide it, but got "
                     << rows / schedule.getParts() << " rows of "
                     << schedule.getTileK() * getBits(side.stored) / 8
                     << " bytes";
}

LogicalResult Verifier::verifyDirectCopies() {
  if (!schedule.copiesDirectly())
    return success();
  if (!hasDirectCopies(machine))
    return emitError()
           << "expects at most 2 stages, and strategy = together, on " << chip
           << ", which does not load 16 bytes to shared "
           << "memory, but got " << schedule.getStages() << " and "
           << stringifyStrategy(schedule.getStrategy());
  HomesAttr home = schedule.getHome();
  if (failed(
          verifyDirectCopies(operands.lhs, home.getA(), schedule.getTileM())))
    return failure();
  return verifyDirectCopies(operands.rhs, home.getB(), schedule.getTileN());
}

/// Both halves of the waves take turns in the parts of the tile.
LogicalResult Verifier::verifyParts() {
  if (schedule.getStrategy() != Strategy::PingPong)
    return success();
  if (!hasTurns(schedule, machine))
    return emitError() << "expects 2 stages and a multiple of "
                       << 2 * machine.numSIMDs
                       << " waves with strategy ping_pong, but got "
                       << schedule.getStages() << " and "
                       << schedule.getNumWaves();
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    if (side->stored != side->multiplied)
      return emitError() << "expects operands that the instruction multiplies "
                            "as they are with strategy ping_pong, but got "
                         << side->stored << ", multiplied as "
                         << side->multiplied;
  if (operands.getShortestPromotedBlock(schedule.getInstr()))
    return emitError() << "expects scales along K that the instruction takes, "
                          "or none, with strategy ping_pong";
  return success();
}

bool lpgemm::needsWholeSums(MatmulOp op) {
  return op.getInitScale() || op.getPairs();
}

/// A wave finds the scales of its own part of the result.
LogicalResult Verifier::verifyBlocks() {
  if (schedule.getSplitK() > 1 && needsWholeSums(op))
    return emitError() << "expects split_k = 1 with "
                       << (op.getPairs() ? "an epilogue of pairs"
                                         : "scale_outs")
                       << ", but got " << schedule.getSplitK();
  if (!op.getInitScale())
    return success();
  return verifyMultiple(op, "the N of a wave", schedule.getWaveN(),
                        schedule.getParts() * getResultBlock(op),
                        schedule.getParts() == 1 && !op.getPairs()
                            ? "the block of scale_outs"
                            : "whole blocks of scale_outs");
}

/// Rows of the result fit a buffer of the K tiles. Parts of sums are stored as
/// they are.
LogicalResult Verifier::verifyResultPath() {
  if (schedule.getEpilogue() == ResultPath::Direct)
    return success();
  if (schedule.getSplitK() > 1)
    return emitError() << "expects epilogue = direct with split_k = "
                       << schedule.getSplitK() << ", but got staged";
  int64_t bits = getResultBits(op);
  if (getStageTurns(schedule, operands, machine, bits))
    return success();
  int64_t rows = getMmaInfo(schedule.getInstr()).m;
  return emitError() << "expects a buffer of a side's K tile of at least "
                     << rows * getStageRowBits(schedule, bits) / 8
                     << " bytes, for a row of instructions of the result, with "
                        "epilogue = staged, but got "
                     << getStageRoom(schedule, operands, machine);
}

/// Threads and shared memory fit.
LogicalResult Verifier::verifyResources() {
  int64_t threads = schedule.getNumWaves() * machine.waveSize;
  if (threads > machine.maxWorkgroupSize)
    return emitError() << "expects at most " << machine.maxWorkgroupSize
                       << " threads in a workgroup of " << chip << ", but got "
                       << threads;
  int64_t shared = getSharedBytes(schedule, operands);
  if (shared > machine.sharedMemoryBytes)
    return emitError() << "expects at most " << machine.sharedMemoryBytes
                       << " bytes of shared memory in a workgroup of " << chip
                       << ", but got " << shared;
  return success();
}

/// The accumulator, the operands of one K tile and what their sums are
/// multiplied by fit the registers of a wave. Beyond that the back end would
/// spill them, or take minutes.
LogicalResult Verifier::verifyRegisters() {
  int64_t scales = getSumScaleRegisters(schedule, operands);
  int64_t needed = getTileRegisters(schedule, operands, machine) + scales;
  int64_t limit = getRegisterLimit(schedule, machine);
  if (needed <= limit)
    return success();
  InFlightDiagnostic error =
      emitError() << "expects the tiles of a wave "
                  << (scales ? "and the scales of its sums " : "")
                  << "to take at most " << limit << " registers with "
                  << schedule.getNumWaves() << " waves on " << chip
                  << ", but they take " << needed;
  if (scales)
    error << ", " << scales << " of them for the scales of "
          << schedule.getTileK() << " elements of K";
  return error;
}

LogicalResult lpgemm::verifyAMDGPUSchedule(MatmulOp op, ScheduleAttr schedule,
                                           const MmaOperands &operands,
                                           const AMDGPUMachine &machine,
                                           StringRef chip) {
  Verifier verifier(op, schedule, operands, machine, chip);
  const FieldLimit limits[] = {{"unroll", schedule.getUnroll(), 1},
                               {"stages", schedule.getStages(), 4}};
  if (failed(verifyEqualWaves(op, schedule, chip, limits)) ||
      failed(verifyWholeInstructions(op, schedule)) ||
      failed(verifier.verifyPersistent()) ||
      failed(verifier.verifyDirectCopies()) || failed(verifier.verifyParts()) ||
      failed(verifier.verifyBlocks()) || failed(verifier.verifyResultPath()) ||
      failed(verifier.verifyResources()))
    return failure();
  return verifier.verifyRegisters();
}
