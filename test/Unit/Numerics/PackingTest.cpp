//===- PackingTest.cpp - Memory of quantized elements ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Packing.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace mlir::lpgemm;
using testing::ElementsAre;

namespace {
std::vector<uint8_t> makeCodes(int64_t count, unsigned bits) {
  std::mt19937 engine(bits);
  std::vector<uint8_t> codes(count);
  for (uint8_t &code : codes)
    code = engine() & ((1u << bits) - 1);
  return codes;
}
} // namespace

TEST(PackingTest, PacksEvenColumnsIntoLowNibbles) {
  // L-2: 1.0, -6.0, 0.5 are the codes 2, F, 1.
  EXPECT_THAT(packCodes({0x2, 0xF, 0x1, 0x3, 0x4, 0x5}, 2, 3, 4),
              ElementsAre(0xF2, 0x01, 0x43, 0x05));
}

TEST(PackingTest, PacksSixBitsAsAStream) {
  // L-3: four codes fill three bytes; a row starts with a byte of its own.
  EXPECT_THAT(packCodes({0x01, 0x02, 0x03, 0x04}, 1, 4, 6),
              ElementsAre(0x81, 0x30, 0x10));
  EXPECT_THAT(packCodes({0x3F, 0x00, 0x15, 0x2A}, 1, 4, 6),
              ElementsAre(0x3F, 0x50, 0xA9));
  EXPECT_THAT(packCodes({0x3F, 0x3F, 0x01, 0x02}, 2, 2, 6),
              ElementsAre(0xFF, 0x0F, 0x81, 0x00));
  EXPECT_EQ(getPackedRowSize(32, 6), 24);
}

TEST(PackingTest, StreamsHaveTheBitsOfTheCodes) {
  for (unsigned bits : {4, 6, 8})
    for (int64_t columns : {1, 2, 3, 5, 31, 32, 33}) {
      const int64_t rows = 3;
      std::vector<uint8_t> codes = makeCodes(rows * columns, bits);
      std::vector<uint8_t> bytes = packCodes(codes, rows, columns, bits);
      int64_t rowSize = getPackedRowSize(columns, bits);
      EXPECT_EQ(rowSize, (columns * bits + 7) / 8);
      ASSERT_EQ(static_cast<int64_t>(bytes.size()), rows * rowSize);
      for (int64_t row = 0; row != rows; ++row)
        for (int64_t bit = 0; bit != 8 * rowSize; ++bit) {
          unsigned actual = bytes[row * rowSize + bit / 8] >> (bit % 8) & 1;
          unsigned expected =
              bit < columns * bits
                  ? codes[row * columns + bit / bits] >> (bit % bits) & 1
                  : 0;
          EXPECT_EQ(actual, expected);
        }
      EXPECT_EQ(unpackCodes(bytes, rows, columns, bits), codes);
    }
}

TEST(PackingTest, EmptyMatrices) {
  EXPECT_TRUE(packCodes({}, INT64_MAX, 0, 4).empty());
  EXPECT_TRUE(packCodes({}, 0, INT64_MAX, 6).empty());
  EXPECT_TRUE(unpackCodes({}, 0, 3, 6).empty());
}

TEST(PackingTest, ShuffledWeightOffsets) {
  // L-9
  const struct {
    int64_t n, k, offset;
  } cases[] = {{0, 15, 15},     {0, 16, 256},  {1, 0, 16},
               {15, 127, 2047}, {16, 0, 2048}, {17, 33, 2577}};
  for (const auto &c : cases)
    EXPECT_EQ(getShuffledWeightOffset(c.n, c.k, 128), c.offset);
}

TEST(PackingTest, ShufflesWeightsInTheOrderOfTheLanes) {
  // The form of the matrix kernels: for each tile of 16 rows and each 64 bytes
  // of K, four groups of lanes with 16 rows with 16 bytes.
  const int64_t rows = 48, rowBytes = 192;
  std::vector<uint8_t> bytes = makeCodes(rows * rowBytes, 8);
  std::vector<uint8_t> expected;
  for (int64_t n0 = 0; n0 != rows; n0 += 16)
    for (int64_t k0 = 0; k0 != rowBytes; k0 += 64)
      for (int64_t kLane = 0; kLane != 4; ++kLane)
        for (int64_t nLane = 0; nLane != 16; ++nLane)
          for (int64_t k = 0; k != 16; ++k)
            expected.push_back(
                bytes[(n0 + nLane) * rowBytes + k0 + kLane * 16 + k]);
  std::vector<uint8_t> shuffled = shuffleWeight(bytes, rows, rowBytes);
  EXPECT_EQ(shuffled, expected);
  EXPECT_EQ(unshuffleWeight(shuffled, rows, rowBytes), bytes);
}

TEST(PackingTest, RejectsPartsOfShuffledTiles) {
  EXPECT_EQ(toString(checkShuffledWeight(16, 32)), "");
  EXPECT_EQ(toString(checkShuffledWeight(24, 32)),
            "w16x16 expects a multiple of 16 rows, got 24");
  EXPECT_EQ(toString(checkShuffledWeight(32, 48)),
            "w16x16 expects a multiple of 32 bytes in a row, got 48");
}
