//===- NVIDIALimits.cpp - what an NVIDIA GPU allows of a schedule ---------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVIDIALimits.h"

#include "lpgemm/Dialect/LPGEMM/Schedule/Scheduler.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

// PTX ISA 9.0, "setmaxnreg": in steps of 8.
static constexpr int64_t kRegisterStep = 8;
// CUDA driver API 13.0, cuTensorMapEncodeTiled: "boxDim".
static constexpr int64_t kMaxBoxRows = 256;
// Columns of the result that share a scale in registers, at least: of a block
// of scales a wave has so many, wherever its tile starts.
static constexpr int64_t kScaleColumns = 16;

//===----------------------------------------------------------------------===//
// Registers of the roles
//===----------------------------------------------------------------------===//

/// Registers of all threads of a workgroup: what each has at its start, and
/// what the roles deal out anew.
static int64_t getRegisterPool(const NVIDIAMachine &machine, int64_t threads) {
  int64_t each = std::min(machine.registers / threads, machine.threadRegisters);
  return llvm::alignDown(each, kRegisterStep) * threads;
}

/// The most that is left for each thread of `waves` waves.
static int64_t getLargestMmaRegs(const NVIDIAMachine &machine, int64_t waves,
                                 int64_t loadRegs) {
  int64_t pool = getRegisterPool(machine, (waves + 1) * machine.waveSize);
  int64_t left =
      (pool - loadRegs * machine.waveSize) / (waves * machine.waveSize);
  return llvm::alignDown(std::min(left, machine.threadRegisters),
                         kRegisterStep);
}

RolesAttr lpgemm::getRoles(MLIRContext *context, const NVIDIAMachine &machine,
                           int64_t waves, int64_t loadRegs) {
  return RolesAttr::get(context, loadRegs,
                        getLargestMmaRegs(machine, waves, loadRegs));
}

bool lpgemm::fits(const CostModel &model, ScheduleAttr schedule) {
  return model.getMmaRegisters(schedule) <= schedule.getRoles().getMmaRegs() &&
         model.getSlotBytes(schedule) + model.getExchangeBytes(schedule) +
                 model.getStagingBytes(schedule) <=
             model.getMachine().sharedMemoryBytes;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// The checks of one schedule.
class Verifier {
public:
  Verifier(MatmulOp op, ScheduleAttr schedule, const CostModel &model,
           StringRef chip)
      : op(op), schedule(schedule), model(model), machine(model.getMachine()),
        chip(chip), info(getMmaInfo(schedule.getInstr())) {}

  LogicalResult verifyFields();
  LogicalResult verifyTile();
  LogicalResult verifyCopies();
  LogicalResult verifyScales();
  LogicalResult verifyThreads();
  LogicalResult verifyMemory();

private:
  InFlightDiagnostic emitError() { return op.emitOpError() << "schedule: "; }

  MatmulOp op;
  ScheduleAttr schedule;
  const CostModel &model;
  const NVIDIAMachine &machine;
  StringRef chip;
  const MmaInfo &info;
};
} // namespace

/// Those that have one value.
LogicalResult Verifier::verifyFields() {
  HomesAttr home = schedule.getHome();
  if (home.getA() != Home::Shared || home.getB() != Home::Shared)
    return emitError() << "expects home = <a = shared, b = shared> on " << chip
                       << ", where " << stringifyMmaInstr(info.instr)
                       << " reads both, but got <a = "
                       << stringifyHome(home.getA())
                       << ", b = " << stringifyHome(home.getB()) << ">";
  if (!schedule.getRoles())
    return emitError() << "expects roles on " << chip << ", such as "
                       << getRoles(op.getContext(), machine,
                                   schedule.getNumWaves(), 40);
  if (schedule.getStrategy() != Strategy::Together)
    return emitError() << "expects strategy = together on " << chip
                       << " with roles, but got "
                       << stringifyStrategy(schedule.getStrategy());
  // With one slot nothing is copied while it is multiplied.
  if (schedule.getStages() < 2)
    return emitError() << "expects at least 2 stages on " << chip
                       << ", but got " << schedule.getStages();
  if (schedule.getPersistent() && model.getProduct().isBatched)
    return emitError() << "expects persistent = false for a batch, but got "
                          "true";
  if (schedule.getEpilogue() != ResultPath::Direct)
    return emitError() << "expects epilogue = direct on " << chip
                       << ", whose copy engine stores results out of what "
                          "shared memory is left, but got "
                       << stringifyResultPath(schedule.getEpilogue());
  // What they exchange they exchange once.
  if (schedule.getPersistent() && schedule.getSplitK() > 1)
    return emitError() << "expects persistent = false with split_k = "
                       << schedule.getSplitK() << ", but got true";
  return success();
}

LogicalResult Verifier::verifyTile() {
  if (failed(verifyMultiple(op, "the M of a wave", schedule.getWaveM(), info.m,
                            "that of the instruction")) ||
      failed(verifyMultiple(op, "the N of a wave", schedule.getWaveN(), info.n,
                            "that of the instruction")))
    return failure();
  if (schedule.getWaveN() > info.maxN)
    return emitError() << "expects the N of a wave (" << schedule.getWaveN()
                       << ") to be at most " << info.maxN
                       << ", that of the instruction";
  int64_t k = kSwizzleBytes / model.getProduct().elementBytes;
  if (schedule.getTileK() == k)
    return success();
  return emitError() << "expects the K of the tile (" << schedule.getTileK()
                     << ") to be " << k << ", a row of " << kSwizzleBytes
                     << " bytes";
}

/// The workgroups of a cluster that need the same tile copy a part of its rows
/// each.
LogicalResult Verifier::verifyCopies() {
  const std::tuple<StringRef, int64_t, int64_t> sides[] = {
      {"M", schedule.getTileM(), schedule.getClusterN()},
      {"N", schedule.getTileN(), schedule.getClusterM()}};
  for (auto [name, extent, sharers] : sides) {
    if (extent % (kSwizzleRows * sharers) != 0)
      return emitError() << "expects the " << name << " of the tile (" << extent
                         << ") to be a multiple of " << kSwizzleRows * sharers
                         << " with " << sharers
                         << " workgroups of a cluster that copy it together";
    if (extent > kMaxBoxRows * sharers)
      return emitError() << "expects the " << name << " of the tile (" << extent
                         << ") to be at most " << kMaxBoxRows * sharers
                         << ", the rows that its copies hold";
  }
  return success();
}

/// No column of a tile has another scale than the others of its part.
LogicalResult Verifier::verifyScales() {
  int64_t n = schedule.getWaveN();
  if (model.getProduct().rhsOuterBlock <= 1 || n % kScaleColumns == 0 ||
      kScaleColumns % n == 0)
    return success();
  return emitError() << "expects the N of a wave (" << n
                     << ") to divide or to be a multiple of " << kScaleColumns
                     << " with scales for blocks of columns";
}

LogicalResult Verifier::verifyThreads() {
  int64_t waves = schedule.getNumWaves();
  int64_t threads = schedule.getAllWaves() * machine.waveSize;
  if (threads > machine.maxWorkgroupSize)
    return emitError() << "expects at most " << machine.maxWorkgroupSize
                       << " threads in a workgroup of " << chip << ", but got "
                       << threads;
  int64_t loadRegs = schedule.getRoles().getLoadRegs();
  int64_t mmaRegs = schedule.getRoles().getMmaRegs();
  int64_t start = getRegisterPool(machine, threads) / threads;
  if (loadRegs > start)
    return emitError() << "expects load_regs of at most " << start
                       << ", which a thread starts with, with " << waves
                       << " waves on " << chip << ", but got " << loadRegs;
  int64_t limit = getLargestMmaRegs(machine, waves, loadRegs);
  if (mmaRegs > limit)
    return emitError() << "expects mma_regs of at most " << limit << " with "
                       << waves << " waves and load_regs = " << loadRegs
                       << " on " << chip << ", but got " << mmaRegs;
  int64_t needed = model.getMmaRegisters(schedule);
  if (needed > mmaRegs)
    return emitError() << "expects the tiles of a wave to take at most "
                       << mmaRegs << " registers of a thread, its mma_regs, "
                       << "but they take " << needed;
  return success();
}

LogicalResult Verifier::verifyMemory() {
  int64_t bytes =
      model.getSlotBytes(schedule) + model.getExchangeBytes(schedule);
  if (bytes <= machine.sharedMemoryBytes)
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expects at most " << machine.sharedMemoryBytes
             << " bytes of shared memory in a workgroup of " << chip
             << ", but got " << bytes << " with " << schedule.getStages()
             << " stages";
  if (schedule.getSplitK() > 1)
    diagnostic << " and split_k = " << schedule.getSplitK();
  return diagnostic;
}

LogicalResult lpgemm::verifyNVIDIASchedule(MatmulOp op, ScheduleAttr schedule,
                                           const CostModel &model,
                                           StringRef chip) {
  Verifier verifier(op, schedule, model, chip);
  if (failed(verifier.verifyFields()) || failed(verifier.verifyTile()) ||
      failed(verifier.verifyCopies()) || failed(verifier.verifyScales()) ||
      failed(verifier.verifyThreads()))
    return failure();
  return verifier.verifyMemory();
}
