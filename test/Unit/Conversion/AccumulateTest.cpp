//===- AccumulateTest.cpp - emitted sums of tensor cores ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericJit.h"

#include <random>

using namespace mlir;
using namespace mlir::lpgemm;

using EF = ElementFormat;

namespace {

constexpr int64_t groupSize = NumericFunctions::hopperGroupSize;

/// A number as an integer times a power of two, and the exponent by which the
/// hardware orders it.
struct Term {
  int64_t significand;
  int scale;
  int exponent;
};

/// The fields of an FP8 code. The exponent is that of the field, which a
/// subnormal shares with the smallest normal values.
Term makeTerm(const FormatInfo &info, uint8_t code) {
  int field = (code & 0x7F) >> info.mantissaBits;
  int64_t significand = code & ((1 << info.mantissaBits) - 1);
  if (field != 0)
    significand += 1 << info.mantissaBits;
  int exponent = std::max(field, 1) - info.bias;
  return {code & 0x80 ? -significand : significand,
          exponent - static_cast<int>(info.mantissaBits), exponent};
}

Term makeTerm(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  int field = bits >> 23 & 0xFF;
  int64_t significand = bits & 0x7FFFFF;
  if (field != 0)
    significand += 1 << 23;
  int exponent = std::max(field, 1) - 127;
  return {bits >> 31 ? -significand : significand, exponent - 23, exponent};
}

/// The term in units of 2^unit, toward zero.
int64_t align(const Term &term, int unit) {
  int shift = term.scale - unit;
  if (shift >= 0)
    return term.significand << shift;
  int64_t magnitude = std::abs(term.significand) >> std::min(-shift, 63);
  return term.significand < 0 ? -magnitude : magnitude;
}

/// One step of the accumulator, in integers.
float modelStep(EF lhsFormat, EF rhsFormat, float acc, ArrayRef<uint8_t> lhs,
                ArrayRef<uint8_t> rhs) {
  std::vector<Term> terms = {makeTerm(acc)};
  for (auto [lhsCode, rhsCode] : llvm::zip_equal(lhs, rhs)) {
    Term a = makeTerm(getFormatInfo(lhsFormat), lhsCode);
    Term b = makeTerm(getFormatInfo(rhsFormat), rhsCode);
    if (a.significand != 0 && b.significand != 0)
      terms.push_back({a.significand * b.significand, a.scale + b.scale,
                       a.exponent + b.exponent});
  }
  int largest = -126;
  for (const Term &term : terms)
    largest = std::max(largest, term.exponent);
  int64_t sum = 0;
  for (const Term &term : terms)
    sum += align(term, largest - 13);
  int unit = largest - 13;
  while (std::abs(sum) >= 1 << 14) {
    sum /= 2;
    ++unit;
  }
  return std::ldexp(static_cast<float>(sum), unit);
}

/// Steps of pairs of formats, called "<lhs>_<rhs>".
class HopperTest : public testing::Test {
protected:
  void SetUp() override {
    for (auto [lhs, rhs] : pairs)
      addStep(getFormatInfo(lhs).name, getFormatInfo(rhs).name);
    jit.compile();
  }

  /// Element i of the last array is the step from element i of the first one
  /// with groups i of the second and the third.
  void addStep(StringRef lhsName, StringRef rhsName) {
    Type f32 = jit.parse("f32"), f64 = jit.parse("f64");
    Type lhsType = jit.parse(lhsName), rhsType = jit.parse(rhsName);
    jit.addFunction(
        (lhsName + "_" + rhsName).str(), {f32, f64, f64, f32},
        [&](ImplicitLocOpBuilder &b, ValueRange arrays) {
          Value zero = arith::ConstantIndexOp::create(b, 0);
          Value one = arith::ConstantIndexOp::create(b, 1);
          Value size = memref::DimOp::create(b, arrays[0], 0);
          auto loop = scf::ForOp::create(b, zero, size, one);
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(loop.getBody());
          Value iv = loop.getInductionVar();
          Value result = jit.getFunctions().accumulateHopper(
              b, lhsType, rhsType, memref::LoadOp::create(b, arrays[0], iv),
              getGroup(b, arrays[1], iv), getGroup(b, arrays[2], iv));
          memref::StoreOp::create(b, result, arrays[3], iv);
        });
  }

  static Value getGroup(ImplicitLocOpBuilder &b, Value array, Value iv) {
    Value size = arith::ConstantIndexOp::create(b, groupSize);
    Value offset = arith::MulIOp::create(b, iv, size);
    return memref::SubViewOp::create(
        b, array, SmallVector<OpFoldResult>{offset},
        SmallVector<OpFoldResult>{b.getIndexAttr(groupSize)},
        SmallVector<OpFoldResult>{b.getIndexAttr(1)});
  }

  std::vector<float> step(EF lhsFormat, EF rhsFormat, std::vector<float> acc,
                          ArrayRef<uint8_t> lhs, ArrayRef<uint8_t> rhs) {
    std::vector<double> lhsValues, rhsValues;
    for (uint8_t code : lhs)
      lhsValues.push_back(decode(lhsFormat, code));
    for (uint8_t code : rhs)
      rhsValues.push_back(decode(rhsFormat, code));
    std::vector<float> results(acc.size());
    jit.call(
        (getFormatInfo(lhsFormat).name + "_" + getFormatInfo(rhsFormat).name)
            .str(),
        acc, lhsValues, rhsValues, results);
    return results;
  }

  /// One E4M3 step, where the first operands are given and all others zero.
  float stepE4M3(float acc, std::vector<double> lhs, std::vector<double> rhs) {
    std::vector<uint8_t> lhsCodes(groupSize), rhsCodes(groupSize);
    for (size_t i = 0; i != lhs.size(); ++i) {
      lhsCodes[i] = encode(EF::F8E4M3FN, lhs[i]);
      rhsCodes[i] = encode(EF::F8E4M3FN, rhs[i]);
    }
    return step(EF::F8E4M3FN, EF::F8E4M3FN, {acc}, lhsCodes, rhsCodes)[0];
  }

  static constexpr std::pair<EF, EF> pairs[] = {{EF::F8E4M3FN, EF::F8E4M3FN},
                                                {EF::F8E4M3FN, EF::F8E5M2},
                                                {EF::F8E5M2, EF::F8E4M3FN},
                                                {EF::F8E5M2, EF::F8E5M2}};
  NumericJit jit;
};

/// A random finite code, from all codes or, to let the sum cancel and the
/// accumulator matter, from those with exponents within a few of each other.
uint8_t drawCode(const FormatInfo &info, std::mt19937 &engine, int kind) {
  if (kind == 0 && engine() % 4 != 0)
    return engine() & 0x80; // zeros of both signs
  uint8_t sign = engine() & 0x80;
  if (kind == 1)
    return sign | engine() % (3 << info.mantissaBits); // subnormals
  if (kind == 2)
    return sign | (info.qmaxCode / 2 + engine() % (2 << info.mantissaBits));
  return sign | engine() % (info.qmaxCode + 1);
}

} // namespace

TEST_F(HopperTest, RandomGroupsAsTheModel) {
  std::mt19937 engine(4);
  std::normal_distribution<float> normal;
  for (auto [lhsFormat, rhsFormat] : pairs) {
    const size_t count = 4000;
    std::vector<float> acc;
    std::vector<uint8_t> lhs, rhs;
    for (size_t i = 0; i != count; ++i) {
      for (int64_t k = 0; k != groupSize; ++k) {
        lhs.push_back(drawCode(getFormatInfo(lhsFormat), engine, i % 4));
        rhs.push_back(drawCode(getFormatInfo(rhsFormat), engine, i / 4 % 4));
      }
      acc.push_back(i % 5 ? std::ldexp(normal(engine), int(engine() % 60) - 30)
                          : 0.0f);
    }
    auto results = step(lhsFormat, rhsFormat, acc, lhs, rhs);
    for (size_t i = 0; i != count; ++i)
      ASSERT_TRUE(isSameFloat(
          results[i], modelStep(lhsFormat, rhsFormat, acc[i],
                                ArrayRef(lhs).slice(i * groupSize, groupSize),
                                ArrayRef(rhs).slice(i * groupSize, groupSize))))
          << "group " << i << " onto " << acc[i];
  }
}

TEST_F(HopperTest, ThirteenFractionBits) {
  // Beside 2^4 the last place is 2^-9: 2^-10 is lost, though the sum is exact
  // in f32.
  EXPECT_EQ(stepE4M3(0, {8, -8, 0x1p-5}, {1, 1, 0x1p-5}), 0x1p-10f);
  EXPECT_EQ(stepE4M3(0, {16, -16, 0x1p-5}, {1, 1, 0x1p-5}), 0.0f);
  EXPECT_EQ(stepE4M3(16, {-16, 0x1p-5}, {1, 0x1p-5}), 0.0f);
  // Toward zero, for each term by itself and for the result.
  EXPECT_EQ(stepE4M3(0, {16, 0x1.8p-5}, {1, 0x1p-4}), 16 + 0x1p-9f);
  EXPECT_EQ(stepE4M3(0, {-16, -0x1.8p-5}, {1, 0x1p-4}), -16 - 0x1p-9f);
  EXPECT_EQ(stepE4M3(0x1.FFF8p4f, {0x1p-3}, {0x1p-6}), 32.0f);
  EXPECT_EQ(stepE4M3(0x1.FFF8p4f, {0x1p-3}, {0x1p-5}), 32.0f);
  EXPECT_EQ(stepE4M3(-0x1.FFF8p4f, {-0x1p-3}, {0x1p-5}), -32.0f);
  // An accumulator of f32 is cut off as well.
  EXPECT_EQ(stepE4M3(0x1.000FFEp0f, {}, {}), 0x1.0008p0f);
}

TEST_F(HopperTest, ExponentsOfProductsAreThoseOfTheFactors) {
  // 1.5 * 1.5 = 2.25 counts as 2^0: the last place stays 2^-13.
  EXPECT_EQ(stepE4M3(0, {1.5, 0x1p-6}, {1.5, 0x1p-7}), 2.25f);
  EXPECT_EQ(stepE4M3(-2.25f, {1.5, 0x1p-6}, {1.5, 0x1p-6}), 0x1p-12f);
  EXPECT_EQ(stepE4M3(0, {1.5, -1.5, 0x1p-6}, {1.5, 1.5, 0x1p-7}), 0x1p-13f);
}

TEST_F(HopperTest, SpecialValuesAddAsInIEEE754) {
  const float inf = std::numeric_limits<float>::infinity();
  const uint8_t infinity = 0x7C, one = 0x3C, nan = 0x7E, negative = 0x80;
  auto stepE5M2 = [&](float acc, uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    std::vector<uint8_t> lhs(groupSize), rhs(groupSize);
    lhs[3] = a, rhs[3] = b, lhs[31] = c, rhs[31] = d;
    return step(EF::F8E5M2, EF::F8E5M2, {acc}, lhs, rhs)[0];
  };
  EXPECT_EQ(stepE5M2(1, infinity, one, one, one), inf);
  EXPECT_EQ(stepE5M2(1, infinity, one | negative, one, one), -inf);
  EXPECT_TRUE(std::isnan(stepE5M2(1, infinity, 0, one, one)));
  EXPECT_TRUE(std::isnan(stepE5M2(1, infinity, one, infinity, one | negative)));
  EXPECT_TRUE(std::isnan(stepE5M2(1, nan, 0, one, one)));
  EXPECT_TRUE(std::isnan(stepE5M2(std::nanf(""), one, one, one, one)));
  EXPECT_EQ(stepE5M2(inf, one, one, one, one), inf);
  EXPECT_TRUE(std::isnan(stepE5M2(-inf, infinity, one, one, one)));
  // Zero is +0.
  EXPECT_TRUE(isSameFloat(stepE5M2(-0.0f, negative, one, 0, 0), 0.0f));
}
