//===- EncodeTest.cpp - emitted conversions to shorter types --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericJit.h"

#include "llvm/ADT/APFloat.h"
#include <cfloat>
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

const double inf = std::numeric_limits<double>::infinity();

/// All values of bf16 and f16, random ones of f32 and f64.
std::vector<double> getSamples() {
  std::vector<double> values;
  for (uint32_t bits = 0; bits != 0x10000; ++bits) {
    values.push_back(llvm::bit_cast<float>(bits << 16));
    values.push_back(
        llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits))
            .convertToDouble());
  }
  std::mt19937_64 engine(1);
  std::uniform_int_distribution<int> exponents(-30, 30);
  for (int i = 0; i != 100000; ++i) {
    values.push_back(llvm::bit_cast<float>(static_cast<uint32_t>(engine())));
    values.push_back(llvm::bit_cast<double>(engine()));
    // Most of those are out of the range of every format.
    double significand = static_cast<int64_t>(engine()) * 0x1p-63;
    values.push_back(std::ldexp(significand, exponents(engine)));
  }
  for (double value : {0.0, 0x1p-1074, 0x1p-1022, DBL_MAX, inf, 448.0, 464.0,
                       61440.0, 65504.0, 65520.0, 0x1p-149, 0x1p-133, 127.5,
                       126.5, 128.0, double(FLT_MAX), 0x1.FFp127, 0x1.FEFp127})
    for (double sign : {1.0, -1.0})
      values.push_back(sign * value);
  values.push_back(std::numeric_limits<double>::quiet_NaN());
  values.push_back(-std::numeric_limits<double>::quiet_NaN());
  return values;
}

/// A middle between two neighbours and the closest values around it, with both
/// signs.
void appendMiddle(std::vector<double> &values, double low, double high) {
  double middle = low + (high - low) / 2;
  for (double value :
       {middle, std::nextafter(middle, 0), std::nextafter(middle, inf)}) {
    values.push_back(value);
    values.push_back(-value);
  }
}

std::vector<double> getSamples(const FormatInfo &info) {
  std::vector<double> values = getSamples();
  for (uint8_t code = 0; code != info.qmaxCode; ++code)
    appendMiddle(values, decode(info.format, code),
                 decode(info.format, code + 1));
  // The middle between the largest value and the one that is not there.
  double last = decode(info.format, info.qmaxCode - 1);
  appendMiddle(values, info.qmax, info.qmax + (info.qmax - last));
  return values;
}

void addEncode(NumericJit &jit, StringRef name, StringRef type,
               Overflow overflow = Overflow::Saturate) {
  Type target = jit.parse(type);
  Type stored = target.getIntOrFloatBitWidth() <= 8 ? jit.parse("i8") : target;
  jit.addMap(name, {jit.parse("f64"), stored},
             [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
               return jit.getFunctions().encode(b, target, elements[0],
                                                overflow);
             });
}

} // namespace

TEST(EncodeTest, EveryFormatAsTheLibrary) {
  NumericJit jit;
  const std::pair<StringRef, Overflow> modes[] = {
      {"_sat", Overflow::Saturate}, {"_nosat", Overflow::NoSaturate}};
  for (const FormatInfo &info : getElementInfos())
    for (auto [suffix, overflow] : modes)
      addEncode(jit, (info.name + suffix).str(), info.name, overflow);
  jit.compile();
  for (const FormatInfo &info : getElementInfos()) {
    std::vector<double> values = getSamples(info);
    std::vector<uint8_t> codes(values.size());
    for (auto [suffix, overflow] : modes) {
      jit.call((info.name + suffix).str(), values, codes);
      for (size_t i = 0; i != values.size(); ++i)
        ASSERT_EQ(unsigned(codes[i]),
                  unsigned(encode(info.format, values[i], overflow)))
            << info.name.str() << suffix.str() << " of " << values[i];
    }
  }
}

TEST(EncodeTest, SixteenBitsRoundOnce) {
  // C-8: also where a detour through f32 would round to a tie.
  const std::pair<std::string, const llvm::fltSemantics &> types[] = {
      {"bf16", llvm::APFloat::BFloat()}, {"f16", llvm::APFloat::IEEEhalf()}};
  NumericJit jit;
  for (const auto &[name, semantics] : types)
    addEncode(jit, name, name);
  jit.compile();
  for (const auto &[name, semantics] : types) {
    std::vector<double> values = getSamples();
    for (unsigned bits = 0; bits + 1 < 0x7F80; ++bits) {
      llvm::APFloat low(semantics, llvm::APInt(16, bits)),
          high(semantics, llvm::APInt(16, bits + 1));
      if (high.isFinite())
        appendMiddle(values, low.convertToDouble(), high.convertToDouble());
    }
    std::vector<uint16_t> codes(values.size());
    jit.call(name, values, codes);
    for (size_t i = 0; i != values.size(); ++i) {
      bool losesInfo;
      llvm::APFloat expected(values[i]);
      expected.convert(semantics, llvm::APFloat::rmNearestTiesToEven,
                       &losesInfo);
      llvm::APFloat actual(semantics, llvm::APInt(16, codes[i]));
      ASSERT_TRUE(expected.isNaN() ? actual.isNaN()
                                   : actual.bitwiseIsEqual(expected))
          << name << " of " << values[i];
    }
  }
}

TEST(EncodeTest, WideTypes) {
  NumericJit jit;
  for (StringRef type : {"f32", "f64"})
    addEncode(jit, type, type);
  jit.compile();
  std::vector<double> values = getSamples();
  std::vector<float> singles(values.size());
  std::vector<double> doubles(values.size());
  jit.call("f32", values, singles);
  jit.call("f64", values, doubles);
  for (size_t i = 0; i != values.size(); ++i) {
    ASSERT_TRUE(isSameFloat(singles[i], static_cast<float>(values[i])));
    ASSERT_TRUE(isSameFloat(doubles[i], values[i]));
  }
}

TEST(EncodeTest, IntegersAreClampedSymmetrically) {
  // C-9: -128 is not a result, NaN gives 0; above the four bits are zeros.
  NumericJit jit;
  addEncode(jit, "i8", "i8");
  addEncode(jit, "i4", "i4");
  jit.compile();
  std::vector<double> values = {
      -128,  -127.4, -0.5,
      1.5,   2.5,    -1.5,
      127.6, -inf,   std::numeric_limits<double>::quiet_NaN()};
  std::vector<uint8_t> codes(values.size());
  jit.call("i8", values, codes);
  EXPECT_EQ(codes,
            (std::vector<uint8_t>{0x81, 0x81, 0, 2, 2, 0xFE, 0x7F, 0x81, 0}));
  jit.call("i4", values, codes);
  EXPECT_EQ(codes, (std::vector<uint8_t>{9, 9, 0, 2, 2, 0xE, 7, 9, 0}));
}

//===----------------------------------------------------------------------===//
// Stochastic rounding (C-16)
//===----------------------------------------------------------------------===//

namespace {

/// Rounds f64 by given random bits and by those of a seed.
class StochasticTest : public testing::Test {
protected:
  void SetUp() override {
    for (const FormatInfo &info : getElementInfos()) {
      Type type = jit.parse(info.name), i8 = jit.parse("i8"),
           i32 = jit.parse("i32"), f64 = jit.parse("f64");
      jit.addMap(info.name, {f64, i32, i8},
                 [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                   return jit.getFunctions().encode(
                       b, type, elements[0], Overflow::Saturate, elements[1]);
                 });
    }
    jit.addMap("random", {jit.parse("i64"), jit.parse("i32")},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value index) {
                 return jit.getFunctions().drawRandomBits(b, elements[0],
                                                          index);
               });
    jit.compile();
  }

  std::vector<uint8_t> round(const FormatInfo &info, std::vector<double> values,
                             std::vector<uint32_t> random) {
    std::vector<uint8_t> codes(values.size());
    jit.call(info.name, values, random, codes);
    return codes;
  }
  std::vector<uint32_t> draw(uint64_t seed, size_t count) {
    std::vector<uint64_t> seeds(count, seed);
    std::vector<uint32_t> bits(count);
    jit.call("random", seeds, bits);
    return bits;
  }

  NumericJit jit;
};

} // namespace

TEST_F(StochasticTest, ExactValuesStay) {
  for (const FormatInfo &info : getElementInfos()) {
    for (uint32_t random : {0u, 1u, 0x80000000u, 0xFFFFFFFFu}) {
      std::vector<double> values;
      for (unsigned code = 0; code != info.getNumCodes(); ++code)
        values.push_back(decode(info.format, code));
      auto codes = round(info, values, std::vector(values.size(), random));
      for (unsigned code = 0; code != info.getNumCodes(); ++code)
        EXPECT_EQ(unsigned(codes[code]),
                  unsigned(encode(info.format, values[code])))
            << info.name.str();
    }
  }
}

TEST_F(StochasticTest, RoundsUpIfTheFractionIsAboveTheRandomBits) {
  std::mt19937_64 engine(2);
  for (const FormatInfo &info : getElementInfos()) {
    std::vector<double> values;
    std::vector<uint32_t> random;
    std::vector<uint8_t> expected;
    for (uint8_t low = 0; low != info.qmaxCode; ++low) {
      double lower = decode(info.format, low);
      double gap = decode(info.format, low + 1) - lower;
      for (int i = 0; i != 64; ++i) {
        uint32_t units = engine();
        // At the threshold, just below, and above; half a unit does not count.
        for (int64_t offset : {-1, 0, 1}) {
          double value = lower + gap * ((units + 0.5) * 0x1p-32);
          int64_t bits = int64_t(units) + offset;
          if (bits < 0 || bits > UINT32_MAX)
            continue;
          for (double sign : {1.0, -1.0}) {
            values.push_back(sign * value);
            random.push_back(bits);
            double nearest = decode(info.format, low + (units > bits));
            expected.push_back(encode(info.format, sign * nearest));
            EXPECT_EQ(unsigned(expected.back()),
                      unsigned(encodeStochastic(info.format, sign * value,
                                                static_cast<uint32_t>(bits))));
          }
        }
      }
    }
    auto codes = round(info, values, random);
    for (size_t i = 0; i != values.size(); ++i)
      ASSERT_EQ(unsigned(codes[i]), unsigned(expected[i]))
          << info.name.str() << " of " << values[i] << " with " << random[i];
  }
}

TEST_F(StochasticTest, LargeAndSpecialValuesSaturate) {
  for (const FormatInfo &info : getElementInfos()) {
    double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> values = {info.qmax * 1.01, 1e300,    inf, -inf, nan,
                                  1e-300,           0x1p-1074};
    auto codes = round(info, values, std::vector(values.size(), 0u));
    for (size_t i = 0; i != values.size(); ++i)
      EXPECT_EQ(unsigned(codes[i]), unsigned(encode(info.format, values[i])))
          << info.name.str() << " of " << values[i];
  }
}

TEST_F(StochasticTest, TheMeanIsTheValue) {
  const size_t count = 1 << 16;
  std::vector<uint32_t> random = draw(/*seed=*/42, count);
  for (const FormatInfo &info : getElementInfos()) {
    for (double value : {1.03, 1.3, -1.7, 0.51}) {
      auto codes = round(info, std::vector(count, value), random);
      double sum = 0, squares = 0;
      for (uint8_t code : codes) {
        double error = decode(info.format, code) - value;
        sum += error;
        squares += error * error;
      }
      EXPECT_LT(std::abs(sum), 4 * std::sqrt(squares))
          << info.name.str() << " of " << value;
    }
  }
}

TEST_F(StochasticTest, RandomBitsAreThoseOfSplitMix64) {
  // The first outputs for seed 0 (https://prng.di.unimi.it/splitmix64.c).
  const uint64_t outputs[] = {0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4,
                              0x06C45D188009454F, 0xF88BB8A8724C81EC};
  std::vector<uint32_t> bits = draw(0, 4);
  for (auto [actual, output] : llvm::zip_equal(bits, outputs))
    EXPECT_EQ(actual, output >> 32);
  // The next seed of the sequence gives the next output.
  EXPECT_EQ(draw(0x9E3779B97F4A7C15, 3),
            std::vector<uint32_t>(bits.begin() + 1, bits.end()));
}
