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
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Expected;

static Expected<std::unique_ptr<ExecutionEngine>>
createReferenceEngine(ModuleOp module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  return ExecutionEngine::create(module, options);
}

static void buildToROCDL(OpPassManager &pm, StringRef chip) {
  LowerToROCDLOptions options;
  options.chip = chip.str();
  buildLowerToROCDLPipeline(pm, options);
}

static void buildToEmulator(OpPassManager &pm, StringRef chip) {
  LowerToEmulatorOptions options;
  options.chip = chip.str();
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
    {"reference",
     [](OpPassManager &pm, StringRef) { buildLowerToReferencePipeline(pm); },
     [](OpPassManager &pm, StringRef) { buildLowerHostToLLVMPipeline(pm); },
     createReferenceEngine, [](HostMatrix &, StringRef) {}, [](HostMatrix &) {},
     [] { return SmallVector<std::string>(); }},
    {"emulate", buildToROCDL, buildToEmulator, emulator::createEngine,
     registerArgument, unregisterArgument, takeReports},
};

Expected<const Device *> mlir::lpgemm::lookupDevice(StringRef name) {
  for (const Device &device : devices)
    if (device.name == name)
      return &device;
  auto names = llvm::map_range(devices, [](const Device &d) { return d.name; });
  return createStringError("unknown device '" + name + "', expected one of " +
                           llvm::join(names, ", "));
}
