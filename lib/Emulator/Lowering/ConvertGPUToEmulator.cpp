//===- ConvertGPUToEmulator.cpp - kernels to host code --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Passes.h"

#include "DeviceOpLowering.h"
#include "KernelInfoBuilder.h"
#include "NVVM/InlinePtx.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::lpgemm {
#define GEN_PASS_DEF_CONVERTGPUTOEMULATORPASS
#include "lpgemm/Emulator/Passes.h.inc"
} // namespace mlir::lpgemm

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;

/// By the kernel's name as a launch gives it, `@module::@kernel`.
using KernelMap = llvm::MapVector<SymbolRefAttr, LoweredKernel>;
using ChipMap = llvm::MapVector<Operation *, const EmulatedChip *>;

//===----------------------------------------------------------------------===//
// Checks before anything is changed
//===----------------------------------------------------------------------===//

/// The chip that a gpu.module names: the project's own attribute, or what its
/// targets agree on. Empty if it names none.
static StringRef findChipName(gpu::GPUModuleOp gpuModule) {
  if (TargetAttr target = lookupTarget(gpuModule))
    return target.getChip();
  llvm::SmallSetVector<StringRef, 2> names;
  if (ArrayAttr targets = gpuModule.getTargetsAttr())
    for (auto target : targets.getAsRange<Attribute>()) {
      if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
        names.insert(rocdl.getChip());
      if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target))
        names.insert(nvvm.getChip());
    }
  return names.size() == 1 ? names.front() : StringRef();
}

static LogicalResult checkModuleMember(Operation &op, SymbolTable &symbols,
                                       const EmulatedChip &chip) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return function.isExternal()
               ? success()
               : DeviceOpLowering::check(function, symbols, chip);
  if (isa<gpu::GPUFuncOp>(op))
    return op.emitError("emulator expects an llvm.func, got a gpu.func: "
                        "convert-gpu-to-rocdl or convert-gpu-to-nvvm must run "
                        "first");
  if (auto global = dyn_cast<LLVM::GlobalOp>(op))
    return checkGlobalVariable(global);
  return op.emitError("emulator does not model op '") << op.getName() << "'";
}

/// Returns the function a launch runs, or null after an error.
static LLVM::LLVMFuncOp findKernel(gpu::LaunchFuncOp launch) {
  auto module = launch->getParentOfType<ModuleOp>();
  auto *symbol = module.lookupSymbol(launch.getKernel());
  auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(symbol);
  if (function && !function.isExternal() && isKernel(function))
    return function;
  // Of a gpu.func its own module's check speaks.
  if (!isa_and_nonnull<gpu::GPUFuncOp>(symbol))
    launch.emitError("expected a kernel with a body, got ")
        << launch.getKernel();
  return {};
}

/// Whether a launch may give a value of type `from` for an argument of type
/// `to`: the bare pointer calling convention makes pointers of memrefs.
static bool isPassable(Type from, Type to) {
  auto memref = dyn_cast<MemRefType>(from);
  return from == to || (from.isIndex() && to.isInteger()) ||
         (memref && memref.hasStaticShape() &&
          memref.getLayout().isIdentity() && isa<LLVM::LLVMPointerType>(to));
}

static LogicalResult checkIsSynchronous(gpu::AsyncOpInterface op,
                                        StringRef what) {
  if (!op.getAsyncToken() && op.getAsyncDependencies().empty())
    return success();
  return op.emitError("emulator does not model asynchronous ") << what;
}

static LogicalResult checkLaunch(gpu::LaunchFuncOp launch) {
  if (failed(checkIsSynchronous(launch, "launches")))
    return failure();
  if (launch.getAsyncObject())
    return launch.emitError("emulator does not model asynchronous launches");
  LLVM::LLVMFuncOp kernel = findKernel(launch);
  if (!kernel)
    return failure();
  ValueRange operands = launch.getKernelOperands();
  if (operands.size() != kernel.getNumArguments())
    return launch.emitError("kernel ")
           << launch.getKernel() << " expects " << kernel.getNumArguments()
           << " arguments, got " << operands.size();
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Type expected = getPassedType(kernel, i);
    if (!isPassable(operand.getType(), expected))
      return launch.emitError("kernel ")
             << launch.getKernel() << " expects argument " << i << " of type "
             << expected << ", got " << operand.getType();
  }
  return success();
}

/// Finds the chip of each gpu.module; `chip` is that of those that name none.
static LogicalResult findChips(ModuleOp module, const EmulatedChip &chip,
                               ChipMap &chips) {
  bool isGood = true;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    StringRef name = findChipName(gpuModule);
    const EmulatedChip *own = name.empty() ? &chip : lookupChip(name);
    if (!own)
      isGood &= succeeded(gpuModule.emitError("emulator knows no chip '")
                          << name << "', expected one of " << listChips());
    chips[gpuModule] = own;
  }
  return success(isGood);
}

/// Of AMD's kernels checkModule refuses what they have of NVVM.
static LogicalResult expandSpelledOps(const ChipMap &chips) {
  bool isGood = true;
  for (auto [gpuModule, chip] : chips)
    if (isNvidia(chip->chip))
      isGood &= succeeded(emulator::expandSpelledOps(gpuModule));
  return success(isGood);
}

static LogicalResult checkModule(ModuleOp module, const ChipMap &chips) {
  bool isGood = true;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    SymbolTable symbols(gpuModule);
    for (Operation &op : *gpuModule.getBody())
      isGood &=
          succeeded(checkModuleMember(op, symbols, *chips.lookup(gpuModule)));
  }
  for (auto binary : module.getOps<gpu::BinaryOp>())
    isGood &= succeeded(binary.emitError(
        "emulator expects kernels in a gpu.module, got a gpu.binary"));
  module.walk([&](gpu::LaunchFuncOp launch) {
    isGood &= succeeded(checkLaunch(launch));
  });
  module.walk([&](gpu::AsyncOpInterface op) {
    if (isa<gpu::AllocOp, gpu::DeallocOp>(op.getOperation()))
      isGood &= succeeded(checkIsSynchronous(op, "allocations"));
  });
  return success(isGood);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Attributes of functions that speak to the back end of the device.
static constexpr llvm::StringLiteral kDeviceAttributes[] = {
    "comdat",          "passthrough", "section",     "target_cpu",
    "target_features", "tune_cpu",    "vscale_range"};

/// Takes off the attributes of other dialects: they are about the device.
static void makeHostFunction(LLVM::LLVMFuncOp function) {
  // byval is a matter of the device's ABI: see buildKernelEntry.
  auto isForeign = [](StringAttr name) {
    return name.strref().contains('.') &&
           (!name.strref().starts_with("llvm.") ||
            name == LLVM::LLVMDialect::getByValAttrName());
  };
  SmallVector<NamedAttribute> attributes(function->getDiscardableAttrs());
  for (NamedAttribute attribute : attributes)
    if (isForeign(attribute.getName()))
      function->removeDiscardableAttr(attribute.getName());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    for (NamedAttribute attribute :
         function_interface_impl::getArgAttrs(function, i))
      if (isForeign(attribute.getName()))
        function.removeArgAttr(i, attribute.getName());
  for (StringRef name : kDeviceAttributes)
    function->removeAttr(name);
  // A frame that is too large must not step over the guard of the stack.
  Builder builder(function.getContext());
  function.setPassthroughAttr(builder.getArrayAttr(
      builder.getStrArrayAttr({"probe-stack", "inline-asm"})));
  function.setCConv(LLVM::CConv::C);
  function.setLinkage(LLVM::Linkage::Internal);
}

/// The sizes of blocks and clusters that the function fixes. Trailing ones may
/// be missing.
static void describeSizes(LLVM::LLVMFuncOp function, LoweredKernel &kernel) {
  auto read = [&](StringRef name, std::array<int32_t, 3> &result) {
    auto sizes = function->getAttrOfType<DenseI32ArrayAttr>(name);
    if (!sizes || sizes.empty() || sizes.size() > int64_t(result.size()))
      return;
    result.fill(1);
    llvm::copy(sizes.asArrayRef(), result.begin());
  };
  using Dialect = NVVM::NVVMDialect;
  std::array<int32_t, 3> largest = {0, 0, 0};
  read(gpu::GPUDialect::KnownBlockSizeAttrHelper(function.getContext())
           .getName(),
       kernel.requiredBlock);
  read(Dialect::getReqntidAttrName(), kernel.requiredBlock);
  read(Dialect::getMaxntidAttrName(), largest);
  read(Dialect::getClusterDimAttrName(), kernel.cluster);
  kernel.maxLanes = largest[0] * largest[1] * largest[2];
}

static LogicalResult describeKernel(LLVM::LLVMFuncOp function,
                                    SymbolTable &symbols,
                                    const EmulatedChip &chip,
                                    LoweredKernel &kernel) {
  FailureOr<LdsLayout> layout = layOutLds(function, symbols, chip);
  if (failed(layout))
    return failure();
  kernel.function = function;
  kernel.name = function.getSymName().str();
  kernel.chip = &chip;
  kernel.layout = std::move(*layout);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    kernel.passedTypes.push_back(getPassedType(function, i));
  for (auto &[global, object] : kernel.layout.objects) {
    kernel.ldsNames += global.getSymName();
    kernel.ldsNames += '\0';
    kernel.ldsObjects.push_back(object.offset);
    kernel.ldsObjects.push_back(object.bytes);
  }
  describeSizes(function, kernel);
  return success();
}

/// Moves functions and globals to the end of `module`, under free names.
static void moveSymbols(ArrayRef<Operation *> ops, SymbolTable &symbols,
                        StringRef prefix, ModuleOp module) {
  SymbolTable hostSymbols(module);
  // Before any is moved: renaming changes the uses in the old module only.
  for (Operation *op : ops) {
    std::string base =
        (prefix + "_" + SymbolTable::getSymbolName(op).getValue()).str();
    std::string name = base;
    for (unsigned i = 0; hostSymbols.lookup(name) || symbols.lookup(name); ++i)
      name = base + "_" + std::to_string(i);
    // Cannot fail: the name is free.
    (void)symbols.rename(op, name);
  }
  for (Operation *op : ops)
    op->moveBefore(module.getBody(), module.getBody()->end());
}

static LogicalResult lowerGPUModule(gpu::GPUModuleOp gpuModule,
                                    const EmulatedChip &chip,
                                    OpBuilder &builder,
                                    DeviceOpLowering &lowering,
                                    KernelMap &kernels) {
  SymbolTable symbols(gpuModule);
  auto module = gpuModule->getParentOfType<ModuleOp>();
  SmallVector<LLVM::LLVMFuncOp> functions;
  SmallVector<Operation *> moved;
  for (auto function : gpuModule.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  SmallVector<SymbolRefAttr> kernelNames;
  for (LLVM::LLVMFuncOp function : functions) {
    moved.push_back(function);
    LoweredKernel *kernel = nullptr;
    if (isKernel(function)) {
      auto name = SymbolRefAttr::get(gpuModule.getSymNameAttr(),
                                     {FlatSymbolRefAttr::get(function)});
      kernel = &kernels[name];
      kernelNames.push_back(name);
      if (failed(describeKernel(function, symbols, chip, *kernel)))
        return failure();
    }
    lowering.lower(function, symbols, chip, kernel ? &kernel->layout : nullptr);
    makeHostFunction(function);
  }
  // After the functions, which tell globals by their address spaces.
  for (auto global : gpuModule.getOps<LLVM::GlobalOp>()) {
    if (!isDeviceGlobal(global))
      continue;
    moved.push_back(global);
    DeviceGlobal hostGlobal = makeHostGlobal(module, builder, global);
    for (SymbolRefAttr name : kernelNames)
      kernels[name].globals.push_back(hostGlobal);
  }
  moveSymbols(moved, symbols, gpuModule.getName(), module);
  gpuModule.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// An index or an integer as an i64.
static Value toI64(OpBuilder &builder, Location loc, Value value) {
  Type type = builder.getI64Type();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (value.getType().isInteger(64))
    return value;
  return arith::ExtUIOp::create(builder, loc, type, value);
}

/// A launch operand as a value of the argument's type; see isPassable.
static Value castOperand(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, value);
  return LLVM::IntToPtrOp::create(builder, loc, type,
                                  toI64(builder, loc, address));
}

/// Stores the arguments in memory that lives as long as the function, and
/// returns the list of their addresses.
static Value packArguments(OpBuilder &builder, gpu::LaunchFuncOp launch,
                           const LoweredKernel &kernel) {
  Location loc = launch.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto allocate = [&](Type type, int64_t count) -> Value {
    OpBuilder::InsertionGuard guard(builder);
    auto function = launch->getParentOfType<FunctionOpInterface>();
    builder.setInsertionPointToStart(&function.getFunctionBody().front());
    Value size = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                          builder.getI32IntegerAttr(count));
    // A tensor map that is passed by value must be aligned as one.
    constexpr unsigned kAlignment = 64;
    return LLVM::AllocaOp::create(builder, loc, pointer, type, size,
                                  kAlignment);
  };
  ValueRange operands = launch.getKernelOperands();
  Value list = allocate(pointer, std::max<int64_t>(operands.size(), 1));
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Type type = kernel.passedTypes[i];
    Value value = castOperand(builder, loc, operand, type);
    Value place = allocate(type, 1);
    LLVM::StoreOp::create(builder, loc, value, place);
    Value element =
        LLVM::GEPOp::create(builder, loc, pointer, pointer, list,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, place, element);
  }
  return list;
}

static void lowerLaunch(OpBuilder &builder, RuntimeCalls &calls,
                        gpu::LaunchFuncOp launch, LoweredKernel &kernel) {
  builder.setInsertionPoint(launch);
  Location loc = launch.getLoc();
  SmallVector<Value> operands{
      LLVM::AddressOfOp::create(builder, loc, kernel.info),
      LLVM::AddressOfOp::create(builder, loc, kernel.entry)};
  for (Value size :
       {launch.getGridSizeX(), launch.getGridSizeY(), launch.getGridSizeZ(),
        launch.getBlockSizeX(), launch.getBlockSizeY(), launch.getBlockSizeZ(),
        launch.getClusterSizeX(), launch.getClusterSizeY(),
        launch.getClusterSizeZ()})
    operands.push_back(size ? toI64(builder, loc, size)
                            : calls.constant(loc, 1, /*width=*/64));
  Value dynamicBytes = launch.getDynamicSharedMemorySize();
  operands.push_back(dynamicBytes ? toI64(builder, loc, dynamicBytes)
                                  : calls.constant(loc, 0, /*width=*/64));
  operands.push_back(packArguments(builder, launch, kernel));
  for (const DeviceGlobal &global : kernel.globals)
    buildAddGlobal(calls, builder, loc, global);
  calls.call(loc, "emu_launch", Type(), operands);
  for (const DeviceGlobal &global : kernel.globals)
    buildRemoveGlobal(calls, builder, loc, global);
  launch.erase();
}

/// Memory of the device is that of the host, which the emulator knows.
static void lowerAllocations(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  module.walk([&](gpu::AllocOp op) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<memref::AllocOp>(op, op.getMemref().getType(),
                                                 op.getDynamicSizes(),
                                                 op.getSymbolOperands());
  });
  module.walk([&](gpu::DeallocOp op) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<memref::DeallocOp>(op, op.getMemref());
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class ConvertGPUToEmulator
    : public mlir::lpgemm::impl::ConvertGPUToEmulatorPassBase<
          ConvertGPUToEmulator> {
public:
  using ConvertGPUToEmulatorPassBase::ConvertGPUToEmulatorPassBase;

protected:
  void runOnOperation() override;

private:
  LogicalResult lowerModule(const ChipMap &chips);
};
} // namespace

void ConvertGPUToEmulator::runOnOperation() {
  const EmulatedChip *target = lookupChip(chip);
  if (!target) {
    getOperation().emitError("emulator knows no chip '")
        << chip << "', expected one of " << listChips();
    return signalPassFailure();
  }
  ChipMap chips;
  if (failed(findChips(getOperation(), *target, chips)) ||
      failed(expandSpelledOps(chips)) ||
      failed(checkModule(getOperation(), chips)) || failed(lowerModule(chips)))
    signalPassFailure();
}

LogicalResult ConvertGPUToEmulator::lowerModule(const ChipMap &chips) {
  ModuleOp module = getOperation();
  OpBuilder builder(&getContext());
  SiteList sites;
  DeviceOpLowering lowering(module, builder, sites);
  KernelMap kernels;
  for (auto gpuModule : llvm::to_vector(module.getOps<gpu::GPUModuleOp>()))
    if (failed(lowerGPUModule(gpuModule, *chips.lookup(gpuModule), builder,
                              lowering, kernels)))
      return failure();
  LLVM::GlobalOp siteText =
      buildText(module, builder, "emu_site_text", sites.getText().str() + '\0');
  RuntimeCalls calls(module, builder);
  for (auto &[name, kernel] : kernels) {
    buildKernelEntry(module, builder, calls, kernel);
    buildKernelInfo(module, builder, kernel, sites, siteText);
  }
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    lowerLaunch(builder, calls, launch, kernels[launch.getKernel()]);
  lowerAllocations(module);
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}
