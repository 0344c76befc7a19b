//===- Buffers.h - global memory of a kernel --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_BUFFERS_H
#define LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_BUFFERS_H

#include "ArgumentText.h"
#include <memory>

namespace mlir::lpgemm {

/// An array in the memory of a kernel, known to the emulator as long as this
/// lives. Rows of elements narrower than a byte are packed.
class DeviceBuffer {
public:
  /// Makes the memory and fills it.
  static llvm::Expected<std::unique_ptr<DeviceBuffer>>
  create(const BufferText &text);
  ~DeviceBuffer();

  StringRef getName() const { return text.name; }
  Type getType() const { return text.type; }
  /// In elements.
  ArrayRef<int64_t> getShape() const { return text.shape; }
  void *getData() const { return data; }
  /// The extents and the type of an element as memory has them.
  ArrayRef<int64_t> getMemoryShape() const { return memoryShape; }

  /// The elements, as a file holds them.
  NpyArray read() const;

private:
  explicit DeviceBuffer(const BufferText &text) : text(text) {}

  BufferText text;
  SmallVector<int64_t> memoryShape;
  void *data = nullptr;
  size_t bytes = 0;
};

/// An error if the array in `path` is not one of these elements.
llvm::Error checkArray(const NpyArray &array, StringRef path, Type type,
                       ArrayRef<int64_t> shape, StringRef name);

/// "4x8".
std::string formatExtents(ArrayRef<int64_t> shape);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_EMULATE_BUFFERS_H
