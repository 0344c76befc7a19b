//===- OpJit.h - ops that can be run ----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles functions of ops on memrefs for the host as the reference lowers
// them.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TEST_UNIT_CONVERSION_OPJIT_H
#define LPGEMM_TEST_UNIT_CONVERSION_OPJIT_H

#include "lpgemm/Tools/ToolContext.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace mlir::lpgemm {

/// The dense memory of a memref, full of garbage at first.
struct Buffer {
  Buffer(std::vector<int64_t> shape, unsigned elementBytes);
  template <typename T>
  Buffer(std::vector<int64_t> shape, const std::vector<T> &elements)
      : Buffer(std::move(shape), sizeof(T)) {
    set(elements);
  }

  template <typename T>
  void set(const std::vector<T> &elements) {
    assert(elements.size() * sizeof(T) == bytes.size() && "malformed buffer");
    if (!elements.empty())
      std::memcpy(bytes.data(), elements.data(), bytes.size());
  }
  template <typename T>
  std::vector<T> get() const {
    std::vector<T> elements(bytes.size() / sizeof(T));
    if (!elements.empty())
      std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
};

/// A module and its code.
class OpJit {
public:
  /// Lowers and compiles functions in the syntax of MLIR.
  void compile(const std::string &functions);
  /// Calls a function with an argument for each buffer.
  void call(StringRef name, ArrayRef<Buffer *> buffers);

private:
  ToolContext context;
  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_TEST_UNIT_CONVERSION_OPJIT_H
