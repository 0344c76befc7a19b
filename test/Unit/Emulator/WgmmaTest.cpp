//===- WgmmaTest.cpp - tests of Hopper's matrix instructions --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where an element lies in shared memory is written out below as a tensor copy
// with the same swizzle writes it: lines of so many bytes, whose 16-byte chunks
// are permuted by the number of the line. That is not how the formulas under
// test are put.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTest.h"

#include "lpgemm/Emulator/Wgmma.h"

#include <set>

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;
using namespace mlir::lpgemm::emulator::wgmma;

namespace {

constexpr unsigned kSharedBytes = 256 * 1024;

/// How an operand lies in shared memory.
struct Placement {
  unsigned width; ///< Bytes of a line of the swizzle, 16 for none.
  bool isMnMajor;
  unsigned start;
  unsigned leading;
  unsigned stride;

  uint64_t descriptor() const {
    return encodeDescriptor({start, leading, stride, 0, width / 16});
  }

  /// The byte at which element (row, k) starts.
  unsigned place(unsigned row, unsigned k, unsigned bytes) const {
    if (width == 16)
      return isMnMajor ? start + row / 8 * stride + k / 8 * leading +
                             k % 8 * 16 + row % 8 * 2
                       : start + row / 8 * stride + k * bytes / 16 * leading +
                             row % 8 * 16 + k * bytes % 16;
    // A box of 8 lines, whole pattern lines apart.
    unsigned line = isMnMajor ? k : row;
    unsigned byte = isMnMajor ? row * bytes : k * bytes;
    unsigned box = line / 8 * stride + byte / width * leading;
    unsigned chunk = byte % width / 16;
    // A pattern is 128 bytes wide: shorter lines share one step of it.
    unsigned step = line % 8 * width / 128;
    return start + box + line % 8 * width + (chunk ^ step) * 16 + byte % 16;
  }
};

/// Strides with gaps, so that no two can be mistaken for each other.
Placement placementFor(unsigned width, bool isMnMajor, unsigned start) {
  // Patterns start at multiples of 1024 bytes, or anywhere without a swizzle.
  if (width == 16)
    return {16, isMnMajor, start + 48, 10 * 1024 + 256, 272};
  return {width, isMnMajor, start, isMnMajor ? 8 * 1024u : 16u,
          isMnMajor ? 3 * 1024u : 1024u};
}

constexpr unsigned kWidths[] = {16, 32, 64, 128};

TEST(WgmmaLayout, SharedMemory) {
  for (unsigned width : kWidths)
    for (bool isMnMajor : {false, true})
      for (unsigned bytes : {1u, 2u, 4u}) {
        if (isMnMajor && bytes != 2)
          continue;
        SCOPED_TRACE(testing::Message()
                     << width << " " << isMnMajor << " " << bytes);
        Placement placement = placementFor(width, isMnMajor, 2048);
        Descriptor descriptor = decodeDescriptor(placement.descriptor());
        for (unsigned row = 0; row < kMaxN; ++row)
          for (unsigned k = 0; k < kBytesOfK / bytes; ++k) {
            unsigned line = isMnMajor ? k % 8 : row % 8;
            unsigned half = isMnMajor ? k / 8 : k * bytes / 16;
            unsigned inner = isMnMajor ? row % 8 * bytes : k * bytes % 16;
            ASSERT_EQ(chunkOffset(descriptor, isMnMajor, row / 8, line, half) +
                          inner,
                      placement.place(row, k, bytes))
                << row << " " << k;
          }
      }
}

TEST(WgmmaLayout, Descriptors) {
  // CUTLASS: 128-byte swizzle, K-major: start 0x400, stride 1024.
  Descriptor descriptor = decodeDescriptor(0x4000004000010040);
  EXPECT_EQ(descriptor.start, 0x400u);
  EXPECT_EQ(descriptor.leading, 16u);
  EXPECT_EQ(descriptor.stride, 1024u);
  EXPECT_EQ(descriptor.baseOffset, 0u);
  EXPECT_EQ(descriptor.width, 8u);
  EXPECT_EQ(decodeDescriptor(uint64_t(2) << 62).width, 4u);
  EXPECT_EQ(decodeDescriptor(uint64_t(3) << 62).width, 2u);
  EXPECT_EQ(decodeDescriptor(uint64_t(5) << 49).baseOffset, 5u);
  for (unsigned width : {1u, 2u, 4u, 8u}) {
    Descriptor d =
        decodeDescriptor(encodeDescriptor({0x3fff0, 0x120, 0x2340, 3, width}));
    EXPECT_EQ(d.start, 0x3fff0u);
    EXPECT_EQ(d.leading, 0x120u);
    EXPECT_EQ(d.stride, 0x2340u);
    EXPECT_EQ(d.baseOffset, 3u);
    EXPECT_EQ(d.width, width);
  }
}

/// A pattern that starts in line 3 is the one that starts in line 0, moved.
TEST(WgmmaLayout, BaseOffset) {
  for (unsigned width : {2u, 4u, 8u})
    for (unsigned line = 0; line < 8; ++line)
      for (unsigned half = 0; half < 2; ++half) {
        Descriptor aligned{1024, 0, 4096, 0, width};
        Descriptor moved{1024 + 3 * 128, 0, 4096, 3, width};
        EXPECT_EQ(chunkOffset(moved, false, 0, line, half),
                  chunkOffset(aligned, false, 0, line, half) + 3 * 128);
      }
}

/// The step of 32 bytes by which a kernel goes on along K.
TEST(WgmmaLayout, StartInsideOfThePattern) {
  Placement placement{128, false, 4096, 16, 1024};
  for (unsigned step = 0; step < 4; ++step)
    for (unsigned row = 0; row < 64; ++row)
      for (unsigned half = 0; half < 2; ++half)
        EXPECT_EQ(
            chunkOffset(decodeDescriptor(placement.descriptor() + 2 * step),
                        false, row / 8, row % 8, half),
            placement.place(row, 32 * step + 16 * half, 1));
}

TEST(WgmmaLayout, Results) {
  // Lane 5 of warp 2: row 32 + 1, columns 2 and 3, then eight rows below.
  EXPECT_EQ(wgmma::resultRow(2, 5, 0), 33u);
  EXPECT_EQ(wgmma::resultRow(2, 5, 2), 41u);
  EXPECT_EQ(resultCol(5, 1), 3u);
  EXPECT_EQ(resultCol(5, 4), 10u);
  for (unsigned n = 8; n <= kMaxN; n += 8) {
    std::vector<unsigned> seen(64 * n);
    for (unsigned warp = 0; warp < 4; ++warp)
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        for (unsigned i = 0; i < resultsPerLane(n); ++i)
          ++seen[wgmma::resultRow(warp, lane, i) * n + resultCol(lane, i)];
    EXPECT_EQ(seen, std::vector<unsigned>(seen.size(), 1));
  }
}

TEST(WgmmaLayout, Ranges) {
  for (unsigned width : kWidths)
    for (bool isMnMajor : {false, true}) {
      Placement placement = placementFor(width, isMnMajor, 4096);
      std::set<unsigned> expected, got;
      for (unsigned row = 16; row < 48; ++row)
        for (unsigned k = 0; k < 16; ++k)
          for (unsigned byte = 0; byte < 2; ++byte)
            expected.insert(placement.place(row, k, 2) + byte);
      unsigned last = 0;
      for (Range range : operandRanges(placement.descriptor(), isMnMajor,
                                       /*firstGroup=*/2, /*numGroups=*/4)) {
        EXPECT_GT(range.offset, last);
        last = range.offset + range.bytes;
        for (unsigned byte = 0; byte < range.bytes; ++byte)
          got.insert(range.offset + byte);
      }
      EXPECT_EQ(got, expected);
    }
  // 64 rows of 32 bytes without gaps are one piece, and all the same row none
  // more than once.
  std::vector<Range> dense =
      operandRanges(encodeDescriptor({512, 128, 256, 0, 1}), false, 0, 8);
  ASSERT_EQ(dense.size(), 1u);
  EXPECT_EQ(dense[0].offset, 512u);
  EXPECT_EQ(dense[0].bytes, 2048u);
  std::vector<Range> same =
      operandRanges(encodeDescriptor({512, 128, 0, 0, 1}), false, 0, 8);
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0].bytes, 256u);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A warpgroup's product.
struct Problem {
  Instruction instruction;
  Placement placeA, placeB;
  Matrix a, b;
  std::vector<uint8_t> shared;

  Problem(const Instruction &instruction, unsigned widthA, unsigned widthB)
      : instruction(instruction),
        placeA(placementFor(widthA, instruction.isMnMajorA, 0)),
        placeB(placementFor(widthB, instruction.isMnMajorB, 64 * 1024)),
        a(instruction.a, 64, kBytesOfK / byteWidth(instruction.a), 1),
        b(instruction.b, instruction.n, a.k, instruction.n),
        shared(kSharedBytes) {
    write(a, placeA);
    write(b, placeB);
  }

  void write(const Matrix &matrix, const Placement &placement) {
    unsigned bytes = byteWidth(matrix.element);
    for (unsigned i = 0; i < matrix.codes.size(); ++i)
      std::memcpy(&shared[placement.place(i / matrix.k, i % matrix.k, bytes)],
                  &matrix.codes[i], bytes);
  }

  /// Calls check(row, column, C, D) for every element. T is the type of D.
  template <typename T, typename Check>
  void run(const Arithmetic &arithmetic, T (*makeC)(unsigned, unsigned),
           Check &&check, uint64_t changeB = 0) const {
    unsigned count = resultsPerLane(instruction.n);
    for (unsigned warp = 0; warp < 4; ++warp) {
      Lanes<T> lanes(count);
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        for (unsigned i = 0; i < count; ++i)
          lanes.at(lane, i) = makeC(warp * 32 + lane, i);
      executeWarp(instruction, warp, shared.data(), placeA.descriptor(),
                  placeB.descriptor() ^ changeB, lanes.pointers, arithmetic);
      for (unsigned lane = 0; lane < kWarpSize; ++lane)
        for (unsigned i = 0; i < count; ++i)
          check(16 * warp + lane / 4 + i % 4 / 2 * 8,
                i / 4 * 8 + lane % 4 * 2 + i % 2, makeC(warp * 32 + lane, i),
                lanes.at(lane, i));
    }
  }

  /// The fraction of elements that are wrong, f32 only.
  double wrong(uint64_t changeB) const {
    unsigned bad = 0;
    run<float>(
        {}, [](unsigned, unsigned) { return 0.0f; },
        [&](unsigned row, unsigned col, float, float d) {
          bad += std::fabs(d - dot(a, row, b, col)) > 1e-4;
        },
        changeB);
    return bad / (64.0 * instruction.n);
  }
};

float floatC(unsigned thread, unsigned i) {
  return static_cast<int>((thread * 37 + i * 11) % 401) * 0.25f - 50;
}

void expectF32(const Problem &problem) {
  const Instruction &instruction = problem.instruction;
  double sign = instruction.negatesA != instruction.negatesB ? -1 : 1;
  problem.run<float>(
      {}, floatC, [&](unsigned row, unsigned col, float c, float d) {
        double expected = sign * dot(problem.a, row, problem.b, col) +
                          (instruction.accumulates ? c : 0);
        // Two orders of a sum of doubles: at most one rounding apart.
        ASSERT_NEAR(d, expected, std::fabs(expected) * 1.2e-7)
            << row << " " << col;
      });
}

struct Types {
  Element a, b;
};
constexpr Types kFloats[] = {
    {Element::E4m3, Element::E4m3}, {Element::E4m3, Element::E5m2},
    {Element::E5m2, Element::E4m3}, {Element::E5m2, Element::E5m2},
    {Element::F16, Element::F16},   {Element::Bf16, Element::Bf16},
    {Element::Tf32, Element::Tf32}};

TEST(Wgmma, AllTypesAndWidths) {
  for (Types types : kFloats)
    for (unsigned n = 8; n <= kMaxN; n += 8)
      expectF32(Problem({n, types.a, types.b, Accumulator::F32},
                        kWidths[n / 8 % 4], kWidths[n / 32 % 4]));
}

TEST(Wgmma, AllPlacements) {
  for (unsigned widthA : kWidths)
    for (unsigned widthB : kWidths)
      for (bool isMnMajorA : {false, true})
        for (bool isMnMajorB : {false, true}) {
          SCOPED_TRACE(testing::Message() << widthA << " " << widthB << " "
                                          << isMnMajorA << isMnMajorB);
          expectF32(
              Problem({136, Element::Bf16, Element::Bf16, Accumulator::F32,
                       true, false, false, isMnMajorA, isMnMajorB},
                      widthA, widthB));
        }
}

TEST(Wgmma, SignsAndScaleD) {
  for (bool accumulates : {false, true})
    for (bool negatesA : {false, true})
      for (bool negatesB : {false, true})
        expectF32(Problem({64, Element::E4m3, Element::E5m2, Accumulator::F32,
                           accumulates, negatesA, negatesB},
                          128, 64));
}

/// C is not read without scale-d, even if it is NaN.
TEST(Wgmma, ScaleDOfZeroIgnoresNaN) {
  Problem problem({8, Element::F16, Element::F16, Accumulator::F32, false}, 16,
                  16);
  for (Numerics numerics : {Numerics::Exact, Numerics::F32, Numerics::Hw})
    problem.run<float>(
        {numerics}, [](unsigned, unsigned) { return NAN; },
        [](unsigned, unsigned, float, float d) {
          EXPECT_FALSE(std::isnan(d));
        });
}

TEST(Wgmma, F16Results) {
  for (Types types : kFloats) {
    if (types.a == Element::Bf16 || types.a == Element::Tf32)
      continue;
    Problem problem({40, types.a, types.b, Accumulator::F16}, 128, 32);
    problem.run<uint16_t>(
        {}, [](unsigned thread, unsigned) { return uint16_t(0x4400 + thread); },
        [&](unsigned row, unsigned col, uint16_t c, uint16_t d) {
          FloatLayout layout = layoutOf(Element::F16);
          double expected =
              dot(problem.a, row, problem.b, col) + decodeFloat(layout, c);
          // Half a unit in the last place.
          double unit = std::ldexp(1, std::max(std::ilogb(expected), -14) - 10);
          ASSERT_LE(std::fabs(decodeFloat(layout, d) - expected), unit / 2);
        });
  }
}

TEST(Wgmma, Integers) {
  for (bool saturates : {false, true})
    for (Element a : {Element::S8, Element::U8})
      for (Element b : {Element::S8, Element::U8}) {
        Problem problem({96, a, b, Accumulator::S32}, 128, 128);
        unsigned numBeyond = 0;
        problem.run<int32_t>(
            {Numerics::Exact, Generation::Hopper, saturates},
            [](unsigned thread, unsigned i) {
              return i % 3 == 0   ? INT32_MAX - int32_t(thread)
                     : i % 3 == 1 ? INT32_MIN + int32_t(thread)
                                  : int32_t(thread * 1000);
            },
            [&](unsigned row, unsigned col, int32_t c, int32_t d) {
              int64_t sum = c;
              sum += static_cast<int64_t>(dot(problem.a, row, problem.b, col));
              int64_t clamped = std::min<int64_t>(
                  std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
              numBeyond += clamped != sum;
              ASSERT_EQ(d, static_cast<int32_t>(saturates ? clamped : sum));
            });
        EXPECT_GT(numBeyond, 100u);
      }
}

/// Faults in a descriptor that a kernel may have. None goes unnoticed.
TEST(Wgmma, WrongDescriptors) {
  Problem swizzled({64, Element::E4m3, Element::E4m3, Accumulator::F32}, 128,
                   128);
  EXPECT_EQ(swizzled.wrong(0), 0);
  // 64-byte and no swizzle, another stride, 32 bytes further along K.
  EXPECT_GT(swizzled.wrong(uint64_t(3) << 62), 0.5);
  EXPECT_GT(swizzled.wrong(uint64_t(1) << 62), 0.5);
  EXPECT_GT(swizzled.wrong(uint64_t(32) << 32), 0.5);
  EXPECT_GT(swizzled.wrong(2), 0.5);
  // Leading and stride byte offset exchanged.
  Problem plain({64, Element::E4m3, Element::E4m3, Accumulator::F32}, 16, 16);
  uint64_t fields = (plain.placeB.leading ^ plain.placeB.stride) >> 4;
  EXPECT_EQ(plain.wrong(0), 0);
  EXPECT_GT(plain.wrong(fields << 16 | fields << 32), 0.5);
}

} // namespace
