//===- WarpScheduler.cpp - schedules of mma.sync --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::lpgemm;

// A ring of three slots: two K tiles are on their way while one is multiplied.
static constexpr int64_t kStages = 3;
static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();
// Addresses, counters of the loops.
static constexpr int64_t kOtherRegisters = 40;

namespace {
class WarpScheduler : public Scheduler {
public:
  explicit WarpScheduler(const TargetRecord &record)
      : Scheduler(record), machine(*record.nvidia) {}

protected:
  ScheduleAttr choose(MatmulOp op, MmaInstr instr,
                      const MmaOperands &operands) const override;
  LogicalResult verify(MatmulOp op, ScheduleAttr schedule,
                       const MmaOperands &operands) const override;
  void explain(MatmulOp op, ScheduleAttr schedule,
               const MmaOperands &operands) const override;

private:
  int64_t countRegisters(MatmulOp op, ScheduleAttr schedule,
                         const MmaOperands &operands) const;
  int64_t countPowers(ScheduleAttr schedule, const MmaOperands &operands) const;
  int64_t getRegisterLimit(ScheduleAttr schedule) const;
  int64_t getLongestSum(MatmulOp op, const MmaOperands &operands) const;
  LogicalResult verifySums(MatmulOp op, ScheduleAttr schedule,
                           const MmaOperands &operands) const;
  LogicalResult verifyHomes(MatmulOp op, ScheduleAttr schedule,
                            const MmaOperands &operands) const;
  LogicalResult verifyFixedFields(MatmulOp op, ScheduleAttr schedule) const;
  LogicalResult verifyThreads(MatmulOp op, ScheduleAttr schedule) const;
  LogicalResult verifyMemory(MatmulOp op, ScheduleAttr schedule,
                             const MmaOperands &operands) const;
  LogicalResult verifyRegisters(MatmulOp op, ScheduleAttr schedule,
                                const MmaOperands &operands) const;

  const NVIDIAMachine &machine;
};
} // namespace

std::unique_ptr<Scheduler>
lpgemm::createWarpScheduler(const TargetRecord &record) {
  return std::make_unique<WarpScheduler>(record);
}

/// (G-8) So many elements of K may stay in an accumulator.
int64_t WarpScheduler::getLongestSum(MatmulOp op,
                                     const MmaOperands &operands) const {
  int64_t longest = isFP8(operands.lhs.multiplied)
                        ? op.getPromoteK().value_or(machine.promoteK)
                        : 0;
  return longest == 0 ? kUnlimited : longest;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Of a thread, of the scales of a K tile: of each `atomRows` rows it has two.
static int64_t countScales(const MmaOperand &side, ScheduleAttr schedule,
                           int64_t rows, int64_t atomRows) {
  if (!side.scales)
    return 0;
  int64_t blocks = std::max<int64_t>(schedule.getTileK() / side.kBlock, 1);
  return blocks * 2 * rows / atomRows;
}

/// Bits of a wave for what is loaded of the next K tile: `rows` of its own, or
/// its part of the `tileRows` that all waves share.
static int64_t countNextBits(const MmaOperand &side, Home home,
                             ScheduleAttr schedule, int64_t rows,
                             int64_t tileRows) {
  int64_t rowBits = schedule.getTileK() * side.stored.getIntOrFloatBitWidth();
  if (schedule.getStages() > 1 && home == Home::Reg)
    return rows * rowBits;
  return schedule.getStages() == 2 && home == Home::Shared
             ? tileRows * rowBits / schedule.getNumWaves()
             : 0;
}

/// Sums, those of one K tile where they are promoted, and the operands and
/// scales of a K tile and of the next one.
int64_t WarpScheduler::countRegisters(MatmulOp op, ScheduleAttr schedule,
                                      const MmaOperands &operands) const {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  int64_t m = schedule.getWaveM(), n = schedule.getWaveN(),
          k = schedule.getTileK();
  bool isPromoted = operands.getShortestPromotedBlock(info.instr) != 0 ||
                    getLongestSum(op, operands) != kUnlimited;
  const MmaOperand &lhs = operands.lhs, &rhs = operands.rhs;
  HomesAttr home = schedule.getHome();
  int64_t bits =
      (isPromoted ? 2 : 1) * m * n * 32 +
      m * k * lhs.multiplied.getIntOrFloatBitWidth() +
      n * k * rhs.multiplied.getIntOrFloatBitWidth() +
      countNextBits(lhs, home.getA(), schedule, m, schedule.getTileM()) +
      countNextBits(rhs, home.getB(), schedule, n, schedule.getTileN());
  // Scales are loaded ahead.
  int64_t scales = countScales(lhs, schedule, m, info.m) +
                   countScales(rhs, schedule, n, info.n);
  return llvm::divideCeil(bits, 32 * machine.warpSize) +
         (schedule.getStages() > 1 ? 2 : 1) * scales + kOtherRegisters;
}

/// Each E8M0 scale becomes two powers of two, made of its exponent. A thread
/// may have these one after the other: it only spills fewer with room for all
/// three.
int64_t WarpScheduler::countPowers(ScheduleAttr schedule,
                                   const MmaOperands &operands) const {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  auto count = [&](const MmaOperand &side, int64_t rows, int64_t atomRows) {
    bool isPower = side.scales &&
                   isa<Float8E8M0FNUType>(getElementTypeOrSelf(side.scales));
    return isPower ? 3 * countScales(side, schedule, rows, atomRows) : 0;
  };
  return count(operands.lhs, schedule.getWaveM(), info.m) +
         count(operands.rhs, schedule.getWaveN(), info.n);
}

int64_t WarpScheduler::getRegisterLimit(ScheduleAttr schedule) const {
  return std::min(machine.threadRegisters,
                  machine.registers /
                      (schedule.getNumWaves() * machine.warpSize));
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Shared memory for both operands, but for one whose rows of `k` elements are
/// not whole pieces of 16 bytes.
static HomesAttr chooseHomes(MLIRContext *context, const MmaOperands &operands,
                             int64_t k) {
  auto getHome = [&](const MmaOperand &side) {
    int64_t rowBits = k * side.stored.getIntOrFloatBitWidth();
    return rowBits % 128 == 0 ? Home::Shared : Home::Reg;
  };
  return HomesAttr::get(context, getHome(operands.lhs), getHome(operands.rhs));
}

/// What a C or a region behind the sum needs across the K loop, where each row
/// and column has a scale of its own: nothing of that is left over there.
static int64_t countEpilogue(MatmulOp op, const MmaOperands &operands) {
  constexpr int64_t kRegisters = 8;
  ProductInterface product = op;
  bool isLarge =
      product.hasEpilogue() || (product.getC() && !product.hasZeroBeta());
  auto hasOwn = [](const MmaOperand &side) {
    return side.scales && side.outerBlock == 1;
  };
  return isLarge && hasOwn(operands.lhs) && hasOwn(operands.rhs) ? kRegisters
                                                                 : 0;
}

/// The record's default schedule, with fewer rows where these take too many
/// registers. A matrix with K first is transposed on its way through registers,
/// for which the second stage is.
ScheduleAttr WarpScheduler::choose(MatmulOp op, MmaInstr instr,
                                   const MmaOperands &operands) const {
  int64_t k = chooseTileK(operands, instr, machine.defaultRowBytes,
                          getLongestSum(op, operands));
  HomesAttr homes = chooseHomes(op.getContext(), operands, k);
  bool isCopied = homes.getA() == Home::Shared &&
                  homes.getB() == Home::Shared && !operands.lhs.isKFirst &&
                  !operands.rhs.isKFirst;
  auto getSchedule = [&](int64_t m) {
    return ScheduleAttr::get(op.getContext(), {m, machine.defaultTile[1], k},
                             machine.defaultWaves, instr, homes,
                             isCopied ? kStages : 2);
  };
  ScheduleAttr schedule = getSchedule(machine.defaultTile[0]);
  while (schedule.getWaveM() % (2 * getMmaInfo(instr).m) == 0 &&
         countRegisters(op, schedule, operands) +
                 countPowers(schedule, operands) + countEpilogue(op, operands) >
             getRegisterLimit(schedule))
    schedule = getSchedule(schedule.getTileM() / 2);
  return schedule;
}

void WarpScheduler::explain(MatmulOp op, ScheduleAttr schedule,
                            const MmaOperands &operands) const {
  op.emitRemark() << "schedule: taken: " << schedule << ": " << record.chip
                  << " has no model for "
                  << stringifyMmaInstr(schedule.getInstr());
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// (G-8) Sums leave the accumulator behind each K tile, or where a block of
/// scales ends in it.
LogicalResult WarpScheduler::verifySums(MatmulOp op, ScheduleAttr schedule,
                                        const MmaOperands &operands) const {
  int64_t longest = getLongestSum(op, operands), sum = schedule.getTileK();
  if (int64_t block = operands.getShortestPromotedBlock(schedule.getInstr()))
    sum = std::min(sum, block);
  if (sum <= longest)
    return success();
  return op.emitOpError() << "schedule: expects the K of the tile ("
                          << schedule.getTileK()
                          << ") to be at most promote_k (" << longest << ")";
}

/// Copies and matrix reads take 16 bytes of a row.
LogicalResult WarpScheduler::verifyHomes(MatmulOp op, ScheduleAttr schedule,
                                         const MmaOperands &operands) const {
  const std::tuple<StringRef, Home, const MmaOperand *> sides[] = {
      {"a", schedule.getHome().getA(), &operands.lhs},
      {"b", schedule.getHome().getB(), &operands.rhs}};
  for (auto [name, home, side] : sides) {
    int64_t bytes =
        schedule.getTileK() * side->stored.getIntOrFloatBitWidth() / 8;
    if (home == Home::Shared && bytes % 16 != 0)
      return op.emitOpError()
             << "schedule: expects rows of a multiple of 16 bytes with home "
             << name << " = shared, but got " << bytes;
  }
  return success();
}

/// Those that have one value, which no extent decides.
LogicalResult WarpScheduler::verifyFixedFields(MatmulOp op,
                                               ScheduleAttr schedule) const {
  struct {
    StringRef name, value, expected;
  } fields[] = {
      {"persistent", schedule.getPersistent() ? "true" : "false", "false"},
      {"strategy", stringifyStrategy(schedule.getStrategy()),
       stringifyStrategy(Strategy::Together)},
      {"epilogue", stringifyResultPath(schedule.getEpilogue()),
       stringifyResultPath(ResultPath::Direct)}};
  for (auto &[name, value, expected] : fields)
    if (value != expected)
      return op.emitOpError()
             << "schedule: expects " << name << " = " << expected << " on "
             << record.chip << ", but got " << value;
  return success();
}

LogicalResult WarpScheduler::verifyThreads(MatmulOp op,
                                           ScheduleAttr schedule) const {
  int64_t threads = schedule.getNumWaves() * machine.warpSize;
  if (threads <= machine.maxWorkgroupSize)
    return success();
  return op.emitOpError() << "schedule: expects at most "
                          << machine.maxWorkgroupSize
                          << " threads in a workgroup of " << record.chip
                          << ", but got " << threads;
}

LogicalResult WarpScheduler::verifyMemory(MatmulOp op, ScheduleAttr schedule,
                                          const MmaOperands &operands) const {
  int64_t slots = schedule.getStages() > 2 ? schedule.getStages() : 1;
  auto bytes = [&](Home home, int64_t rows, Type stored) -> int64_t {
    return home == Home::Shared ? slots * rows * schedule.getTileK() *
                                      stored.getIntOrFloatBitWidth() / 8
                                : 0;
  };
  int64_t shared = bytes(schedule.getHome().getA(), schedule.getTileM(),
                         operands.lhs.stored) +
                   bytes(schedule.getHome().getB(), schedule.getTileN(),
                         operands.rhs.stored);
  if (shared <= machine.sharedMemoryBytes)
    return success();
  return op.emitOpError() << "schedule: expects at most "
                          << machine.sharedMemoryBytes
                          << " bytes of shared memory in a workgroup of "
                          << record.chip << ", but got " << shared << " with "
                          << schedule.getStages() << " stages";
}

LogicalResult
WarpScheduler::verifyRegisters(MatmulOp op, ScheduleAttr schedule,
                               const MmaOperands &operands) const {
  int64_t needed = countRegisters(op, schedule, operands);
  int64_t limit = getRegisterLimit(schedule);
  if (needed <= limit)
    return success();
  return op.emitOpError() << "schedule: expects the tiles of a wave to take at "
                             "most "
                          << limit << " registers with "
                          << schedule.getNumWaves() << " waves on "
                          << record.chip << ", but they take " << needed;
}

LogicalResult WarpScheduler::verify(MatmulOp op, ScheduleAttr schedule,
                                    const MmaOperands &operands) const {
  const FieldLimit limits[] = {{"unroll", schedule.getUnroll(), 1},
                               {"split_k", schedule.getSplitK(), 1}};
  if (failed(verifyFixedFields(op, schedule)) ||
      failed(verifyEqualWaves(op, schedule, record.chip, limits)) ||
      failed(verifyWholeInstructions(op, schedule)) ||
      failed(verifySums(op, schedule, operands)) ||
      failed(verifyHomes(op, schedule, operands)) ||
      failed(verifyThreads(op, schedule)) ||
      failed(verifyMemory(op, schedule, operands)))
    return failure();
  return verifyRegisters(op, schedule, operands);
}
