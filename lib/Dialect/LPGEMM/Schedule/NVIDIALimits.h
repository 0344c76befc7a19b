//===- NVIDIALimits.h - what an NVIDIA GPU allows of a schedule -*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_NVIDIALIMITS_H
#define LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_NVIDIALIMITS_H

#include "lpgemm/Dialect/LPGEMM/Schedule/CostModel.h"
#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"

namespace mlir::lpgemm {

/// The registers of roles with `waves` that multiply and one that loads:
/// `loadRegs` for the latter, what is left for the others.
RolesAttr getRoles(MLIRContext *context, const NVIDIAMachine &machine,
                   int64_t waves, int64_t loadRegs);

/// Whether registers and shared memory suffice.
bool fits(const CostModel &model, ScheduleAttr schedule);

LogicalResult verifyNVIDIASchedule(MatmulOp op, ScheduleAttr schedule,
                                   const CostModel &model, StringRef chip);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_DIALECT_LPGEMM_SCHEDULE_NVIDIALIMITS_H
