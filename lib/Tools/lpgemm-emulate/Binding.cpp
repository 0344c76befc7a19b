//===- Binding.cpp - arguments and parameters of a kernel -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binding.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;

DeviceBuffer *mlir::lpgemm::findBuffer(const BufferList &buffers,
                                       StringRef name) {
  const auto *it = llvm::find_if(
      buffers, [&](const auto &buffer) { return buffer->getName() == name; });
  return it == buffers.end() ? nullptr : it->get();
}

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static unsigned getDescriptorSize(const ArgumentText &argument) {
  const auto *buffer = std::get_if<BufferText>(&argument.value);
  return buffer ? 3 + 2 * buffer->shape.size() : 1;
}

void Binding::add(uint64_t value) {
  values.push_back(value);
  pointers.push_back(&values.back());
}

Error Binding::failHere(const Twine &expected) const {
  unsigned index = pointers.size();
  return createStringError(
      "parameter " + Twine(index) + " of @" + kernel->name + " is " +
      toText(kernel->parameters[index].type) + ", which expects " + expected +
      ", got '" + text + "'");
}

/// What a scalar for a parameter must be.
static std::string describeScalar(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return "a buffer, or an address as i64";
  if (type.isIntOrFloat())
    return toText(type) + "=NUMBER";
  return "what no argument can give";
}

Error Binding::bindScalar(const ScalarText &scalar) {
  Type type = kernel->parameters[pointers.size()].type;
  bool isAddress = isa<LLVM::LLVMPointerType>(type) &&
                   (scalar.type.isInteger(64) || scalar.type.isIndex());
  bool isIndex =
      scalar.type.isIndex() && (type.isInteger(32) || type.isInteger(64));
  if (scalar.type != type && !isAddress && !isIndex)
    return failHere(describeScalar(type));
  add(scalar.bits);
  return Error::success();
}

Error Binding::bindPointer(void *address) {
  constexpr unsigned kShared = 3;
  auto type =
      dyn_cast<LLVM::LLVMPointerType>(kernel->parameters[pointers.size()].type);
  if (!type || type.getAddressSpace() == kShared)
    return failHere(
        type ? "no argument: it is of shared memory"
             : describeScalar(kernel->parameters[pointers.size()].type));
  if (kernel->parameters[pointers.size()].byValue)
    pointers.push_back(address);
  else
    add(reinterpret_cast<uintptr_t>(address));
  return Error::success();
}

/// Two pointers, the offset, then the extents and the strides.
Error Binding::bindDescriptor(const DeviceBuffer &buffer) {
  for (unsigned i = 0; i != 2; ++i)
    if (Error error = bindPointer(buffer.getData()))
      return error;
  ArrayRef<int64_t> shape = buffer.getMemoryShape();
  SmallVector<int64_t> words = {0};
  llvm::append_range(words, shape);
  for (unsigned i = 0; i != shape.size(); ++i)
    words.push_back(llvm::product_of(shape.drop_front(i + 1)));
  for (int64_t word : words) {
    if (!kernel->parameters[pointers.size()].type.isInteger())
      return failHere(describeScalar(kernel->parameters[pointers.size()].type));
    add(word);
  }
  return Error::success();
}

Error Binding::bindArgument(const ArgumentText &argument,
                            const BufferList &buffers, bool expands) {
  text = argument.text;
  if (const auto *scalar = std::get_if<ScalarText>(&argument.value))
    return bindScalar(*scalar);
  if (const auto *map = std::get_if<TensorMapText>(&argument.value))
    return bindTensorMap(*map, *findBuffer(buffers, map->buffer));
  const auto &name = std::get<BufferText>(argument.value).name;
  DeviceBuffer &buffer = *findBuffer(buffers, name);
  return expands ? bindDescriptor(buffer) : bindPointer(buffer.getData());
}

Error Binding::bindTensorMap(const TensorMapText &map,
                             const DeviceBuffer &buffer) {
  TensorMapBlock &block = maps.emplace_back();
  emulator::registerBuffer(&block, sizeof(block), map.name);
  if (Error error = encodeTensorMap(map, buffer, block))
    return createStringError("'" + text +
                             "': " + llvm::toString(std::move(error)));
  return bindPointer(&block);
}

Binding::~Binding() {
  for (const TensorMapBlock &block : maps)
    emulator::unregisterBuffer(&block);
}

Error Binding::bind(const emulator::Kernel &newKernel,
                    ArrayRef<ArgumentText> arguments,
                    const BufferList &buffers) {
  kernel = &newKernel;
  size_t expanded = 0, wanted = kernel->parameters.size();
  for (const ArgumentText &argument : arguments)
    expanded += getDescriptorSize(argument);
  bool expands = wanted != arguments.size();
  if (expands && wanted != expanded)
    return createStringError(
        "@" + kernel->name + " has " + Twine(wanted) +
        " parameters, but --arg is given " + Twine(arguments.size()) +
        " times" +
        (expanded == arguments.size()
             ? Twine("")
             : ", or for " + Twine(expanded) + " with memref descriptors"));
  for (const ArgumentText &argument : arguments)
    if (Error error = bindArgument(argument, buffers, expands))
      return error;
  return Error::success();
}
