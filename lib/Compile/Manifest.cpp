//===- Manifest.cpp - what a compilation made -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Compile/Manifest.h"

#include "lpgemm/Target/KnownTargets.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;

/// "file:line:column" of the place in a file that comes first.
static std::string printLocation(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto place = dyn_cast<FileLineColLoc>(part);
    if (!place)
      return WalkResult::advance();
    text = (place.getFilename().getValue() + ":" + Twine(place.getLine()) +
            ":" + Twine(place.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

FailureOr<Manifest> Manifest::collect(ModuleOp module, StringRef chip,
                                      StringRef emission) {
  Manifest manifest;
  manifest.chip = chip;
  manifest.emission = emission;
  ROCDL::ROCDLDialect::ReqdWorkGroupSizeAttrHelper block(module.getContext());
  WalkResult result = module.walk([&](FunctionOpInterface function) {
    if (!function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      return WalkResult::advance();
    auto interface = KernelInterface::lookup(function);
    if (failed(interface))
      return WalkResult::interrupt();
    KernelRecord &kernel = manifest.kernels.emplace_back();
    kernel.name = SymbolTable::getSymbolName(function).getValue();
    kernel.location = printLocation(function.getLoc());
    kernel.interface = *interface;
    kernel.schedule = function->getAttrOfType<ScheduleAttr>(kScheduleAttrName);
    if (auto size = function->getAttrOfType<DenseI32ArrayAttr>(block.getName()))
      kernel.block.assign(size.asArrayRef().begin(), size.asArrayRef().end());
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return manifest;
}

Error Manifest::addResources(StringRef object) {
  llvm::StringMap<llvm::offloading::amdgpu::AMDGPUKernelMetaData> found;
  uint16_t abiVersion = 0;
  if (Error error = llvm::offloading::amdgpu::getAMDGPUMetaDataFromImage(
          llvm::MemoryBufferRef(object, "object"), found, abiVersion))
    return error;
  for (KernelRecord &kernel : kernels) {
    auto entry = found.find(kernel.name);
    if (entry == found.end())
      return createStringError("the object has no kernel " + kernel.name);
    const auto &data = entry->second;
    kernel.resources = KernelResources{
        data.VGPRCount,          data.AGPRCount,      data.SGPRCount,
        data.VGPRSpillCount,     data.SGPRSpillCount, data.GroupSegmentList,
        data.PrivateSegmentSize, data.WavefrontSize};
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

int64_t Occupancy::getWaves() const {
  return std::min({vectorRegisters, scalarRegisters, sharedMemory, chip});
}

/// As LLVM counts it (GCNSubtarget::computeOccupancy), for the busiest SIMD.
Occupancy KernelResources::getOccupancy(const AMDGPUMachine &machine,
                                        int64_t threads) const {
  auto fit = [&](int64_t have, int64_t need) {
    return need ? std::min(have / need, machine.maxWaves) : machine.maxWaves;
  };
  int64_t waves = llvm::divideCeilSigned(threads, waveSize);
  int64_t groups = machine.maxWaves * machine.numSIMDs / waves;
  if (sharedMemoryBytes)
    groups = std::min(groups, machine.sharedMemoryBytes / sharedMemoryBytes);
  return {fit(machine.vectorRegisters,
              llvm::alignTo(vectorRegisters, machine.vectorGranule)),
          fit(machine.scalarRegisters, scalarRegisters),
          std::min<int64_t>(
              llvm::divideCeilSigned(groups * waves, machine.numSIMDs),
              machine.maxWaves),
          machine.maxWaves};
}

std::optional<Occupancy>
Manifest::getOccupancy(const KernelRecord &kernel) const {
  const AMDGPUMachine *machine = lookupTargetRecord(chip)->amdgpu;
  if (!kernel.resources || kernel.block.empty() || !machine)
    return std::nullopt;
  int64_t threads = 1;
  for (int32_t size : kernel.block)
    threads *= size;
  return kernel.resources->getOccupancy(*machine, threads);
}
