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

bool Scheduler::takes(MatmulOp op, MmaInstr instr) const {
  std::optional<MmaOperands> operands = getMmaOperands(op, instr, record);
  if (!operands)
    return false;
  return operands->getShortestPromotedBlock(instr) % getMmaInfo(instr).k == 0;
}

ScheduleAttr Scheduler::choose(MatmulOp op) const {
  for (MmaInstr instr : record.getInstructions())
    if (takes(op, instr))
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
  int64_t parts = schedule.getParts();
  StringRef whose =
      parts == 1 ? "that of the instruction" : "two of the instruction";
  if (failed(verifyMultiple(op, "the M of a wave", schedule.getWaveM(),
                            parts * info.m, whose)) ||
      failed(verifyMultiple(op, "the N of a wave", schedule.getWaveN(),
                            parts * info.n, whose)))
    return failure();
  return verifyMultiple(op, "the K of the tile", schedule.getTileK(), info.k,
                        "that of the instruction");
}

LogicalResult lpgemm::verifyEqualWaves(MatmulOp op, ScheduleAttr schedule,
                                       StringRef chip,
                                       ArrayRef<FieldLimit> limits) {
  if (RolesAttr roles = schedule.getRoles())
    return op.emitOpError()
           << "schedule: expects no roles on " << chip << ", but got " << roles;
  if (schedule.sharesCopies())
    return op.emitOpError() << "schedule: expects no cluster on " << chip
                            << ", but got [" << schedule.getCluster() << "]";
  for (const FieldLimit &field : limits)
    if (field.value > field.limit)
      return op.emitOpError()
             << "schedule: expects " << field.name << " of at most "
             << field.limit << " on " << chip << ", but got " << field.value;
  return success();
}

bool lpgemm::areBlocksWhole(const MmaOperands &operands, int64_t k) {
  return llvm::all_of(
      ArrayRef{&operands.lhs, &operands.rhs}, [&](const MmaOperand *side) {
        return !side->scales || side->kBlock % k == 0 || k % side->kBlock == 0;
      });
}

int64_t lpgemm::chooseTileK(const MmaOperands &operands, MmaInstr instr,
                            int64_t rowBytes, int64_t longest) {
  int64_t bits = 8;
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    for (Type type : {side->stored, side->multiplied})
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  int64_t limit = std::min(longest, rowBytes * 8 / bits);
  if (int64_t block = operands.getShortestPromotedBlock(instr))
    limit = std::min(limit, 2 * block);
  int64_t unit = getMmaInfo(instr).k;
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    if (side->scales && side->kBlock <= limit)
      unit = std::lcm(unit, side->kBlock);
  int64_t k = std::max(limit / unit, int64_t(1)) * unit;
  while (k > unit && !areBlocksWhole(operands, k))
    k -= unit;
  return k;
}
