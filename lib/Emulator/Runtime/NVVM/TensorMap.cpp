//===- TensorMap.cpp - tensor maps and their copies -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/TensorMap.h"

#include "lpgemm/Emulator/Runtime.h"

#include <algorithm>
#include <cstring>

using namespace mlir::lpgemm::emulator;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
struct TypeInfo {
  std::string_view name;
  /// 0: not modelled.
  uint32_t bytes;
  /// What TensorFill::NaN writes, as seen on an H200; 0 for types that are no
  /// floats.
  uint64_t nan;
};

struct SwizzleInfo {
  std::string_view name;
  /// Bytes within which chunks move; 0: not modelled.
  uint32_t span;
  /// Bits of the address, counted from 4, that are flipped by as many bits
  /// from 7 on.
  uint32_t mask;
};
} // namespace

static constexpr TypeInfo kTypes[] = {
    {"UINT8", 1, 0},
    {"UINT16", 2, 0},
    {"UINT32", 4, 0},
    {"INT32", 4, 0},
    {"UINT64", 8, 0},
    {"INT64", 8, 0},
    {"FLOAT16", 2, 0x7ff7},
    {"FLOAT32", 4, 0x7ff77ff7},
    {"FLOAT64", 8, 0x7ff77ff77ff77ff7},
    {"BFLOAT16", 2, 0x7ff7},
    {"FLOAT32_FTZ", 4, 0x7ff77ff7},
    {"TFLOAT32", 4, 0x7ff77ff7},
    {"TFLOAT32_FTZ", 4, 0x7ff77ff7},
    {"16U4_ALIGN8B", 0, 0},
    {"16U4_ALIGN16B", 0, 0},
    {"16U6_ALIGN16B", 0, 0},
};

static constexpr std::string_view kInterleaves[] = {"NONE", "16B", "32B"};

static constexpr SwizzleInfo kSwizzles[] = {
    {"NONE", ~0u, 0},        {"32B", 32, 1},
    {"64B", 64, 3},          {"128B", 128, 7},
    {"128B_ATOM_32B", 0, 0}, {"128B_ATOM_32B_FLIP_8B", 0, 0},
    {"128B_ATOM_64B", 0, 0},
};

/// The entry of an enumeration that may hold any number, or null.
template <typename Entry, size_t N, typename Enum>
static const Entry *lookup(const Entry (&table)[N], Enum value) {
  size_t index = static_cast<size_t>(value);
  return index < N ? &table[index] : nullptr;
}

uint32_t mlir::lpgemm::emulator::tensorTypeBytes(TensorType type) {
  const TypeInfo *info = lookup(kTypes, type);
  return info ? info->bytes : 0;
}

std::string_view mlir::lpgemm::emulator::tensorTypeName(TensorType type) {
  const TypeInfo *info = lookup(kTypes, type);
  return info ? info->name : "unknown";
}

//===----------------------------------------------------------------------===//
// Rules of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map Object
// Management")
//===----------------------------------------------------------------------===//

static std::string expected(const std::string &field, const std::string &what,
                            const std::string &actual) {
  return "expected " + field + " " + what + ", got " + actual;
}

static std::string expected(const std::string &field, const std::string &what,
                            uint64_t actual) {
  return expected(field, what, std::to_string(actual));
}

static std::string element(const char *field, uint32_t index) {
  return std::string(field) + "[" + std::to_string(index) + "]";
}

static bool isInterleaved(const TensorMapDesc &desc) {
  return desc.interleave != TensorInterleave::None;
}

static std::string checkEnumerations(const TensorMapDesc &desc) {
  const TypeInfo *type = lookup(kTypes, desc.type);
  if (!type)
    return expected("type", "of 0 to 15", static_cast<uint64_t>(desc.type));
  if (type->bytes == 0)
    return expected("type", "of whole bytes, which sm_90 has",
                    std::string(type->name));
  if (!lookup(kInterleaves, desc.interleave))
    return expected("interleave", "of 0 to 2",
                    static_cast<uint64_t>(desc.interleave));
  const SwizzleInfo *swizzle = lookup(kSwizzles, desc.swizzle);
  if (!swizzle)
    return expected("swizzle", "of 0 to 6",
                    static_cast<uint64_t>(desc.swizzle));
  if (swizzle->span == 0)
    return expected("swizzle", "of NONE, 32B, 64B or 128B, which sm_90 has",
                    std::string(swizzle->name));
  if (desc.fill > TensorFill::NaN)
    return expected("fill", "of 0 or 1", static_cast<uint64_t>(desc.fill));
  if (desc.fill == TensorFill::NaN && type->nan == 0)
    return expected("type", "to be a float for a fill of NaN",
                    std::string(type->name));
  return "";
}

static std::string checkRank(const TensorMapDesc &desc) {
  uint32_t least = isInterleaved(desc) ? 3 : 1;
  if (desc.rank < least || desc.rank > kMaxTensorRank)
    return expected("rank",
                    "from " + std::to_string(least) + " to " +
                        std::to_string(kMaxTensorRank),
                    desc.rank);
  return "";
}

static std::string checkTensor(const TensorMapDesc &desc) {
  constexpr uint64_t kMaxDim = uint64_t(1) << 32;
  constexpr uint64_t kStrideLimit = uint64_t(1) << 40;
  uint64_t alignment = desc.interleave == TensorInterleave::Bytes32 ? 32 : 16;
  std::string multiple = "a multiple of " + std::to_string(alignment);
  if (desc.address == 0 || desc.address % alignment)
    return expected("address", "to be " + multiple + " and not null",
                    desc.address);
  for (uint32_t i = 0; i < desc.rank; ++i)
    if (desc.dims[i] == 0 || desc.dims[i] > kMaxDim)
      return expected(element("dims", i), "from 1 to 2^32", desc.dims[i]);
  for (uint32_t i = 0; i + 1 < desc.rank; ++i)
    if (desc.strides[i] % alignment || desc.strides[i] >= kStrideLimit)
      return expected(element("strides", i),
                      "to be " + multiple + " below 2^40", desc.strides[i]);
  return "";
}

static std::string checkBox(const TensorMapDesc &desc) {
  constexpr uint32_t kMaxBox = 256, kMaxElementStride = 8, kGranule = 16;
  for (uint32_t i = 0; i < desc.rank; ++i)
    if (desc.box[i] == 0 || desc.box[i] > kMaxBox)
      return expected(element("box", i), "from 1 to 256", desc.box[i]);
  // The driver refuses these in dimension 0, too, where it ignores the rest.
  for (uint32_t i = 0; i < desc.rank; ++i)
    if (desc.elementStrides[i] == 0 ||
        desc.elementStrides[i] > kMaxElementStride)
      return expected(element("elementStrides", i), "from 1 to 8",
                      desc.elementStrides[i]);
  if (desc.interleave == TensorInterleave::Bytes32 &&
      desc.swizzle != TensorSwizzle::Bytes32)
    return expected("swizzle", "to be 32B for an interleave of 32B",
                    std::string(lookup(kSwizzles, desc.swizzle)->name));
  if (isInterleaved(desc))
    return "";
  uint32_t bytes = desc.box[0] * tensorTypeBytes(desc.type);
  if (bytes % kGranule)
    return expected("box[0]", "to be a multiple of 16 bytes", bytes);
  const SwizzleInfo &swizzle = *lookup(kSwizzles, desc.swizzle);
  if (bytes > swizzle.span)
    return expected("box[0]",
                    "of at most " + std::to_string(swizzle.span) +
                        " bytes for a swizzle of " + std::string(swizzle.name),
                    bytes);
  return "";
}

/// What the driver accepts, but the emulator does not model.
static std::string checkModelled(const TensorMapDesc &desc) {
  if (isInterleaved(desc))
    return expected("interleave", "to be NONE, which the emulator models",
                    std::string(*lookup(kInterleaves, desc.interleave)));
  return "";
}

std::string mlir::lpgemm::emulator::checkTensorMap(const TensorMapDesc &desc) {
  for (auto check :
       {checkEnumerations, checkRank, checkTensor, checkBox, checkModelled}) {
    std::string fault = check(desc);
    if (!fault.empty())
      return "tensor map: " + fault;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The opaque block
//===----------------------------------------------------------------------===//

namespace {
struct Block {
  uint64_t magic;
  /// Of the rest, so that a map that is overwritten in part is none.
  uint64_t checksum;
  uint64_t address;
  uint64_t dims[kMaxTensorRank];
  uint64_t strides[kMaxTensorRank - 1];
  uint16_t box[kMaxTensorRank];
  uint8_t elementStrides[kMaxTensorRank];
  uint8_t rank, type, interleave, swizzle, fill;
  uint8_t unused[12];
};
} // namespace

static_assert(sizeof(Block) == kTensorMapBytes, "a tensor map is one block");

static constexpr uint64_t kMagic = 0x70614d726f736e54; // "TnsorMap"

/// FNV-1a of all after the checksum.
static uint64_t checksumOf(const Block &block) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto *bytes = reinterpret_cast<const uint8_t *>(&block);
  for (size_t i = offsetof(Block, address); i < sizeof(Block); ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

static std::string checkBlockAddress(const void *block) {
  auto address = reinterpret_cast<uintptr_t>(block);
  if (address == 0 || address % kTensorMapAlignment)
    return "tensor map: " +
           expected("its address",
                    "to be a multiple of " +
                        std::to_string(kTensorMapAlignment) + " and not null",
                    address);
  return "";
}

std::string mlir::lpgemm::emulator::encodeTensorMap(const TensorMapDesc &desc,
                                                    void *target) {
  std::string fault = checkBlockAddress(target);
  if (fault.empty())
    fault = checkTensorMap(desc);
  if (!fault.empty())
    return fault;
  Block block{};
  block.magic = kMagic;
  block.address = desc.address;
  std::copy_n(desc.dims, desc.rank, block.dims);
  std::copy_n(desc.strides, desc.rank - 1, block.strides);
  std::copy_n(desc.box, desc.rank, block.box);
  std::copy_n(desc.elementStrides, desc.rank, block.elementStrides);
  block.elementStrides[0] = 1;
  block.rank = desc.rank;
  block.type = static_cast<uint8_t>(desc.type);
  block.interleave = static_cast<uint8_t>(desc.interleave);
  block.swizzle = static_cast<uint8_t>(desc.swizzle);
  block.fill = static_cast<uint8_t>(desc.fill);
  block.checksum = checksumOf(block);
  std::memcpy(target, &block, sizeof(block));
  return "";
}

std::string mlir::lpgemm::emulator::decodeTensorMap(const void *source,
                                                    TensorMapDesc &desc) {
  std::string fault = checkBlockAddress(source);
  if (!fault.empty())
    return fault;
  Block block;
  std::memcpy(&block, source, sizeof(block));
  if (block.magic != kMagic || block.checksum != checksumOf(block))
    return "tensor map: expected what the host has encoded, got other bytes";
  desc = TensorMapDesc();
  desc.address = block.address;
  desc.rank = block.rank;
  std::copy_n(block.dims, desc.rank, desc.dims);
  std::copy_n(block.strides, desc.rank - 1, desc.strides);
  std::copy_n(block.box, desc.rank, desc.box);
  std::copy_n(block.elementStrides, desc.rank, desc.elementStrides);
  desc.type = static_cast<TensorType>(block.type);
  desc.interleave = static_cast<TensorInterleave>(block.interleave);
  desc.swizzle = static_cast<TensorSwizzle>(block.swizzle);
  desc.fill = static_cast<TensorFill>(block.fill);
  return "";
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

uint32_t mlir::lpgemm::emulator::swizzleSharedAddress(TensorSwizzle swizzle,
                                                      uint32_t address) {
  uint32_t mask = lookup(kSwizzles, swizzle)->mask;
  return address ^ (((address >> 7) & mask) << 4);
}

/// Elements of the box that a copy moves along a dimension.
static uint32_t countAlong(const TensorMapDesc &desc, uint32_t dim) {
  uint32_t stride = desc.elementStrides[dim];
  return (desc.box[dim] + stride - 1) / stride;
}

uint32_t mlir::lpgemm::emulator::tensorBoxBytes(const TensorMapDesc &desc) {
  uint32_t bytes = tensorTypeBytes(desc.type);
  for (uint32_t i = 0; i < desc.rank; ++i)
    bytes *= countAlong(desc, i);
  return bytes;
}

std::string
mlir::lpgemm::emulator::checkTensorCopy(const TensorMapDesc &desc,
                                        uint32_t sharedAddress,
                                        const int32_t *coordinates) {
  if (sharedAddress % kTensorSharedAlignment)
    return expected("the shared memory address", "to be a multiple of 128",
                    sharedAddress % kLdsArenaBytes);
  int64_t inner = int64_t(coordinates[0]) * tensorTypeBytes(desc.type);
  if (inner % 16)
    return expected("the innermost coordinate", "in steps of 16 bytes",
                    std::to_string(inner) + " bytes");
  return "";
}

namespace {
/// Cuts the rows of a box into pieces.
class PieceBuilder {
public:
  PieceBuilder(const TensorMapDesc &desc, uint32_t sharedAddress,
               const int32_t *coordinates)
      : desc(desc), coordinates(coordinates), shared(sharedAddress) {
    int64_t size = tensorTypeBytes(desc.type);
    int64_t begin = coordinates[0] * size;
    rowBytes = desc.box[0] * size;
    const SwizzleInfo &swizzle = *lookup(kSwizzles, desc.swizzle);
    pitch = swizzle.mask ? swizzle.span : rowBytes;
    insideBegin = std::clamp<int64_t>(-begin, 0, rowBytes);
    insideEnd = std::clamp<int64_t>(desc.dims[0] * size - begin, 0, rowBytes);
  }

  std::vector<TensorPiece> run() {
    uint32_t index[kMaxTensorRank] = {};
    do
      addRow(index);
    while (next(index));
    return std::move(pieces);
  }

private:
  /// The next row, dimension 1 fastest.
  bool next(uint32_t *index) const {
    for (uint32_t dim = 1; dim < desc.rank; ++dim) {
      if (++index[dim] < countAlong(desc, dim))
        return true;
      index[dim] = 0;
    }
    return false;
  }

  void addRow(const uint32_t *index) {
    uintptr_t global =
        desc.address + coordinates[0] * int64_t(tensorTypeBytes(desc.type));
    bool isInside = true;
    for (uint32_t dim = 1; dim < desc.rank; ++dim) {
      int64_t at =
          coordinates[dim] + int64_t(index[dim]) * desc.elementStrides[dim];
      isInside &= at >= 0 && static_cast<uint64_t>(at) < desc.dims[dim];
      global += at * desc.strides[dim - 1];
    }
    int64_t begin = isInside ? insideBegin : rowBytes;
    int64_t end = isInside ? insideEnd : rowBytes;
    addRun(0, begin, 0);
    addRun(begin, end, global);
    addRun(std::max(begin, end), rowBytes, 0);
    shared += pitch;
  }

  /// Bytes of the row; `global` is that of the row's begin. A swizzle keeps
  /// only chunks of 16 bytes together.
  void addRun(int64_t begin, int64_t end, uintptr_t global) {
    constexpr uint32_t kChunk = 16;
    while (begin < end) {
      uint32_t address = shared + begin;
      uint32_t bytes = end - begin;
      if (desc.swizzle != TensorSwizzle::None)
        bytes = std::min(bytes, kChunk - address % kChunk);
      pieces.push_back({swizzleSharedAddress(desc.swizzle, address), bytes,
                        global ? global + begin : 0});
      begin += bytes;
    }
  }

  const TensorMapDesc &desc;
  const int32_t *coordinates;
  uint32_t shared;
  int64_t rowBytes;
  /// From one row to the next in shared memory.
  uint32_t pitch;
  /// Bytes of a row that are inside of the tensor's innermost dimension.
  int64_t insideBegin, insideEnd;
  std::vector<TensorPiece> pieces;
};
} // namespace

std::vector<TensorPiece>
mlir::lpgemm::emulator::tensorPieces(const TensorMapDesc &desc,
                                     uint32_t sharedAddress,
                                     const int32_t *coordinates) {
  return PieceBuilder(desc, sharedAddress, coordinates).run();
}

void mlir::lpgemm::emulator::fillOutOfBounds(const TensorMapDesc &desc,
                                             void *target, uint32_t bytes) {
  uint32_t size = tensorTypeBytes(desc.type);
  uint64_t value =
      desc.fill == TensorFill::NaN ? lookup(kTypes, desc.type)->nan : 0;
  auto *at = static_cast<uint8_t *>(target);
  for (uint32_t i = 0; i < bytes; i += size)
    std::memcpy(at + i, &value, size); // Little-endian, as the device.
}

/// Rounds a float to the 10 bits of fraction of TF32.
static uint32_t roundToTF32(uint32_t bits) {
  constexpr uint32_t kDropped = 13, kHalf = 1 << (kDropped - 1);
  constexpr uint32_t kInfinity = 0x7f800000, kNaN = 0x7fffe000;
  if ((bits & ~0x80000000) > kInfinity)
    return kNaN;
  uint32_t isOdd = (bits >> kDropped) & 1;
  return (bits + kHalf - 1 + isOdd) & ~(2 * kHalf - 1);
}

void mlir::lpgemm::emulator::convertLoaded(const TensorMapDesc &desc,
                                           void *target, uint32_t bytes) {
  if (desc.type != TensorType::TFloat32 && desc.type != TensorType::TFloat32Ftz)
    return;
  auto *at = static_cast<uint8_t *>(target);
  for (uint32_t i = 0; i < bytes; i += sizeof(uint32_t)) {
    uint32_t value;
    std::memcpy(&value, at + i, sizeof(value));
    value = roundToTF32(value);
    std::memcpy(at + i, &value, sizeof(value));
  }
}
