//===- AMDGPUScheduler.cpp - schedules for AMD GPUs -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Of a K tile, in shared memory and in registers.
static constexpr int64_t kRowBytes = 128;

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

/// The record's default schedule.
ScheduleAttr AMDGPUScheduler::choose(MatmulOp op, MmaInstr instr,
                                     const MmaOperands &operands) const {
  int64_t k = chooseTileK(operands, instr, machine.defaultTile[2], kRowBytes);
  return ScheduleAttr::get(
      op.getContext(), {machine.defaultTile[0], machine.defaultTile[1], k},
      machine.defaultWaves, instr, chooseHomes(op.getContext(), operands, k),
      /*stages=*/2);
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
  if (failed(verifyEqualWaves(op, schedule, record.chip, /*maxRaster=*/1,
                              /*maxStages=*/2)) ||
      failed(verifyWholeInstructions(op, schedule)) ||
      failed(verifyResources(op, schedule)))
    return failure();
  return verifyRegisters(op, schedule, operands);
}
