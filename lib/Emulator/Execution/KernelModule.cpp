//===- KernelModule.cpp - launching kernels by name -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Emulator.h"

#include "lpgemm/Emulator/Passes.h"
#include "lpgemm/Pipelines/HostPipelines.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

KernelModule::KernelModule() = default;
KernelModule::KernelModule(KernelModule &&) = default;
KernelModule::~KernelModule() = default;

//===----------------------------------------------------------------------===//
// Launchers
//===----------------------------------------------------------------------===//

// What a launcher takes first: three sizes of the grid, of the block and of
// the cluster, and the bytes of dynamic shared memory.
static constexpr unsigned kNumSizes = 10;

namespace {
/// Builds the host function that launches a kernel.
class LauncherBuilder {
public:
  LauncherBuilder(ModuleOp module, bool usesClusters)
      : module(module), usesClusters(usesClusters),
        builder(module.getBodyRegion()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  /// The function: void name(i64 *sizes, void **arguments).
  void build(LLVM::LLVMFuncOp kernel, StringRef name);

private:
  Value loadElement(Location loc, Value list, Type type, int32_t index);

  ModuleOp module;
  bool usesClusters;
  OpBuilder builder;
  Type pointer;
};
} // namespace

Value LauncherBuilder::loadElement(Location loc, Value list, Type type,
                                   int32_t index) {
  Value place = LLVM::GEPOp::create(builder, loc, pointer, type, list,
                                    ArrayRef<LLVM::GEPArg>{index});
  return LLVM::LoadOp::create(builder, loc, type, place);
}

void LauncherBuilder::build(LLVM::LLVMFuncOp kernel, StringRef name) {
  Location loc = kernel.getLoc();
  builder.setInsertionPointToEnd(module.getBody());
  auto launcher = LLVM::LLVMFuncOp::create(
      builder, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module.getContext()),
                                  {pointer, pointer}));
  Block *block = launcher.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> sizes, arguments;
  for (unsigned i = 0; i != kNumSizes; ++i)
    sizes.push_back(
        loadElement(loc, block->getArgument(0), builder.getI64Type(), i));
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Value place = loadElement(loc, block->getArgument(1), pointer, i);
    auto byValue = kernel.getArgAttrOfType<TypeAttr>(
        i, LLVM::LLVMDialect::getByValAttrName());
    arguments.push_back(LLVM::LoadOp::create(
        builder, loc, byValue ? byValue.getValue() : type, place));
  }
  auto dims = [&](unsigned first) {
    return gpu::KernelDim3{sizes[first], sizes[first + 1], sizes[first + 2]};
  };
  Value dynamicBytes = LLVM::TruncOp::create(builder, loc, builder.getI32Type(),
                                             sizes[kNumSizes - 1]);
  auto gpuModule = kernel->getParentOfType<gpu::GPUModuleOp>();
  auto symbol = SymbolRefAttr::get(gpuModule.getSymNameAttr(),
                                   {FlatSymbolRefAttr::get(kernel)});
  gpu::LaunchFuncOp::create(
      builder, loc, symbol, dims(0), dims(3), dynamicBytes, arguments,
      /*asyncObject=*/nullptr,
      usesClusters ? std::optional(dims(6)) : std::nullopt);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static Error runPasses(ModuleOp module, const KernelOptions &options,
                       function_ref<void(OpPassManager &)> build) {
  PassManager pm(module->getName());
  build(pm);
  if (succeeded(pm.run(module)))
    return Error::success();
  return createStringError("cannot lower the kernels for " + options.chip);
}

static Kernel describe(LLVM::LLVMFuncOp function, unsigned index) {
  Kernel kernel;
  kernel.name = function.getSymName().str();
  kernel.launcher = "lpgemm_emulator_launcher_" + std::to_string(index);
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto byValue = function.getArgAttrOfType<TypeAttr>(
        i, LLVM::LLVMDialect::getByValAttrName());
    kernel.parameters.push_back({type, byValue ? byValue.getValue() : Type()});
  }
  return kernel;
}

Expected<KernelModule> KernelModule::compile(ModuleOp module,
                                             const KernelOptions &options) {
  if (Error error = checkChip(options.chip))
    return error;
  KernelModule result;
  if (Error error = runPasses(module, options, [&](OpPassManager &pm) {
        buildLowerEmulatorKernelsPipeline(pm, options.chip);
      }))
    return error;
  LauncherBuilder launchers(module, options.usesClusters);
  for (auto gpuModule : llvm::to_vector(module.getOps<gpu::GPUModuleOp>()))
    for (auto function : gpuModule.getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal() ||
          !function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
        continue;
      result.kernels.push_back(describe(function, result.kernels.size()));
      launchers.build(function, result.kernels.back().launcher);
    }
  if (Error error = runPasses(module, options, [&](OpPassManager &pm) {
        pm.addPass(createConvertGPUToEmulatorPass({options.chip}));
        buildLowerHostToLLVMPipeline(pm);
      }))
    return error;
  auto engine = createEngine(module);
  if (!engine)
    return engine.takeError();
  result.engine = std::move(*engine);
  for (Kernel &kernel : result.kernels) {
    auto function = result.engine->lookupPacked(kernel.launcher);
    if (!function)
      return function.takeError();
    kernel.launch = *function;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Using
//===----------------------------------------------------------------------===//

Expected<const Kernel *> KernelModule::lookup(StringRef name) const {
  const Kernel *found = nullptr;
  unsigned count = 0;
  for (const Kernel &kernel : kernels)
    if (name.empty() || kernel.name == name) {
      found = &kernel;
      ++count;
    }
  if (count == 1)
    return found;
  if (kernels.empty())
    return createStringError("the module has no kernel: an llvm.func with "
                             "gpu.kernel, rocdl.kernel or nvvm.kernel, or a "
                             "gpu.func that is a kernel");
  auto names =
      llvm::map_range(kernels, [](const Kernel &k) { return "@" + k.name; });
  std::string list = llvm::join(names, ", ");
  if (name.empty())
    return createStringError("the module has " + Twine(count) +
                             " kernels, name one of " + list);
  return createStringError(
      count == 0
          ? "no kernel @" + name + ", expected one of " + list
          : Twine(count) + " kernels are called @" + name + ", expected one");
}

void KernelModule::launch(const Kernel &kernel, const LaunchSizes &sizes,
                          ArrayRef<void *> arguments) const {
  assert(arguments.size() == kernel.parameters.size() &&
         "expected a value for each parameter");
  const Dim3 &grid = sizes.grid, &block = sizes.block, &cluster = sizes.cluster;
  int64_t words[kNumSizes] = {
      grid.x,  grid.y,    grid.z,    block.x,   block.y,
      block.z, cluster.x, cluster.y, cluster.z, sizes.dynamicSharedBytes};
  void *first = words;
  void *second = const_cast<void **>(arguments.data());
  void *packed[] = {&first, &second};
  kernel.launch(packed);
}
