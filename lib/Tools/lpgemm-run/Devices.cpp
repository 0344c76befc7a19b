//===- Devices.cpp - ways to execute a module -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
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
using llvm::Error;
using llvm::Expected;

static Expected<std::unique_ptr<ExecutionEngine>>
createReferenceEngine(ModuleOp module) {
  // More costs more time than it saves: sums, which have an order, are not
  // vectorized.
  auto optimize = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                            /*targetMachine=*/nullptr);
  return emulator::createHostEngine(module, llvm::CodeGenOptLevel::Less,
                                    optimize);
}

static void buildToReference(OpPassManager &pm, const Lowering &lowering) {
  LowerToReferenceOptions options;
  options.accumulate = lowering.accumulate;
  options.chip = lowering.orderedAs;
  buildLowerToReferencePipeline(pm, options);
}

static void buildToKernels(OpPassManager &pm, const Lowering &lowering) {
  buildLowerToChipPipeline(pm, lowering.chip);
}

static void buildToEmulator(OpPassManager &pm, const Lowering &lowering) {
  LowerToEmulatorOptions options;
  options.chip = lowering.chip;
  buildLowerToEmulatorPipeline(pm, options);
}

static Error registerArgument(HostMatrix &argument, StringRef name) {
  auto [data, bytes] =
      argument.getDescriptor().getExtent(argument.getElementBytes());
  emulator::registerBuffer(data, bytes, {name.data(), name.size()});
  return Error::success();
}

static void unregisterArgument(HostMatrix &argument) {
  emulator::unregisterBuffer(
      argument.getDescriptor().getExtent(argument.getElementBytes()).first);
}

static Expected<DeviceReport> takeReports() {
  DeviceReport lines;
  for (const emulator::Report &report : emulator::takeReports())
    lines.faults.push_back(report.message);
  return lines;
}

static void doNothing() {}
static char *returnAddress(char *address) { return address; }

static const Device devices[] = {
    {"reference", Accumulation::F64, checkChip, buildToReference,
     [](OpPassManager &pm, const Lowering &) {
       buildLowerHostToLLVMPipeline(pm);
     },
     createReferenceEngine, doNothing,
     [](HostMatrix &, StringRef) -> Error { return Error::success(); },
     [] { return Expected<DeviceReport>(DeviceReport()); }, [](HostMatrix &) {},
     returnAddress},
    {"emulate", Accumulation::F64, checkLoweredChip, buildToKernels,
     buildToEmulator, emulator::createEngine, doNothing, registerArgument,
     takeReports, unregisterArgument, returnAddress},
    {"cuda", Accumulation::Hopper, cuda::checkChip, buildToKernels,
     cuda::buildToLLVM, cuda::createEngine, cuda::start, cuda::enter,
     cuda::finish, cuda::leave, cuda::findOnHost},
};

Expected<const Device *> mlir::lpgemm::lookupDevice(StringRef name) {
  for (const Device &device : devices)
    if (device.name == name)
      return &device;
  auto names = llvm::map_range(devices, [](const Device &d) { return d.name; });
  return createStringError("unknown device '" + name + "', expected one of " +
                           llvm::join(names, ", "));
}
