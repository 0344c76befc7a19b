//===- HostRuntimeTest.cpp - the host runtime -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Runtime/HostRuntime.h"
#include "lpgemm/Runtime/TensorMapRules.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <cstdint>

using namespace mlir::lpgemm;

namespace {

struct alignas(64) Map {
  Map() { std::fill(std::begin(bytes), std::end(bytes), 0xff); }
  bool isZero() const {
    return std::all_of(std::begin(bytes), std::end(bytes),
                       [](uint8_t byte) { return byte == 0; });
  }

  uint8_t bytes[128];
};

alignas(16) uint8_t memory[64 * 1024];

int32_t encode(Map &map, int64_t offset, int64_t cols, int64_t rows,
               int64_t pitch) {
  return lpgemmEncodeTensorMap(map.bytes, memory + offset,
                               LpgemmTensorElementUInt8, cols, rows, pitch, 128,
                               64, 128);
}

// No driver is asked.
TEST(HostRuntime, NothingDescribesUnalignedMatrices) {
  for (auto [offset, cols, rows, pitch] :
       {std::array<int64_t, 4>{8, 128, 64, 128},
        {0, 128, 64, 136},
        {0, 0, 64, 128},
        {0, 128, 0, 128}}) {
    Map map;
    EXPECT_EQ(encode(map, offset, cols, rows, pitch), 0);
    EXPECT_TRUE(map.isZero());
  }
}

// Where there is a driver there is a map; elsewhere an error, and no crash.
TEST(HostRuntime, EncodesOrSaysWhyNot) {
  Map map;
  testing::internal::CaptureStderr();
  int32_t code = encode(map, 0, 128, 64, 128);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code == 0, !map.isZero());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), code == 0 ? 0 : 1);
  if (code != 0) {
    EXPECT_EQ(text.rfind("lpgemm: ", 0), 0u);
    EXPECT_EQ(lpgemmGetMultiprocessorCount(), 0);
  }
}

TEST(HostRuntime, NothingDescribesUnalignedBatches) {
  for (auto [offset, entries, bytes] : {std::array<int64_t, 3>{8, 2, 8192},
                                        {0, 2, 8200},
                                        {0, 2, -8192},
                                        {0, 2, int64_t(1) << 40},
                                        {0, 0, 8192}}) {
    Map map;
    EXPECT_EQ(lpgemmEncodeBatchTensorMap(map.bytes, memory + offset,
                                         LpgemmTensorElementUInt8, 128, 64, 128,
                                         entries, bytes, 128, 64, 128),
              0);
    EXPECT_TRUE(map.isZero());
  }
}

TEST(TensorMapRules, LimitsOfTheDriver) {
  constexpr int64_t kExtent = int64_t(1) << 32, kStride = int64_t(1) << 40;
  EXPECT_TRUE(hasTensorMap(0, kExtent, kExtent, kStride - 16));
  EXPECT_FALSE(hasTensorMap(0, kExtent + 1, 1, 16));
  EXPECT_FALSE(hasTensorMap(0, 1, kExtent + 1, 16));
  EXPECT_FALSE(hasTensorMap(0, 1, 1, kStride));
  EXPECT_FALSE(hasTensorMap(0, 1, 1, -16));
  EXPECT_TRUE(hasTensorMapEntries(kExtent, kStride - 16));
  EXPECT_TRUE(hasTensorMapEntries(1, 0));
  EXPECT_FALSE(hasTensorMapEntries(kExtent + 1, 16));
  EXPECT_FALSE(hasTensorMapEntries(0, 16));
  EXPECT_FALSE(hasTensorMapEntries(1, 8));
  EXPECT_FALSE(hasTensorMapEntries(1, kStride));
  EXPECT_FALSE(hasTensorMapEntries(1, -16));
  // The pitch of a single row is not looked at.
  EXPECT_EQ(getTensorMapStride(100, 1, 7, 1), 112);
  EXPECT_EQ(getTensorMapStride(4, 1, 7, 4), 16);
  EXPECT_EQ(getTensorMapStride(100, 2, 7, 1), 7);
}

} // namespace
