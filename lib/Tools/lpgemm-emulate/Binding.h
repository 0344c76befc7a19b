//===- Binding.h - arguments and parameters of a kernel ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_BINDING_H
#define LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_BINDING_H

#include "Buffers.h"
#include "lpgemm/Emulator/Emulator.h"
#include "lpgemm/Emulator/TensorMap.h"
#include <deque>

namespace mlir::lpgemm {

/// The buffers of a launch, by name.
using BufferList = SmallVector<std::unique_ptr<DeviceBuffer>>;

/// Null if there is none of that name.
DeviceBuffer *findBuffer(const BufferList &buffers, StringRef name);

/// A tensor map in memory.
struct alignas(emulator::kTensorMapAlignment) TensorMapBlock {
  uint8_t bytes[emulator::kTensorMapBytes];
};

/// Writes the tensor map of a buffer, whose address it has.
llvm::Error encodeTensorMap(const TensorMapText &map,
                            const DeviceBuffer &buffer, TensorMapBlock &block);

/// The values of a kernel's parameters.
class Binding {
public:
  /// Gives each parameter the value of an argument or, if there are as many
  /// parameters as the buffers' memref descriptors have members, those.
  llvm::Error bind(const emulator::Kernel &kernel,
                   ArrayRef<ArgumentText> arguments, const BufferList &buffers);

  Binding() = default;
  ~Binding();
  Binding(const Binding &) = delete;
  Binding &operator=(const Binding &) = delete;

  ArrayRef<void *> getPointers() const { return pointers; }

private:
  void add(uint64_t value);
  llvm::Error bindScalar(const ScalarText &scalar);
  llvm::Error bindPointer(void *address);
  llvm::Error bindDescriptor(const DeviceBuffer &buffer);
  llvm::Error bindTensorMap(const TensorMapText &map,
                            const DeviceBuffer &buffer);
  llvm::Error bindArgument(const ArgumentText &argument,
                           const BufferList &buffers, bool expands);
  /// That the next parameter does not take the argument at hand.
  llvm::Error failHere(const Twine &expected) const;

  const emulator::Kernel *kernel = nullptr;
  StringRef text;
  /// Addresses of elements must not change.
  std::deque<uint64_t> values;
  std::deque<TensorMapBlock> maps;
  SmallVector<void *> pointers;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_BINDING_H
