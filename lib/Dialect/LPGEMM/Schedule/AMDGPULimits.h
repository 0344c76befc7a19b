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

/// With `epilogue = staged` and elements of so many bits: how many parts of the
/// rows of a wave go through a buffer of the K tiles one after the other, or 0
/// if not even a row of instructions fits.
int64_t getStageTurns(ScheduleAttr schedule, const MmaOperands &operands,
                      const AMDGPUMachine &machine, int64_t resultBits);

/// Columns of sums that become one element of the result of `op`, or with
/// `scale_outs` the elements of one scale.
int64_t getResultBlock(MatmulOp op);

/// Bits of the result for each sum.
int64_t getResultBits(MatmulOp op);

/// Whether no workgroup may have but a part of the sums of a tile: what adds
/// parts knows single elements.
bool needsWholeSums(MatmulOp op);

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
