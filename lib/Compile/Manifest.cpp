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
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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

/// What a launch of the kernel has to give.
static void readSizes(FunctionOpInterface function, const TargetRecord &record,
                      KernelRecord &kernel) {
  MLIRContext *context = function.getContext();
  auto read = [&](StringRef name, SmallVectorImpl<int32_t> &sizes) {
    if (auto attr = function->getAttrOfType<DenseI32ArrayAttr>(name))
      sizes.assign(attr.asArrayRef().begin(), attr.asArrayRef().end());
  };
  if (record.amdgpu) {
    read(ROCDL::ROCDLDialect::ReqdWorkGroupSizeAttrHelper(context).getName(),
         kernel.block);
    return;
  }
  read(gpu::GPUDialect::KnownBlockSizeAttrHelper(context).getName(),
       kernel.block);
  kernel.cluster = {1, 1, 1};
  read(NVVM::NVVMDialect::getClusterDimAttrName(), kernel.cluster);
  if (auto bytes = function->getAttrOfType<IntegerAttr>(kSharedMemoryAttrName))
    kernel.dynamicSharedMemoryBytes = bytes.getInt();
}

FailureOr<Manifest> Manifest::collect(ModuleOp module, StringRef chip,
                                      StringRef emission) {
  Manifest manifest;
  manifest.chip = chip;
  manifest.emission = emission;
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
    readSizes(function, *lookupTargetRecord(chip), kernel);
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

/// Of a workgroup.
static int64_t getThreads(const KernelRecord &kernel) {
  return llvm::product_of(kernel.block, int64_t(1));
}

std::optional<Occupancy>
Manifest::getOccupancy(const KernelRecord &kernel) const {
  const AMDGPUMachine *machine = lookupTargetRecord(chip)->amdgpu;
  if (!kernel.resources || kernel.block.empty() || !machine)
    return std::nullopt;
  return kernel.resources->getOccupancy(*machine, getThreads(kernel));
}

//===----------------------------------------------------------------------===//
// NVIDIA
//===----------------------------------------------------------------------===//

/// The number in front of `unit` in a line of ptxas, 0 if there is none.
static int64_t findNumber(StringRef line, StringRef unit) {
  StringRef front = line.take_front(line.find(unit)).rtrim();
  if (front.size() == line.rtrim().size())
    return 0;
  int64_t number = 0;
  StringRef digits = front.take_back(
      front.size() -
      std::min(front.find_last_not_of("0123456789") + 1, front.size()));
  return digits.getAsInteger(10, number) ? 0 : number;
}

/// By their names. Sections start with "Compiling entry function 'name' for
/// ..." and "Function properties for name".
static llvm::StringMap<NVIDIAResources> parseAssemblerLog(StringRef log) {
  llvm::StringMap<NVIDIAResources> kernels;
  NVIDIAResources *current = nullptr;
  for (StringRef line : llvm::split(log, '\n')) {
    auto [ignored, entry] = line.split("Compiling entry function '");
    auto [before, function] = line.split("Function properties for ");
    if (!entry.empty())
      current = &kernels[entry.split('\'').first];
    else if (!function.empty())
      current = kernels.contains(function.trim()) ? &kernels[function.trim()]
                                                  : nullptr;
    if (!current)
      continue;
    const std::pair<int64_t *, StringLiteral> numbers[] = {
        {&current->stackBytes, " bytes stack frame"},
        {&current->spillStoreBytes, " bytes spill stores"},
        {&current->spillLoadBytes, " bytes spill loads"},
        {&current->registers, " registers"},
        {&current->barriers, " barriers"},
        {&current->staticSharedMemoryBytes, " bytes smem"}};
    for (auto [number, unit] : numbers)
      *number = std::max(*number, findNumber(line, unit));
  }
  return kernels;
}

Error Manifest::addAssemblerLog(StringRef log) {
  llvm::StringMap<NVIDIAResources> found = parseAssemblerLog(log);
  for (KernelRecord &kernel : kernels) {
    auto entry = found.find(kernel.name);
    if (entry == found.end())
      return createStringError("ptxas says nothing of kernel " + kernel.name);
    kernel.nvidiaResources = entry->second;
  }
  return Error::success();
}

int64_t NVIDIAResources::getWorkgroups(const NVIDIAMachine &machine,
                                       int64_t threads,
                                       int64_t dynamicBytes) const {
  int64_t warps = llvm::divideCeilSigned(threads, machine.warpSize);
  int64_t warpRegisters =
      llvm::alignTo(registers * machine.warpSize, machine.warpRegisterGranule);
  int64_t shared = llvm::alignTo(staticSharedMemoryBytes + dynamicBytes +
                                     machine.reservedSharedBytes,
                                 machine.sharedGranule);
  int64_t held =
      std::min(machine.multiprocessorWorkgroups,
               machine.multiprocessorThreads / (warps * machine.warpSize));
  held = std::min(held, machine.multiprocessorSharedBytes / shared);
  if (registers)
    held = std::min(held, machine.registers / (warps * warpRegisters));
  return held;
}

std::optional<int64_t>
Manifest::getWorkgroups(const KernelRecord &kernel) const {
  const NVIDIAMachine *machine = lookupTargetRecord(chip)->nvidia;
  if (!kernel.nvidiaResources || kernel.block.empty() || !machine)
    return std::nullopt;
  return kernel.nvidiaResources->getWorkgroups(*machine, getThreads(kernel),
                                               kernel.dynamicSharedMemoryBytes);
}
