//===- Compile.cpp - ahead-of-time compilation ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Compile/Compile.h"

#include "Ptxas.h"
#include "Toolkit.h"
#include "lpgemm/Compile/AssembleKernels.h"
#include "lpgemm/Pipelines/Pipelines.h"
#include "lpgemm/Target/KnownTargets.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {
/// What can be emitted.
struct Emission {
  StringLiteral name;
  /// How gpu-module-to-binary calls it; empty: it has no part in it.
  StringLiteral format;
  bool isText;
};
} // namespace

static constexpr Emission emissions[] = {{"mlir", "", true},
                                         {"llvm", "llvm", true},
                                         {"isa", "isa", true},
                                         {"binary", "bin", false}};
/// What ptxas is given.
static constexpr StringLiteral kPtxFormat = "isa";

static Expected<const Emission *> lookupEmission(StringRef name) {
  for (const Emission &emission : emissions)
    if (emission.name == name)
      return &emission;
  return createStringError("unknown emit kind '" + name +
                           "', expected one of mlir, llvm, isa, binary");
}

Expected<bool> mlir::lpgemm::emitsText(StringRef emit) {
  Expected<const Emission *> emission = lookupEmission(emit);
  if (!emission)
    return emission.takeError();
  return (*emission)->isText;
}

static Error runPasses(ModuleOp module, StringRef name, StringRef chip,
                       function_ref<void(PassManager &)> build) {
  PassManager pm(module->getName());
  build(pm);
  if (succeeded(pm.run(module)))
    return Error::success();
  return createStringError("cannot compile " + name + " for " + chip);
}

/// Moves what is in `from` to `to`; names that are taken give way, apart from
/// those of kernels.
static Error mergeInto(gpu::GPUModuleOp to, gpu::GPUModuleOp from) {
  SymbolTable target(to), source(from);
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    StringAttr name = SymbolTable::getSymbolName(&op);
    if (target.lookup(name)) {
      if (op.hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
          failed(source.renameToUnique(&op, {&target})))
        return createStringError("two kernels are called '" + name.strref() +
                                 "'");
    }
    op.remove();
    target.insert(&op);
  }
  from.erase();
  return Error::success();
}

/// One object has all kernels.
static Error mergeKernelModules(ModuleOp module, StringRef name) {
  auto modules = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  if (modules.empty())
    return createStringError(name + ": no kernel to compile");
  for (gpu::GPUModuleOp other : llvm::drop_begin(modules)) {
    if (other.getTargetsAttr() != modules.front().getTargetsAttr())
      return createStringError(name + ": kernels for different targets");
    if (Error error = mergeInto(modules.front(), other))
      return error;
  }
  return Error::success();
}

/// The text of LLVM IR in bitcode.
static Expected<std::string> disassemble(StringRef bitcode) {
  llvm::LLVMContext context;
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "kernel"), context);
  if (!module)
    return module.takeError();
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*module)->print(stream, nullptr);
  return text;
}

/// Compiles the kernels to one object, in a format of gpu-module-to-binary.
static Expected<std::string> serialize(ModuleOp module, StringRef name,
                                       StringRef format, StringRef toolkit,
                                       const CompileOptions &options) {
  if (Error error = mergeKernelModules(module, name))
    return error;
  // Launches say which module has their kernel, which no longer holds.
  module->walk([](gpu::LaunchFuncOp launch) { launch.erase(); });
  if (Error error = runPasses(module, name, options.chip, [&](PassManager &pm) {
        // LLVM verifies what it is given.
        pm.enableVerifier(false);
        buildPrepareTranslationPipeline(pm.nest<gpu::GPUModuleOp>());
        GpuModuleToBinaryPassOptions binary;
        binary.compilationTarget = format.str();
        binary.toolkitPath = toolkit.str();
        pm.addPass(createGpuModuleToBinaryPass(binary));
      }))
    return error;
  auto binary = *module.getOps<gpu::BinaryOp>().begin();
  auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
  return object.getObject().getValue().str();
}

/// Serialization, and what is behind it, of one kind of chip.
static Expected<std::string> linkForAMD(ModuleOp module, StringRef name,
                                        const CompileOptions &options,
                                        const Emission &emission,
                                        Manifest &manifest) {
  Expected<Toolkit> toolkit = Toolkit::find(options.toolkit);
  if (!toolkit)
    return toolkit.takeError();
  Expected<std::string> object =
      serialize(module, name, emission.format, toolkit->getPath(), options);
  if (object)
    if (Error error = manifest.addResources(*object))
      return std::move(error);
  return object;
}

/// Tells what costs much and can be helped: "wgmma.mma_async instructions are
/// serialized due to ..." and the like have numbers of their own.
static void warnOfLosses(ModuleOp module, StringRef log) {
  for (StringRef line : llvm::split(log, '\n'))
    if (line.contains("(C75") || line.starts_with("ptxas warning"))
      module.emitWarning() << line.trim();
}

static Expected<std::string> assembleForNVIDIA(ModuleOp module, StringRef name,
                                               const CompileOptions &options,
                                               Manifest &manifest) {
  Expected<Ptxas> ptxas = Ptxas::find(options.toolkit);
  if (!ptxas)
    return ptxas.takeError();
  Expected<std::string> ptx =
      serialize(module, name, kPtxFormat, /*toolkit=*/"", options);
  if (!ptx)
    return ptx.takeError();
  Expected<PtxasOutput> output = ptxas->assemble(*ptx, options.chip);
  if (!output)
    return output.takeError();
  warnOfLosses(module, output->log);
  if (Error error = manifest.addAssemblerLog(output->log))
    return std::move(error);
  return std::move(output->cubin);
}

static Expected<std::string> emitObject(ModuleOp module, StringRef name,
                                        const Emission &emission,
                                        const CompileOptions &options,
                                        Manifest &manifest) {
  if (!emission.isText)
    return lookupTargetRecord(options.chip)->amdgpu
               ? linkForAMD(module, name, options, emission, manifest)
               : assembleForNVIDIA(module, name, options, manifest);
  Expected<std::string> object =
      serialize(module, name, emission.format, /*toolkit=*/"", options);
  if (object && emission.name == "llvm")
    return disassemble(*object);
  return object;
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << '\n';
  return text;
}

static Expected<Compilation> compile(ModuleOp module, StringRef name,
                                     const Emission &emission,
                                     const CompileOptions &options) {
  if (Error error = runPasses(module, name, options.chip, [&](PassManager &pm) {
        buildLowerToChipPipeline(pm, options.chip);
      }))
    return error;
  // Serialization drops what the kernels say about themselves.
  FailureOr<Manifest> manifest =
      Manifest::collect(module, options.chip, options.emit);
  if (failed(manifest))
    return createStringError("cannot describe the kernels of " + name);
  if (emission.format.empty())
    return Compilation{printModule(module), std::move(*manifest)};
  Expected<std::string> object =
      emitObject(module, name, emission, options, *manifest);
  if (!object)
    return object.takeError();
  return Compilation{std::move(*object), std::move(*manifest)};
}

Expected<Compilation>
mlir::lpgemm::compileSource(ToolContext &context,
                            std::unique_ptr<llvm::MemoryBuffer> source,
                            const CompileOptions &options) {
  if (Error error = checkLoweredChip(options.chip))
    return error;
  Expected<const Emission *> emission = lookupEmission(options.emit);
  if (!emission)
    return emission.takeError();
  std::string name = source->getBufferIdentifier().str();
  Expected<OwningOpRef<ModuleOp>> module = context.parse(std::move(source));
  if (!module)
    return module.takeError();
  return compile(**module, name, **emission, options);
}
