//===- SelectSchedule.cpp - lpgemm-select-schedule ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/ElementTypes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_SELECTSCHEDULEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

static Type elementType(Value v) {
  return cast<ShapedType>(v.getType()).getElementType();
}

/// What to say if no instruction of the chip will do.
static LogicalResult emitNoInstruction(MatmulOp op,
                                       const TargetRecord &record) {
  InFlightDiagnostic diagnostic =
      op.emitOpError() << "has no matrix instruction on " << record.chip
                       << " for " << elementType(op.getLhs()) << " x "
                       << elementType(op.getRhs());
  int64_t shortest = 0;
  for (MmaInstr instr : record.getInstructions())
    if (getMmaOperands(op, instr, record) &&
        (shortest == 0 || getMmaInfo(instr).k < shortest))
      shortest = getMmaInfo(instr).k;
  if (shortest != 0)
    diagnostic << " with these scales: expects their blocks to be multiples of "
               << shortest << " elements of K";
  return diagnostic;
}

/// Operands that are widened take more time than their own types would.
static void remarkOnWidening(MatmulOp op, const MmaOperands &operands,
                             const TargetRecord &record) {
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    if (isWideFloat(side->multiplied) && side->stored != side->multiplied) {
      op.emitRemark() << "multiplies " << side->stored << " as "
                      << side->multiplied << " on " << record.chip
                      << ", which has no instruction for these operands and "
                         "scales";
      return;
    }
}

static LogicalResult select(ProductInterface product, bool explain) {
  TargetAttr target = lookupTarget(product);
  if (!target)
    return product->emitOpError("needs a target: run lpgemm-attach-target, or "
                                "set lpgemm.target on the module");
  const TargetRecord &record = *lookupTargetRecord(target.getChip());
  if (failed(checkLowering(product, record)) ||
      failed(verifyKernelSupport(product)))
    return failure();
  auto op = cast<MatmulOp>(*product);
  if (record.nvidia && failed(verifyNVIDIASupport(op, record)))
    return failure();
  std::unique_ptr<Scheduler> scheduler = Scheduler::create(record, op);
  if (!op.getSchedule()) {
    ScheduleAttr schedule = scheduler->choose(op);
    if (!schedule)
      return emitNoInstruction(op, record);
    op.setScheduleAttr(schedule);
  }
  ScheduleAttr schedule = *op.getSchedule();
  if (failed(scheduler->verify(op, schedule)))
    return failure();
  if (explain)
    scheduler->explain(op, schedule);
  remarkOnWidening(op, *getMmaOperands(op, schedule.getInstr(), record),
                   record);
  return success();
}

namespace {
struct SelectSchedule : lpgemm::impl::SelectSchedulePassBase<SelectSchedule> {
  using SelectSchedulePassBase::SelectSchedulePassBase;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](ProductInterface op) {
      return failed(select(op, explain)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
