//===- MfmaTest.cpp - tests of the matrix instructions --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The products are compared with a triple loop over matrices. Where an element
// of a matrix lies in the lanes is written out below from the vendor's
// descriptions once more, not taken from the formulas under test.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Mfma.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace mlir::lpgemm::emulator::mfma;

namespace {

/// A code of a format as a number, from the definition of the format.
double decode(Format format, unsigned code) {
  struct Layout {
    int exponentBits, mantissaBits, bias;
  };
  static constexpr Layout kLayouts[] = {
      {4, 3, 7}, {5, 2, 15}, {2, 3, 1}, {3, 2, 3}, {2, 1, 1}};
  const Layout &layout = kLayouts[static_cast<int>(format)];
  int exponent =
      (code >> layout.mantissaBits) & ((1 << layout.exponentBits) - 1);
  double fraction = (code & ((1 << layout.mantissaBits) - 1)) /
                    static_cast<double>(1 << layout.mantissaBits);
  double value = exponent ? std::ldexp(1 + fraction, exponent - layout.bias)
                          : std::ldexp(fraction, 1 - layout.bias);
  bool isNegative = (code >> (layout.exponentBits + layout.mantissaBits)) & 1;
  return isNegative ? -value : value;
}

/// A wave's registers and the matrices in them.
struct Wave {
  Wave(Shape shape, Format formatA, Format formatB)
      : shape(shape), formatA(formatA), formatB(formatB),
        a(shape.dim * shape.k), b(a), scaleA(shape.dim * shape.k / 32, 127),
        scaleB(scaleA), c(shape.dim * shape.dim) {}

  void fill(unsigned seed) {
    std::mt19937 random(seed);
    auto fillCodes = [&](std::vector<unsigned> &codes, Format format) {
      // The exponent bits of the 8-bit formats that are not NaN.
      for (unsigned &code : codes)
        do
          code = random() % (1 << bitWidth(format));
        while (bitWidth(format) == 8 && (code & 0x7f) >= 0x78);
    };
    fillCodes(a, formatA);
    fillCodes(b, formatB);
    for (uint8_t &scale : scaleA)
      scale = 120 + random() % 15;
    for (uint8_t &scale : scaleB)
      scale = 120 + random() % 15;
    for (float &value : c)
      value = static_cast<int>(random() % 2001) - 1000;
  }

  /// Where element (row, k) of an operand is: AMD's order for 8-bit types is
  /// two runs of 16 for each lane, the second K/2 behind the first.
  void place(Format format, unsigned row, unsigned k, unsigned &lane,
             unsigned &element) const {
    if (elementsPerLane(shape) == 8) {
      lane = shape.dim * (k / 8) + row;
      element = k % 8;
    } else if (bitWidth(format) == 8) {
      unsigned half = shape.k / 2;
      lane = shape.dim * (k % half / 16) + row;
      element = k / half * 16 + k % 16;
    } else {
      lane = shape.dim * (k / 32) + row;
      element = k % 32;
    }
  }

  void pack(const std::vector<unsigned> &codes, Format format,
            uint8_t (&registers)[64][32]) const {
    for (auto &bytes : registers)
      std::fill(std::begin(bytes), std::end(bytes), 0);
    for (unsigned row = 0; row < shape.dim; ++row)
      for (unsigned k = 0; k < shape.k; ++k) {
        unsigned lane, element;
        place(format, row, k, lane, element);
        unsigned width = bitWidth(format), first = element * width;
        for (unsigned bit = 0; bit < width; ++bit)
          registers[lane][(first + bit) / 8] |=
              ((codes[row * shape.k + k] >> bit) & 1) << (first + bit) % 8;
      }
  }

  /// D by way of the instruction.
  std::vector<float> run(bool isScaled) {
    uint8_t registersA[64][32], registersB[64][32];
    float registersC[64][16], registersD[64][16];
    LaneOperands lanes[64];
    pack(a, formatA, registersA);
    pack(b, formatB, registersB);
    forEachResult([&](unsigned row, unsigned col, unsigned lane, unsigned i) {
      registersC[lane][i] = c[row * shape.dim + col];
    });
    unsigned blocks = shape.k / 32;
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned index = lane % shape.dim * blocks + lane / shape.dim;
      lanes[lane] = {registersD[lane],
                     registersA[lane],
                     registersB[lane],
                     registersC[lane],
                     isScaled ? scaleA[index] : uint8_t(0),
                     isScaled ? scaleB[index] : uint8_t(0)};
    }
    execute(shape, formatA, formatB, isScaled, lanes);
    std::vector<float> d(c.size());
    forEachResult([&](unsigned row, unsigned col, unsigned lane, unsigned i) {
      d[row * shape.dim + col] = registersD[lane][i];
    });
    return d;
  }

  template <typename Fn>
  void forEachResult(Fn &&fn) const {
    for (unsigned row = 0; row < shape.dim; ++row)
      for (unsigned col = 0; col < shape.dim; ++col) {
        unsigned group = shape.dim == 16 ? row / 4 : row / 4 % 2;
        unsigned i = shape.dim == 16 ? row % 4 : row / 8 * 4 + row % 4;
        fn(row, col, shape.dim * group + col, i);
      }
  }

  /// D from the definition.
  std::vector<float> expected(bool isScaled) const {
    std::vector<float> d(c.size());
    unsigned blocks = shape.k / 32;
    for (unsigned row = 0; row < shape.dim; ++row)
      for (unsigned col = 0; col < shape.dim; ++col) {
        double sum = c[row * shape.dim + col];
        for (unsigned k = 0; k < shape.k; ++k) {
          int exponent = 0;
          if (isScaled)
            exponent = scaleA[row * blocks + k / 32] +
                       scaleB[col * blocks + k / 32] - 254;
          sum += std::ldexp(decode(formatA, a[row * shape.k + k]) *
                                decode(formatB, b[col * shape.k + k]),
                            exponent);
        }
        d[row * shape.dim + col] = static_cast<float>(sum);
      }
    return d;
  }

  Shape shape;
  Format formatA, formatB;
  std::vector<unsigned> a, b;
  std::vector<uint8_t> scaleA, scaleB;
  std::vector<float> c;
};

constexpr Format kFormats[] = {Format::Fp8, Format::Bf8, Format::Fp6,
                               Format::Bf6, Format::Fp4};

void expectNear(const std::vector<float> &got,
                const std::vector<float> &expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i)
    // Two orders of a sum of doubles: at most one rounding apart.
    ASSERT_NEAR(got[i], expected[i], std::fabs(expected[i]) * 1.2e-7) << i;
}

TEST(Mfma, ScaledProductsOfAllFormats) {
  for (Shape shape : {k16x16x128, k32x32x64})
    for (Format formatA : kFormats)
      for (Format formatB : kFormats) {
        SCOPED_TRACE(testing::Message()
                     << shape.dim << " " << static_cast<int>(formatA) << " "
                     << static_cast<int>(formatB));
        Wave wave(shape, formatA, formatB);
        wave.fill(/*seed=*/shape.k + static_cast<int>(formatA));
        expectNear(wave.run(/*isScaled=*/true), wave.expected(true));
      }
}

TEST(Mfma, UnscaledProducts) {
  for (Shape shape : {k16x16x128, k32x32x64, k16x16x32, k32x32x16})
    for (Format formatB : {Format::Fp8, Format::Bf8}) {
      Wave wave(shape, Format::Fp8, formatB);
      wave.fill(/*seed=*/shape.k);
      expectNear(wave.run(/*isScaled=*/false), wave.expected(false));
    }
}

/// The permutation of K that a lowering with 32 consecutive bytes for each lane
/// makes. It goes unnoticed only as long as all scales are the same.
TEST(Mfma, WrongKLayoutShowsWithScales) {
  Wave wave(k16x16x128, Format::Fp8, Format::Fp8);
  wave.fill(/*seed=*/1);
  Wave wrong = wave;
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < 128; ++k) {
      unsigned lane, element;
      wave.place(Format::Fp8, row, k, lane, element);
      unsigned contiguous = lane / 16 * 32 + element;
      wrong.a[row * 128 + k] = wave.a[row * 128 + contiguous];
      wrong.b[row * 128 + k] = wave.b[row * 128 + contiguous];
    }
  unsigned differences = 0;
  std::vector<float> got = wrong.run(/*isScaled=*/true);
  std::vector<float> expected = wave.expected(/*isScaled=*/true);
  for (size_t i = 0; i < got.size(); ++i)
    differences +=
        std::fabs(got[i] - expected[i]) > std::fabs(expected[i]) * 1e-5;
  EXPECT_GT(differences, got.size() * 9 / 10);
  expectNear(wrong.run(/*isScaled=*/false), wave.expected(false));
}

TEST(Mfma, ScalesAtTheEndsOfTheirRange) {
  Wave wave(k16x16x128, Format::Fp8, Format::Fp8);
  for (unsigned &code : wave.a)
    code = 0x38; // 1
  for (unsigned &code : wave.b)
    code = 0x38;
  for (uint8_t &scale : wave.scaleA)
    scale = 0; // 2^-127
  for (uint8_t &scale : wave.scaleB)
    scale = 254; // 2^127
  for (float value : wave.run(/*isScaled=*/true))
    EXPECT_EQ(value, 128.0f);
  for (uint8_t &scale : wave.scaleB)
    scale = 127;
  for (float value : wave.run(/*isScaled=*/true))
    EXPECT_EQ(value, std::ldexp(1.0f, -120));
  // NaN in one block of row 3 of A.
  wave.scaleA[3 * 4 + 2] = 255;
  std::vector<float> d = wave.run(/*isScaled=*/true);
  for (unsigned i = 0; i < d.size(); ++i)
    EXPECT_EQ(std::isnan(d[i]), i / 16 == 3) << i;
}

TEST(Mfma, SpecialValues) {
  Wave wave(k16x16x128, Format::Bf8, Format::Fp8);
  for (unsigned &code : wave.b)
    code = 0x38;
  wave.a[0 * 128 + 5] = 0x7c; // infinity
  wave.a[1 * 128 + 5] = 0x7c;
  wave.a[1 * 128 + 6] = 0xfc; // -infinity
  wave.a[2 * 128 + 5] = 0x7d; // NaN
  std::vector<float> d = wave.run(/*isScaled=*/true);
  EXPECT_EQ(d[0 * 16], INFINITY);
  EXPECT_TRUE(std::isnan(d[1 * 16]));
  EXPECT_TRUE(std::isnan(d[2 * 16]));
  EXPECT_EQ(d[3 * 16], 0.0f);
  wave.b[4 * 128] = 0x7f; // NaN
  EXPECT_TRUE(std::isnan(wave.run(/*isScaled=*/true)[3 * 16 + 4]));
}

TEST(Mfma, OneRoundingAtTheEnd) {
  Wave wave(k16x16x128, Format::Fp8, Format::Fp8);
  for (unsigned k = 0; k < 128; ++k)
    wave.a[k] = wave.b[k] = 0x38;
  wave.c[0] = 1 << 24;
  // In f32, adding 1 to 2^24 changes nothing.
  EXPECT_EQ(wave.run(/*isScaled=*/true)[0], (1 << 24) + 128.0f);
}

/// Golden values of the formulas; every element must be held exactly once.
TEST(MfmaLayout, Operands) {
  EXPECT_EQ(operandK(k16x16x128, Format::Fp8, /*lane=*/17, /*e=*/0), 16u);
  EXPECT_EQ(operandK(k16x16x128, Format::Fp8, 17, 16), 80u);
  EXPECT_EQ(operandK(k32x32x64, Format::Bf8, 33, 17), 49u);
  EXPECT_EQ(operandK(k16x16x128, Format::Fp4, 17, 31), 63u);
  EXPECT_EQ(operandK(k16x16x32, Format::Fp8, 17, 7), 15u);
  EXPECT_EQ(operandRow(k32x32x64, 33), 1u);
  EXPECT_EQ(scaleLane(k16x16x128, /*row=*/3, /*block=*/2), 35u);
  for (Shape shape : {k16x16x128, k32x32x64, k16x16x32, k32x32x16})
    for (Format format : kFormats) {
      std::vector<unsigned> seen(shape.dim * shape.k);
      for (unsigned lane = 0; lane < kWaveSize; ++lane)
        for (unsigned e = 0; e < elementsPerLane(shape); ++e)
          ++seen[operandRow(shape, lane) * shape.k +
                 operandK(shape, format, lane, e)];
      EXPECT_EQ(seen, std::vector<unsigned>(seen.size(), 1));
    }
}

TEST(MfmaLayout, Results) {
  EXPECT_EQ(resultRow(k16x16x128, /*lane=*/17, /*i=*/3), 7u);
  EXPECT_EQ(resultCol(k16x16x128, 17), 1u);
  EXPECT_EQ(resultRow(k32x32x64, 33, 5), 13u);
  EXPECT_EQ(resultRow(k32x32x64, 31, 15), 27u);
  for (Shape shape : {k16x16x128, k32x32x64}) {
    std::vector<unsigned> seen(shape.dim * shape.dim);
    for (unsigned lane = 0; lane < kWaveSize; ++lane)
      for (unsigned i = 0; i < resultsPerLane(shape); ++i)
        ++seen[resultRow(shape, lane, i) * shape.dim + resultCol(shape, lane)];
    EXPECT_EQ(seen, std::vector<unsigned>(seen.size(), 1));
  }
}

} // namespace
