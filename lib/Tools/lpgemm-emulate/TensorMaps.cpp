//===- TensorMaps.cpp - tensor maps of buffers ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binding.h"
#include "lpgemm/Tools/Elements.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lpgemm;
using emulator::TensorMapDesc;
using llvm::createStringError;
using llvm::Error;

/// What a tensor map calls elements of `type`: codes of narrow types are bytes.
static emulator::TensorType getTensorType(Type type) {
  if (type.isInteger(32))
    return emulator::TensorType::Int32;
  if (type.isInteger(64))
    return emulator::TensorType::Int64;
  return llvm::TypeSwitch<Type, emulator::TensorType>(type)
      .Case([](Float16Type) { return emulator::TensorType::Float16; })
      .Case([](BFloat16Type) { return emulator::TensorType::BFloat16; })
      .Case([](Float32Type) { return emulator::TensorType::Float32; })
      .Case([](Float64Type) { return emulator::TensorType::Float64; })
      .Default(emulator::TensorType::UInt8);
}

/// Enters a list of `count` values; one that is not given is left as it is.
template <typename T>
static Error enter(StringRef name, ArrayRef<int64_t> list, size_t count,
                   T *values) {
  if (list.empty())
    return Error::success();
  if (list.size() != count)
    return createStringError("expected " + name + " to have " + Twine(count) +
                             " values, got " + Twine(list.size()));
  for (auto [i, value] : llvm::enumerate(list)) {
    values[i] = value;
    if (static_cast<int64_t>(values[i]) != value)
      return createStringError("expected " + name + " to be below 2^32, got " +
                               Twine(value));
  }
  return Error::success();
}

Error mlir::lpgemm::encodeTensorMap(const TensorMapText &map,
                                    const DeviceBuffer &buffer,
                                    TensorMapBlock &block) {
  TensorMapDesc desc;
  desc.address = reinterpret_cast<uintptr_t>(buffer.getData());
  desc.type = getTensorType(buffer.getType());
  SmallVector<int64_t> dims(llvm::reverse(buffer.getMemoryShape()));
  if (!map.dims.empty())
    dims = map.dims;
  if (dims.empty() || dims.size() > emulator::kMaxTensorRank)
    return createStringError("expected a tensor of 1 to 5 dimensions, got " +
                             Twine(dims.size()));
  desc.rank = dims.size();
  uint64_t stride = emulator::tensorTypeBytes(desc.type);
  for (auto [i, extent] : llvm::enumerate(ArrayRef(dims).drop_back()))
    desc.strides[i] = stride *= extent;
  if (Error error = enter("dims", dims, desc.rank, desc.dims))
    return error;
  if (Error error = enter("strides", map.strides, desc.rank - 1, desc.strides))
    return error;
  if (Error error = enter("box", map.box, desc.rank, desc.box))
    return error;
  if (Error error = enter("steps", map.steps, desc.rank, desc.elementStrides))
    return error;
  desc.swizzle = static_cast<emulator::TensorSwizzle>(map.swizzle);
  desc.interleave = static_cast<emulator::TensorInterleave>(map.interleave);
  desc.fill = static_cast<emulator::TensorFill>(map.fill);
  std::string fault = emulator::encodeTensorMap(desc, &block);
  return fault.empty() ? Error::success() : createStringError(fault);
}
