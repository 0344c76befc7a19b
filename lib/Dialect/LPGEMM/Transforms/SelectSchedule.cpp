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
#include "lpgemm/Dialect/LPGEMM/Utils/MmaOperands.h"
#include "lpgemm/Dialect/LPGEMM/Utils/TargetChecks.h"
#include "lpgemm/Target/MmaInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include <numeric>

namespace mlir::lpgemm {
#define GEN_PASS_DEF_SELECTSCHEDULEPASS
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;

static Type elementType(Value v) {
  return cast<ShapedType>(v.getType()).getElementType();
}

/// Whether `instr` takes the operands, and no block of scales ends inside it.
static bool takes(MatmulOp op, MmaInstr instr, const TargetRecord &record) {
  std::optional<MmaOperands> operands = getMmaOperands(op, instr, record);
  if (!operands)
    return false;
  return operands->getShortestPromotedBlock(instr) % getMmaInfo(instr).k == 0;
}

/// The K of a default tile: rows of at most 128 bytes, in shared memory and in
/// registers, and no block of scales cut off at its end. At most two blocks
/// that are promoted: partial sums and scales of more do not fit the registers.
static int64_t getDefaultTileK(const MmaOperands &operands, MmaInstr instr,
                               int64_t limit) {
  int64_t bits = 8;
  for (const MmaOperand *side : {&operands.lhs, &operands.rhs})
    for (Type type : {side->stored, side->multiplied})
      bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
  limit = std::min(limit, 128 * 8 / bits);
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

/// The record's default schedule; null if no instruction takes the operands.
static ScheduleAttr getDefaultSchedule(MatmulOp op,
                                       const TargetRecord &record) {
  const AMDGPUMachine &machine = *record.amdgpu;
  const MmaInstr *instr = llvm::find_if(
      machine.instructions, [&](MmaInstr i) { return takes(op, i, record); });
  if (instr == machine.instructions.end())
    return {};
  MmaOperands operands = *getMmaOperands(op, *instr, record);
  int64_t k = getDefaultTileK(operands, *instr, machine.defaultTile[2]);
  auto getHome = [&](const MmaOperand &side) {
    // Rows in shared memory are whole pieces of 16 bytes.
    int64_t rowBits = k * side.stored.getIntOrFloatBitWidth();
    return rowBits % 128 == 0 ? Home::Shared : Home::Reg;
  };
  auto home = HomesAttr::get(op.getContext(), getHome(operands.lhs),
                             getHome(operands.rhs));
  return ScheduleAttr::get(op.getContext(),
                           {machine.defaultTile[0], machine.defaultTile[1], k},
                           machine.defaultWaves, *instr, home, /*stages=*/2);
}

/// What to say if no instruction of the chip will do.
static LogicalResult emitNoInstruction(MatmulOp op,
                                       const TargetRecord &record) {
  InFlightDiagnostic diagnostic =
      op.emitOpError() << "has no matrix instruction on " << record.chip
                       << " for " << elementType(op.getLhs()) << " x "
                       << elementType(op.getRhs());
  int64_t shortest = 0;
  for (MmaInstr instr : record.amdgpu->instructions)
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
    if (side->multiplied.isBF16() && !side->stored.isBF16()) {
      op.emitRemark() << "multiplies " << side->stored << " as 'bf16' on "
                      << record.chip
                      << ", which has no instruction for these operands and "
                         "scales";
      return;
    }
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
  if (failed(verifyMultiple(op, "the M of a wave", schedule.getWaveM(), info.m,
                            "that of the instruction")) ||
      failed(verifyMultiple(op, "the N of a wave", schedule.getWaveN(), info.n,
                            "that of the instruction")))
    return failure();
  return verifyMultiple(op, "the K of the tile", schedule.getTileK(), info.k,
                        "that of the instruction");
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
                                     const MmaOperands &operands,
                                     const TargetRecord &record) {
  const AMDGPUMachine &machine = *record.amdgpu;
  int64_t m = schedule.getWaveM(), n = schedule.getWaveN(),
          k = schedule.getTileK();
  auto bits = [](Type type) { return type.getIntOrFloatBitWidth(); };
  int64_t tileBits = m * n * 32 + m * k * bits(operands.lhs.multiplied) +
                     n * k * bits(operands.rhs.multiplied);
  if (schedule.getStages() == 2) {
    // The next K tile: all threads share what goes through shared memory.
    auto add = [&](Home home, int64_t shared, int64_t own, Type type) {
      tileBits +=
          k * bits(type) *
          (home == Home::Shared ? shared / schedule.getNumWaves() : own);
    };
    add(schedule.getHome().getA(), schedule.getTileM(), m, operands.lhs.stored);
    add(schedule.getHome().getB(), schedule.getTileN(), n, operands.rhs.stored);
  }
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
    ScheduleAttr schedule = getDefaultSchedule(op, record);
    if (!schedule)
      return emitNoInstruction(op, record);
    op.setScheduleAttr(schedule);
  }
  ScheduleAttr schedule = *op.getSchedule();
  FailureOr<MmaOperands> operands = checkMmaOperands(op, schedule, record);
  if (failed(operands) || failed(verifyTile(op, schedule)) ||
      failed(verifyResources(op, schedule, record)) ||
      failed(verifyRegisters(op, schedule, *operands, record)))
    return failure();
  remarkOnWidening(op, *operands, record);
  return success();
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
