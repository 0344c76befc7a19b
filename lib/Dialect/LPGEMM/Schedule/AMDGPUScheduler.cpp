//===- AMDGPUScheduler.cpp - schedules for AMD GPUs -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDGPULimits.h"
#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
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

LogicalResult AMDGPUScheduler::verify(MatmulOp op, ScheduleAttr schedule,
                                      const MmaOperands &operands) const {
  return verifyAMDGPUSchedule(op, schedule, operands, machine, record.chip);
}
