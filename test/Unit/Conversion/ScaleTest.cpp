//===- ScaleTest.cpp - emitted scales of quantized blocks -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumericJit.h"

#include <cfloat>
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;

using EF = ElementFormat;

namespace {

const float inf = std::numeric_limits<float>::infinity();
const float quietNaN = std::numeric_limits<float>::quiet_NaN();

const std::pair<std::string, ScaleRule> rules[] = {{"rceil", ScaleRule::RCeil},
                                                   {"floor", ScaleRule::Floor},
                                                   {"ceil", ScaleRule::Ceil},
                                                   {"even", ScaleRule::Even}};

/// Magnitudes with every exponent of f32: notable mantissas, those around the
/// largest values of the formats and the carries of EVEN, and random ones.
std::vector<float> getMagnitudes() {
  std::vector<float> values;
  std::mt19937 engine(1);
  for (uint32_t exponent = 0; exponent != 255; ++exponent) {
    for (uint32_t top = 0; top != 32; ++top)
      for (uint32_t offset : {-1, 0, 1})
        values.push_back(llvm::bit_cast<float>(
            (exponent << 23 | top << 18) + offset & 0x7FFFFFFF));
    for (int i = 0; i != 64; ++i)
      values.push_back(llvm::bit_cast<float>(
          exponent << 23 | static_cast<uint32_t>(engine() >> 9)));
  }
  for (float value : {0.0f, FLT_MAX, inf, quietNaN})
    values.push_back(value);
  return values;
}

/// The formats that f8E8M0FNU scales exist for; i8 is MXI8 under them.
std::vector<FormatInfo> getScaledInfos() {
  std::vector<FormatInfo> infos = getElementInfos();
  llvm::erase_if(infos,
                 [](const FormatInfo &info) { return info.format == EF::I4; });
  return infos;
}

/// The library's f8E8M0FNU code of a scale.
uint8_t computeCode(float amax, EF format, ScaleRule rule) {
  ScaleOptions options;
  options.rule = rule;
  return encodeScale(ScaleFormat::F8E8M0FNU,
                     computeScale(amax, format, options));
}

/// Pairs of any f32 and magnitudes.
std::pair<std::vector<float>, std::vector<float>> getPairs() {
  std::vector<float> values, magnitudes;
  std::mt19937 engine(2);
  std::normal_distribution<float> normal;
  for (int i = 0; i != 100000; ++i) {
    bool isWild = i % 4 == 0;
    values.push_back(
        isWild ? llvm::bit_cast<float>(static_cast<uint32_t>(engine()))
               : normal(engine));
    magnitudes.push_back(
        isWild ? llvm::bit_cast<float>(static_cast<uint32_t>(engine() >> 1))
               : std::abs(normal(engine)));
  }
  for (float value : {0.0f, -0.0f, 1.0f, -1.0f, FLT_MAX, inf, -inf, quietNaN})
    for (float magnitude :
         {0.0f, 0x1p-149f, 0x1p-127f, 1.0f, FLT_MAX, inf, quietNaN}) {
      values.push_back(value);
      magnitudes.push_back(magnitude);
    }
  return {values, magnitudes};
}

/// The f32 quotient that scaleByF32 and scaleByE4M3 round to, given that of
/// plain arithmetic.
float expectQuotient(float value, float scale, float quotient) {
  if (scale == 0) // S-3
    return std::isnan(value) ? value : 0;
  return value == 0 ? value / scale : quotient;
}

} // namespace

TEST(ScaleTest, E8M0RulesAsTheLibrary) {
  NumericJit jit;
  for (const FormatInfo &info : getScaledInfos())
    for (const auto &rule : rules)
      jit.addMap((info.name + "_" + rule.first).str(),
                 {jit.parse("f32"), jit.parse("i8")},
                 [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                   return jit.getFunctions().computeE8M0Scale(
                       b, jit.parse(info.name), rule.second, elements[0]);
                 });
  jit.compile();
  std::vector<float> amaxes = getMagnitudes();
  std::vector<uint8_t> codes(amaxes.size());
  for (const FormatInfo &info : getScaledInfos()) {
    for (const auto &[name, rule] : rules) {
      jit.call((info.name + "_" + name).str(), amaxes, codes);
      for (size_t i = 0; i != amaxes.size(); ++i)
        ASSERT_EQ(unsigned(codes[i]),
                  unsigned(computeCode(amaxes[i], info.format, rule)))
            << info.name.str() << " " << name << " of " << amaxes[i];
    }
  }
}

TEST(ScaleTest, E8M0RulesOfIntegers) {
  // S-14 with emax 0 and six bits of mantissa; the largest value is 127/64.
  NumericJit jit;
  for (const auto &rule : rules)
    jit.addMap(rule.first, {jit.parse("f32"), jit.parse("i8")},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return jit.getFunctions().computeE8M0Scale(
                     b, jit.parse("i8"), rule.second, elements[0]);
               });
  jit.compile();
  const struct {
    float amax;
    uint8_t rceil, floor, ceil, even;
  } cases[] = {
      {0.0f, 0x00, 0x00, 0x00, 0x00},
      {0x1p-127f, 0x00, 0x00, 0x00, 0x00},
      {0x1.8p-127f, 0x00, 0x00, 0x01, 0x00},
      {0x1p-126f, 0x01, 0x01, 0x01, 0x01},
      {1.0f, 0x7F, 0x7F, 0x7F, 0x7F},
      {1.984375f, 0x7F, 0x7F, 0x80, 0x7F},
      {0x1.FC0002p0f, 0x80, 0x7F, 0x80, 0x7F},
      {0x1.FDFFFEp0f, 0x80, 0x7F, 0x80, 0x7F},
      {0x1.FEp0f, 0x80, 0x7F, 0x80, 0x80},
      {FLT_MAX, 0xFE, 0xFE, 0xFE, 0xFE},
      {inf, 0xFF, 0xFF, 0xFF, 0xFF},
  };
  for (const auto &c : cases) {
    const uint8_t expected[] = {c.rceil, c.floor, c.ceil, c.even};
    for (size_t i = 0; i != std::size(rules); ++i) {
      std::vector<float> amax = {c.amax};
      std::vector<uint8_t> code(1);
      jit.call(rules[i].first, amax, code);
      EXPECT_EQ(unsigned(code[0]), unsigned(expected[i]))
          << rules[i].first << " of " << c.amax;
    }
  }
}

TEST(ScaleTest, F32AndPowersOfTwo) {
  NumericJit jit;
  const std::pair<std::string, float> types[] = {
      {"f8E4M3FN", 448}, {"f8E5M2", 57344}, {"f4E2M1FN", 6}, {"i8", 127}};
  Type f32 = jit.parse("f32");
  for (const auto &[name, qmax] : types) {
    Type type = jit.parse(name);
    jit.addMap(name, {f32, f32},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return jit.getFunctions().computeF32Scale(b, type,
                                                           elements[0]);
               });
    jit.addMap(name + "_pow2", {f32, f32},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return jit.getFunctions().computePow2Scale(b, type,
                                                            elements[0]);
               });
  }
  jit.compile();
  std::vector<float> amaxes = getMagnitudes(), scales(amaxes.size());
  for (const auto &[name, qmax] : types) {
    jit.call(name, amaxes, scales);
    for (size_t i = 0; i != amaxes.size(); ++i) {
      float expected = amaxes[i] / qmax; // S-11
      if (amaxes[i] == 0)
        expected = 1; // S-12
      if (!std::isfinite(amaxes[i]))
        expected = quietNaN; // S-13
      ASSERT_TRUE(isSameFloat(scales[i], expected)) << name << amaxes[i];
    }
  }
  for (const auto &[name, qmax] : types) {
    jit.call(name + "_pow2", amaxes, scales);
    ScaleOptions options;
    options.format = ScaleFormat::F32;
    options.rule = ScaleRule::Pow2;
    EF format = *parseElementFormat(name);
    for (size_t i = 0; i != amaxes.size(); ++i)
      ASSERT_TRUE(
          isSameFloat(scales[i], computeScale(amaxes[i], format, options)))
          << name << amaxes[i];
  }
}

TEST(ScaleTest, ElementsByF32Scales) {
  NumericJit jit;
  Type f32 = jit.parse("f32"), f64 = jit.parse("f64");
  for (bool reciprocal : {false, true})
    jit.addMap(reciprocal ? "multiply" : "divide", {f32, f32, f64},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return jit.getFunctions().scaleByF32(b, elements[0],
                                                      elements[1], reciprocal);
               });
  jit.compile();
  auto [values, scales] = getPairs();
  for (size_t i = 0; i < scales.size(); i += 5)
    scales[i] = -scales[i]; // S-3
  std::vector<double> quotients(values.size()), products(values.size());
  jit.call("divide", values, scales, quotients);
  jit.call("multiply", values, scales, products);
  unsigned numDifferent = 0;
  for (size_t i = 0; i != values.size(); ++i) {
    float x = values[i], s = scales[i];
    EXPECT_TRUE(isSameFloat(quotients[i], double(expectQuotient(x, s, x / s))))
        << x << " / " << s;
    float reciprocal = 1.0f / s;
    EXPECT_TRUE(
        isSameFloat(products[i], double(expectQuotient(x, s, x * reciprocal))))
        << x << " / " << s;
    numDifferent += quotients[i] < products[i];
  }
  // S-11: the two are not the same.
  EXPECT_GT(numDifferent, values.size() / 100);
}

TEST(ScaleTest, ElementsByE8M0Scales) {
  // S-15: for every scale, where f32 would round or overflow too.
  NumericJit jit;
  for (StringRef type : {"f8E4M3FN", "i8"})
    jit.addMap(type, {jit.parse("f32"), jit.parse("i8"), jit.parse("f64")},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 Value scale = jit.getFunctions().decode(
                     b, jit.parse("f8E8M0FNU"), elements[1], b.getF32Type());
                 return jit.getFunctions().scaleByE8M0(b, jit.parse(type),
                                                       elements[0], scale);
               });
  jit.compile();
  std::vector<float> values = getPairs().first;
  std::vector<uint8_t> codes(values.size());
  std::vector<double> quotients(values.size()), units(values.size());
  for (size_t i = 0; i != values.size(); ++i)
    codes[i] = i;
  jit.call("f8E4M3FN", values, codes, quotients);
  jit.call("i8", values, codes, units);
  for (size_t i = 0; i != values.size(); ++i)
    EXPECT_TRUE(isSameFloat(
        quotients[i], codes[i] == 0xFF
                          ? double(quietNaN)
                          : std::ldexp(double(values[i]), 127 - codes[i])))
        << values[i] << " by " << unsigned(codes[i]);
  for (size_t i = 0; i != values.size(); ++i)
    EXPECT_TRUE(isSameFloat(units[i], 64 * quotients[i])); // E-4
}

//===----------------------------------------------------------------------===//
// f8E4M3FN scales under a scale of the tensor (S-16)
//===----------------------------------------------------------------------===//

namespace {

class TensorScaleTest : public testing::Test {
protected:
  void SetUp() override {
    Type f32 = jit.parse("f32"), f64 = jit.parse("f64"), i8 = jit.parse("i8");
    NumericFunctions &functions = jit.getFunctions();
    jit.addMap("factor", {f32, f32},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return functions.computeTensorFactor(b, elements[0]);
               });
    jit.addMap("inverse", {f32, f32},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return functions.invertTensorScale(b, elements[0]);
               });
    jit.addMap("raised", {f32, f32, i8},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return functions.computeE4M3Scale(b, elements[0], elements[1],
                                                   /*minScale=*/0x1p-6f);
               });
    jit.addMap("scale", {f32, f32, i8},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 return functions.computeE4M3Scale(b, elements[0], elements[1]);
               });
    jit.addMap("quotient", {f32, f32, i8, f64},
               [&](ImplicitLocOpBuilder &b, ValueRange elements, Value) {
                 Value scale = functions.decode(b, jit.parse("f8E4M3FN"),
                                                elements[2], b.getF32Type());
                 return functions.scaleByE4M3(b, elements[0], elements[1],
                                              scale);
               });
    jit.compile();
  }

  float getFactor(float tensorAmax) {
    std::vector<float> amax = {tensorAmax}, factor(1);
    jit.call("factor", amax, factor);
    return factor[0];
  }
  std::vector<uint8_t> getScales(std::vector<float> factors,
                                 std::vector<float> amaxes) {
    std::vector<uint8_t> codes(amaxes.size());
    jit.call("scale", factors, amaxes, codes);
    return codes;
  }

  NumericJit jit;
};

} // namespace

TEST_F(TensorScaleTest, Goldens) {
  const struct {
    float tensorAmax;
    std::vector<float> values;
    float factor;
    uint8_t scale;
    std::vector<uint8_t> codes;
  } cases[] = {
      {2688, {6, -3, 1}, 1, 0x38, {0x7, 0xD, 0x2}},
      {2688, {2688, -1344}, 1, 0x7E, {0x7, 0xD}},
      {1, {1, -0.5, 0.1f}, 2688, 0x7E, {0x7, 0xD, 0x1}},
      {1, {0.01f, -0.004f}, 2688, 0x49, {0x7, 0xC}},
      {10, {0.37f, -0.22f, 0.05f}, 0x1.0CCCCCp8f, 0x58, {0x7, 0xE, 0x2}},
      {1, {1e-6f, 5e-7f}, 2688, 0x00, {0x0, 0x0}},
      {3, {0, 0}, 896, 0x00, {0x0, 0x0}},
      {0, {0}, 1, 0x00, {0x0}},
  };
  for (const auto &c : cases) {
    EXPECT_EQ(getFactor(c.tensorAmax), c.factor);
    std::vector<uint8_t> scale = getScales({c.factor}, {c.values[0]});
    EXPECT_EQ(unsigned(scale[0]), unsigned(c.scale));
    std::vector<float> values = c.values, factors(values.size(), c.factor);
    std::vector<uint8_t> scales(values.size(), c.scale);
    std::vector<double> quotients(values.size());
    jit.call("quotient", values, factors, scales, quotients);
    for (size_t i = 0; i != values.size(); ++i)
      EXPECT_EQ(unsigned(encode(EF::F4E2M1FN, quotients[i])),
                unsigned(c.codes[i]))
          << values[i];
  }
}

TEST_F(TensorScaleTest, Factors) {
  EXPECT_EQ(getFactor(0x1p-149f), FLT_MAX);
  EXPECT_EQ(getFactor(7e-31f), 2688 / 7e-31f);
  EXPECT_TRUE(std::isnan(getFactor(quietNaN)));
  EXPECT_TRUE(std::isnan(getFactor(inf)));
  EXPECT_EQ(getFactor(FLT_MAX), 2688 / FLT_MAX);
}

TEST_F(TensorScaleTest, FactorsOfGivenScales) {
  // S-16: a factor is finite, whatever scale it is the inverse of.
  std::vector<float> scales = {2, -0.25f, 0x1p-128f, 0, -0.0f, inf, quietNaN};
  std::vector<float> factors(scales.size());
  jit.call("inverse", scales, factors);
  const float expected[] = {0.5f, -4, FLT_MAX, FLT_MAX, -FLT_MAX, 0, quietNaN};
  for (size_t i = 0; i != scales.size(); ++i)
    EXPECT_TRUE(isSameFloat(factors[i], expected[i])) << scales[i];
}

TEST_F(TensorScaleTest, SmallestScale) {
  // A scale that would be smaller is raised, NaN is kept (S-13, S-16).
  std::vector<float> amaxes = {0, 1e-3f, 6 * 0x1p-6f, 1, inf, quietNaN};
  std::vector<float> factors(amaxes.size(), 1.0f);
  std::vector<uint8_t> scales(amaxes.size());
  jit.call("raised", factors, amaxes, scales);
  const uint8_t expected[] = {0x08, 0x08, 0x08, 0x23, 0x7F, 0x7F};
  for (size_t i = 0; i != amaxes.size(); ++i)
    EXPECT_EQ(unsigned(scales[i]), unsigned(expected[i])) << amaxes[i];
  // The sign of a factor is not that of a scale.
  factors.assign(amaxes.size(), -1.0f);
  jit.call("raised", factors, amaxes, scales);
  EXPECT_EQ(unsigned(scales[3]), 0x23u);
}

TEST_F(TensorScaleTest, RandomBlocks) {
  auto [values, amaxes] = getPairs();
  std::vector<float> factors;
  for (size_t i = 0; i != values.size(); ++i)
    factors.push_back(i % 3 ? std::ldexp(amaxes[amaxes.size() - 1 - i], 6)
                            : 2688 / (1 + amaxes[i]));
  std::vector<uint8_t> scales = getScales(factors, amaxes);
  std::vector<double> quotients(values.size());
  jit.call("quotient", values, factors, scales, quotients);
  for (size_t i = 0; i != values.size(); ++i) {
    float scale = amaxes[i] * (factors[i] / 6.0f);
    if (!std::isfinite(amaxes[i]))
      scale = quietNaN; // S-13
    ASSERT_EQ(unsigned(scales[i]), unsigned(encode(EF::F8E4M3FN, scale)))
        << amaxes[i] << " under " << factors[i];
    float decoded = decode(EF::F8E4M3FN, scales[i]);
    float factor = factors[i] / decoded;
    EXPECT_TRUE(isSameFloat(
        quotients[i],
        double(expectQuotient(values[i], decoded, values[i] * factor))))
        << values[i] << " by " << decoded << " under " << factors[i];
  }
}
