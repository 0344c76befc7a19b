//===- Npy.h - NumPy .npy array files ---------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense arrays in NumPy's file format, versions 1.0 and 2.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
// Codes of the 8-bit and narrower floating point formats have no NumPy type;
// they travel as unsigned bytes, and the bits of bf16 as 16-bit unsigned
// integers.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_SUPPORT_NPY_H
#define LPGEMM_SUPPORT_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cassert>
#include <cstdint>
#include <vector>

namespace mlir::lpgemm {

/// The element types that are read and written, all little endian.
enum class NpyType : uint8_t { U8, U16, I8, I32, I64, F16, F32, F64 };

/// The type as a NumPy file spells it, such as "<f4".
llvm::StringRef getNpyTypeName(NpyType type);

/// The size of one element in bytes.
unsigned getNpyTypeSize(NpyType type);

/// A dense array in row-major order. A shape may be empty (one element) or hold
/// extents of zero (no element).
class NpyArray {
public:
  /// Returns an array of zeros. The number of bytes must fit into int64_t.
  NpyArray(NpyType type, llvm::ArrayRef<int64_t> shape);

  NpyType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getNumElements() const { return data.size() / getNpyTypeSize(type); }

  /// The elements as they lie in the file.
  llvm::ArrayRef<char> getBytes() const { return data; }
  llvm::MutableArrayRef<char> getBytes() { return data; }

  /// The elements as values of T, which must have the size of the element type.
  /// The elements of an F16 array are read as uint16_t.
  template <typename T>
  llvm::ArrayRef<T> getData() const {
    assert(sizeof(T) == getNpyTypeSize(type) && "wrong element type");
    return {reinterpret_cast<const T *>(data.data()), data.size() / sizeof(T)};
  }
  template <typename T>
  llvm::MutableArrayRef<T> getData() {
    assert(sizeof(T) == getNpyTypeSize(type) && "wrong element type");
    return {reinterpret_cast<T *>(data.data()), data.size() / sizeof(T)};
  }

  /// The elements as f32; exact for every type of at most 24 value bits and
  /// rounded to nearest, ties to even, for I32, I64 and F64.
  std::vector<float> toFloats() const;

private:
  NpyType type;
  llvm::SmallVector<int64_t> shape;
  std::vector<char> data;
};

/// Reads a whole file. Every error is one line that starts with the path.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// One file to write.
struct NpyOutput {
  llvm::StringRef path;
  const NpyArray &array;
};

/// Writes all files or, on an error, none: the data go to temporary files next
/// to the outputs, which take their final names after everything was written.
/// An output path must not name anything but a regular file.
llvm::Error writeNpyFiles(llvm::ArrayRef<NpyOutput> outputs);

/// Writes one file in the same way.
llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

} // namespace mlir::lpgemm

#endif // LPGEMM_SUPPORT_NPY_H
