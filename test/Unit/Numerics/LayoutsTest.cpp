//===- LayoutsTest.cpp - Memory layouts of scales -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Layouts.h"

#include "lpgemm/Numerics/Packing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;

using SL = BufferLayout;

namespace {

std::vector<uint8_t> makeBytes(int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes)
    byte = engine();
  return bytes;
}

/// Reads row-major bytes as an array of the given shape and returns them in the
/// order of its permuted dimensions, as reshape and permute of the array
/// libraries do in which these layouts are defined.
std::vector<uint8_t> permute(ArrayRef<uint8_t> bytes, ArrayRef<int64_t> shape,
                             ArrayRef<unsigned> order) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size() - 1; d != 0; --d)
    strides[d - 1] = strides[d] * shape[d];
  std::vector<uint8_t> result;
  std::vector<int64_t> index(shape.size());
  for (size_t i = 0; i != bytes.size(); ++i) {
    int64_t source = 0;
    for (auto [place, dim] : enumerate(order))
      source += index[place] * strides[dim];
    result.push_back(bytes[source]);
    for (size_t place = order.size(); place-- != 0;) {
      if (++index[place] != shape[order[place]])
        break;
      index[place] = 0;
    }
  }
  return result;
}

/// Row-major bytes padded to the given extents.
std::vector<uint8_t> pad(ArrayRef<uint8_t> bytes, int64_t rows, int64_t columns,
                         int64_t toRows, int64_t toColumns, uint8_t fill) {
  std::vector<uint8_t> result(toRows * toColumns, fill);
  for (int64_t row = 0; row != rows; ++row)
    copy(bytes.slice(row * columns, columns), result.begin() + row * toColumns);
  return result;
}

const ScaleExtents oddExtents[] = {{1, 1, 1},   {5, 6, 1},   {127, 4, 1},
                                   {129, 9, 1}, {200, 6, 1}, {513, 17, 1}};

} // namespace

TEST(LayoutsTest, Names) {
  for (const BufferLayoutInfo &info : getBufferLayoutInfos()) {
    EXPECT_EQ(parseBufferLayout(info.name), info.layout);
    EXPECT_EQ(&getBufferLayoutInfo(info.layout), &info);
  }
  EXPECT_EQ(parseBufferLayout("swizzle"), std::nullopt);
}

TEST(LayoutsTest, WorkedOffsets) {
  const struct {
    SL layout;
    ScaleExtents extents;
    int64_t r, b, offset;
  } cases[] = {
      {SL::Row, {5, 3, 2}, 4, 1, 26},
      {SL::Col, {8, 3, 4}, 5, 2, 84},
      {SL::MnTma, {5, 2, 4}, 4, 1, 48},
      {SL::MnTmaUE8M0x4, {5, 6, 1}, 4, 5, 49},
      {SL::Blk128x128, {300, 5, 4}, 260, 3, 76},
      {SL::Swz128x4, {200, 6, 1}, 0, 0, 0},
      {SL::Swz128x4, {200, 6, 1}, 0, 3, 3},
      {SL::Swz128x4, {200, 6, 1}, 0, 4, 512},
      {SL::Swz128x4, {200, 6, 1}, 1, 0, 16},
      {SL::Swz128x4, {200, 6, 1}, 32, 0, 4},
      {SL::Swz128x4, {200, 6, 1}, 33, 1, 21},
      {SL::Swz128x4, {200, 6, 1}, 127, 3, 511},
      {SL::Swz128x4, {200, 6, 1}, 128, 0, 1024},
      {SL::Swz128x4, {200, 6, 1}, 199, 5, 1657},
      {SL::Amd32x8, {64, 16, 1}, 0, 0, 0},
      {SL::Amd32x8, {64, 16, 1}, 0, 1, 64},
      {SL::Amd32x8, {64, 16, 1}, 0, 4, 2},
      {SL::Amd32x8, {64, 16, 1}, 1, 0, 4},
      {SL::Amd32x8, {64, 16, 1}, 16, 0, 1},
      {SL::Amd32x8, {64, 16, 1}, 17, 5, 71},
      {SL::Amd32x8, {64, 16, 1}, 32, 0, 512},
      {SL::Amd32x8, {64, 16, 1}, 33, 9, 836},
  };
  for (const auto &c : cases)
    EXPECT_EQ(getScaleOffset(c.layout, c.r, c.b, c.extents), c.offset)
        << getBufferLayoutInfo(c.layout).name.str() << " " << c.r << " " << c.b;
}

TEST(LayoutsTest, BufferSizes) {
  EXPECT_EQ(getScaleBufferSize(SL::Row, {5, 3, 2}), 30);
  EXPECT_EQ(getScaleBufferSize(SL::Col, {8, 3, 4}), 96);
  EXPECT_EQ(getScaleBufferSize(SL::MnTma, {5, 2, 4}), 64);
  EXPECT_EQ(getScaleBufferSize(SL::MnTmaUE8M0x4, {5, 6, 1}), 64);
  EXPECT_EQ(getScaleBufferSize(SL::Blk128x128, {300, 5, 4}), 96);
  EXPECT_EQ(getScaleBufferSize(SL::Swz128x4, {200, 6, 1}), 2048);
  EXPECT_EQ(getScaleBufferSize(SL::Amd32x8, {200, 9, 1}), 4096);
  for (const BufferLayoutInfo &info : getBufferLayoutInfos())
    EXPECT_EQ(getScaleBufferSize(info.layout, {0, 5, 4}), 0);
}

TEST(LayoutsTest, OffsetsAreDistinctAndInside) {
  for (const BufferLayoutInfo &info : getBufferLayoutInfos())
    for (ScaleExtents extents : oddExtents) {
      extents.scaleBytes = info.scaleBytes == 0 ? 2 : info.scaleBytes;
      int64_t size = getScaleBufferSize(info.layout, extents);
      std::vector<bool> taken(size);
      for (int64_t r = 0; r < extents.outer; r += info.rowsPerScale)
        for (int64_t b = 0; b != extents.blocks; ++b) {
          int64_t offset = getScaleOffset(info.layout, r, b, extents);
          for (unsigned byte = 0; byte != extents.scaleBytes; ++byte) {
            ASSERT_LT(offset + byte, size) << info.name.str();
            ASSERT_FALSE(taken[offset + byte]) << info.name.str();
            taken[offset + byte] = true;
          }
        }
    }
}

TEST(LayoutsTest, PackingRoundTrips) {
  for (const BufferLayoutInfo &info : getBufferLayoutInfos())
    for (ScaleExtents extents : oddExtents) {
      extents.scaleBytes = info.scaleBytes == 0 ? 4 : info.scaleBytes;
      int64_t rows = divideCeil(extents.outer, info.rowsPerScale);
      auto scales = makeBytes(rows * extents.blocks * extents.scaleBytes, 1);
      auto buffer = packScales(info.layout, scales, extents);
      EXPECT_EQ(unpackScales(info.layout, buffer, extents), scales);
      // L-7: what is not a scale is padding.
      auto flipped = scales;
      for (uint8_t &byte : flipped)
        byte = ~byte;
      auto other = packScales(info.layout, flipped, extents);
      for (size_t i = 0; i != buffer.size(); ++i)
        EXPECT_TRUE(buffer[i] == uint8_t(~other[i]) ||
                    (buffer[i] == info.padding && other[i] == info.padding));
    }
  EXPECT_EQ(getBufferLayoutInfo(SL::Swz128x4).padding, 0x00);
  EXPECT_EQ(getBufferLayoutInfo(SL::Amd32x8).padding, 0x7F);
}

TEST(LayoutsTest, Swz128x4IsTheSwizzleOfItsAtoms) {
  // SL-5 as torchao's to_blocked defines it: atoms of 128x4, each of which is
  // read as 4x32x4 and has its first two dimensions exchanged.
  for (const ScaleExtents &extents : oddExtents) {
    auto scales = makeBytes(extents.outer * extents.blocks, 2);
    int64_t rows = divideCeil(extents.outer, 128);
    int64_t columns = divideCeil(extents.blocks, 4);
    auto padded = pad(scales, extents.outer, extents.blocks, rows * 128,
                      columns * 4, 0x00);
    EXPECT_EQ(packScales(SL::Swz128x4, scales, extents),
              permute(padded, {rows, 4, 32, columns, 4}, {0, 3, 2, 1, 4}));
  }
}

TEST(LayoutsTest, Amd32x8IsTheShuffleOfItsTiles) {
  // SL-6 as AITER's shuffle_scale defines it.
  for (const ScaleExtents &extents : oddExtents) {
    auto scales = makeBytes(extents.outer * extents.blocks, 3);
    int64_t rows = alignTo(extents.outer, 256);
    int64_t columns = alignTo(extents.blocks, 8);
    auto padded =
        pad(scales, extents.outer, extents.blocks, rows, columns, 0x7F);
    EXPECT_EQ(packScales(SL::Amd32x8, scales, extents),
              permute(padded, {rows / 32, 2, 16, columns / 8, 2, 4},
                      {0, 3, 5, 2, 4, 1}));
  }
}

TEST(LayoutsTest, TransposedLayouts) {
  // SL-1 to SL-4 are paddings and transpositions of a row-major matrix.
  for (ScaleExtents extents : oddExtents) {
    int64_t outer = extents.outer, blocks = extents.blocks;
    int64_t outer4 = alignTo(outer, 4), blocks4 = alignTo(blocks, 4);
    auto bytes = makeBytes(outer * blocks, 4);
    EXPECT_EQ(packScales(SL::Col, bytes, extents),
              permute(bytes, {outer, blocks}, {1, 0}));
    EXPECT_EQ(packScales(SL::MnTmaUE8M0x4, bytes, extents),
              permute(pad(bytes, outer, blocks, outer4, blocks4, 0),
                      {outer4, blocks4 / 4, 4}, {1, 0, 2}));
    extents.scaleBytes = 4;
    auto words = makeBytes(outer * blocks * 4, 5);
    EXPECT_EQ(packScales(SL::MnTma, words, extents),
              permute(pad(words, outer, blocks * 4, outer4, blocks * 4, 0),
                      {outer4, blocks, 4}, {1, 0, 2}));
    extents.outer *= 128;
    EXPECT_EQ(packScales(SL::Blk128x128, words, extents),
              pad(words, outer, blocks * 4, outer, blocks4 * 4, 0));
  }
}

TEST(LayoutsTest, RejectsScalesOfAnotherSize) {
  auto check = [](SL layout, ScaleExtents extents, StringRef message) {
    EXPECT_EQ(toString(checkBufferLayout(layout, extents)), message);
  };
  check(SL::MnTma, {4, 4, 1},
        "scale layout 'mn_tma' expects scales of 4 bytes, got 1");
  check(SL::MnTmaUE8M0x4, {4, 4, 4},
        "scale layout 'mn_tma_ue8m0x4' expects scales of 1 byte, got 4");
  check(SL::Blk128x128, {4, 4, 2},
        "scale layout 'blk128x128' expects scales of 4 bytes, got 2");
  check(SL::Swz128x4, {4, 4, 4},
        "scale layout 'swz128x4' expects scales of 1 byte, got 4");
  check(SL::Amd32x8, {4, 4, 4},
        "scale layout 'amd32x8' expects scales of 1 byte, got 4");
  check(SL::Col, {5, 4, 4},
        "scale layout 'col' expects a multiple of 4 rows, got 5");
  check(SL::Row, {5, 4, 2}, "");
  check(SL::Col, {8, 4, 4}, "");
}
