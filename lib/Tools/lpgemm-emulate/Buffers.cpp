//===- Buffers.cpp - global memory of a kernel ----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "lpgemm/Emulator/Runtime.h"
#include "lpgemm/Tools/Elements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// What allocations of the devices are aligned to.
static constexpr size_t kAlignment = 256;
static constexpr uint64_t kLargestBytes = uint64_t(1) << 34;

std::string mlir::lpgemm::formatExtents(ArrayRef<int64_t> shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t e) { return std::to_string(e); }), "x");
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

/// Whether the code stands for a number, and not for NaN or infinity.
static bool isFinite(Type type, uint64_t code) {
  if (type.isInteger())
    return true;
  return std::isfinite(getNumberValue(*getNumberType(type), code));
}

/// The element `random:SEED` has next.
static uint64_t makeRandom(Type type, std::mt19937_64 &random) {
  constexpr int kScaleRange = 9, kScaleBias = 4;
  constexpr int kIntegerRange = 16, kIntegerBias = 8;
  if (isa<Float8E8M0FNUType>(type))
    return encodeElement(
        type, std::ldexp(1.0, int(random() % kScaleRange) - kScaleBias));
  if (type.isInteger())
    return encodeElement(type, int(random() % kIntegerRange) - kIntegerBias);
  // The same on every machine, which std::uniform_real_distribution is not.
  return encodeElement(type, std::ldexp(double(random() >> 11), -52) - 1);
}

static uint64_t makeCode(Type type, unsigned width, std::mt19937_64 &random) {
  uint64_t code;
  do {
    code = random() >> (64 - width);
  } while (!isFinite(type, code));
  return code;
}

/// The elements, one code in each, as files have them.
static NpyArray makeElements(const BufferText &text) {
  NpyArray array(*getFileType(text.type), text.shape);
  unsigned width = text.type.getIntOrFloatBitWidth();
  std::mt19937_64 random(text.seed);
  if (text.kind == InitKind::Poison) {
    std::memset(array.getBytes().data(), getPoisonByte(text.type),
                array.getBytes().size());
    return array;
  }
  for (int64_t i = 0, e = array.getNumElements(); i != e; ++i) {
    if (text.kind == InitKind::Iota)
      setCode(array, i, encodeElement(text.type, i));
    if (text.kind == InitKind::Random)
      setCode(array, i, makeRandom(text.type, random));
    if (text.kind == InitKind::Codes)
      setCode(array, i, makeCode(text.type, width, random));
  }
  return array;
}

Error mlir::lpgemm::checkArray(const NpyArray &array, StringRef path, Type type,
                               ArrayRef<int64_t> shape, StringRef name) {
  NpyType wanted = *getFileType(type);
  if (array.getType() != wanted)
    return createStringError("buffer '" + name + "' expects dtype " +
                             getNumpyName(wanted) + " but " + path + " has " +
                             getNumpyName(array.getType()));
  if (array.getShape() != shape)
    return createStringError("buffer '" + name + "' expects shape " +
                             formatExtents(shape) + " but " + path +
                             " has shape " + formatExtents(array.getShape()));
  if (!isNarrow(type))
    return Error::success();
  unsigned numCodes = 1 << type.getIntOrFloatBitWidth();
  for (uint8_t code : array.getData<uint8_t>())
    if (code >= numCodes)
      return createStringError("buffer '" + name + "' expects codes below " +
                               Twine(numCodes) + " but " + path + " has " +
                               Twine(unsigned(code)));
  return Error::success();
}

static Expected<NpyArray> getElements(const BufferText &text) {
  if (text.kind != InitKind::File)
    return makeElements(text);
  Expected<NpyArray> array = readNpy(text.path);
  if (!array)
    return array.takeError();
  if (Error error =
          checkArray(*array, text.path, text.type, text.shape, text.name))
    return std::move(error);
  return array;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<DeviceBuffer>>
DeviceBuffer::create(const BufferText &text) {
  uint64_t needed = getNpyTypeSize(*getFileType(text.type));
  for (int64_t extent : text.shape)
    needed = llvm::SaturatingMultiply<uint64_t>(needed, extent);
  if (needed > kLargestBytes)
    return createStringError("buffer '" + text.name + "' needs " +
                             Twine(needed) + " bytes, expected at most " +
                             Twine(kLargestBytes));
  Expected<NpyArray> elements = getElements(text);
  if (!elements)
    return elements.takeError();
  NpyArray memory =
      isNarrow(text.type) ? packRows(*elements, text.type) : *elements;
  std::unique_ptr<DeviceBuffer> buffer(new DeviceBuffer(text));
  buffer->memoryShape.assign(memory.getShape().begin(),
                             memory.getShape().end());
  buffer->bytes = memory.getBytes().size();
  buffer->data = std::aligned_alloc(
      kAlignment,
      llvm::alignTo(std::max<size_t>(buffer->bytes, 1), kAlignment));
  if (!buffer->data)
    return createStringError("buffer '" + text.name + "': out of memory");
  llvm::copy(memory.getBytes(), static_cast<char *>(buffer->data));
  emulator::registerBuffer(buffer->data, buffer->bytes, text.name);
  return buffer;
}

DeviceBuffer::~DeviceBuffer() {
  if (!data)
    return;
  emulator::unregisterBuffer(data);
  std::free(data);
}

NpyArray DeviceBuffer::read() const {
  NpyType type = isNarrow(text.type) ? NpyType::I8 : *getFileType(text.type);
  NpyArray memory(type, memoryShape);
  std::memcpy(memory.getBytes().data(), data, bytes);
  return isNarrow(text.type) ? unpackRows(memory, text.type, text.shape.back())
                             : memory;
}
