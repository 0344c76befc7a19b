//===- MmaSyncTest.cpp - tests of matrix instructions of a warp -----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The fragments are written out below as the tables of the PTX ISA give them,
// one for each width of an element.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTest.h"

#include "lpgemm/Emulator/MmaSync.h"

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;
using namespace mlir::lpgemm::emulator::mmasync;

namespace {

struct Position {
  unsigned row, k;
  bool operator==(const Position &other) const {
    return row == other.row && k == other.k;
  }
};

void PrintTo(const Position &position, std::ostream *os) {
  *os << position.row << ", " << position.k;
}

/// Element `i` of A, by groupID and threadID_in_group.
Position tableOfA(unsigned bytes, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (bytes == 4)
    return {i == 0 || i == 2 ? group : group + 8, i < 2 ? thread : thread + 4};
  if (bytes == 2)
    return {i % 4 < 2 ? group : group + 8,
            thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  return {i < 4 || (i >= 8 && i < 12) ? group : group + 8,
          thread * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}

/// Element `i` of B; `row` is the column.
Position tableOfB(unsigned bytes, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (bytes == 4)
    return {group, i == 0 ? thread : thread + 4};
  if (bytes == 2)
    return {group, thread * 2 + (i & 1) + (i >= 2 ? 8 : 0)};
  return {group, thread * 4 + (i & 3) + (i >= 4 ? 16 : 0)};
}

struct Shape {
  Element a, b;
  unsigned k;
};
constexpr Shape kShapes[] = {
    {Element::F16, Element::F16, 8},    {Element::F16, Element::F16, 16},
    {Element::Bf16, Element::Bf16, 8},  {Element::Bf16, Element::Bf16, 16},
    {Element::Tf32, Element::Tf32, 4},  {Element::Tf32, Element::Tf32, 8},
    {Element::E4m3, Element::E4m3, 16}, {Element::E4m3, Element::E5m2, 32},
    {Element::E5m2, Element::E4m3, 32}, {Element::E5m2, Element::E5m2, 16},
    {Element::S8, Element::S8, 16},     {Element::S8, Element::U8, 32},
    {Element::U8, Element::S8, 32},     {Element::U8, Element::U8, 16}};

TEST(MmaSyncLayout, Fragments) {
  for (const Shape &shape : kShapes) {
    unsigned bytes = byteWidth(shape.a);
    EXPECT_TRUE(isShape(shape.k, shape.a));
    EXPECT_FALSE(isShape(4 * shape.k, shape.a));
    std::vector<unsigned> seenA(16 * shape.k), seenB(8 * shape.k);
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      for (unsigned i = 0; i < elementsOfA(shape.k); ++i) {
        Position got{rowOfA(shape.a, lane, i), kOfA(shape.a, lane, i)};
        ASSERT_EQ(got, tableOfA(bytes, lane, i)) << lane << " " << i;
        ++seenA[got.row * shape.k + got.k];
      }
      for (unsigned i = 0; i < elementsOfB(shape.k); ++i) {
        Position got{columnOfB(lane), kOfB(shape.b, lane, i)};
        ASSERT_EQ(got, tableOfB(bytes, lane, i)) << lane << " " << i;
        ++seenB[got.row * shape.k + got.k];
      }
    }
    EXPECT_EQ(seenA, std::vector<unsigned>(seenA.size(), 1));
    EXPECT_EQ(seenB, std::vector<unsigned>(seenB.size(), 1));
  }
}

/// Runs an instruction and calls check(row, column, C, D).
template <typename T, typename Check>
void run(const Instruction &instruction, const Arithmetic &arithmetic,
         const Matrix &a, const Matrix &b, T (*makeC)(unsigned, unsigned),
         Check &&check) {
  unsigned bytes = byteWidth(instruction.a);
  uint8_t registersA[32][16], registersB[32][8];
  Lanes<T> c(4), d(4);
  LaneOperands lanes[32];
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < instruction.k / 2; ++i) {
      Position at = tableOfA(bytes, lane, i);
      std::memcpy(registersA[lane] + i * bytes, &a.codes[at.row * a.k + at.k],
                  bytes);
    }
    for (unsigned i = 0; i < instruction.k / 4; ++i) {
      Position at = tableOfB(bytes, lane, i);
      std::memcpy(registersB[lane] + i * bytes, &b.codes[at.row * b.k + at.k],
                  bytes);
    }
    for (unsigned i = 0; i < 4; ++i)
      c.at(lane, i) = makeC(lane, i);
    lanes[lane] = {d.pointers[lane], registersA[lane], registersB[lane],
                   c.pointers[lane]};
  }
  execute(instruction, lanes, arithmetic);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i)
      check(i < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (i & 1),
            makeC(lane, i), d.at(lane, i));
}

float floatC(unsigned lane, unsigned i) { return 40 - lane * 2.5f + i; }

TEST(MmaSync, Floats) {
  for (const Shape &shape : kShapes) {
    if (isInteger(shape.a))
      continue;
    SCOPED_TRACE(testing::Message()
                 << static_cast<int>(shape.a) << " " << shape.k);
    Matrix a(shape.a, 16, shape.k, 1), b(shape.b, 8, shape.k, 2);
    run<float>({shape.k, shape.a, shape.b, Accumulator::F32}, {}, a, b, floatC,
               [&](unsigned row, unsigned col, float c, float d) {
                 double expected = dot(a, row, b, col) + c;
                 ASSERT_NEAR(d, expected, std::fabs(expected) * 1.2e-7);
               });
  }
}

TEST(MmaSync, F16Results) {
  for (unsigned k : {8u, 16u}) {
    Matrix a(Element::F16, 16, k, 3), b(Element::F16, 8, k, 4);
    FloatLayout layout = layoutOf(Element::F16);
    run<uint16_t>(
        {k, Element::F16, Element::F16, Accumulator::F16}, {}, a, b,
        [](unsigned lane, unsigned i) { return uint16_t(0x4000 + lane + i); },
        [&](unsigned row, unsigned col, uint16_t c, uint16_t d) {
          double expected = dot(a, row, b, col) + decodeFloat(layout, c);
          double unit = std::ldexp(1, std::max(std::ilogb(expected), -14) - 10);
          ASSERT_LE(std::fabs(decodeFloat(layout, d) - expected), unit / 2);
        });
  }
}

TEST(MmaSync, Integers) {
  for (const Shape &shape : kShapes)
    for (bool saturates : {false, true}) {
      if (!isInteger(shape.a))
        continue;
      Matrix a(shape.a, 16, shape.k, 5), b(shape.b, 8, shape.k, 6);
      unsigned numBeyond = 0;
      run<int32_t>(
          {shape.k, shape.a, shape.b, Accumulator::S32},
          {Numerics::Exact, Generation::Ampere, saturates}, a, b,
          [](unsigned lane, unsigned i) {
            return i % 2 ? INT32_MAX - int32_t(lane)
                         : INT32_MIN + int32_t(lane);
          },
          [&](unsigned row, unsigned col, int32_t c, int32_t d) {
            int64_t sum = static_cast<int64_t>(dot(a, row, b, col)) + c;
            int64_t clamped =
                std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
            numBeyond += clamped != sum;
            ASSERT_EQ(d, static_cast<int32_t>(saturates ? clamped : sum));
          });
      EXPECT_GT(numBeyond, 10u);
    }
}

TEST(MmaSync, MatrixLoadsAndStores) {
  for (unsigned num : {1u, 2u, 4u})
    for (bool isTransposed : {false, true}) {
      // Rows in any order, elements by (matrix, row, column).
      uint16_t source[4][8][8], target[4][8][8] = {};
      const uint8_t *from[32];
      uint8_t *to[32];
      for (unsigned m = 0; m < num; ++m)
        for (unsigned row = 0; row < 8; ++row) {
          from[8 * m + row] =
              reinterpret_cast<uint8_t *>(source[num - 1 - m][row]);
          to[8 * m + row] =
              reinterpret_cast<uint8_t *>(target[num - 1 - m][row]);
          for (unsigned col = 0; col < 8; ++col)
            source[num - 1 - m][row][col] = m << 8 | row << 4 | col;
        }
      Lanes<uint32_t> registers(num);
      uint32_t *pointers[32];
      for (unsigned lane = 0; lane < 32; ++lane)
        pointers[lane] = static_cast<uint32_t *>(registers.pointers[lane]);
      loadMatrices(num, isTransposed, from, pointers);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned m = 0; m < num; ++m) {
          unsigned group = lane >> 2, first = lane % 4 * 2;
          uint32_t low = isTransposed ? first << 4 | group : group << 4 | first;
          uint32_t high = low + (isTransposed ? 0x10 : 1);
          ASSERT_EQ(registers.at(lane, m), (m << 8 | low) | (m << 8 | high)
                                                                << 16);
        }
      storeMatrices(num, isTransposed, to, pointers);
      EXPECT_EQ(std::memcmp(source, target, num * sizeof(source[0])), 0);
    }
}

} // namespace
