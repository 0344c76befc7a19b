//===- Scheduler.cpp - what all families of machines share ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"

using namespace mlir;
using namespace mlir::lpgemm;

Scheduler::~Scheduler() = default;

std::unique_ptr<Scheduler> Scheduler::create(const TargetRecord &record) {
  assert(record.hasLowering() && "asked for a chip without a lowering");
  return record.amdgpu ? createAMDGPUScheduler(record)
                       : createNVIDIAScheduler(record);
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
