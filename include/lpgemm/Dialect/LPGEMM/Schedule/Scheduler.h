//===- Scheduler.h - schedules for a family of machines ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_SCHEDULE_SCHEDULER_H
#define LPGEMM_DIALECT_LPGEMM_SCHEDULE_SCHEDULER_H

#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include <memory>

namespace mlir::lpgemm {

/// Chooses and checks schedules for a chip that has a lowering. What differs
/// from one family of machines to the other is behind the virtual functions.
class Scheduler {
public:
  static std::unique_ptr<Scheduler> create(const TargetRecord &record);
  virtual ~Scheduler();

  /// A schedule for `op`; null if no instruction of the chip takes its operands
  /// with their scales.
  ScheduleAttr choose(MatmulOp op) const;
  /// Checks each field of a schedule, and what it takes of the machine. Errors
  /// are emitted at `op`.
  LogicalResult verify(MatmulOp op, ScheduleAttr schedule) const;
  /// Remarks at `op` on the schedules among which `choose` chose.
  void explain(MatmulOp op, ScheduleAttr schedule) const;

protected:
  explicit Scheduler(const TargetRecord &record) : record(record) {}

  virtual ScheduleAttr choose(MatmulOp op, MmaInstr instr,
                              const MmaOperands &operands) const = 0;
  virtual LogicalResult verify(MatmulOp op, ScheduleAttr schedule,
                               const MmaOperands &operands) const = 0;
  virtual void explain(MatmulOp op, ScheduleAttr schedule,
                       const MmaOperands &operands) const = 0;

  /// Whether `instr` takes the operands, and no block of scales ends inside it.
  bool takes(MatmulOp op, MmaInstr instr) const;

  const TargetRecord &record;
};

std::unique_ptr<Scheduler> createAMDGPUScheduler(const TargetRecord &record);
std::unique_ptr<Scheduler> createNVIDIAScheduler(const TargetRecord &record);

/// One extent of the tile must be a multiple of `unit`.
LogicalResult verifyMultiple(MatmulOp op, StringRef what, int64_t extent,
                             int64_t unit, StringRef ofWhat);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_SCHEDULE_SCHEDULER_H
