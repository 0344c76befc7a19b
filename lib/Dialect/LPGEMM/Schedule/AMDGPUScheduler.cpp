//===- AMDGPUScheduler.cpp - schedules for AMD GPUs -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "mlir/IR/TypeUtilities.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
class AMDGPUScheduler : public Scheduler {
public:
  explicit AMDGPUScheduler(const TargetRecord &record)
      : Scheduler(record), machine(*record.amdgpu) {}

protected:
  ScheduleAttr choose(MatmulOp op, MmaInstr instr,
                      const MmaOperands &operands) const override;
  LogicalResult verify(MatmulOp op, ScheduleAttr schedule,
                       const MmaOperands &operands) const override;
  void explain(MatmulOp op, ScheduleAttr schedule,
               const MmaOperands &operands) const override;

private:
  LogicalResult verifyFields(MatmulOp op, ScheduleAttr schedule) const;
  LogicalResult verifyTile(MatmulOp op, ScheduleAttr schedule) const;
  LogicalResult verifyResources(MatmulOp op, ScheduleAttr schedule) const;
  LogicalResult verifyRegisters(MatmulOp op, ScheduleAttr schedule,
                                const MmaOperands &operands) const;

  const AMDGPUMachine &machine;
};
} // namespace

std::unique_ptr<Scheduler>
lpgemm::createAMDGPUScheduler(const TargetRecord &record) {
  return std::make_unique<AMDGPUScheduler>(record);
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// The K of a default tile: rows of at most 128 bytes, in shared memory and in
/// registers, and no block of scales cut off at its end. At most two blocks
/// that are promoted: partial sums and scales of more do not fit the registers.
static int64_t getDefaultTileK(const MmaOperands &operands, MmaInstr instr,
                               int64_t limit) {
  int64_t bits = 8;
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    for (Type type : {side->stored, side->multiplied})
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  limit = std::min(limit, 128 * 8 / bits);
  if (int64_t block = operands.getShortestPromotedBlock(instr))
    limit = std::min(limit, 2 * block);
  int64_t unit = getMmaInfo(instr).k;
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    if (side->scales && side->kBlock <= limit)
      unit = std::lcm(unit, side->kBlock);
  int64_t k = std::max(limit / unit, int64_t(1)) * unit;
  auto cutsBlock = [&](const MmaOperand &side) {
    return side.scales && side.kBlock > k && side.kBlock % k != 0;
  };
  while (k > unit && (cutsBlock(operands.lhs) || cutsBlock(operands.rhs)))
    k -= unit;
  return k;
}

/// The record's default schedule.
ScheduleAttr AMDGPUScheduler::choose(MatmulOp op, MmaInstr instr,
                                     const MmaOperands &operands) const {
  int64_t k = getDefaultTileK(operands, instr, machine.defaultTile[2]);
  auto getHome = [&](const MmaOperand &side) {
    // Rows in shared memory are whole pieces of 16 bytes.
    int64_t rowBits = k * side.stored.getIntOrFloatBitWidth();
    return rowBits % 128 == 0 ? Home::Shared : Home::Reg;
  };
  auto home = HomesAttr::get(op.getContext(), getHome(operands.lhs),
                             getHome(operands.rhs));
  return ScheduleAttr::get(op.getContext(),
                           {machine.defaultTile[0], machine.defaultTile[1], k},
                           machine.defaultWaves, instr, home, /*stages=*/2);
}

void AMDGPUScheduler::explain(MatmulOp op, ScheduleAttr schedule,
                              const MmaOperands &operands) const {
  op.emitRemark() << "schedule: " << record.chip
                  << " has no model; the default of its record is "
                  << choose(op, schedule.getInstr(), operands);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// All waves load and multiply, and a workgroup computes one tile.
LogicalResult AMDGPUScheduler::verifyFields(MatmulOp op,
                                            ScheduleAttr schedule) const {
  if (RolesAttr roles = schedule.getRoles())
    return op.emitOpError() << "schedule: expects no roles on " << record.chip
                            << ", but got " << roles;
  if (!schedule.getCluster().empty())
    return op.emitOpError() << "schedule: expects no cluster on " << record.chip
                            << ", but got [" << schedule.getCluster() << "]";
  if (schedule.getPersistent())
    return op.emitOpError() << "schedule: expects persistent = false on "
                            << record.chip << ", but got true";
  const std::tuple<StringRef, int64_t, int64_t> limits[] = {
      {"raster", schedule.getRaster(), 1},
      {"unroll", schedule.getUnroll(), 1},
      {"split_k", schedule.getSplitK(), 1},
      {"stages", schedule.getStages(), 2}};
  for (auto [name, value, limit] : limits)
    if (value > limit)
      return op.emitOpError()
             << "schedule: expects " << name << " of at most " << limit
             << " on " << record.chip << ", but got " << value;
  return success();
}

LogicalResult AMDGPUScheduler::verifyTile(MatmulOp op,
                                          ScheduleAttr schedule) const {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  if (failed(verifyMultiple(op, "the M of a wave", schedule.getWaveM(), info.m,
                            "that of the instruction")) ||
      failed(verifyMultiple(op, "the N of a wave", schedule.getWaveN(), info.n,
                            "that of the instruction")))
    return failure();
  return verifyMultiple(op, "the K of the tile", schedule.getTileK(), info.k,
                        "that of the instruction");
}

/// Threads and shared memory fit.
LogicalResult AMDGPUScheduler::verifyResources(MatmulOp op,
                                               ScheduleAttr schedule) const {
  int64_t threads = schedule.getNumWaves() * machine.waveSize;
  if (threads > machine.maxWorkgroupSize)
    return op.emitOpError()
           << "schedule: expects at most " << machine.maxWorkgroupSize
           << " threads in a workgroup of " << record.chip << ", but got "
           << threads;
  auto bytes = [&](Home home, int64_t rows, Value operand) -> int64_t {
    if (home != Home::Shared)
      return 0;
    Type type = getElementTypeOrSelf(operand);
    return rows * schedule.getTileK() * type.getIntOrFloatBitWidth() / 8;
  };
  int64_t shared =
      bytes(schedule.getHome().getA(), schedule.getTileM(), op.getLhs()) +
      bytes(schedule.getHome().getB(), schedule.getTileN(), op.getRhs());
  if (shared > machine.sharedMemoryBytes)
    return op.emitOpError()
           << "schedule: expects at most " << machine.sharedMemoryBytes
           << " bytes of shared memory in a workgroup of " << record.chip
           << ", but got " << shared;
  return success();
}

/// The accumulator and the operands of one K tile fit the registers of a wave.
/// Beyond that the back end would spill them, or take minutes.
LogicalResult
AMDGPUScheduler::verifyRegisters(MatmulOp op, ScheduleAttr schedule,
                                 const MmaOperands &operands) const {
  int64_t m = schedule.getWaveM(), n = schedule.getWaveN(),
          k = schedule.getTileK();
  auto bits = [](Type type) { return type.getIntOrFloatBitWidth(); };
  int64_t tileBits = m * n * 32 + m * k * bits(operands.lhs.multiplied) +
                     n * k * bits(operands.rhs.multiplied);
  if (schedule.getStages() == 2) {
    // The next K tile: all threads share what goes through shared memory.
    auto add = [&](Home home, int64_t shared, int64_t own, Type type) {
      tileBits +=
          k * bits(type) *
          (home == Home::Shared ? shared / schedule.getNumWaves() : own);
    };
    add(schedule.getHome().getA(), schedule.getTileM(), m, operands.lhs.stored);
    add(schedule.getHome().getB(), schedule.getTileN(), n, operands.rhs.stored);
  }
  int64_t needed = llvm::divideCeil(tileBits, 32 * machine.waveSize);
  int64_t wavesOfSIMD =
      llvm::divideCeil(schedule.getNumWaves(), machine.numSIMDs);
  int64_t limit = machine.vectorRegisters / wavesOfSIMD;
  if (needed <= limit)
    return success();
  return op.emitOpError() << "schedule: expects the tiles of a wave to take at "
                             "most "
                          << limit << " registers with "
                          << schedule.getNumWaves() << " waves on "
                          << record.chip << ", but they take " << needed;
}

LogicalResult AMDGPUScheduler::verify(MatmulOp op, ScheduleAttr schedule,
                                      const MmaOperands &operands) const {
  if (failed(verifyFields(op, schedule)) || failed(verifyTile(op, schedule)) ||
      failed(verifyResources(op, schedule)))
    return failure();
  return verifyRegisters(op, schedule, operands);
}
