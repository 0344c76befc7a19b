//===- PackOpTest.cpp - the packing ops -----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpJit.h"
#include "lpgemm/Numerics/Layouts.h"
#include "lpgemm/Numerics/Packing.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;
using testing::ElementsAreArray;

using SL = BufferLayout;

namespace {

std::vector<uint8_t> getBytes(int64_t size) {
  std::mt19937 engine(size);
  std::vector<uint8_t> bytes(size);
  for (uint8_t &byte : bytes)
    byte = engine();
  return bytes;
}

template <typename T>
std::vector<T> transpose(const std::vector<T> &matrix, int64_t rows,
                         int64_t columns) {
  std::vector<T> result;
  for (int64_t column = 0; column != columns; ++column)
    for (int64_t row = 0; row != rows; ++row)
      result.push_back(matrix[row * columns + column]);
  return result;
}

/// A layout of scales and the shape that it has for r x b scales.
struct LayoutCase {
  SL layout;
  std::string kind, type;
  unsigned bytes;
  std::string packed;
  std::vector<int64_t> (*shape)(int64_t r, int64_t b);
};

int64_t ceilDiv(int64_t extent, int64_t size) {
  return (extent + size - 1) / size;
}

const LayoutCase layoutCases[] = {
    {SL::MnTma, "1x128", "f32", 4, "?x?x",
     [](int64_t r, int64_t b) {
       return std::vector<int64_t>{b, ceilDiv(r, 4) * 4};
     }},
    {SL::MnTmaUE8M0x4, "mx", "f8E8M0FNU", 1, "?x?x4x",
     [](int64_t r, int64_t b) {
       return std::vector<int64_t>{ceilDiv(b, 4), ceilDiv(r, 4) * 4, 4};
     }},
    {SL::Blk128x128, "128x128", "f32", 4, "?x?x",
     [](int64_t r, int64_t b) {
       return std::vector<int64_t>{r, ceilDiv(b, 4) * 4};
     }},
    {SL::Swz128x4, "mx", "f8E8M0FNU", 1, "?x?x32x4x4x",
     [](int64_t r, int64_t b) {
       return std::vector<int64_t>{ceilDiv(r, 128), ceilDiv(b, 4), 32, 4, 4};
     }},
    {SL::Swz128x4, "nvfp4", "f8E4M3FN", 1, "?x?x32x4x4x",
     [](int64_t r, int64_t b) {
       return std::vector<int64_t>{ceilDiv(r, 128), ceilDiv(b, 4), 32, 4, 4};
     }},
    {SL::Amd32x8, "mx", "f8E8M0FNU", 1, "?x?x4x16x2x2x",
     [](int64_t r, int64_t b) {
       return std::vector<int64_t>{
           8 * ceilDiv(r, 256), ceilDiv(b, 8), 4, 16, 2, 2};
     }},
};

std::string getName(const LayoutCase &c, bool transposed) {
  return getBufferLayoutInfo(c.layout).name.str() + "_" + c.type +
         (transposed ? "_transposed" : "");
}

/// "pack_<name>" and "unpack_<name>", each of a batch.
std::string getFunctions(const LayoutCase &c, bool transposed) {
  std::string rows = "memref<?x?x?x" + c.type + ">";
  std::string packed = "memref<?x" + c.packed + c.type + ">";
  std::string attributes =
      " <" + c.kind + ", layout = " + getBufferLayoutInfo(c.layout).name.str() +
      ">" + (transposed ? " transposed" : "") + "\n  return\n}\n";
  auto define = [&](std::string op, std::string from, std::string to) {
    return "func.func @" + op + "_" + getName(c, transposed) + "(%i: " + from +
           ", %o: " + to + ") {\n  lpgemm." + op + "_scales ins(%i : " + from +
           ") outs(%o : " + to + ")" + attributes;
  };
  return define("pack", rows, packed) + define("unpack", packed, rows);
}

/// Each scale of a matrix as one number.
std::vector<uint8_t> transposeScales(const std::vector<uint8_t> &scales,
                                     int64_t r, int64_t b, unsigned bytes) {
  if (bytes == 1)
    return transpose(scales, r, b);
  Buffer buffer({r, b}, bytes);
  buffer.set(scales);
  return Buffer({b, r}, transpose(buffer.get<uint32_t>(), r, b)).bytes;
}

void checkScales(OpJit &jit, const LayoutCase &c, bool transposed, int64_t r,
                 int64_t b) {
  SCOPED_TRACE(getName(c, transposed) + " " + std::to_string(r) + "x" +
               std::to_string(b));
  const int64_t batch = 2;
  int64_t rowsPerScale = getBufferLayoutInfo(c.layout).rowsPerScale;
  std::vector<uint8_t> rows, packed;
  for (int64_t index = 0; index != batch; ++index) {
    std::vector<uint8_t> scales = getBytes(r * b * c.bytes + index);
    scales.resize(r * b * c.bytes);
    std::vector<uint8_t> expected =
        packScales(c.layout, scales, {r * rowsPerScale, b, c.bytes});
    packed.insert(packed.end(), expected.begin(), expected.end());
    if (transposed)
      scales = transposeScales(scales, r, b, c.bytes);
    rows.insert(rows.end(), scales.begin(), scales.end());
  }
  std::vector<int64_t> rowShape = {batch, transposed ? b : r,
                                   transposed ? r : b};
  std::vector<int64_t> packedShape = c.shape(r, b);
  packedShape.insert(packedShape.begin(), batch);
  Buffer input(rowShape, c.bytes), init(packedShape, c.bytes);
  input.set(rows);
  Buffer *buffers[] = {&input, &init};
  jit.call("pack_" + getName(c, transposed), buffers);
  EXPECT_THAT(init.bytes, ElementsAreArray(packed));

  Buffer back(rowShape, c.bytes);
  Buffer *reversed[] = {&init, &back};
  jit.call("unpack_" + getName(c, transposed), reversed);
  EXPECT_THAT(back.bytes, ElementsAreArray(rows));
}

} // namespace

TEST(PackOpTest, ScalesAsTheLibrary) {
  // SL-2 to SL-6 with their padding (L-7), in both directions.
  OpJit jit;
  std::string functions;
  for (const LayoutCase &c : layoutCases)
    for (bool transposed : {false, true})
      functions += getFunctions(c, transposed);
  jit.compile(functions);
  const std::pair<int64_t, int64_t> shapes[] = {{1, 1},   {5, 7}, {130, 9},
                                                {257, 4}, {0, 3}, {3, 0}};
  for (const LayoutCase &c : layoutCases)
    for (bool transposed : {false, true})
      for (auto [r, b] : shapes)
        checkScales(jit, c, transposed, r, b);
}

TEST(PackOpTest, ScalesByBlock) {
  // SL-1, which the library knows without padding only.
  OpJit jit;
  jit.compile(R"mlir(
    func.func @pack(%i: memref<?x?xbf16>, %o: memref<?x?xbf16>) {
      lpgemm.pack_scales ins(%i : memref<?x?xbf16>) outs(%o : memref<?x?xbf16>)
          <1x128, layout = col>
      return
    })mlir");
  Buffer input({2, 3}, std::vector<uint16_t>{1, 2, 3, 4, 5, 6});
  Buffer init({3, 4}, 2);
  Buffer *buffers[] = {&input, &init};
  jit.call("pack", buffers);
  const uint16_t expected[] = {1, 4, 0, 0, 2, 5, 0, 0, 3, 6, 0, 0};
  EXPECT_THAT(init.get<uint16_t>(), ElementsAreArray(expected));
}

TEST(PackOpTest, WeightsAsTheLibrary) {
  // L-9: of bytes, and of pairs of codes in bytes.
  OpJit jit;
  std::string functions;
  const std::pair<const char *, const char *> types[] = {
      {"f8E4M3FN", ""}, {"i8", ""}, {"i8", " {packed = f4E2M1FN}"}};
  for (size_t index = 0; index != std::size(types); ++index) {
    std::string type = types[index].first, attributes = types[index].second;
    std::string rows = "memref<?x?x?x" + type + ">";
    std::string tiles = "memref<?x?x?x16x16x" + type + ">";
    auto define = [&](std::string op, std::string from, std::string to) {
      functions += "func.func @" + op + std::to_string(index) + "(%i: " + from +
                   ", %o: " + to + ") {\n  lpgemm." + op +
                   "_weights w16x16 ins(%i : " + from + ") outs(%o : " + to +
                   ")" + attributes + "\n  return\n}\n";
    };
    define("pack", rows, tiles);
    define("unpack", tiles, rows);
  }
  jit.compile(functions);
  for (size_t index = 0; index != std::size(types); ++index)
    for (auto [n, k] : {std::pair(16, 32), {48, 96}, {0, 32}, {16, 0}}) {
      std::vector<uint8_t> first = getBytes(n * k), rows = first;
      std::vector<uint8_t> tiles = shuffleWeight(first, n, k);
      std::vector<uint8_t> second(first.rbegin(), first.rend());
      llvm::append_range(rows, second);
      llvm::append_range(tiles, shuffleWeight(second, n, k));
      Buffer input({2, n, k}, rows), init({2, n / 16, k / 16, 16, 16}, 1);
      Buffer *buffers[] = {&input, &init};
      jit.call("pack" + std::to_string(index), buffers);
      EXPECT_THAT(init.bytes, ElementsAreArray(tiles));
      Buffer back({2, n, k}, 1);
      Buffer *reversed[] = {&init, &back};
      jit.call("unpack" + std::to_string(index), reversed);
      EXPECT_THAT(back.bytes, ElementsAreArray(rows));
    }
}
