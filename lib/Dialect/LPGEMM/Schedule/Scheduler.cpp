//===- Scheduler.cpp - what all families of machines share ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lpgemm;

Scheduler::~Scheduler() = default;

std::unique_ptr<Scheduler> Scheduler::create(const TargetRecord &record,
                                             MatmulOp op) {
  assert(record.hasLowering() && "asked for a chip without a lowering");
  if (record.amdgpu)
    return createAMDGPUScheduler(record);
  return getMmaInfo(getPreferredInstr(op, record)).readsSharedMemory()
             ? createNVIDIAScheduler(record)
             : createWarpScheduler(record);
}

/// Whether `instr` takes the operands, and no block of scales ends inside it.
static bool takes(MatmulOp op, MmaInstr instr, const TargetRecord &record) {
  std::optional<MmaOperands> operands = getMmaOperands(op, instr, record);
  if (!operands)
    return false;
  return operands->getShortestPromotedBlock(instr) % getMmaInfo(instr).k == 0;
}

ScheduleAttr Scheduler::choose(MatmulOp op) const {
  for (MmaInstr instr : record.getInstructions())
    if (takes(op, instr, record))
      return choose(op, instr, *getMmaOperands(op, instr, record));
  return {};
}

LogicalResult Scheduler::verify(MatmulOp op, ScheduleAttr schedule) const {
  FailureOr<MmaOperands> operands = checkMmaOperands(op, schedule, record);
  if (failed(operands))
    return failure();
  return verify(op, schedule, *operands);
}

void Scheduler::explain(MatmulOp op, ScheduleAttr schedule) const {
  explain(op, schedule, *getMmaOperands(op, schedule.getInstr(), record));
}

LogicalResult lpgemm::verifyMultiple(MatmulOp op, StringRef what,
                                     int64_t extent, int64_t unit,
                                     StringRef ofWhat) {
  if (extent % unit == 0)
    return success();
  return op.emitOpError() << "schedule: expects " << what << " (" << extent
                          << ") to be a multiple of " << unit << ", " << ofWhat;
}

LogicalResult lpgemm::verifyWholeInstructions(MatmulOp op,
                                              ScheduleAttr schedule) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  const std::tuple<StringRef, int64_t, int64_t> extents[] = {
      {"the M of a wave", schedule.getWaveM(), info.m},
      {"the N of a wave", schedule.getWaveN(), info.n},
      {"the K of the tile", schedule.getTileK(), info.k}};
  for (auto [name, extent, unit] : extents)
    if (failed(
            verifyMultiple(op, name, extent, unit, "that of the instruction")))
      return failure();
  return success();
}

LogicalResult lpgemm::verifyEqualWaves(MatmulOp op, ScheduleAttr schedule,
                                       StringRef chip, int64_t maxRaster,
                                       int64_t maxStages) {
  if (RolesAttr roles = schedule.getRoles())
    return op.emitOpError()
           << "schedule: expects no roles on " << chip << ", but got " << roles;
  if (!schedule.getCluster().empty())
    return op.emitOpError() << "schedule: expects no cluster on " << chip
                            << ", but got [" << schedule.getCluster() << "]";
  if (schedule.getPersistent())
    return op.emitOpError() << "schedule: expects persistent = false on "
                            << chip << ", but got true";
  const std::tuple<StringRef, int64_t, int64_t> limits[] = {
      {"raster", schedule.getRaster(), maxRaster},
      {"unroll", schedule.getUnroll(), 1},
      {"split_k", schedule.getSplitK(), 1},
      {"stages", schedule.getStages(), maxStages}};
  for (auto [name, value, limit] : limits)
    if (value > limit)
      return op.emitOpError()
             << "schedule: expects " << name << " of at most " << limit
             << " on " << chip << ", but got " << value;
  return success();
}

int64_t lpgemm::chooseTileK(const MmaOperands &operands, MmaInstr instr,
                            int64_t limit, int64_t rowBytes) {
  int64_t bits = 8;
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    for (Type type : {side->stored, side->multiplied})
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  limit = std::min(limit, rowBytes * 8 / bits);
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

HomesAttr lpgemm::chooseHomes(MLIRContext *context, const MmaOperands &operands,
                              int64_t k) {
  auto getHome = [&](const MmaOperand &side) {
    int64_t rowBits = k * side.stored.getIntOrFloatBitWidth();
    return rowBits % 128 == 0 ? Home::Shared : Home::Reg;
  };
  return HomesAttr::get(context, getHome(operands.lhs), getHome(operands.rhs));
}
