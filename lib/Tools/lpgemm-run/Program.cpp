//===- Program.cpp - a module that can be called --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "GuardedCall.h"
#include "HostMatrix.h"
#include "Inputs.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Program::Program(const Device &device, StringRef entry)
    : device(device), entry(entry) {}
Program::Program(Program &&) = default;
Program::~Program() = default;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static Error runPipeline(ModuleOp module, StringRef entry, const Device &device,
                         function_ref<void(OpPassManager &)> build) {
  PassManager pm(module->getName());
  build(pm);
  if (succeeded(pm.run(module)))
    return Error::success();
  return createStringError("cannot lower @" + entry + " for device " +
                           device.name);
}

static Expected<SmallVector<MemRefType>> getMemRefs(TypeRange types,
                                                    StringRef entry) {
  SmallVector<MemRefType> memrefs;
  for (Type type : types) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !getFileType(memref.getElementType())) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return createStringError("cannot call @" + entry +
                               ", which takes or returns a " + text);
    }
    memrefs.push_back(memref);
  }
  return memrefs;
}

Expected<Program> Program::compile(ModuleOp module, StringRef entry,
                                   const Device &device, StringRef chip) {
  Program program(device, entry);
  if (Error error = runPipeline(module, entry, device, [&](OpPassManager &pm) {
        device.buildPipeline(pm, chip);
      }))
    return error;
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return createStringError("lowering removed @" + entry);
  for (auto [types, memrefs] :
       {std::pair(TypeRange(function.getArgumentTypes()), &program.arguments),
        std::pair(TypeRange(function.getResultTypes()), &program.results)}) {
    auto found = getMemRefs(types, entry);
    if (!found)
      return found.takeError();
    *memrefs = *found;
  }
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(module.getContext()));
  if (Error error = runPipeline(module, entry, device, [&](OpPassManager &pm) {
        device.buildToLLVM(pm, chip);
      }))
    return error;
  auto engine = device.createEngine(module);
  if (!engine)
    return engine.takeError();
  guardAssertions(**engine);
  program.engine = std::move(*engine);
  return program;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

/// Reads results, which lie one descriptor behind the other.
static SmallVector<NpyArray> readResults(ArrayRef<MemRefType> types,
                                         ArrayRef<int64_t> words) {
  SmallVector<NpyArray> arrays;
  for (MemRefType type : types) {
    Descriptor descriptor(type.getRank());
    unsigned size = Descriptor::getNumWords(type.getRank());
    llvm::copy(words.take_front(size), descriptor.getWords());
    words = words.drop_front(size);
    arrays.push_back(descriptor.read(*getFileType(type.getElementType())));
  }
  return arrays;
}

static Expected<SmallVector<std::unique_ptr<HostMatrix>>>
placeArguments(ArrayRef<MemRefType> types, ArrayRef<CallArgument> arguments,
               StringRef entry, bool poison) {
  SmallVector<Layout> layouts;
  SmallVector<uint64_t> bytes;
  for (auto [i, type] : llvm::enumerate(types)) {
    Expected<Layout> layout =
        chooseLayout(type, arguments[i].shape, poison,
                     "argument " + Twine(i) + " of @" + entry);
    if (!layout)
      return layout.takeError();
    bytes.push_back(layout->bytes);
    layouts.push_back(std::move(*layout));
  }
  if (Error error = checkBytes(entry, bytes))
    return error;
  SmallVector<std::unique_ptr<HostMatrix>> matrices;
  for (auto [layout, argument] : llvm::zip_equal(layouts, arguments)) {
    matrices.push_back(std::make_unique<HostMatrix>(layout, poison));
    if (argument.elements)
      matrices.back()->getDescriptor().write(*argument.elements);
  }
  return matrices;
}

Expected<CallResult> Program::call(ArrayRef<CallArgument> values, bool poison) {
  if (values.size() != arguments.size())
    return createStringError("@" + entry + " takes " + Twine(values.size()) +
                             " arguments where it is defined, but " +
                             Twine(arguments.size()) + " where it is lowered");
  auto placed = placeArguments(arguments, values, entry, poison);
  if (!placed)
    return placed.takeError();
  auto &matrices = *placed;
  unsigned resultWords = 0;
  for (MemRefType type : results)
    resultWords += Descriptor::getNumWords(type.getRank());
  SmallVector<int64_t> result(resultWords);

  // The C interface takes pointers to descriptors, that of the results first;
  // a packed call takes pointers to those.
  SmallVector<void *> pointers;
  if (!results.empty())
    pointers.push_back(result.data());
  for (auto [i, matrix] : llvm::enumerate(matrices)) {
    device.enter(*matrix, ("argument " + Twine(i)).str());
    pointers.push_back(matrix->getDescriptor().getWords());
  }
  SmallVector<void *> packed;
  for (void *&pointer : pointers)
    packed.push_back(&pointer);

  // The look-up compiles, which is not to be timed.
  auto function = engine->lookupPacked("_mlir_ciface_" + entry);
  if (!function)
    return function.takeError();
  CallResult outcome;
  auto start = std::chrono::steady_clock::now();
  Error failure = callGuarded(entry, *function, packed.data());
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  outcome.seconds = elapsed.count();
  outcome.faults = device.takeFaults();
  for (auto &matrix : matrices)
    device.leave(*matrix);
  if (failure)
    return failure;
  outcome.results = readResults(results, result);
  for (auto [i, matrix] : llvm::enumerate(matrices)) {
    if (!matrix->isPaddingIntact())
      outcome.damaged.push_back(i);
    outcome.arguments.push_back(matrix->getDescriptor().read(
        *getFileType(arguments[i].getElementType())));
  }
  return outcome;
}
