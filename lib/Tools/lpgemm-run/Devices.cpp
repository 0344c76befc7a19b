//===- Devices.cpp - ways to execute a module -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMatrix.h"
#include "Program.h"

#include "lpgemm/Emulator/Emulator.h"
#include "lpgemm/Pipelines/HostPipelines.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Expected;

static Expected<std::unique_ptr<ExecutionEngine>>
createReferenceEngine(ModuleOp module) {
  // Without a machine, vectors have what every one of its kind has.
  auto level = llvm::CodeGenOptLevel::Aggressive;
  auto machine = emulator::createHostMachine(level);
  if (!machine)
    return machine.takeError();
  auto optimize = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                            machine->get());
  return emulator::createHostEngine(module, level, optimize);
}

static void buildToReference(OpPassManager &pm, const Lowering &lowering) {
  LowerToReferenceOptions options;
  options.accumulate = lowering.accumulate;
  buildLowerToReferencePipeline(pm, options);
}

static void buildToROCDL(OpPassManager &pm, const Lowering &lowering) {
  LowerToROCDLOptions options;
  options.chip = lowering.chip;
  buildLowerToROCDLPipeline(pm, options);
}

static void buildToEmulator(OpPassManager &pm, const Lowering &lowering) {
  LowerToEmulatorOptions options;
  options.chip = lowering.chip;
  buildLowerToEmulatorPipeline(pm, options);
}

static void registerArgument(HostMatrix &argument, StringRef name) {
  auto [data, bytes] =
      argument.getDescriptor().getExtent(argument.getElementBytes());
  emulator::registerBuffer(data, bytes, {name.data(), name.size()});
}

static void unregisterArgument(HostMatrix &argument) {
  emulator::unregisterBuffer(
      argument.getDescriptor().getExtent(argument.getElementBytes()).first);
}

static SmallVector<std::string> takeReports() {
  SmallVector<std::string> lines;
  for (const emulator::Report &report : emulator::takeReports())
    lines.push_back(report.message);
  return lines;
}

static const Device devices[] = {
    {"reference", checkChip, buildToReference,
     [](OpPassManager &pm, const Lowering &) {
       buildLowerHostToLLVMPipeline(pm);
     },
     createReferenceEngine, [](HostMatrix &, StringRef) {}, [](HostMatrix &) {},
     [] { return SmallVector<std::string>(); }},
    {"emulate", checkLoweredChip, buildToROCDL, buildToEmulator,
     emulator::createEngine, registerArgument, unregisterArgument, takeReports},
};

Expected<const Device *> mlir::lpgemm::lookupDevice(StringRef name) {
  for (const Device &device : devices)
    if (device.name == name)
      return &device;
  auto names = llvm::map_range(devices, [](const Device &d) { return d.name; });
  return createStringError("unknown device '" + name + "', expected one of " +
                           llvm::join(names, ", "));
}
