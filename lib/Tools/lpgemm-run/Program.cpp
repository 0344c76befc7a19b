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
#include "lpgemm/Numerics/Packing.h"
#include "lpgemm/Tools/Elements.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>
#include <cstring>

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

/// A function must take memrefs and scalars, and return memrefs.
static Error checkTypes(func::FuncOp function) {
  auto isCallable = [](Type type, bool isArgument) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref && !(isArgument && type.isIntOrIndexOrFloat()))
      return false;
    return getFileType(getElementTypeOrSelf(type)).has_value();
  };
  for (bool isArgument : {true, false})
    for (Type type :
         isArgument ? function.getArgumentTypes() : function.getResultTypes())
      if (!isCallable(type, isArgument)) {
        std::string text;
        llvm::raw_string_ostream(text) << type;
        return createStringError("cannot call @" + function.getName() +
                                 ", which takes or returns a " + text);
      }
  return Error::success();
}

Expected<Program> Program::compile(ModuleOp module, StringRef entry,
                                   const Device &device,
                                   const Lowering &lowering) {
  Program program(device, entry);
  if (Error error = runPipeline(module, entry, device, [&](OpPassManager &pm) {
        device.buildPipeline(pm, lowering);
      }))
    return error;
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function)
    return createStringError("lowering removed @" + entry);
  if (Error error = checkTypes(function))
    return error;
  program.arguments.assign(function.getArgumentTypes().begin(),
                           function.getArgumentTypes().end());
  for (Type type : function.getResultTypes())
    program.results.push_back(cast<MemRefType>(type));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(module.getContext()));
  if (Error error = runPipeline(module, entry, device, [&](OpPassManager &pm) {
        device.buildToLLVM(pm, lowering);
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
                                         ArrayRef<int64_t> words,
                                         const Device &device) {
  SmallVector<NpyArray> arrays;
  for (MemRefType type : types) {
    Descriptor descriptor(type.getRank());
    unsigned size = Descriptor::getNumWords(type.getRank());
    llvm::copy(words.take_front(size), descriptor.getWords());
    words = words.drop_front(size);
    char *address = descriptor.getAligned();
    descriptor.move(device.findOnHost(address) - address);
    arrays.push_back(descriptor.read(*getFileType(type.getElementType())));
  }
  return arrays;
}

bool Program::isPacked(unsigned argument, const CallArgument &value) const {
  return isNarrow(value.type) &&
         getElementTypeOrSelf(arguments[argument]).isInteger(8);
}

namespace {
/// The arguments of one call as compiled code takes them.
class Arguments {
public:
  /// Finds room for all; null stands for a scalar.
  Error place(ArrayRef<Type> types, ArrayRef<CallArgument> values,
              StringRef entry, bool poison);

  SmallVector<std::unique_ptr<HostMatrix>> matrices;
  SmallVector<int64_t> scalars;
};
} // namespace

Error Arguments::place(ArrayRef<Type> types, ArrayRef<CallArgument> values,
                       StringRef entry, bool poison) {
  SmallVector<std::optional<Layout>> layouts;
  SmallVector<uint64_t> bytes;
  for (auto [i, type] : llvm::enumerate(types)) {
    layouts.emplace_back();
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      continue;
    Expected<Layout> layout =
        chooseLayout(memref, values[i].shape, poison && !values[i].isDense,
                     "argument " + Twine(i) + " of @" + entry);
    if (!layout)
      return layout.takeError();
    bytes.push_back(layout->bytes);
    layouts.back() = std::move(*layout);
  }
  if (Error error = checkBytes(entry, bytes))
    return error;
  for (auto [layout, value] : llvm::zip_equal(layouts, values)) {
    scalars.push_back(0);
    matrices.push_back(layout ? std::make_unique<HostMatrix>(*layout, poison)
                              : nullptr);
    if (!value.elements)
      continue;
    if (layout)
      matrices.back()->getDescriptor().write(*value.elements);
    else
      std::memcpy(&scalars.back(), value.elements->getBytes().data(),
                  value.elements->getBytes().size());
  }
  return Error::success();
}

/// Pointers to what a packed call passes: values of scalars, and pointers to
/// descriptors, that of the results first.
static SmallVector<void *> collectPointers(Arguments &arguments,
                                           MutableArrayRef<int64_t> result) {
  SmallVector<void *> pointers;
  if (!result.empty())
    pointers.push_back(result.data());
  for (auto [matrix, scalar] :
       llvm::zip_equal(arguments.matrices, arguments.scalars))
    pointers.push_back(
        matrix ? static_cast<void *>(matrix->getDescriptor().getWords())
               : &scalar);
  return pointers;
}

SmallVector<CallArgument> Program::pack(ArrayRef<CallArgument> given) const {
  SmallVector<CallArgument> values(given);
  for (auto [i, value] : llvm::enumerate(values)) {
    if (!isPacked(i, value))
      continue;
    value.shape.back() = getPackedRowSize(value.shape.back(),
                                          value.type.getIntOrFloatBitWidth());
    if (value.elements)
      value.elements = packRows(*value.elements, value.type);
  }
  return values;
}

/// Sets the bits behind the last of `columns` elements of each packed row.
static void fillRowEnds(NpyArray &bytes, Type type, int64_t columns) {
  unsigned used = columns * type.getIntOrFloatBitWidth() % 8;
  if (used == 0)
    return;
  int64_t rowBytes = bytes.getShape().back();
  MutableArrayRef<int8_t> data = bytes.getData<int8_t>();
  for (int64_t end = rowBytes; end <= bytes.getNumElements(); end += rowBytes)
    data[end - 1] |= 0xFF << used;
}

/// What the memory of an argument holds after a call.
static NpyArray readArgument(HostMatrix &matrix, Type type,
                             const CallArgument &given, bool isPacked) {
  NpyArray array =
      matrix.getDescriptor().read(*getFileType(getElementTypeOrSelf(type)));
  return isPacked ? unpackRows(array, given.type, given.shape.back()) : array;
}

Expected<CallResult> Program::call(ArrayRef<CallArgument> given, bool poison) {
  if (given.size() != arguments.size())
    return createStringError("@" + entry + " takes " + Twine(given.size()) +
                             " arguments where it is defined, but " +
                             Twine(arguments.size()) + " where it is lowered");
  SmallVector<CallArgument> values = pack(given);
  // Of a dynamic row, a program may have no more than the bytes to tell K,
  // whose zeros are elements then (L-11).
  if (poison)
    for (auto [i, value] : llvm::enumerate(values))
      if (isPacked(i, given[i]) && value.elements &&
          !ShapedType::isDynamic(
              cast<MemRefType>(arguments[i]).getShape().back()))
        fillRowEnds(*value.elements, value.type, given[i].shape.back());
  Arguments placed;
  if (Error error = placed.place(arguments, values, entry, poison))
    return error;
  unsigned resultWords = 0;
  for (MemRefType type : results)
    resultWords += Descriptor::getNumWords(type.getRank());
  SmallVector<int64_t> result(resultWords);
  SmallVector<void *> pointers = collectPointers(placed, result);
  // A scalar is passed as it is, a descriptor by its address.
  SmallVector<void *> packed;
  unsigned first = pointers.size() - given.size();
  for (auto [i, pointer] : llvm::enumerate(pointers))
    packed.push_back(i < first || placed.matrices[i - first]
                         ? static_cast<void *>(&pointer)
                         : pointer);
  CallResult outcome;
  if (Error error = callPacked(placed.matrices, packed, outcome))
    return error;
  outcome.results = readResults(results, result, device);
  for (auto [i, matrix] : llvm::enumerate(placed.matrices)) {
    if (matrix && !matrix->isPaddingIntact())
      outcome.damaged.push_back(i);
    outcome.arguments.push_back(matrix ? readArgument(*matrix, arguments[i],
                                                      given[i],
                                                      isPacked(i, given[i]))
                                       : *given[i].elements);
  }
  return outcome;
}

Error Program::callPacked(ArrayRef<std::unique_ptr<HostMatrix>> matrices,
                          MutableArrayRef<void *> packed, CallResult &outcome) {
  // Both compile and load, which is not to be timed.
  engine->initialize();
  auto function = engine->lookupPacked("_mlir_ciface_" + entry);
  if (!function)
    return function.takeError();
  device.start();
  for (auto [i, matrix] : llvm::enumerate(matrices))
    if (matrix)
      if (Error error = device.enter(*matrix, ("argument " + Twine(i)).str()))
        return error;
  auto start = std::chrono::steady_clock::now();
  Error failure = callGuarded(entry, *function, packed.data());
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  outcome.seconds = elapsed.count();
  Expected<DeviceReport> report = device.finish();
  for (auto &matrix : matrices)
    if (matrix)
      device.leave(*matrix);
  // Host code fails where the device does.
  if (!report) {
    llvm::consumeError(std::move(failure));
    return report.takeError();
  }
  outcome.device = std::move(*report);
  return failure;
}
