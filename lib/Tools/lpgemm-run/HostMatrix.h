//===- HostMatrix.h - an argument in memory ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_HOSTMATRIX_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_HOSTMATRIX_H

#include "lpgemm/Support/Npy.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir::lpgemm {

/// A memref descriptor as compiled code lays it out: two pointers, the offset,
/// then the extents and the strides.
class Descriptor {
public:
  explicit Descriptor(unsigned rank) : rank(rank), words(3 + 2 * rank) {}

  static unsigned getNumWords(unsigned rank) { return 3 + 2 * rank; }

  int64_t *getWords() { return words.data(); }
  char *getAligned() const { return reinterpret_cast<char *>(words[1]); }
  int64_t getOffset() const { return words[2]; }
  ArrayRef<int64_t> getShape() const { return ArrayRef(words).slice(3, rank); }
  ArrayRef<int64_t> getStrides() const {
    return ArrayRef(words).slice(3 + rank, rank);
  }
  void set(void *base, int64_t offset, ArrayRef<int64_t> shape,
           ArrayRef<int64_t> strides);
  /// Adds to the pointers.
  void move(ptrdiff_t bytes);

  /// The elements in row-major order.
  NpyArray read(NpyType type) const;
  /// Writes the elements.
  void write(const NpyArray &array) const;
  /// The first byte, and the number of bytes up to the last element's end.
  std::pair<char *, size_t> getExtent(unsigned elementBytes) const;

private:
  unsigned rank;
  SmallVector<int64_t> words;
};

/// How an argument lies in memory.
struct Layout {
  MemRefType type;
  SmallVector<int64_t> shape;
  SmallVector<int64_t> strides;
  /// Dynamic if the type leaves it open.
  int64_t offset;
  /// From the first element to the end of the last one; UINT64_MAX stands for
  /// more than that.
  uint64_t bytes;
};

/// The layout that `type` asks for, row-major where it leaves a choice. With
/// `poison`, rows are padded where they may be. Strides with which elements
/// would share a place are an error, which starts with `intro`.
llvm::Expected<Layout> chooseLayout(MemRefType type, ArrayRef<int64_t> shape,
                                    bool poison, const Twine &intro);

/// Memory for an argument.
class HostMatrix {
public:
  /// With `poison`, the whole is embedded in bytes that read as NaN. All bytes
  /// are such before `write`.
  HostMatrix(const Layout &layout, bool poison);

  Descriptor &getDescriptor() { return descriptor; }
  unsigned getElementBytes() const { return elementBytes; }
  /// All of it, with what surrounds the elements.
  MutableArrayRef<char> getMemory() { return {data.get(), bytes}; }

  /// Whether nothing outside of the elements was written.
  bool isPaddingIntact() const;

private:
  struct Deleter {
    size_t bytes;
    void operator()(char *data) const;
  };

  Descriptor descriptor;
  unsigned elementBytes;
  uint8_t fill;
  size_t bytes;
  std::unique_ptr<char, Deleter> data;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_HOSTMATRIX_H
