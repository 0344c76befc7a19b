//===- QuantizeGoldenTest.cpp - known results of the quantization ops -----===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Numerics/BlockGoldens.h"
#include "OpJit.h"
#include "lpgemm/Numerics/Packing.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::lpgemm;
using testing::ElementsAre;
using testing::ElementsAreArray;

using EF = ElementFormat;

namespace {

const float inf = std::numeric_limits<float>::infinity();
const float quietNaN = std::numeric_limits<float>::quiet_NaN();

const ScaleRule powerRules[] = {ScaleRule::RCeil, ScaleRule::Floor,
                                ScaleRule::Ceil, ScaleRule::Even};
const EF mxElements[] = {EF::F8E4M3FN, EF::F8E5M2, EF::F6E2M3FN, EF::F6E3M2FN,
                         EF::F4E2M1FN};

std::string getName(EF format, ScaleRule rule) {
  return (getFormatInfo(format).name + "_" + getScaleRuleName(rule)).str();
}

/// lpgemm.quantize of f32 to `format` with scales that a rule of S-14 finds.
std::string makeMXFunction(EF format, ScaleRule rule) {
  const FormatInfo &info = getFormatInfo(format);
  bool isPacked = info.bits < 8;
  std::string type = info.name.str();
  std::string codes = "memref<?x?x" + (isPacked ? "i8" : type) + ">";
  return "func.func @" + getName(format, rule) +
         "(%x: memref<?x?xf32>, %q: " + codes +
         ", %s: memref<?x?xf8E8M0FNU>) {\n"
         "  lpgemm.quantize ins(%x : memref<?x?xf32>) outs(%q : " +
         codes + ") scale_outs(%s : memref<?x?xf8E8M0FNU>, " +
         getScaleRuleName(rule).str() + ") <mx>" +
         (isPacked ? " {init_packed = " + type + "}" : "") + "\n  return\n}\n";
}

class MXGoldenTest : public testing::Test {
protected:
  void SetUp() override {
    std::string functions;
    for (EF format : mxElements)
      for (ScaleRule rule : powerRules)
        functions += makeMXFunction(format, rule);
    jit.compile(functions);
  }

  /// The results of a row of values: scale codes, and codes one in a byte.
  std::pair<std::vector<uint8_t>, std::vector<uint8_t>>
  quantizeRow(EF format, ScaleRule rule, const std::vector<float> &values) {
    int64_t size = values.size(), blocks = (size + 31) / 32;
    unsigned bits = getFormatInfo(format).bits;
    Buffer x({1, size}, values), s({1, blocks}, 1);
    Buffer q({1, getPackedRowSize(size, bits)}, 1);
    Buffer *buffers[] = {&x, &q, &s};
    jit.call(getName(format, rule), buffers);
    return {s.bytes, unpackCodes(q.bytes, 1, size, bits)};
  }

  OpJit jit;
};

} // namespace

TEST_F(MXGoldenTest, Blocks) {
  for (const BlockGolden &golden : blockGoldens)
    for (const auto &[rule, result] : golden.getResults())
      for (size_t size : {golden.values.size(), size_t(32)}) {
        SCOPED_TRACE(getName(golden.format, rule) + " of " +
                     std::to_string(golden.values[0]));
        std::vector<float> values = golden.values;
        values.resize(size);
        std::vector<uint8_t> expected = result.codes;
        expected.resize(size);
        auto [scales, codes] = quantizeRow(golden.format, rule, values);
        EXPECT_THAT(scales, ElementsAre(result.scale));
        EXPECT_THAT(codes, ElementsAreArray(expected));
      }
}

TEST_F(MXGoldenTest, NonFiniteBlocks) {
  // S-13: Inf or NaN poisons its block, not the next one.
  for (float poison : {inf, -inf, quietNaN})
    for (ScaleRule rule : powerRules) {
      std::vector<float> values(64, 1.0f);
      values[5] = poison;
      auto [scales, codes] = quantizeRow(EF::F8E4M3FN, rule, values);
      EXPECT_THAT(scales, ElementsAre(0xFF, 0x77));
      for (int i = 0; i != 32; ++i)
        EXPECT_TRUE(std::isnan(decode(EF::F8E4M3FN, codes[i])));
    }
}

TEST_F(MXGoldenTest, RaggedTail) {
  // S-7: the scale of the last 8 of 40 values follows from these alone.
  std::vector<float> values(40, 448.0f);
  for (int i = 32; i != 40; ++i)
    values[i] = 7;
  auto [scales, codes] = quantizeRow(EF::F8E4M3FN, ScaleRule::RCeil, values);
  EXPECT_THAT(scales, ElementsAre(0x7F, 0x79));
  EXPECT_EQ(codes[31], 0x7E);
  EXPECT_EQ(codes[32], 0x7E);
}

TEST_F(MXGoldenTest, PaddingOfPackedRowsIsZero) {
  // L-2: 1.0, -6.0, 0.5 are the codes 2, F, 1.
  Buffer x({1, 3}, std::vector<float>{1, -6, 0.5f}), q({1, 2}, 1), s({1, 1}, 1);
  Buffer *buffers[] = {&x, &q, &s};
  jit.call(getName(EF::F4E2M1FN, ScaleRule::RCeil), buffers);
  EXPECT_THAT(q.bytes, ElementsAre(0xF2, 0x01));
}

TEST(QuantizeGoldenTest, TwoLevels) {
  // The second row brings the largest magnitude of the tensor.
  OpJit jit;
  jit.compile(R"mlir(
    func.func @quantize(%x: memref<?x?xf32>, %q: memref<?x?xi8>,
        %s: memref<?x?xf8E4M3FN>, %g: memref<f32>) {
      lpgemm.quantize ins(%x : memref<?x?xf32>) outs(%q : memref<?x?xi8>)
          scale_outs(%s : memref<?x?xf8E4M3FN>, amax)
          tensor_scale_outs(%g : memref<f32>) <nvfp4>
          {init_packed = f4E2M1FN}
      return
    })mlir");
  for (const TensorGolden &golden : tensorGoldens) {
    SCOPED_TRACE(golden.values[0]);
    std::vector<float> values = golden.values;
    values.resize(32);
    values[20] = golden.tensorAmax;
    Buffer x({2, 16}, values), q({2, 8}, 1), s({2, 1}, 1), g({}, 4);
    Buffer *buffers[] = {&x, &q, &s, &g};
    jit.call("quantize", buffers);
    EXPECT_EQ(g.get<float>()[0], 1.0f / golden.encodeScale);
    EXPECT_EQ(unsigned(s.bytes[0]), unsigned(golden.scale));
    std::vector<uint8_t> expected = golden.codes;
    expected.resize(16);
    EXPECT_THAT(unpackCodes({q.bytes.data(), 8}, 1, 16, 4),
                ElementsAreArray(expected));
  }
}

TEST(QuantizeGoldenTest, F32Block) {
  // S-11.
  OpJit jit;
  jit.compile(R"mlir(
    func.func @quantize(%x: memref<?x?xf32>, %q: memref<?x?xf8E4M3FN>,
        %s: memref<?x?xf32>) {
      lpgemm.quantize ins(%x : memref<?x?xf32>) outs(%q : memref<?x?xf8E4M3FN>)
          scale_outs(%s : memref<?x?xf32>, amax) <1x128>
      return
    })mlir");
  Buffer x({1, 3}, std::vector<float>{3, -1.5f, 0.01f});
  Buffer q({1, 3}, 1), s({1, 1}, 4);
  Buffer *buffers[] = {&x, &q, &s};
  jit.call("quantize", buffers);
  EXPECT_THAT(q.bytes, ElementsAre(0x7E, 0xF6, 0x3C));
  EXPECT_EQ(s.get<uint32_t>()[0], 0x3BDB6DB7u);
}

TEST(QuantizeGoldenTest, Strides) {
  // Every other row and column; what lies between is not written.
  OpJit jit;
  jit.compile(R"mlir(
    func.func @quantize(%x: memref<4x6xf32>, %q: memref<4x6xi8>,
        %s: memref<f32>) {
      %xv = memref.subview %x[0, 1] [2, 3] [2, 2]
          : memref<4x6xf32> to memref<2x3xf32, strided<[12, 2], offset: 1>>
      %qv = memref.subview %q[1, 0] [2, 3] [2, 2]
          : memref<4x6xi8> to memref<2x3xi8, strided<[12, 2], offset: 6>>
      lpgemm.quantize
          ins(%xv : memref<2x3xf32, strided<[12, 2], offset: 1>>)
          outs(%qv : memref<2x3xi8, strided<[12, 2], offset: 6>>)
          scale_outs(%s : memref<f32>, amax) <tensor>
      return
    })mlir");
  std::vector<float> values(24, quietNaN);
  const float view[] = {1, -2, 3, 254, 0, -0.5f};
  for (int i = 0; i != 6; ++i)
    values[i / 3 * 12 + 1 + i % 3 * 2] = view[i];
  Buffer x({4, 6}, values), q({4, 6}, 1), s({}, 4);
  Buffer *buffers[] = {&x, &q, &s};
  jit.call("quantize", buffers);
  EXPECT_EQ(s.get<float>()[0], 2.0f);
  std::vector<uint8_t> expected(24, 0xA5);
  // Ties to even: 0.5, -1, 1.5, 127, 0, -0.25.
  const int8_t codes[] = {0, -1, 2, 127, 0, 0};
  for (int i = 0; i != 6; ++i)
    expected[i / 3 * 12 + 6 + i % 3 * 2] = codes[i];
  EXPECT_THAT(q.bytes, ElementsAreArray(expected));
}

//===----------------------------------------------------------------------===//
// Scales that are given (S-3, S-17)
//===----------------------------------------------------------------------===//

TEST(QuantizeGoldenTest, GivenF32Scales) {
  OpJit jit;
  jit.compile(R"mlir(
    func.func @quantize(%x: memref<?x?xf32>, %s: memref<?xf32>,
        %q: memref<?x?xf8E4M3FN>, %a: memref<f32>) {
      lpgemm.quantize ins(%x : memref<?x?xf32>) scale(%s : memref<?xf32>)
          outs(%q : memref<?x?xf8E4M3FN>) amax(%a : memref<f32>) <row>
      return
    })mlir");
  const float row[] = {2, 0, -0.0f, -1000};
  std::vector<float> values;
  for (int i = 0; i != 4; ++i)
    values.insert(values.end(), std::begin(row), std::end(row));
  Buffer x({4, 4}, values);
  Buffer s({4}, std::vector<float>{2, -2, 0, quietNaN});
  Buffer q({4, 4}, 1), a({}, 4);
  Buffer *buffers[] = {&x, &s, &q, &a};
  jit.call("quantize", buffers);
  // By a negative scale 0 gives -0; by 0 everything 0; by NaN everything NaN.
  EXPECT_THAT(q.bytes, ElementsAre(0x38, 0x00, 0x80, 0xFE, //
                                   0xB8, 0x80, 0x00, 0x7E, //
                                   0x00, 0x00, 0x00, 0x00, //
                                   0x7F, 0x7F, 0x7F, 0x7F));
  EXPECT_EQ(a.get<float>()[0], 1000.0f);
}

TEST(QuantizeGoldenTest, GivenScalesOfTwoLevels) {
  // S-8, S-16: the sign of a block scale is ignored, that of g is not.
  OpJit jit;
  jit.compile(R"mlir(
    func.func @quantize(%x: memref<?x?xf32>, %s: memref<?x?xf8E4M3FN>,
        %g: memref<f32>, %q: memref<?x?xi8>) {
      lpgemm.quantize ins(%x : memref<?x?xf32>)
          scale(%s : memref<?x?xf8E4M3FN>) tensor_scale(%g : memref<f32>)
          outs(%q : memref<?x?xi8>) <nvfp4> {init_packed = f4E2M1FN}
      return
    })mlir");
  Buffer x({4, 4}, std::vector<float>{1, -2, 0, 12, 1, -2, 0, 12, 1, -2, 0, 12,
                                      1, -2, 0, 12});
  Buffer s({4, 1}, std::vector<uint8_t>{0x40, 0xC0, 0x00, 0x7F}); // 2, -2, 0
  Buffer g({}, std::vector<float>{0.5f}), q({4, 2}, 1);
  Buffer *buffers[] = {&x, &s, &g, &q};
  jit.call("quantize", buffers);
  EXPECT_THAT(q.bytes, ElementsAre(0xC2, 0x70, 0xC2, 0x70, 0, 0, 0x77, 0x77));
  g.set(std::vector<float>{-0.5f});
  jit.call("quantize", buffers);
  EXPECT_THAT(llvm::ArrayRef(q.bytes).take_front(2), ElementsAre(0x4A, 0xF0));
}
