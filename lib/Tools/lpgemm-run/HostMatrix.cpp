//===- HostMatrix.cpp - an argument in memory -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMatrix.h"

#include "Inputs.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemAlloc.h"
#include <cstring>

using namespace mlir;
using namespace mlir::lpgemm;

//===----------------------------------------------------------------------===//
// Descriptor
//===----------------------------------------------------------------------===//

void Descriptor::set(void *base, int64_t offset, ArrayRef<int64_t> shape,
                     ArrayRef<int64_t> strides) {
  words[0] = words[1] = reinterpret_cast<int64_t>(base);
  words[2] = offset;
  llvm::copy(shape, words.begin() + 3);
  llvm::copy(strides, words.begin() + 3 + rank);
}

/// Calls `visit` with the element offset of every element in row-major order.
static void forEachElement(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                           int64_t offset, function_ref<void(int64_t)> visit) {
  if (shape.empty())
    return visit(offset);
  for (int64_t i = 0; i < shape.front(); ++i)
    forEachElement(shape.drop_front(), strides.drop_front(),
                   offset + i * strides.front(), visit);
}

NpyArray Descriptor::read(NpyType type) const {
  NpyArray array(type, getShape());
  size_t size = getNpyTypeSize(type);
  char *next = array.getBytes().data();
  forEachElement(getShape(), getStrides(), getOffset(), [&](int64_t offset) {
    std::memcpy(next, getAligned() + offset * size, size);
    next += size;
  });
  return array;
}

void Descriptor::write(const NpyArray &array) const {
  size_t size = getNpyTypeSize(array.getType());
  const char *next = array.getBytes().data();
  forEachElement(getShape(), getStrides(), getOffset(), [&](int64_t offset) {
    std::memcpy(getAligned() + offset * size, next, size);
    next += size;
  });
}

std::pair<char *, size_t> Descriptor::getExtent(unsigned elementBytes) const {
  int64_t span = 1;
  for (auto [extent, stride] : llvm::zip_equal(getShape(), getStrides())) {
    if (extent == 0)
      return {getAligned() + getOffset() * elementBytes, 0};
    span += (extent - 1) * stride;
  }
  return {getAligned() + getOffset() * elementBytes,
          static_cast<size_t>(span) * elementBytes};
}

//===----------------------------------------------------------------------===//
// HostMatrix
//===----------------------------------------------------------------------===//

/// At least what a cache line and every vector instruction want.
static constexpr size_t alignment = 64;
/// Bytes of NaN before and after a poisoned argument, and behind each of its
/// rows. Rows keep an alignment of 16 bytes if they have it without padding.
static constexpr size_t guardBytes = 4096;
static constexpr size_t rowPadBytes = 16;

/// The strides that `type` allows, row-major, with `pad` elements behind each
/// row where they are free.
static SmallVector<int64_t>
chooseStrides(MemRefType type, ArrayRef<int64_t> shape, int64_t pad) {
  SmallVector<int64_t> strides(shape.size());
  SmallVector<int64_t> fixed(shape.size(), ShapedType::kDynamic);
  int64_t offset;
  bool isDense = type.getLayout().isIdentity();
  if (!isDense && failed(type.getStridesAndOffset(fixed, offset)))
    isDense = true;
  int64_t next = 1;
  for (unsigned dim = shape.size(); dim-- != 0;) {
    bool isFree = ShapedType::isDynamic(fixed[dim]);
    bool isRow = dim + 2 == shape.size();
    strides[dim] = isFree ? next + (isRow && !isDense ? pad : 0) : fixed[dim];
    next = strides[dim] * std::max<int64_t>(shape[dim], 1);
  }
  return strides;
}

void HostMatrix::Deleter::operator()(char *data) const {
  llvm::deallocate_buffer(data, bytes, alignment);
}

HostMatrix::HostMatrix(MemRefType type, ArrayRef<int64_t> shape, bool poison)
    : descriptor(shape.size()),
      elementBytes(llvm::divideCeil(type.getElementTypeBitWidth(), 8)),
      fill(getPoisonByte(type.getElementType())) {
  size_t guard = poison ? guardBytes : 0;
  SmallVector<int64_t> strides =
      chooseStrides(type, shape, poison ? rowPadBytes / elementBytes : 0);
  descriptor.set(nullptr, 0, shape, strides);
  bytes = descriptor.getExtent(elementBytes).second + 2 * guard + alignment;
  data = {static_cast<char *>(llvm::allocate_buffer(bytes, alignment)),
          {bytes}};
  std::memset(data.get(), fill, bytes);

  // An offset, where the type has one, is as good a place for the guard.
  SmallVector<int64_t> unused;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(unused, offset)))
    offset = 0;
  if (ShapedType::isDynamic(offset))
    descriptor.set(data.get(), guard / elementBytes, shape, strides);
  else
    descriptor.set(data.get() + guard - offset * elementBytes, offset, shape,
                   strides);
}

bool HostMatrix::isPaddingIntact() const {
  std::vector<bool> isElement(bytes);
  forEachElement(descriptor.getShape(), descriptor.getStrides(),
                 descriptor.getOffset(), [&](int64_t offset) {
                   size_t first = descriptor.getAligned() - data.get() +
                                  offset * elementBytes;
                   std::fill_n(isElement.begin() + first, elementBytes, true);
                 });
  for (size_t i = 0; i != bytes; ++i)
    if (!isElement[i] && static_cast<uint8_t>(data.get()[i]) != fill)
      return false;
  return true;
}
