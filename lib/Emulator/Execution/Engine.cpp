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
#include "llvm/ADT/APFloat.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lpgemm;

void emulator::forEachRuntimeSymbol(
    llvm::function_ref<void(StringRef, void *)> define) {
  for (const RuntimeSymbol *symbol = getRuntimeSymbols(); symbol->name;
       ++symbol)
    define(symbol->name, symbol->address);
}

/// The functions that the host part of a program calls, by the runtime's ones
/// that stand for them.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    kHostNames[] = {
        {"lpgemm_emu_alloc", "malloc"},
        {"lpgemm_emu_aligned_alloc", "aligned_alloc"},
        {"lpgemm_emu_free", "free"},
        {"lpgemm_emu_encode_tensor_map", "lpgemmEncodeTensorMap"},
        {"lpgemm_emu_encode_batch_tensor_map", "lpgemmEncodeBatchTensorMap"},
        {"lpgemm_emu_multiprocessor_count", "lpgemmGetMultiprocessorCount"}};

//===----------------------------------------------------------------------===//
// Engines for this machine
//===----------------------------------------------------------------------===//

/// What a library of the compiler has for conversions to bf16, from GCC 13 on.
/// The result is in the low bits of the register that a float is returned in.
template <typename From>
static float truncateToBF16(From value) {
  llvm::APFloat rounded(value);
  bool losesInfo;
  rounded.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return llvm::bit_cast<float>(
      static_cast<uint32_t>(rounded.bitcastToAPInt().getZExtValue()));
}

using Definition = std::pair<StringRef, void *>;

static void define(ExecutionEngine &engine, ArrayRef<Definition> definitions) {
  engine.registerSymbols([&](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    for (auto [name, address] : definitions)
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                 llvm::JITSymbolFlags::Exported};
    return symbols;
  });
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine(llvm::CodeGenOptLevel level) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(level);
  // VCVTNEPS2BF16 takes subnormal numbers for zeros, whatever MXCSR says.
  if (builder->getTargetTriple().isX86())
    for (StringRef feature : {"avx512bf16", "avxneconvert"})
      builder->getFeatures().AddFeature(feature, /*Enable=*/false);
  return builder->createTargetMachine();
}

llvm::Expected<std::unique_ptr<ExecutionEngine>> emulator::createHostEngine(
    ModuleOp module, llvm::CodeGenOptLevel level,
    llvm::function_ref<llvm::Error(llvm::Module *)> transformer) {
  auto machine = createHostMachine(level);
  if (!machine)
    return machine.takeError();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  ExecutionEngineOptions options;
  options.transformer = transformer;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (engine)
    define(
        **engine,
        {{"__truncsfbf2", reinterpret_cast<void *>(truncateToBF16<float>)},
         {"__truncdfbf2", reinterpret_cast<void *>(truncateToBF16<double>)}});
  return engine;
}

llvm::Expected<std::unique_ptr<ExecutionEngine>>
emulator::createEngine(ModuleOp module) {
  // More costs more time than it saves: the runtime does most of the work.
  auto transformer = makeOptimizingTransformer(/*optLevel=*/1, /*sizeLevel=*/0,
                                               /*targetMachine=*/nullptr);
  auto engine =
      createHostEngine(module, llvm::CodeGenOptLevel::None, transformer);
  if (!engine)
    return engine;
  SmallVector<Definition> definitions;
  forEachRuntimeSymbol([&](StringRef name, void *address) {
    definitions.push_back({name, address});
    for (auto [runtimeName, hostName] : kHostNames)
      if (name == runtimeName)
        definitions.push_back({hostName, address});
  });
  define(**engine, definitions);
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
