//===- Engine.cpp - compiling and running emulated programs ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Emulator.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace mlir::lpgemm;

void emulator::forEachRuntimeSymbol(
    llvm::function_ref<void(StringRef, void *)> define) {
  for (const RuntimeSymbol *symbol = getRuntimeSymbols(); symbol->name;
       ++symbol)
    define(symbol->name, symbol->address);
}

/// The host's allocation functions, by the runtime's ones that stand for them.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    kAllocationNames[] = {{"lpgemm_emu_alloc", "malloc"},
                          {"lpgemm_emu_aligned_alloc", "aligned_alloc"},
                          {"lpgemm_emu_free", "free"}};

static llvm::orc::SymbolMap
buildSymbolMap(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](StringRef name, void *address) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
  };
  emulator::forEachRuntimeSymbol([&](StringRef name, void *address) {
    define(name, address);
    for (auto [runtimeName, hostName] : kAllocationNames)
      if (name == runtimeName)
        define(hostName, address);
  });
  return symbols;
}

llvm::Expected<std::unique_ptr<ExecutionEngine>>
emulator::createEngine(ModuleOp module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  // More costs more time than it saves: the runtime does most of the work.
  auto transformer = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                               /*targetMachine=*/nullptr);
  ExecutionEngineOptions options;
  options.transformer = transformer;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Less;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options);
  if (engine)
    (*engine)->registerSymbols(buildSymbolMap);
  return engine;
}

llvm::Expected<int32_t> emulator::runFunction(ExecutionEngine &engine,
                                              StringRef name) {
  int32_t result = 0;
  void *arguments[] = {&result};
  if (llvm::Error error = engine.invokePacked(name, arguments))
    return error;
  return result;
}
