//===- CudaDevice.cpp - kernels on a GPU ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

#include "HostMatrix.h"
#include "lpgemm/Compile/AssembleKernels.h"
#include "lpgemm/Emulator/Emulator.h"
#include "lpgemm/Pipelines/HostPipelines.h"
#include "lpgemm/Runtime/HostRuntime.h"
#include "lpgemm/Runtime/LaunchRuntime.h"
#include "lpgemm/Target/KnownTargets.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Target/TargetMachine.h"
#include <cstdlib>
#include <list>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// The state of a call
//===----------------------------------------------------------------------===//

namespace {
/// Memory of the GPU, and where the host has a copy of it.
struct Allocation {
  cuda::Address address;
  size_t bytes;
  char *host;
  /// Of memory that the program allocates.
  std::unique_ptr<char[]> copy;
};

struct State {
  /// What went wrong, in the order in which it did.
  std::vector<std::string> errors;
  std::list<Allocation> blocks;
  std::optional<cuda::LaunchTimer> timer;
};
} // namespace

/// One call is made at a time, and what compiled code calls has no other way to
/// get there.
static State &getState() {
  static State state;
  return state;
}

/// The first line that was told since the last time.
static Error takeError() {
  std::vector<std::string> lines = std::exchange(getState().errors, {});
  return lines.empty() ? Error::success() : createStringError(lines.front());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What nobody wrote reads as NaN, as on the host. Null after an error.
static Allocation *allocate(size_t bytes, char *host) {
  cuda::ContextScope scope;
  Allocation block{0, std::max<size_t>(bytes, 1), host, nullptr};
  if (!scope.isValid() ||
      !cuda::check("cuMemAlloc", scope->allocate(&block.address, block.bytes)))
    return nullptr;
  cuda::check("cuMemsetD8", scope->fill(block.address, 0xFF, block.bytes));
  return &getState().blocks.emplace_back(std::move(block));
}

static char *asPointer(cuda::Address address) {
  return reinterpret_cast<char *>(static_cast<uintptr_t>(address));
}

/// `malloc` and `free` of the program.
static void *allocateTemporary(size_t bytes) {
  Allocation *block = allocate(bytes, /*host=*/nullptr);
  return block ? asPointer(block->address) : nullptr;
}

static void freeTemporary(void *pointer) {
  std::list<Allocation> &blocks = getState().blocks;
  auto block = llvm::find_if(blocks, [&](const Allocation &candidate) {
    return asPointer(candidate.address) == pointer;
  });
  if (block == blocks.end())
    return;
  cuda::ContextScope scope;
  if (scope.isValid())
    cuda::check("cuMemFree", scope->free(block->address));
  blocks.erase(block);
}

Error cuda::enter(HostMatrix &argument, StringRef) {
  MutableArrayRef<char> memory = argument.getMemory();
  ContextScope scope;
  if (Allocation *block = allocate(memory.size(), memory.data())) {
    check("cuMemcpyHtoD",
          scope->copyToDevice(block->address, memory.data(), memory.size()));
    argument.getDescriptor().move(asPointer(block->address) - memory.data());
  }
  return takeError();
}

/// Copies all memory to the host.
static void fetchBlocks() {
  cuda::ContextScope scope;
  for (Allocation &block : getState().blocks) {
    if (!block.host) {
      block.copy = std::make_unique<char[]>(block.bytes);
      block.host = block.copy.get();
    }
    if (scope.isValid())
      cuda::check("cuMemcpyDtoH",
                  scope->copyToHost(block.host, block.address, block.bytes));
  }
}

void cuda::leave(HostMatrix &argument) {
  char *host = argument.getMemory().data();
  for (const Allocation &block : getState().blocks)
    if (block.host == host)
      argument.getDescriptor().move(host - asPointer(block.address));
}

char *cuda::findOnHost(char *address) {
  for (const Allocation &block : getState().blocks) {
    char *first = asPointer(block.address);
    if (address >= first && address < first + block.bytes)
      return block.host + (address - first);
  }
  return address;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void cuda::start() {
  State &state = getState();
  ContextScope scope;
  for (const Allocation &block : state.blocks)
    if (scope.isValid())
      check("cuMemFree", scope->free(block.address));
  state.blocks.clear();
  state.timer.emplace();
}

Expected<DeviceReport> cuda::finish() {
  DeviceReport report;
  State &state = getState();
  ContextScope scope;
  if (scope.isValid())
    check("cuCtxSynchronize", scope->synchronizeContext());
  if (state.timer)
    llvm::append_range(report.kernelMilliseconds,
                       state.timer->getMilliseconds());
  state.timer.reset();
  fetchBlocks();
  if (Error error = takeError())
    return error;
  return report;
}

Error cuda::checkChip(StringRef chip) {
  if (Error error = checkLoweredChip(chip))
    return error;
  if (!lookupTargetRecord(chip)->nvidia)
    return createStringError(
        "--device=cuda runs kernels for chips of NVIDIA, got --chip=" + chip);
  // Else the first launch of a kernel loads it, and that is timed.
  setenv("CUDA_MODULE_LOADING", "EAGER", /*overwrite=*/0);
  setErrorHandler(
      [](const std::string &line) { getState().errors.push_back(line); });
  ContextScope scope;
  return takeError();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
/// Refuses code of the host that reads or writes memory, which is the GPU's.
struct CheckHostCode : PassWrapper<CheckHostCode, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckHostCode)

  StringRef getName() const override { return "check-host-code"; }
  void runOnOperation() override;
};
} // namespace

static bool accessesMemory(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [](MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
           effect.getValue() &&
           isa<BaseMemRefType>(effect.getValue().getType());
  });
}

void CheckHostCode::runOnOperation() {
  WalkResult result =
      getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
        if (isa<gpu::GPUModuleOp>(op))
          return WalkResult::skip();
        if (!accessesMemory(op))
          return WalkResult::advance();
        op->emitOpError("reads or writes memory on the host, but that of "
                        "device cuda is on the GPU");
        return WalkResult::interrupt();
      });
  if (result.wasInterrupted())
    signalPassFailure();
}

void cuda::buildToLLVM(OpPassManager &pm, const Lowering &lowering) {
  pm.addPass(std::make_unique<CheckHostCode>());
  buildAssembleKernelsPipeline(pm, lowering.chip);
  buildLowerHostToLLVMPipeline(pm);
  pm.addPass(createGpuToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// What host code calls.
static const std::pair<StringLiteral, void *> hostFunctions[] = {
    {"malloc", reinterpret_cast<void *>(allocateTemporary)},
    {"free", reinterpret_cast<void *>(freeTemporary)},
    {"lpgemmEncodeTensorMap", reinterpret_cast<void *>(lpgemmEncodeTensorMap)},
    {"lpgemmEncodeBatchTensorMap",
     reinterpret_cast<void *>(lpgemmEncodeBatchTensorMap)},
    {"lpgemmGetMultiprocessorCount",
     reinterpret_cast<void *>(lpgemmGetMultiprocessorCount)},
    {"mgpuModuleLoad", reinterpret_cast<void *>(mgpuModuleLoad)},
    {"mgpuModuleLoadJIT", reinterpret_cast<void *>(mgpuModuleLoadJIT)},
    {"mgpuModuleUnload", reinterpret_cast<void *>(mgpuModuleUnload)},
    {"mgpuModuleGetFunction", reinterpret_cast<void *>(mgpuModuleGetFunction)},
    {"mgpuLaunchKernel", reinterpret_cast<void *>(mgpuLaunchKernel)},
    {"mgpuLaunchClusterKernel",
     reinterpret_cast<void *>(mgpuLaunchClusterKernel)},
    {"mgpuStreamCreate", reinterpret_cast<void *>(mgpuStreamCreate)},
    {"mgpuStreamDestroy", reinterpret_cast<void *>(mgpuStreamDestroy)},
    {"mgpuStreamSynchronize", reinterpret_cast<void *>(mgpuStreamSynchronize)}};

Expected<std::unique_ptr<ExecutionEngine>> cuda::createEngine(ModuleOp module) {
  auto engine = emulator::createHostEngine(
      module, llvm::CodeGenOptLevel::Less,
      makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                /*targetMachine=*/nullptr));
  if (!engine)
    return engine;
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    for (auto [name, address] : hostFunctions)
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                 llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  return engine;
}
