//===- TensorMapTest.cpp - tests of tensor maps ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The places of elements are computed here once more: element by element, with
// a swizzle that moves numbered chunks of a row instead of bits of an address.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/TensorMap.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mlir::lpgemm::emulator;

namespace {

TensorMapDesc makeMap() {
  TensorMapDesc desc;
  desc.address = 0x10000;
  desc.type = TensorType::BFloat16;
  desc.rank = 3;
  desc.dims[0] = 100;
  desc.dims[1] = 7;
  desc.dims[2] = 5;
  desc.strides[0] = 208;
  desc.strides[1] = 208 * 7;
  desc.box[0] = 64;
  desc.box[1] = 4;
  desc.box[2] = 2;
  desc.swizzle = TensorSwizzle::Bytes128;
  return desc;
}

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

TEST(TensorMapTest, EncodesAndDecodes) {
  alignas(64) uint8_t block[kTensorMapBytes];
  TensorMapDesc desc = makeMap();
  desc.fill = TensorFill::NaN;
  desc.elementStrides[2] = 2;
  ASSERT_EQ(encodeTensorMap(desc, block), "");
  TensorMapDesc result;
  ASSERT_EQ(decodeTensorMap(block, result), "");
  EXPECT_EQ(result.address, desc.address);
  EXPECT_EQ(result.type, desc.type);
  EXPECT_EQ(result.rank, desc.rank);
  EXPECT_EQ(result.swizzle, desc.swizzle);
  EXPECT_EQ(result.fill, desc.fill);
  for (uint32_t i = 0; i < desc.rank; ++i) {
    EXPECT_EQ(result.dims[i], desc.dims[i]);
    EXPECT_EQ(result.box[i], desc.box[i]);
    EXPECT_EQ(result.elementStrides[i], desc.elementStrides[i]);
  }
  EXPECT_EQ(result.strides[0], desc.strides[0]);
  EXPECT_EQ(result.strides[1], desc.strides[1]);
}

TEST(TensorMapTest, DecodesNothingElse) {
  alignas(64) uint8_t block[2 * kTensorMapBytes];
  TensorMapDesc desc = makeMap(), result;
  const std::string kOther =
      "tensor map: expected what the host has encoded, got other bytes";
  std::memset(block, 0xff, sizeof(block));
  EXPECT_EQ(decodeTensorMap(block, result), kOther);
  ASSERT_EQ(encodeTensorMap(desc, block), "");
  for (size_t i = 0; i < kTensorMapBytes; ++i) {
    block[i] ^= 0x10;
    EXPECT_EQ(decodeTensorMap(block, result), kOther) << "byte " << i;
    block[i] ^= 0x10;
  }
  EXPECT_EQ(decodeTensorMap(block, result), "");
  EXPECT_EQ(decodeTensorMap(block + 64, result), kOther);
  EXPECT_EQ(decodeTensorMap(nullptr, result),
            "tensor map: expected its address to be a multiple of 64 and not "
            "null, got 0");
  std::string address = std::to_string(reinterpret_cast<uintptr_t>(block) + 32);
  EXPECT_EQ(decodeTensorMap(block + 32, result),
            "tensor map: expected its address to be a multiple of 64 and not "
            "null, got " +
                address);
  EXPECT_EQ(encodeTensorMap(desc, block + 32),
            "tensor map: expected its address to be a multiple of 64 and not "
            "null, got " +
                address);
}

TEST(TensorMapTest, WritesNoBlockOfAWrongDescription) {
  alignas(64) uint8_t block[kTensorMapBytes];
  std::memset(block, 0x5a, sizeof(block));
  TensorMapDesc desc = makeMap();
  desc.box[1] = 257;
  EXPECT_NE(encodeTensorMap(desc, block), "");
  for (uint8_t byte : block)
    EXPECT_EQ(byte, 0x5a);
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

struct Rule {
  void (*breakIt)(TensorMapDesc &);
  const char *message;
};

const Rule kRules[] = {
    {[](TensorMapDesc &d) { d.type = TensorType(16); },
     "expected type of 0 to 15, got 16"},
    {[](TensorMapDesc &d) { d.type = TensorType::Packed16U4Align8; },
     "expected type of whole bytes, which sm_90 has, got 16U4_ALIGN8B"},
    {[](TensorMapDesc &d) { d.type = TensorType::Packed16U4Align16; },
     "expected type of whole bytes, which sm_90 has, got 16U4_ALIGN16B"},
    {[](TensorMapDesc &d) { d.type = TensorType::Packed16U6Align16; },
     "expected type of whole bytes, which sm_90 has, got 16U6_ALIGN16B"},
    {[](TensorMapDesc &d) { d.interleave = TensorInterleave(3); },
     "expected interleave of 0 to 2, got 3"},
    {[](TensorMapDesc &d) { d.swizzle = TensorSwizzle(7); },
     "expected swizzle of 0 to 6, got 7"},
    {[](TensorMapDesc &d) { d.swizzle = TensorSwizzle::Bytes128Atom32; },
     "expected swizzle of NONE, 32B, 64B or 128B, which sm_90 has, got "
     "128B_ATOM_32B"},
    {[](TensorMapDesc &d) { d.fill = TensorFill(2); },
     "expected fill of 0 or 1, got 2"},
    {[](TensorMapDesc &d) {
       d.type = TensorType::UInt16;
       d.fill = TensorFill::NaN;
     },
     "expected type to be a float for a fill of NaN, got UINT16"},
    {[](TensorMapDesc &d) { d.rank = 0; }, "expected rank from 1 to 5, got 0"},
    {[](TensorMapDesc &d) { d.rank = 6; }, "expected rank from 1 to 5, got 6"},
    {[](TensorMapDesc &d) {
       d.rank = 2;
       d.interleave = TensorInterleave::Bytes16;
     },
     "expected rank from 3 to 5, got 2"},
    {[](TensorMapDesc &d) { d.address = 0; },
     "expected address to be a multiple of 16 and not null, got 0"},
    {[](TensorMapDesc &d) { d.address = 8; },
     "expected address to be a multiple of 16 and not null, got 8"},
    {[](TensorMapDesc &d) {
       d.address = 16;
       d.interleave = TensorInterleave::Bytes32;
     },
     "expected address to be a multiple of 32 and not null, got 16"},
    {[](TensorMapDesc &d) { d.dims[1] = 0; },
     "expected dims[1] from 1 to 2^32, got 0"},
    {[](TensorMapDesc &d) { d.dims[2] = (uint64_t(1) << 32) + 1; },
     "expected dims[2] from 1 to 2^32, got 4294967297"},
    {[](TensorMapDesc &d) { d.strides[0] = 200; },
     "expected strides[0] to be a multiple of 16 below 2^40, got 200"},
    {[](TensorMapDesc &d) { d.strides[1] = uint64_t(1) << 40; },
     "expected strides[1] to be a multiple of 16 below 2^40, got "
     "1099511627776"},
    {[](TensorMapDesc &d) {
       d.strides[0] = 208;
       d.interleave = TensorInterleave::Bytes32;
     },
     "expected strides[0] to be a multiple of 32 below 2^40, got 208"},
    {[](TensorMapDesc &d) { d.box[2] = 0; },
     "expected box[2] from 1 to 256, got 0"},
    {[](TensorMapDesc &d) { d.box[0] = 257; },
     "expected box[0] from 1 to 256, got 257"},
    {[](TensorMapDesc &d) { d.elementStrides[1] = 0; },
     "expected elementStrides[1] from 1 to 8, got 0"},
    {[](TensorMapDesc &d) { d.elementStrides[0] = 9; },
     "expected elementStrides[0] from 1 to 8, got 9"},
    {[](TensorMapDesc &d) {
       d.strides[0] = 224;
       d.strides[1] = 1568;
       d.interleave = TensorInterleave::Bytes32;
     },
     "expected swizzle to be 32B for an interleave of 32B, got 128B"},
    {[](TensorMapDesc &d) { d.box[0] = 12; },
     "expected box[0] to be a multiple of 16 bytes, got 24"},
    {[](TensorMapDesc &d) { d.box[0] = 72; },
     "expected box[0] of at most 128 bytes for a swizzle of 128B, got 144"},
    {[](TensorMapDesc &d) { d.swizzle = TensorSwizzle::Bytes64; },
     "expected box[0] of at most 64 bytes for a swizzle of 64B, got 128"},
    {[](TensorMapDesc &d) { d.swizzle = TensorSwizzle::Bytes32; },
     "expected box[0] of at most 32 bytes for a swizzle of 32B, got 128"},
    {[](TensorMapDesc &d) { d.interleave = TensorInterleave::Bytes16; },
     "expected interleave to be NONE, which the emulator models, got 16B"},
};

TEST(TensorMapTest, ReportsEachBrokenRule) {
  ASSERT_EQ(checkTensorMap(makeMap()), "");
  for (const Rule &rule : kRules) {
    TensorMapDesc desc = makeMap();
    rule.breakIt(desc);
    EXPECT_EQ(checkTensorMap(desc), std::string("tensor map: ") + rule.message);
  }
}

TEST(TensorMapTest, AcceptsTheLimits) {
  TensorMapDesc desc = makeMap();
  desc.type = TensorType::UInt8;
  desc.swizzle = TensorSwizzle::None;
  desc.rank = kMaxTensorRank;
  for (uint32_t i = 0; i < kMaxTensorRank; ++i) {
    desc.dims[i] = uint64_t(1) << 32;
    desc.box[i] = 256;
    desc.elementStrides[i] = 8;
  }
  for (uint64_t &stride : desc.strides)
    stride = (uint64_t(1) << 40) - 16;
  EXPECT_EQ(checkTensorMap(desc), "");
}

TEST(TensorMapTest, ChecksTheOperandsOfACopy) {
  const int32_t coordinates[] = {-8, 1, 1}, between[] = {4, 1, 1};
  EXPECT_EQ(checkTensorCopy(makeMap(), 0x40000080, coordinates), "");
  EXPECT_EQ(checkTensorCopy(makeMap(), 0x40000040, coordinates),
            "expected the shared memory address to be a multiple of 128, got "
            "64");
  EXPECT_EQ(checkTensorCopy(makeMap(), 0x40000080, between),
            "expected the innermost coordinate in steps of 16 bytes, got 8 "
            "bytes");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Where each byte of a box comes from, 0 for outside.
using Bytes = std::map<uint32_t, uintptr_t>;

/// The chunk of 16 bytes that holds number `chunk` of row `row`, a row being
/// 128 bytes of shared memory whatever the span.
uint32_t permutedChunk(TensorSwizzle swizzle, uint32_t row, uint32_t chunk) {
  switch (swizzle) {
  case TensorSwizzle::Bytes32: // Pairs swap in every other row.
    return row % 2 ? (chunk % 2 ? chunk - 1 : chunk + 1) : chunk;
  case TensorSwizzle::Bytes64: {
    static constexpr uint32_t kOrder[4][4] = {
        {0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    return chunk / 4 * 4 + kOrder[row % 4][chunk % 4];
  }
  case TensorSwizzle::Bytes128: {
    static constexpr uint32_t kOrder[8][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
        {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4},
        {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
        {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
    return kOrder[row % 8][chunk];
  }
  default:
    return chunk;
  }
}

uint32_t spanOf(const TensorMapDesc &desc) {
  switch (desc.swizzle) {
  case TensorSwizzle::Bytes32:
    return 32;
  case TensorSwizzle::Bytes64:
    return 64;
  case TensorSwizzle::Bytes128:
    return 128;
  default:
    return desc.box[0] * tensorTypeBytes(desc.type);
  }
}

/// Five nested loops over elements; dimensions beyond the rank have size 1.
Bytes expectedBytes(const TensorMapDesc &d, uint32_t shared, const int32_t *c) {
  Bytes result;
  uint32_t size = tensorTypeBytes(d.type), row = 0;
  auto step = [&](uint32_t i) { return i < d.rank ? d.elementStrides[i] : 1; };
  auto box = [&](uint32_t i) { return i < d.rank ? d.box[i] : 1; };
  for (uint32_t i4 = 0; i4 < box(4); i4 += step(4))
    for (uint32_t i3 = 0; i3 < box(3); i3 += step(3))
      for (uint32_t i2 = 0; i2 < box(2); i2 += step(2))
        for (uint32_t i1 = 0; i1 < box(1); i1 += step(1), ++row)
          for (uint32_t i0 = 0; i0 < d.box[0]; ++i0) {
            uint32_t index[] = {i0, i1, i2, i3, i4};
            uintptr_t global = d.address;
            bool isInside = true;
            for (uint32_t i = 0; i < d.rank; ++i) {
              int64_t at = int64_t(c[i]) + index[i];
              isInside &= at >= 0 && at < int64_t(d.dims[i]);
              global += at * (i ? int64_t(d.strides[i - 1]) : int64_t(size));
            }
            uint32_t linear = shared + row * spanOf(d) + i0 * size;
            uint32_t place =
                linear / 128 * 128 + linear % 16 +
                16 * permutedChunk(d.swizzle, linear / 128, linear % 128 / 16);
            for (uint32_t b = 0; b < size; ++b)
              result[place + b] = isInside ? global + b : 0;
          }
  return result;
}

Bytes actualBytes(const TensorMapDesc &desc, uint32_t shared,
                  const int32_t *coordinates) {
  Bytes result;
  for (const TensorPiece &piece : tensorPieces(desc, shared, coordinates)) {
    EXPECT_GT(piece.bytes, 0u);
    for (uint32_t i = 0; i < piece.bytes; ++i) {
      uintptr_t global = piece.isInBounds() ? piece.globalAddress + i : 0;
      EXPECT_TRUE(result.emplace(piece.sharedAddress + i, global).second);
    }
  }
  return result;
}

/// A map of any type, with a tensor little larger than the box.
TensorMapDesc makeRandomMap(std::mt19937 &random) {
  auto below = [&](uint32_t limit) { return random() % limit; };
  TensorMapDesc desc;
  desc.address = 0x100000;
  desc.type = TensorType(below(13));
  desc.rank = 1 + below(5);
  desc.swizzle = TensorSwizzle(below(4));
  uint32_t size = tensorTypeBytes(desc.type);
  uint32_t span = desc.swizzle == TensorSwizzle::None ? 256 : spanOf(desc);
  desc.box[0] = (1 + below(span / 16)) * 16 / size;
  desc.dims[0] = 1 + below(2 * desc.box[0]);
  uint64_t stride = desc.dims[0] * size;
  for (uint32_t i = 1; i < desc.rank; ++i) {
    desc.box[i] = 1 + below(desc.rank == 2 ? 20 : 4);
    desc.dims[i] = 1 + below(8);
    desc.elementStrides[i] = below(2) ? 1 : 1 + below(8);
    stride = (stride + 15) / 16 * 16 + 16 * below(2);
    desc.strides[i - 1] = stride;
    stride *= desc.dims[i];
  }
  return desc;
}

TEST(TensorMapTest, PiecesAreThoseOfTheBox) {
  std::mt19937 random(1);
  uint32_t ranks[kMaxTensorRank + 1] = {}, swizzles[4] = {};
  for (int i = 0; i < 2000; ++i) {
    TensorMapDesc desc = makeRandomMap(random);
    ASSERT_EQ(checkTensorMap(desc), "");
    ++ranks[desc.rank];
    ++swizzles[static_cast<int>(desc.swizzle)];
    int32_t step = 16 / tensorTypeBytes(desc.type);
    int32_t coordinates[kMaxTensorRank];
    coordinates[0] = (int32_t(random() % 24) - 8) * step;
    for (uint32_t dim = 1; dim < kMaxTensorRank; ++dim)
      coordinates[dim] = int32_t(random() % 14) - 5;
    uint32_t shared = 0x40000000 + random() % 32 * kTensorSharedAlignment;
    ASSERT_EQ(checkTensorCopy(desc, shared, coordinates), "");
    Bytes actual = actualBytes(desc, shared, coordinates);
    ASSERT_EQ(actual, expectedBytes(desc, shared, coordinates))
        << "map " << i << " of rank " << desc.rank;
    EXPECT_EQ(actual.size(), tensorBoxBytes(desc));
  }
  for (uint32_t rank = 1; rank <= kMaxTensorRank; ++rank)
    EXPECT_GT(ranks[rank], 100u);
  for (uint32_t count : swizzles)
    EXPECT_GT(count, 100u);
}

TEST(TensorMapTest, CoordinatesMayBeFarOutside) {
  TensorMapDesc desc = makeMap();
  for (int32_t outer : {INT32_MIN, -2, 5, INT32_MAX})
    for (int32_t inner : {INT32_MIN, 0, INT32_MAX - 7}) {
      const int32_t coordinates[] = {inner, 0, outer};
      for (const TensorPiece &piece : tensorPieces(desc, 0x1000, coordinates))
        EXPECT_FALSE(piece.isInBounds());
    }
}

TEST(TensorMapTest, FillsWithZerosOrNaN) {
  struct {
    TensorType type;
    TensorFill fill;
    uint64_t value;
  } const kCases[] = {
      {TensorType::UInt8, TensorFill::Zeros, 0},
      {TensorType::Float16, TensorFill::Zeros, 0},
      {TensorType::Float16, TensorFill::NaN, 0x7ff7},
      {TensorType::BFloat16, TensorFill::NaN, 0x7ff7},
      {TensorType::Float32, TensorFill::NaN, 0x7ff77ff7},
      {TensorType::TFloat32, TensorFill::NaN, 0x7ff77ff7},
      {TensorType::Float64, TensorFill::NaN, 0x7ff77ff77ff77ff7},
  };
  for (const auto &c : kCases) {
    TensorMapDesc desc;
    desc.type = c.type;
    desc.fill = c.fill;
    uint8_t target[24];
    std::memset(target, 0x5a, sizeof(target));
    fillOutOfBounds(desc, target, 16);
    uint32_t size = tensorTypeBytes(c.type);
    for (uint32_t i = 0; i < 16; i += size)
      EXPECT_EQ(std::memcmp(target + i, &c.value, size), 0)
          << tensorTypeName(c.type);
    EXPECT_EQ(target[16], 0x5a);
  }
}

TEST(TensorMapTest, RoundsToTF32) {
  const uint32_t source[] = {0x3f800fff, 0x3f801000, 0x3f801001, 0x3f803000,
                             0x7f800000, 0xff97c123, 0x80716123, 0x7f7ff000};
  const uint32_t rounded[] = {0x3f800000, 0x3f800000, 0x3f802000, 0x3f804000,
                              0x7f800000, 0x7fffe000, 0x80716000, 0x7f800000};
  uint32_t data[8];
  TensorMapDesc desc;
  desc.type = TensorType::Float32;
  std::memcpy(data, source, sizeof(data));
  convertLoaded(desc, data, sizeof(data));
  EXPECT_EQ(std::memcmp(data, source, sizeof(data)), 0);
  desc.type = TensorType::TFloat32;
  convertLoaded(desc, data, sizeof(data));
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(data[i], rounded[i]) << i;
}

} // namespace
