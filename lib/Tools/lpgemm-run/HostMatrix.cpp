//===- HostMatrix.cpp - an argument in memory -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMatrix.h"

#include "Shapes.h"
#include "lpgemm/Tools/Elements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemAlloc.h"
#include <cstring>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::Error;
using llvm::Expected;

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

void Descriptor::move(ptrdiff_t bytes) {
  words[0] += bytes;
  words[1] += bytes;
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
// Layout
//===----------------------------------------------------------------------===//

/// At least what a cache line and every vector instruction want.
static constexpr size_t alignment = 64;
/// Bytes of NaN before and after a poisoned argument, and behind each of its
/// rows. Rows keep an alignment of 16 bytes if they have it without padding.
static constexpr size_t guardBytes = 4096;
static constexpr size_t rowPadBytes = 16;

static Error refuse(const Layout &layout, const Twine &intro,
                    const Twine &complaint) {
  std::string text;
  llvm::raw_string_ostream(text) << layout.type;
  return llvm::createStringError(intro + " is " + text + ": " + complaint);
}

/// A complaint about the strides.
static std::string wantStrides(const Layout &layout, const Twine &wanted) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "expected strides " << wanted << ", got [";
  llvm::interleaveComma(layout.strides, stream);
  stream << ']';
  return text;
}

/// The elements from the first to the last one, over the dimensions whose
/// stride is known.
static uint64_t computeSpan(ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides) {
  uint64_t span = 1;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    if (extent > 1 && !ShapedType::isDynamic(stride))
      span = llvm::SaturatingMultiplyAdd<uint64_t>(extent - 1, stride, span);
  return span;
}

/// Whether each stride steps over all that the smaller ones reach: no two
/// elements share a place then.
static bool isNested(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<std::pair<uint64_t, uint64_t>> dims;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    if (extent > 1)
      dims.emplace_back(stride, extent);
  llvm::sort(dims);
  uint64_t span = 1;
  for (auto [stride, extent] : dims) {
    if (stride < span)
      return false;
    span = llvm::SaturatingMultiplyAdd(extent - 1, stride, span);
  }
  return true;
}

/// Gives the dimensions that have no stride one behind everything so far, the
/// innermost first, and `pad` elements more behind a row.
static void placeFreeDims(Layout &layout, int64_t pad) {
  unsigned rank = layout.shape.size();
  for (unsigned dim = rank; dim-- != 0;) {
    if (!ShapedType::isDynamic(layout.strides[dim]))
      continue;
    uint64_t span = computeSpan(layout.shape, layout.strides);
    layout.strides[dim] =
        std::min<uint64_t>(span, INT64_MAX - pad) + (dim + 2 == rank ? pad : 0);
  }
}

/// What the type says must be in range.
static Error checkType(const Layout &layout, const Twine &intro) {
  int64_t offset = layout.offset;
  if (!ShapedType::isDynamic(offset) && (offset < 0 || offset > kLargestExtent))
    return refuse(layout, intro,
                  "expected an offset from 0 to " + Twine(kLargestExtent) +
                      ", got " + Twine(offset));
  for (auto [extent, stride] : llvm::zip_equal(layout.shape, layout.strides))
    if (extent > 1 && !ShapedType::isDynamic(stride) &&
        (stride < 0 || stride > kLargestExtent))
      return refuse(layout, intro,
                    wantStrides(layout, "from 0 to " + Twine(kLargestExtent)));
  return Error::success();
}

Expected<Layout> mlir::lpgemm::chooseLayout(MemRefType type,
                                            ArrayRef<int64_t> shape,
                                            bool poison, const Twine &intro) {
  Layout layout{type, SmallVector<int64_t>(shape), {}, 0, 0};
  if (failed(type.getStridesAndOffset(layout.strides, layout.offset)))
    return refuse(layout, intro, "expected a layout of strides");
  if (Error error = checkType(layout, intro))
    return error;
  unsigned elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  bool isDense = type.getLayout().isIdentity();
  placeFreeDims(layout, poison && !isDense ? rowPadBytes / elementBytes : 0);
  if (llvm::is_contained(shape, 0))
    return layout;
  if (!isNested(shape, layout.strides))
    return refuse(layout, intro,
                  wantStrides(layout, "that keep the elements of " +
                                          formatShape(shape) + " apart"));
  layout.bytes = llvm::SaturatingMultiply<uint64_t>(
      computeSpan(shape, layout.strides), elementBytes);
  return layout;
}

//===----------------------------------------------------------------------===//
// HostMatrix
//===----------------------------------------------------------------------===//

void HostMatrix::Deleter::operator()(char *data) const {
  llvm::deallocate_buffer(data, bytes, alignment);
}

HostMatrix::HostMatrix(const Layout &layout, bool poison)
    : descriptor(layout.shape.size()),
      elementBytes(llvm::divideCeil(layout.type.getElementTypeBitWidth(), 8)),
      fill(getPoisonByte(layout.type.getElementType())) {
  size_t guard = poison ? guardBytes : 0;
  bytes = layout.bytes + 2 * guard + alignment;
  data = {static_cast<char *>(llvm::allocate_buffer(bytes, alignment)),
          {bytes}};
  std::memset(data.get(), fill, bytes);

  // An offset, where the type has one, is as good a place for the guard.
  if (ShapedType::isDynamic(layout.offset))
    descriptor.set(data.get(), guard / elementBytes, layout.shape,
                   layout.strides);
  else
    descriptor.set(data.get() + guard - layout.offset * elementBytes,
                   layout.offset, layout.shape, layout.strides);
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
