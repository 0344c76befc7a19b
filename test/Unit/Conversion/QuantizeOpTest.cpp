//===- QuantizeOpTest.cpp - the quantization ops --------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizeCase.h"

#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::lpgemm;

using EF = ElementFormat;
using SF = ScaleFormat;
using SL = BufferLayout;

namespace {

const float inf = std::numeric_limits<float>::infinity();
const float quietNaN = std::numeric_limits<float>::quiet_NaN();

/// What else than ordinary numbers a matrix holds.
enum class Specials { None, Finite, Infinity, NaN };

/// Random values, many of them ties, whose range differs from row to row.
std::vector<float> getValues(int64_t rows, int64_t columns, Specials specials) {
  std::mt19937 engine(rows * 1000 + columns);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t column = 0; column != columns; ++column) {
      float value = normal(engine);
      if (column % 3 == 0)
        value = std::rint(value * 16) / 16;
      values.push_back(std::ldexp(value, row % 23 - 11));
    }
  if (specials == Specials::None || values.empty())
    return values;
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t column = 0; column != columns; ++column) {
      float &value = values[row * columns + column];
      if (row % 4 == 1)
        value = column % 2 ? 0.0f : -0.0f;
      if (row % 4 == 2)
        value = std::ldexp(value, -140);
    }
  size_t place = std::min<size_t>(values.size() - 1, 3);
  values[place] = FLT_MAX;
  if (specials == Specials::Infinity)
    values[place] = -inf;
  if (specials == Specials::NaN)
    values[place] = quietNaN;
  return values;
}

const std::pair<int64_t, int64_t> shapes[] = {{1, 1},     {5, 7}, {33, 40},
                                              {130, 257}, {0, 5}, {5, 0}};

void checkAll(llvm::ArrayRef<QuantizeCase> cases) {
  OpJit jit;
  std::string functions;
  for (const QuantizeCase &c : cases)
    functions += c.getFunctions();
  jit.compile(functions);
  for (const QuantizeCase &c : cases)
    for (auto [rows, columns] : shapes)
      for (Specials specials : {Specials::None, Specials::Finite,
                                Specials::Infinity, Specials::NaN})
        c.check(
            jit,
            getValues(rows * std::max<int64_t>(c.batch, 1), columns, specials),
            rows, columns);
}

QuantizeCase makeCase(std::string kind, BlockShape block, EF format, SF scale,
                      ScaleRule rule) {
  QuantizeCase c;
  c.kind = std::move(kind);
  c.options.block = block;
  c.options.format = format;
  c.options.scale.format = scale;
  c.options.scale.rule = rule;
  return c;
}

/// Adds a case as its operands are stored and transposed, with each type of
/// input.
void addForms(std::vector<QuantizeCase> &cases, QuantizeCase c) {
  static const char *const types[] = {"f32", "bf16", "f16"};
  for (bool transposed : {false, true}) {
    c.transposed = transposed;
    c.inputType = types[cases.size() % 3];
    cases.push_back(c);
  }
}

const EF elements[] = {EF::F8E4M3FN,   EF::F8E5M2,   EF::F8E4M3FNUZ,
                       EF::F8E5M2FNUZ, EF::F6E2M3FN, EF::F6E3M2FN,
                       EF::F4E2M1FN,   EF::I8};
const ScaleRule powerRules[] = {ScaleRule::RCeil, ScaleRule::Floor,
                                ScaleRule::Ceil, ScaleRule::Even};
const ScaleRule wideRules[] = {ScaleRule::Amax, ScaleRule::Pow2};

} // namespace

TEST(QuantizeOpTest, TensorsAndRows) {
  std::vector<QuantizeCase> cases;
  for (EF format : elements)
    for (ScaleRule rule : wideRules) {
      addForms(cases, makeCase("tensor", {0, 0}, format, SF::F32, rule));
      addForms(cases, makeCase("row", {1, 0}, format, SF::F32, rule));
      addForms(cases, makeCase("column", {1, 0}, format, SF::BF16, rule));
    }
  checkAll(cases);
}

TEST(QuantizeOpTest, WideScalesOfBlocks) {
  std::vector<QuantizeCase> cases;
  for (EF format : elements)
    for (ScaleRule rule : wideRules) {
      addForms(cases, makeCase("1x128", {1, 128}, format, SF::F32, rule));
      addForms(cases, makeCase("1x7", {1, 7}, format, SF::BF16, rule));
      addForms(cases, makeCase("32x32", {32, 32}, format, SF::BF16, rule));
      addForms(cases, makeCase("128x128", {128, 128}, format, SF::F32, rule));
    }
  checkAll(cases);
}

TEST(QuantizeOpTest, PowersOfTwo) {
  std::vector<QuantizeCase> cases;
  for (EF format : elements) {
    if (format == EF::I8)
      continue;
    bool isMX = format != EF::F8E4M3FNUZ && format != EF::F8E5M2FNUZ;
    for (ScaleRule rule : powerRules) {
      if (isMX)
        addForms(cases, makeCase("mx", {1, 32}, format, SF::F8E8M0FNU, rule));
      addForms(cases, makeCase("16x16", {16, 16}, format, SF::F8E8M0FNU, rule));
    }
  }
  checkAll(cases);
}

TEST(QuantizeOpTest, TwoLevels) {
  std::vector<QuantizeCase> cases;
  const std::pair<const char *, BlockShape> kinds[] = {{"nvfp4", {1, 16}},
                                                       {"nvfp4_2d", {16, 16}}};
  for (auto [kind, block] : kinds) {
    QuantizeCase c =
        makeCase(kind, block, EF::F4E2M1FN, SF::F8E4M3FN, ScaleRule::NVFP4);
    addForms(cases, c);
    c.tensorScale = TensorScaleSource::Found;
    addForms(cases, c);
    c.options.scale.minScale = 0x1p-6f;
    addForms(cases, c);
    c.tensorScale = TensorScaleSource::Given;
    c.givenTensorScale = 0x1p-5f;
    addForms(cases, c);
  }
  checkAll(cases);
}

TEST(QuantizeOpTest, Layouts) {
  std::vector<QuantizeCase> cases;
  const struct {
    SL layout;
    const char *kind;
    BlockShape block;
    SF scale;
    ScaleRule rule;
  } layouts[] = {
      {SL::Col, "1x128", {1, 128}, SF::F32, ScaleRule::Amax},
      {SL::Col, "mx", {1, 32}, SF::F8E8M0FNU, ScaleRule::RCeil},
      {SL::Col, "16x16", {16, 16}, SF::BF16, ScaleRule::Amax},
      {SL::MnTma, "1x128", {1, 128}, SF::F32, ScaleRule::Pow2},
      {SL::MnTma, "1x32", {1, 32}, SF::BF16, ScaleRule::Amax},
      {SL::MnTmaUE8M0x4, "1x128", {1, 128}, SF::F8E8M0FNU, ScaleRule::RCeil},
      {SL::MnTmaUE8M0x4, "mx", {1, 32}, SF::F8E8M0FNU, ScaleRule::Even},
      {SL::Blk128x128, "128x128", {128, 128}, SF::F32, ScaleRule::Amax},
      {SL::Swz128x4, "mx", {1, 32}, SF::F8E8M0FNU, ScaleRule::Floor},
      {SL::Swz128x4, "nvfp4", {1, 16}, SF::F8E4M3FN, ScaleRule::NVFP4},
      {SL::Amd32x8, "mx", {1, 32}, SF::F8E8M0FNU, ScaleRule::Even},
  };
  for (const auto &l : layouts) {
    QuantizeCase c = makeCase(l.kind, l.block, EF::F4E2M1FN, l.scale, l.rule);
    c.layout = l.layout;
    if (l.rule == ScaleRule::NVFP4)
      c.tensorScale = TensorScaleSource::Found;
    addForms(cases, c);
  }
  checkAll(cases);
}

TEST(QuantizeOpTest, Options) {
  std::vector<QuantizeCase> cases;
  for (EF format : {EF::F8E4M3FN, EF::F8E5M2, EF::F8E4M3FNUZ}) {
    QuantizeCase c =
        makeCase("1x128", {1, 128}, format, SF::F32, ScaleRule::Amax);
    c.options.reciprocal = true; // S-11
    addForms(cases, c);
    c.options.scale.amaxFloor = 1e-4f; // S-12
    addForms(cases, c);
    c.options.reciprocal = false;
    addForms(cases, c);
    c = makeCase("1x32", {1, 32}, format, SF::F8E8M0FNU, ScaleRule::Floor);
    c.options.overflow = Overflow::NoSaturate; // C-4
    addForms(cases, c);
    c.saturateScale = true; // S-13
    c.options.scale.nonFinite = NonFinite::Saturate;
    addForms(cases, c);
    c.options.scale.amaxFloor = 0.25f;
    addForms(cases, c);
  }
  checkAll(cases);
}

TEST(QuantizeOpTest, GivenScales) {
  // S-3, S-17.
  std::vector<QuantizeCase> cases;
  for (EF format : elements) {
    QuantizeCase c = makeCase("row", {1, 0}, format, SF::F32, ScaleRule::Amax);
    c.scalesGiven = true;
    addForms(cases, c);
    c.options.reciprocal = true;
    addForms(cases, c);
    c = makeCase("16x16", {16, 16}, format, SF::BF16, ScaleRule::Amax);
    c.scalesGiven = true;
    c.layout = SL::Col;
    addForms(cases, c);
    if (format == EF::I8)
      continue;
    c = makeCase("1x32", {1, 32}, format, SF::F8E8M0FNU, ScaleRule::RCeil);
    c.scalesGiven = true;
    c.batch = 2;
    addForms(cases, c);
  }
  checkAll(cases);
}

TEST(QuantizeOpTest, Percentiles) {
  // S-18.
  std::vector<QuantizeCase> cases;
  for (EF format : {EF::I8, EF::F8E4M3FN, EF::F4E2M1FN})
    for (double percentile : {1e-9, 0.3, 0.5, 0.99, 0.9999}) {
      QuantizeCase c =
          makeCase("tensor", {0, 0}, format, SF::F32, ScaleRule::Amax);
      c.options.percentile = percentile;
      addForms(cases, c);
    }
  checkAll(cases);
}

TEST(QuantizeOpTest, StochasticRounding) {
  // C-16: the numbers of a tensor do not depend on how it is stored.
  std::vector<QuantizeCase> cases;
  for (EF format : elements) {
    QuantizeCase c =
        makeCase("1x32", {1, 32}, format, SF::F32, ScaleRule::Amax);
    c.options.seed = 0xFEDCBA9876543210 + cases.size();
    addForms(cases, c);
    c.batch = 3;
    addForms(cases, c);
  }
  checkAll(cases);
}

TEST(QuantizeOpTest, Batches) {
  std::vector<QuantizeCase> cases;
  for (EF format : elements) {
    QuantizeCase c =
        makeCase("tensor", {0, 0}, format, SF::F32, ScaleRule::Amax);
    c.batch = 3;
    addForms(cases, c);
    c = makeCase("1x32", {1, 32}, format, SF::BF16, ScaleRule::Pow2);
    c.layout = SL::MnTma;
    c.batch = 2;
    addForms(cases, c);
  }
  QuantizeCase c =
      makeCase("nvfp4", {1, 16}, EF::F4E2M1FN, SF::F8E4M3FN, ScaleRule::NVFP4);
  c.tensorScale = TensorScaleSource::Found; // of the whole batch
  c.layout = SL::Swz128x4;
  c.batch = 4;
  addForms(cases, c);
  checkAll(cases);
}
