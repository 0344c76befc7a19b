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

#include "lpgemm/Emulator/MfmaTable.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace mlir::lpgemm::emulator::mfma;

namespace {

/// A format by its definition.
struct FormatLayout {
  int exponentBits, mantissaBits, bias;
};
constexpr FormatLayout kLayouts[] = {
    {4, 3, 7},               // OCP E4M3
    {5, 2, 15},              // OCP E5M2
    {2, 3, 1},   {3, 2, 3},  // OCP E2M3, E3M2
    {2, 1, 1},               // OCP E2M1
    {4, 3, 8},   {5, 2, 16}, // E4M3 FNUZ, E5M2 FNUZ
    {5, 10, 15},             // binary16
    {8, 7, 127},             // bfloat16
};

/// A code of a format as a number.
double decode(Format format, unsigned code) {
  if (format == Format::I8)
    return static_cast<int8_t>(code);
  const FormatLayout &layout = kLayouts[static_cast<int>(format)];
  int exponent =
      (code >> layout.mantissaBits) & ((1 << layout.exponentBits) - 1);
  double fraction = (code & ((1 << layout.mantissaBits) - 1)) /
                    static_cast<double>(1 << layout.mantissaBits);
  double value = exponent ? std::ldexp(1 + fraction, exponent - layout.bias)
                          : std::ldexp(fraction, 1 - layout.bias);
  bool isNegative = (code >> (layout.exponentBits + layout.mantissaBits)) & 1;
  return isNegative ? -value : value;
}

/// Whether a code is a number, and no product of two such overflows.
bool isOrdinary(Format format, unsigned code) {
  switch (format) {
  case Format::Fp8:
  case Format::Bf8:
    // The exponent bits that are not NaN in either.
    return (code & 0x7f) < 0x78;
  case Format::Fp8Fnuz:
  case Format::Bf8Fnuz:
    return code != 0x80;
  case Format::F16:
    return (code & 0x7c00) != 0x7c00;
  case Format::Bf16:
    return std::abs(static_cast<int>(code >> 7 & 0xff) - 127) < 8;
  default:
    return true;
  }
}

/// A wave's registers and the matrices in them. Result is f32 or i32.
template <typename Result>
struct WaveOf {
  WaveOf(Shape shape, Format formatA, Format formatB)
      : shape(shape), formatA(formatA), formatB(formatB),
        a(shape.dim * shape.k), b(a), scaleA(shape.dim * shape.k / 32, 127),
        scaleB(scaleA), c(shape.dim * shape.dim) {}

  void fill(unsigned seed) {
    std::mt19937 random(seed);
    auto fillCodes = [&](std::vector<unsigned> &codes, Format format) {
      for (unsigned &code : codes)
        do
          code = random() % (1 << bitWidth(format));
        while (!isOrdinary(format, code));
    };
    fillCodes(a, formatA);
    fillCodes(b, formatB);
    for (uint8_t &scale : scaleA)
      scale = 120 + random() % 15;
    for (uint8_t &scale : scaleB)
      scale = 120 + random() % 15;
    for (Result &value : c)
      value = std::is_integral_v<Result>
                  ? static_cast<int32_t>(random())
                  : static_cast<int>(random() % 2001) - 1000;
  }

  /// Where element (row, k) of an operand is: AMD's order for the 8-bit types
  /// of f8f6f4 is two runs of 16 for each lane, the second K/2 behind the
  /// first. Otherwise a lane has a run as long as its registers.
  void place(Format format, unsigned row, unsigned k, unsigned &lane,
             unsigned &element) const {
    unsigned run = shape.k * shape.dim / 64;
    if (run < 32) {
      lane = shape.dim * (k / run) + row;
      element = k % run;
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
  std::vector<Result> run(bool isScaled) {
    uint8_t registersA[64][32], registersB[64][32];
    Result registersC[64][16], registersD[64][16];
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
    std::vector<Result> d(c.size());
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
  std::vector<Result> expected(bool isScaled) const {
    std::vector<Result> d(c.size());
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
        // An integer sum is exact, and wraps.
        if constexpr (std::is_integral_v<Result>)
          d[row * shape.dim + col] = static_cast<int64_t>(sum);
        else
          d[row * shape.dim + col] = sum;
      }
    return d;
  }

  Shape shape;
  Format formatA, formatB;
  std::vector<unsigned> a, b;
  std::vector<uint8_t> scaleA, scaleB;
  std::vector<Result> c;
};
using Wave = WaveOf<float>;

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

TEST(Mfma, UnscaledProductsOfAllFormats) {
  for (Shape shape : {k16x16x128, k32x32x64})
    for (Format formatA : kFormats)
      for (Format formatB : kFormats) {
        Wave wave(shape, formatA, formatB);
        wave.fill(/*seed=*/shape.k + static_cast<int>(formatB));
        expectNear(wave.run(/*isScaled=*/false), wave.expected(false));
      }
}

/// Every instruction whose formats are its own, by the table.
TEST(Mfma, ProductsOfFloats) {
  for (const Instruction &instruction : kInstructions) {
    if (instruction.isScaled || instruction.a == Format::I8)
      continue;
    SCOPED_TRACE(instruction.name);
    Wave wave(instruction.shape, instruction.a, instruction.b);
    wave.fill(/*seed=*/instruction.shape.k);
    expectNear(wave.run(/*isScaled=*/false), wave.expected(false));
  }
}

TEST(Mfma, ProductsOfIntegers) {
  unsigned numWrapped = 0, numInstructions = 0;
  for (const Instruction &instruction : kInstructions) {
    if (instruction.a != Format::I8)
      continue;
    SCOPED_TRACE(instruction.name);
    ++numInstructions;
    WaveOf<int32_t> wave(instruction.shape, Format::I8, Format::I8);
    wave.fill(/*seed=*/instruction.shape.k);
    // Sums that leave 32 bits at both ends.
    for (unsigned i = 0; i < wave.c.size(); i += 2)
      wave.c[i] = i % 4 ? INT32_MAX - 5 : INT32_MIN + 5;
    std::vector<int32_t> d = wave.run(/*isScaled=*/false);
    EXPECT_EQ(d, wave.expected(false));
    for (unsigned i = 0; i < wave.c.size(); i += 2)
      numWrapped += (d[i] < 0) != (wave.c[i] < 0);
  }
  EXPECT_EQ(numInstructions, 4u);
  EXPECT_GT(numWrapped, 100u);
}

/// The codes at which the formats of the two chips differ.
TEST(Mfma, FormatsOfTheChips) {
  struct Case {
    Format format;
    unsigned code;
    double value;
  };
  constexpr double kNan = NAN, kInf = INFINITY;
  constexpr Case kCases[] = {
      {Format::Fp8, 0x38, 1},          {Format::Fp8Fnuz, 0x38, 0.5},
      {Format::Fp8, 0x80, -0.0},       {Format::Fp8Fnuz, 0x80, kNan},
      {Format::Fp8, 0x7f, kNan},       {Format::Fp8Fnuz, 0x7f, 240},
      {Format::Fp8, 0x7e, 448},        {Format::Fp8Fnuz, 0xff, -240},
      {Format::Bf8, 0x3c, 1},          {Format::Bf8Fnuz, 0x3c, 0.5},
      {Format::Bf8, 0x7c, kInf},       {Format::Bf8Fnuz, 0x7c, 32768},
      {Format::Bf8, 0x7f, kNan},       {Format::Bf8Fnuz, 0x7f, 57344},
      {Format::Bf8, 0x01, 0x1p-16},    {Format::Bf8Fnuz, 0x01, 0x1p-17},
      {Format::F16, 0xfc00, -kInf},    {Format::F16, 0x7c01, kNan},
      {Format::F16, 0x0001, 0x1p-24},  {Format::F16, 0xfbff, -65504},
      {Format::Bf16, 0x7f80, kInf},    {Format::Bf16, 0x7fc0, kNan},
      {Format::Bf16, 0x0001, 0x1p-133}};
  for (const Case &testCase : kCases) {
    Wave wave(k16x16x32, testCase.format, Format::Bf16);
    if (bitWidth(testCase.format) == 8)
      wave.formatB = Format::Fp8;
    wave.a[0] = testCase.code;
    wave.b[0] = wave.formatB == Format::Fp8 ? 0x38 : 0x3f80;
    float got = wave.run(/*isScaled=*/false)[0];
    SCOPED_TRACE(testing::Message()
                 << static_cast<int>(testCase.format) << " " << testCase.code);
    if (std::isnan(testCase.value))
      EXPECT_TRUE(std::isnan(got)) << got;
    else
      EXPECT_EQ(got, static_cast<float>(testCase.value));
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
  EXPECT_EQ(operandK(k16x16x16, Format::F16, 17, 3), 7u);
  EXPECT_EQ(operandK(k32x32x8, Format::Bf16, 33, 3), 7u);
  EXPECT_EQ(operandK(k16x16x64, Format::I8, 17, 15), 31u);
  EXPECT_EQ(operandK(k32x32x32, Format::I8, 33, 0), 16u);
  for (const Instruction &instruction : kInstructions)
    for (Format format : kFormats) {
      Shape shape = instruction.shape;
      if (!instruction.isScaled)
        format = instruction.a;
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
  for (Shape shape : {k16x16x128, k32x32x64, k16x16x16, k32x32x8}) {
    std::vector<unsigned> seen(shape.dim * shape.dim);
    for (unsigned lane = 0; lane < kWaveSize; ++lane)
      for (unsigned i = 0; i < resultsPerLane(shape); ++i)
        ++seen[resultRow(shape, lane, i) * shape.dim + resultCol(shape, lane)];
    EXPECT_EQ(seen, std::vector<unsigned>(seen.size(), 1));
  }
}

} // namespace
