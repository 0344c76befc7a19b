//===- Compile.cpp - ahead-of-time compilation ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-compile/Compile.h"

#include "Toolkit.h"
#include "lpgemm/Pipelines/Pipelines.h"
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
  bool needsLinker;
  bool isText;
};
} // namespace

static constexpr Emission emissions[] = {{"mlir", "", false, true},
                                         {"llvm", "llvm", false, true},
                                         {"isa", "isa", false, true},
                                         {"binary", "bin", true, false}};

static Expected<const Emission *> lookupEmission(StringRef name) {
  for (const Emission &emission : emissions)
    if (emission.name == name)
      return &emission;
  return createStringError("unknown --emit '" + name +
                           "', expected one of mlir, llvm, isa, binary");
}

static Error runPasses(ModuleOp module, const CompileOptions &options,
                       function_ref<void(PassManager &)> build) {
  PassManager pm(module->getName());
  build(pm);
  if (succeeded(pm.run(module)))
    return Error::success();
  return createStringError("cannot compile " + Twine(options.input) + " for " +
                           options.chip);
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
static Error mergeKernelModules(ModuleOp module, StringRef path) {
  auto modules = llvm::to_vector(module.getOps<gpu::GPUModuleOp>());
  if (modules.empty())
    return createStringError(path + ": no kernel to compile");
  for (gpu::GPUModuleOp other : llvm::drop_begin(modules)) {
    if (other.getTargetsAttr() != modules.front().getTargetsAttr())
      return createStringError(path + ": kernels for different targets");
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

/// Compiles the kernels to one object.
static Expected<std::string> serialize(ModuleOp module,
                                       const Emission &emission,
                                       const CompileOptions &options) {
  if (Error error = mergeKernelModules(module, options.input))
    return error;
  // Launches say which module has their kernel, which no longer holds.
  module->walk([](gpu::LaunchFuncOp launch) { launch.erase(); });

  std::optional<Toolkit> toolkit;
  if (emission.needsLinker) {
    Expected<Toolkit> found = Toolkit::find(options.toolkit);
    if (!found)
      return found.takeError();
    toolkit.emplace(std::move(*found));
  }
  if (Error error = runPasses(module, options, [&](PassManager &pm) {
        GpuModuleToBinaryPassOptions binary;
        binary.compilationTarget = emission.format.str();
        if (toolkit)
          binary.toolkitPath = toolkit->getPath().str();
        pm.addPass(createGpuModuleToBinaryPass(binary));
      }))
    return error;
  auto binary = *module.getOps<gpu::BinaryOp>().begin();
  auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
  StringRef content = object.getObject().getValue();
  if (emission.name == "llvm")
    return disassemble(content);
  return content.str();
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << '\n';
  return text;
}

/// A file that is there is replaced when the new one is complete, not before.
static Error writeOutput(StringRef path, StringRef content) {
  auto write = [&](llvm::raw_ostream &stream) {
    stream << content;
    return Error::success();
  };
  if (Error error = llvm::writeToOutput(path, write))
    return createStringError(
        path + ": " + llvm::errorToErrorCode(std::move(error)).message());
  return Error::success();
}

Error mlir::lpgemm::compileModule(const CompileOptions &options) {
  if (options.input.empty())
    return createStringError("an input file must be given, see --help");
  if (Error error = checkLoweredChip(options.chip))
    return error;
  Expected<const Emission *> emission = lookupEmission(options.emit);
  if (!emission)
    return emission.takeError();
  if (options.output == "-" && !(*emission)->isText)
    return createStringError("--emit=" + Twine(options.emit) +
                             " needs -o with the name of a file");
  ToolContext context;
  Expected<OwningOpRef<ModuleOp>> module = context.parse(options.input);
  if (!module)
    return module.takeError();
  if (Error error = runPasses(**module, options, [&](PassManager &pm) {
        LowerToROCDLOptions lower;
        lower.chip = options.chip;
        buildLowerToROCDLPipeline(pm, lower);
      }))
    return error;
  if ((*emission)->format.empty())
    return writeOutput(options.output, printModule(**module));
  Expected<std::string> object = serialize(**module, **emission, options);
  if (!object)
    return object.takeError();
  return writeOutput(options.output, *object);
}
