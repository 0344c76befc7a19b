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
  /// For the schedule of `op`, or for one to be chosen.
  static std::unique_ptr<Scheduler> create(const TargetRecord &record,
                                           MatmulOp op);
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
/// For instructions of a warp, which read registers.
std::unique_ptr<Scheduler> createWarpScheduler(const TargetRecord &record);

/// One extent of the tile must be a multiple of `unit`.
LogicalResult verifyMultiple(MatmulOp op, StringRef what, int64_t extent,
                             int64_t unit, StringRef ofWhat);

/// The tile of a wave, and its parts, must be whole instructions, and so must
/// its K.
LogicalResult verifyWholeInstructions(MatmulOp op, ScheduleAttr schedule);

/// What a field of a schedule is, and what it may be at most.
struct FieldLimit {
  StringRef name;
  int64_t value, limit;
};

/// All waves load and multiply, and workgroups do not know each other: fields
/// that say anything else, and those above their limits, are errors.
LogicalResult verifyEqualWaves(MatmulOp op, ScheduleAttr schedule,
                               StringRef chip, ArrayRef<FieldLimit> limits);

/// Whether no block of a side's scales ends inside a K tile but at its end.
bool areBlocksWhole(const MmaOperands &operands, int64_t k);

/// The K of a short tile: rows of at most `rowBytes`, in memory and in the
/// instruction, or `longest` elements, and no block of scales cut off at its
/// end. At most two blocks that are promoted: partial sums and scales of more
/// do not fit the registers.
int64_t chooseTileK(const MmaOperands &operands, MmaInstr instr,
                    int64_t rowBytes,
                    int64_t longest = std::numeric_limits<int64_t>::max());

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_SCHEDULE_SCHEDULER_H
