//===- NvidiaArithmeticTest.cpp - tests of NVIDIA arithmetic --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Expected values come from the definitions of the formats and of the PTX ISA
// anew: nearest codes are found by trying all.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "lpgemm/Emulator/Mfma.h"

#include <cmath>
#include <random>

using namespace mlir::lpgemm::emulator;

namespace {

enum Rounding : uint32_t { kNearest = 1, kTowardsZero = 4, kAway = 5 };

struct Format {
  mfma::Format format;
  int bits, exponentBits, mantissaBits;
  double largest;
};
constexpr Format kFormats[] = {
    {mfma::Format::Fp8, 8, 4, 3, 448},
    {mfma::Format::Bf8, 8, 5, 2, 57344},
    {mfma::Format::F16, 16, 5, 10, 65504},
    {mfma::Format::Bf16, 16, 8, 7, 0x1.fep127},
};

/// A code without its sign, as if all were numbers.
double decode(const Format &format, uint32_t code) {
  int bias = (1 << (format.exponentBits - 1)) - 1;
  int exponent = code >> format.mantissaBits;
  double fraction = std::ldexp(code & ((1u << format.mantissaBits) - 1),
                               -format.mantissaBits);
  return exponent ? std::ldexp(1 + fraction, exponent - bias)
                  : std::ldexp(fraction, 1 - bias);
}

/// By halving: the largest code whose value is at most `magnitude`.
uint32_t floorCode(const Format &format, double magnitude) {
  uint32_t low = 0, high = 1u << (format.bits - 1);
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    (decode(format, middle) <= magnitude ? low : high) = middle;
  }
  return low;
}

uint32_t expected(const Format &format, float value, uint32_t rounding,
                  bool saturates, bool isRelu) {
  uint32_t nan = (1u << (format.bits - 1)) - 1;
  if (std::isnan(value))
    return nan;
  if (isRelu && std::signbit(value))
    return 0;
  uint32_t sign = std::signbit(value) ? nan + 1 : 0;
  double magnitude = std::fabs(value);
  uint32_t top = floorCode(format, format.largest);
  // Infinity follows the largest number, or NaN does.
  uint32_t beyond = top + 1;
  if (std::isinf(value))
    return (saturates ? top : beyond) | sign;
  uint32_t code = floorCode(format, magnitude);
  double below = magnitude - decode(format, code);
  double above = decode(format, code + 1) - magnitude;
  if (rounding == kNearest &&
      (above < below || (above == below && code % 2 == 1)))
    ++code;
  uint32_t most = saturates || rounding == kTowardsZero ? top : beyond;
  return std::min(code, most) | sign;
}

/// Values around every code, ties, subnormal and special ones.
std::vector<float> makeValues(const Format &format) {
  std::vector<float> values{0.0f,   -0.0f,   INFINITY, -INFINITY, NAN,
                            1e-45f, -1e-45f, 3.4e38f,  -3.4e38f};
  uint32_t step = format.bits == 8 ? 1 : 37;
  for (uint32_t code = 0; code < (1u << (format.bits - 1)) - 1; code += step) {
    double low = decode(format, code), high = decode(format, code + 1);
    for (double value : {low, (low + high) / 2, low + (high - low) * 0.51,
                         low + (high - low) * 0.49})
      if (value <= 3.4e38)
        for (double sign : {1.0, -1.0})
          values.push_back(static_cast<float>(sign * value));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    values.push_back(value);
  }
  return values;
}

TEST(NvidiaArithmetic, FloatsToPairs) {
  auto *convert =
      find<uint32_t(float, float, uint32_t, uint32_t, uint32_t, uint32_t)>(
          "emu_nvvm_cvt_f32x2");
  for (const Format &format : kFormats) {
    std::vector<float> values = makeValues(format);
    for (uint32_t variant = 0; variant < 8; ++variant) {
      uint32_t rounding = variant & 1 ? kTowardsZero : kNearest;
      bool saturates = variant & 2, isRelu = variant & 4;
      // 8-bit formats are converted in one way only (PTX ISA, "cvt").
      if (format.bits == 8 && (rounding != kNearest || !saturates))
        continue;
      for (size_t i = 0; i < values.size(); ++i) {
        float high = values[i], low = values[(i * 7 + 3) % values.size()];
        uint32_t want = expected(format, high, rounding, saturates, isRelu)
                            << format.bits |
                        expected(format, low, rounding, saturates, isRelu);
        ASSERT_EQ(convert(high, low, uint32_t(format.format), rounding,
                          saturates, isRelu),
                  want)
            << high << " " << low << " variant " << variant << " bits "
            << format.bits;
      }
    }
  }
}

TEST(NvidiaArithmetic, EveryFloat8ToHalf) {
  auto *convert =
      find<uint32_t(uint32_t, uint32_t, uint32_t)>("emu_nvvm_cvt_f8x2_f16x2");
  const Format &half = kFormats[2];
  for (const Format &format : {kFormats[0], kFormats[1]})
    for (uint32_t code = 0; code < 256; ++code)
      for (bool isRelu : {false, true}) {
        double value = decode(format, code & 0x7f);
        bool isInfinite = format.mantissaBits == 2 && (code & 0x7f) == 0x7c;
        if (isInfinite)
          value = INFINITY;
        else if (value > format.largest)
          value = NAN;
        float number = code & 0x80 ? -value : value;
        uint32_t want = expected(half, number, kNearest, false, isRelu);
        uint32_t other = code ^ 0xff;
        uint32_t both =
            convert(other << 8 | code, uint32_t(format.format), isRelu);
        EXPECT_EQ(both & 0xffff, want) << code;
        EXPECT_EQ(convert(code << 8 | other, uint32_t(format.format), isRelu) >>
                      16,
                  want)
            << code;
      }
}

TEST(NvidiaArithmetic, Tf32) {
  auto *convert =
      find<uint32_t(float, uint32_t, uint32_t, uint32_t)>("emu_nvvm_cvt_tf32");
  auto toFloat = [](uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  };
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    uint32_t bits = i % 3 ? random() : (random() & ~0x1fffu) | 0x1000;
    float value = toFloat(bits);
    if (std::isnan(value)) {
      EXPECT_EQ(convert(value, kNearest, 0, 1), 0x7fffffffu);
      continue;
    }
    float low = toFloat(bits & ~0x1fffu),
          high = toFloat((bits & ~0x1fffu) + 0x2000);
    double below = std::fabs(double(value) - low);
    double above =
        std::isinf(high) ? INFINITY : std::fabs(double(high) - value);
    if (std::isinf(high) || std::isinf(value))
      continue;
    bool isOdd = bits & 0x2000;
    EXPECT_EQ(toFloat(convert(value, kTowardsZero, 0, 0)), low);
    EXPECT_EQ(toFloat(convert(value, kAway, 0, 0)),
              above <= below ? high : low);
    EXPECT_EQ(toFloat(convert(value, kNearest, 0, 0)),
              above < below || (above == below && isOdd) ? high : low);
    EXPECT_EQ(toFloat(convert(value, kNearest, 0, 1)) < 0, false);
  }
  EXPECT_EQ(convert(3.4028234e38f, kAway, 0, 0), 0x7f800000u);
  EXPECT_EQ(convert(3.4028234e38f, kAway, 1, 0), 0x7f7fe000u);
  EXPECT_EQ(convert(-INFINITY, kNearest, 1, 0), 0xff7fe000u);
  EXPECT_EQ(convert(-INFINITY, kNearest, 0, 0), 0xff800000u);
}

TEST(NvidiaArithmetic, PermuteByIndex) {
  auto *permute =
      find<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t)>("emu_nvvm_prmt");
  const uint32_t low = 0x83121110, high = 0x97161594;
  const uint8_t pool[] = {0x10, 0x11, 0x12, 0x83, 0x94, 0x15, 0x16, 0x97};
  for (uint32_t selector = 0; selector < 0x10000; ++selector) {
    uint32_t want = 0;
    for (int i = 0; i < 4; ++i) {
      uint32_t nibble = selector >> 4 * i & 15;
      uint8_t byte = pool[nibble % 8];
      want |= uint32_t(nibble < 8 ? byte : byte < 0x80 ? 0 : 0xff) << 8 * i;
    }
    ASSERT_EQ(permute(low, high, selector, 0), want) << selector;
  }
}

TEST(NvidiaArithmetic, PermuteModes) {
  auto *permute =
      find<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t)>("emu_nvvm_prmt");
  // The bytes have their numbers as values.
  const uint32_t low = 0x03020100, high = 0x07060504;
  auto byte = [&](uint32_t mode, int selector, int i) -> int {
    switch (mode) {
    case 1: // f4e
      return selector + i;
    case 2: // b4e
      return (selector + 8 - i) % 8;
    case 3: // rc8
      return selector;
    case 4: // ecl
      return std::max(i, selector);
    case 5: // ecr
      return std::min(i, selector);
    default: // rc16
      return selector % 2 * 2 + i % 2;
    }
  };
  for (uint32_t mode = 1; mode <= 6; ++mode)
    for (int selector = 0; selector < 4; ++selector)
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(permute(low, high, selector | 0xf0, mode) >> 8 * i & 0xff,
                  uint32_t(byte(mode, selector, i)))
            << "mode " << mode << " selector " << selector << " byte " << i;
}

TEST(NvidiaArithmetic, DotProducts) {
  auto *dot = find<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                            uint32_t)>("emu_nvvm_dot_accumulate");
  std::mt19937 random(3);
  auto element = [](uint32_t word, int bits, int i, bool isSigned) -> int64_t {
    uint32_t value = word >> bits * i & ((1u << bits) - 1);
    return isSigned && value >> (bits - 1) ? int64_t(value) - (1 << bits)
                                           : value;
  };
  for (int i = 0; i < 20000; ++i) {
    uint32_t a = random(), b = random(), c = random();
    for (int bits : {8, 16})
      for (uint32_t signs = 0; signs < 4; ++signs) {
        int64_t sum = c;
        for (int j = 0; j < 32 / bits; ++j)
          sum += element(a, bits, j, signs & 1) * element(b, 8, j, signs & 2);
        ASSERT_EQ(dot(a, b, c, bits, signs & 1, signs >> 1), uint32_t(sum));
      }
  }
}

TEST(NvidiaArithmetic, ReciprocalFlushes) {
  auto *rcp = find<float(float)>("emu_nvvm_rcp_approx_ftz");
  EXPECT_EQ(rcp(4), 0.25f);
  EXPECT_EQ(rcp(1e-40f), INFINITY);
  EXPECT_EQ(rcp(-1e-40f), -INFINITY);
  EXPECT_EQ(rcp(3e38f), 0.0f);
  EXPECT_TRUE(std::signbit(rcp(-3e38f)));
  EXPECT_EQ(rcp(INFINITY), 0.0f);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

KernelInfo makeWarpInfo() {
  KernelInfo info = makeInfo();
  info.waveSize = 32;
  info.chip = Chip::Sm90a;
  return info;
}

class NvidiaWarp : public KernelTest {
protected:
  /// Runs one warp of a function of the lane.
  void runWarp(std::function<void(uint32_t)> body) {
    for (LaneOrder order :
         {LaneOrder::Forward, LaneOrder::Reverse, LaneOrder::Random}) {
      Options options;
      options.order = order;
      setOptions(options);
      EXPECT_TRUE(runLanes(32, body, 1, makeWarpInfo()));
      EXPECT_TRUE(takeReports().empty());
    }
  }
  std::mt19937 random{4};
};

TEST_F(NvidiaWarp, Reductions) {
  auto *redux = find<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t)>(
      "emu_nvvm_redux_sync");
  using Fn = uint32_t (*)(uint32_t, uint32_t);
  const std::pair<uint32_t, Fn> kinds[] = {
      {1, [](uint32_t a, uint32_t b) { return a + b; }},
      {2, [](uint32_t a, uint32_t b) { return a & b; }},
      {3, [](uint32_t a, uint32_t b) { return int(a) > int(b) ? a : b; }},
      {4, [](uint32_t a, uint32_t b) { return int(a) < int(b) ? a : b; }},
      {5, [](uint32_t a, uint32_t b) { return a | b; }},
      {6, [](uint32_t a, uint32_t b) { return a > b ? a : b; }},
      {7, [](uint32_t a, uint32_t b) { return a < b ? a : b; }},
      {8, [](uint32_t a, uint32_t b) { return a ^ b; }}};
  for (auto [kind, combine] : kinds)
    for (uint32_t mask : {0xffffffffu, 0x0ff000f1u, 0x80000000u}) {
      std::array<uint32_t, 32> values, results{};
      for (uint32_t &value : values)
        value = kind == 2 ? random() | random() | random() : random();
      bool isFirst = true;
      uint32_t want = 0;
      for (uint32_t i = 0; i < 32; ++i)
        if (mask >> i & 1) {
          want = isFirst ? values[i] : combine(want, values[i]);
          isFirst = false;
        }
      runWarp([&, kind = kind](uint32_t lane) {
        if (mask >> lane & 1)
          results[lane] = redux(0, mask, values[lane], kind);
      });
      for (uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(results[i], mask >> i & 1 ? want : 0) << kind;
    }
}

TEST_F(NvidiaWarp, VotesAndMatches) {
  auto *vote = find<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t)>(
      "emu_nvvm_vote_sync");
  auto *matchAny =
      find<uint32_t(uint32_t, uint32_t, uint64_t)>("emu_nvvm_match_any_sync");
  auto *matchAll =
      find<uint64_t(uint32_t, uint32_t, uint64_t)>("emu_nvvm_match_all_sync");
  const uint32_t mask = 0xffff7ffe;
  for (uint32_t votes : {0u, 0xffffffffu, 0x12345678u}) {
    uint32_t present = votes & mask;
    bool isUniform = present == 0 || present == mask;
    runWarp([&](uint32_t lane) {
      if (!(mask >> lane & 1))
        return;
      uint32_t own = votes >> lane & 1;
      EXPECT_EQ(vote(0, mask, own, 0), uint32_t(present != 0));
      EXPECT_EQ(vote(0, mask, own, 1), uint32_t(present == mask));
      EXPECT_EQ(vote(0, mask, own, 2), present);
      EXPECT_EQ(vote(0, mask, own, 3), uint32_t(isUniform));
      // Differs in the upper half only.
      uint64_t value = uint64_t(own) << 40 | 5;
      EXPECT_EQ(matchAny(0, mask, value), own ? present : mask & ~votes);
      EXPECT_EQ(matchAll(0, mask, value),
                isUniform ? uint64_t(1) << 32 | mask : 0);
    });
  }
}

TEST_F(NvidiaWarp, MemberMask) {
  auto *vote = find<uint32_t(uint32_t, uint32_t, uint32_t, uint32_t)>(
      "emu_nvvm_vote_sync");
  EXPECT_FALSE(runLanes(
      32, [&](uint32_t) { vote(0, 0xfffffffe, 1, 0); }, 1, makeWarpInfo()));
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::InvalidOperand);
  EXPECT_EQ(reports[0].message,
            "'op.a' at a.mlir:1:2 expected a member mask with the lane that "
            "executes it, got 4294967294 (kernel kernel, workgroup 0,0,0, warp "
            "0 lane 0)");
}

TEST_F(NvidiaWarp, ClocksGrow) {
  auto *clock = find<uint64_t(uint32_t)>("emu_nvvm_clock64");
  auto *timer = find<uint64_t(uint32_t)>("emu_nvvm_globaltimer");
  runWarp([&](uint32_t) {
    uint64_t first = clock(0);
    EXPECT_GT(clock(0), first);
    uint64_t start = timer(0);
    EXPECT_GE(timer(0), start);
  });
}

TEST_F(NvidiaWarp, RegistersOfWarpgroups) {
  auto *change =
      find<void(uint32_t, uint32_t, uint32_t)>("emu_nvvm_setmaxregister");
  // Of 256 lanes, the first warpgroup gives registers to the second.
  auto good = [&](uint32_t lane) {
    change(0, lane < 128 ? 24 : 240, lane >= 128);
  };
  EXPECT_TRUE(runLanes(256, good, 1, makeWarpInfo()));
  EXPECT_TRUE(takeReports().empty());
  auto differs = [&](uint32_t lane) {
    change(lane < 64 ? 0 : 1, 24 + 8 * (lane / 64), 0);
  };
  EXPECT_FALSE(runLanes(128, differs, 1, makeWarpInfo()));
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].message,
            "'op.b' at b.mlir:3:4 is a decrease to 32 of the registers, where "
            "another warp of the warpgroup has a decrease to 24 (kernel "
            "kernel, workgroup 0,0,0, warp 2 lane 31)");
  auto some = [&](uint32_t lane) {
    if (lane < 96)
      change(0, 24, 0);
  };
  EXPECT_FALSE(runLanes(128, some, 1, makeWarpInfo()));
  reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].message,
            "'op.a' at a.mlir:1:2 is not executed by all warps of the "
            "warpgroup (kernel kernel, workgroup 0,0,0, warp 0 lane 0)");
  EXPECT_FALSE(runLanes(96, some, 1, makeWarpInfo()));
  reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].message,
            "'op.a' at a.mlir:1:2 expected a warpgroup of 4 warps, has 3 "
            "(kernel kernel, workgroup 0,0,0, warp 0 lane 31)");
}

} // namespace
