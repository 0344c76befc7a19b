//===- SelectSchedule.cpp - lpgemm-select-schedule ------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Dialect/LPGEMM/Utils/KernelSupport.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "lpgemm/Target/MmaInfo.h"
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

static bool accepts(MatmulOp op, MmaInstr instr) {
  return getMmaInfo(instr).acceptsElementTypes(elementType(op.getLhs()),
                                               elementType(op.getRhs()));
}

/// The record's default schedule; null if no instruction takes the operands.
static ScheduleAttr getDefaultSchedule(MatmulOp op,
                                       const AMDGPUMachine &machine) {
  const MmaInstr *instr = llvm::find_if(
      machine.instructions, [&](MmaInstr i) { return accepts(op, i); });
  if (instr == machine.instructions.end())
    return {};
  auto home =
      HomesAttr::get(op.getContext(), /*a=*/Home::Shared, /*b=*/Home::Shared);
  return ScheduleAttr::get(op.getContext(), machine.defaultTile,
                           machine.defaultWaves, *instr, home);
}

/// The instruction exists and takes the operands and their scales.
static LogicalResult verifyInstruction(MatmulOp op, ScheduleAttr schedule,
                                       const TargetRecord &record) {
  MmaInstr instr = schedule.getInstr();
  StringRef name = stringifyMmaInstr(instr);
  if (!record.amdgpu->hasInstruction(instr))
    return op.emitOpError()
           << "schedule: " << record.chip << " has no instruction " << name;
  if (!accepts(op, instr))
    return op.emitOpError()
           << "schedule: " << name << " does not take "
           << elementType(op.getLhs()) << " x " << elementType(op.getRhs());
  const MmaInfo &info = getMmaInfo(instr);
  int64_t block = getScaleBlock(op);
  if (block != 0 && info.scaleBlock != block && block % info.k != 0)
    return op.emitOpError() << "schedule: expects a scale block (" << block
                            << ") that is a multiple of the K of " << name
                            << " (" << info.k << "), which has no scales of "
                            << "that block";
  return success();
}

/// One extent of the tile must be a multiple of `unit`.
static LogicalResult verifyMultiple(MatmulOp op, StringRef what, int64_t extent,
                                    int64_t unit, StringRef ofWhat) {
  if (extent % unit == 0)
    return success();
  return op.emitOpError() << "schedule: expects " << what << " (" << extent
                          << ") to be a multiple of " << unit << ", " << ofWhat;
}

static LogicalResult verifyTile(MatmulOp op, ScheduleAttr schedule) {
  const MmaInfo &info = getMmaInfo(schedule.getInstr());
  int64_t block = getScaleBlock(op);
  if (failed(verifyMultiple(op, "the M of a wave", schedule.getWaveM(), info.m,
                            "that of the instruction")) ||
      failed(verifyMultiple(op, "the N of a wave", schedule.getWaveN(), info.n,
                            "that of the instruction")) ||
      failed(verifyMultiple(op, "the K of the tile", schedule.getTileK(),
                            info.k, "that of the instruction")))
    return failure();
  if (block == 0)
    return success();
  return verifyMultiple(op, "the K of the tile", schedule.getTileK(), block,
                        "the scale block");
}

/// Threads and shared memory fit.
static LogicalResult verifyResources(MatmulOp op, ScheduleAttr schedule,
                                     const TargetRecord &record) {
  const AMDGPUMachine &machine = *record.amdgpu;
  int64_t threads = schedule.getNumWaves() * machine.waveSize;
  if (threads > machine.maxWorkgroupSize)
    return op.emitOpError()
           << "schedule: expects at most " << machine.maxWorkgroupSize
           << " threads in a workgroup of " << record.chip << ", but got "
           << threads;
  auto bytes = [&](Home home, int64_t rows, Value operand) -> int64_t {
    if (home != Home::Shared)
      return 0;
    return rows * schedule.getTileK() *
           elementType(operand).getIntOrFloatBitWidth() / 8;
  };
  int64_t shared =
      bytes(schedule.getHome().getA(), schedule.getTileM(), op.getLhs()) +
      bytes(schedule.getHome().getB(), schedule.getTileN(), op.getRhs());
  if (shared > machine.sharedMemoryBytes)
    return op.emitOpError()
           << "schedule: expects at most " << machine.sharedMemoryBytes
           << " bytes of shared memory in a workgroup of " << record.chip
           << ", but got " << shared;
  return success();
}

/// The accumulator and the operands of one K tile fit the registers of a wave.
/// Beyond that the back end would spill them, or take minutes.
static LogicalResult verifyRegisters(MatmulOp op, ScheduleAttr schedule,
                                     const TargetRecord &record) {
  const AMDGPUMachine &machine = *record.amdgpu;
  int64_t m = schedule.getWaveM(), n = schedule.getWaveN(),
          k = schedule.getTileK();
  auto bits = [](Value v) { return elementType(v).getIntOrFloatBitWidth(); };
  int64_t tileBits = m * n * bits(op.getInit()) + m * k * bits(op.getLhs()) +
                     n * k * bits(op.getRhs());
  int64_t needed = llvm::divideCeil(tileBits, 32 * machine.waveSize);
  int64_t wavesOfSIMD =
      llvm::divideCeil(schedule.getNumWaves(), machine.numSIMDs);
  int64_t limit = machine.vectorRegisters / wavesOfSIMD;
  if (needed <= limit)
    return success();
  return op.emitOpError() << "schedule: expects the tiles of a wave to take at "
                             "most "
                          << limit << " registers with "
                          << schedule.getNumWaves() << " waves on "
                          << record.chip << ", but they take " << needed;
}

static LogicalResult select(ProductInterface product) {
  TargetAttr target = lookupTarget(product);
  if (!target)
    return product->emitOpError("needs a target: run lpgemm-attach-target, or "
                                "set lpgemm.target on the module");
  const TargetRecord &record = *lookupTargetRecord(target.getChip());
  if (failed(checkAMDGPULowering(product, record)) ||
      failed(verifyKernelSupport(product)))
    return failure();
  auto op = cast<MatmulOp>(*product);
  if (!op.getSchedule()) {
    ScheduleAttr schedule = getDefaultSchedule(op, *record.amdgpu);
    if (!schedule)
      return op.emitOpError()
             << "has no matrix instruction on " << record.chip << " for "
             << elementType(op.getLhs()) << " x " << elementType(op.getRhs());
    op.setScheduleAttr(schedule);
  }
  ScheduleAttr schedule = *op.getSchedule();
  if (failed(verifyInstruction(op, schedule, record)) ||
      failed(verifyTile(op, schedule)))
    return failure();
  if (failed(verifyResources(op, schedule, record)))
    return failure();
  return verifyRegisters(op, schedule, record);
}

namespace {
struct SelectSchedule : lpgemm::impl::SelectSchedulePassBase<SelectSchedule> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](ProductInterface op) {
      return failed(select(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
