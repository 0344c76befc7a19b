//===- AMDGPULimits.h - what an AMD GPU allows of a schedule ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_AMDGPULIMITS_H
#define LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_AMDGPULIMITS_H

#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"

namespace mlir::lpgemm {

/// Bytes of shared memory that the K tiles of a workgroup need.
int64_t getSharedBytes(ScheduleAttr schedule, const MmaOperands &operands);

/// Bytes that they take: two slots, if there is room, for a K tile that comes
/// through registers while another one is multiplied.
int64_t getUsedSharedBytes(ScheduleAttr schedule, const MmaOperands &operands,
                           const AMDGPUMachine &machine);

/// Registers of a lane that the tiles of a wave take: the accumulator, the
/// operands of a K tile, and what is under way of the next one.
int64_t getTileRegisters(ScheduleAttr schedule, const MmaOperands &operands,
                         const AMDGPUMachine &machine);

/// Those and what comes on top of them: partial sums that are promoted,
/// addresses, and what the back end keeps for a while.
int64_t getNeededRegisters(ScheduleAttr schedule, const MmaOperands &operands,
                           const AMDGPUMachine &machine);

/// Whether shared memory suffices, and the registers so that nothing is
/// spilled.
bool fits(ScheduleAttr schedule, const MmaOperands &operands,
          const AMDGPUMachine &machine);

/// Registers that a lane of so many waves may have.
int64_t getRegisterLimit(ScheduleAttr schedule, const AMDGPUMachine &machine);

LogicalResult verifyAMDGPUSchedule(MatmulOp op, ScheduleAttr schedule,
                                   const MmaOperands &operands,
                                   const AMDGPUMachine &machine,
                                   StringRef chip);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_AMDGPULIMITS_H
