//===- LaneExchangeTest.cpp - tests of data between lanes -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <vector>

using namespace mlir::lpgemm::emulator;

namespace {

class LaneExchangeTest : public KernelTest {
protected:
  /// What each lane of a wave gets from `body`.
  std::vector<uint32_t> collect(std::function<uint32_t(uint32_t)> body,
                                uint32_t numLanes = 64) {
    std::vector<uint32_t> results(numLanes, ~0u);
    EXPECT_TRUE(
        runLanes(numLanes, [&](uint32_t lane) { results[lane] = body(lane); }));
    return results;
  }

  void expectReport(ReportKind kind, const std::string &text) {
    std::vector<Report> reports = takeReports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].kind, kind);
    EXPECT_NE(reports[0].message.find(text), std::string::npos)
        << reports[0].message;
  }
};

TEST_F(LaneExchangeTest, Bpermute) {
  auto *bpermute =
      find<uint32_t(uint32_t, uint32_t, uint32_t)>("emu_rocdl_ds_bpermute");
  std::vector<uint32_t> got = collect([&](uint32_t lane) {
    return bpermute(0, 4 * (lane * 7 + 3), lane * 10);
  });
  for (uint32_t lane = 0; lane < 64; ++lane)
    EXPECT_EQ(got[lane], (lane * 7 + 3) % 64 * 10);
  // Lanes that the wave lacks give 0.
  got = collect([&](uint32_t lane) { return bpermute(0, 4 * (lane + 1), 5); },
                /*numLanes=*/40);
  EXPECT_EQ(got[38], 5u);
  EXPECT_EQ(got[39], 0u);
}

TEST_F(LaneExchangeTest, Swizzle) {
  auto *swizzle =
      find<uint32_t(uint32_t, uint32_t, uint32_t)>("emu_rocdl_ds_swizzle");
  auto run = [&](uint32_t offset) {
    return collect([&](uint32_t lane) { return swizzle(0, lane, offset); });
  };
  std::vector<uint32_t> swapped = run(0x401f);   // xor 16
  std::vector<uint32_t> mirrored = run(0x1c1f);  // xor 7
  std::vector<uint32_t> broadcast = run(0x00a0); // lane 5
  std::vector<uint32_t> reversed = run(0x801b);  // quads reversed
  for (uint32_t lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(swapped[lane], lane ^ 16);
    EXPECT_EQ(mirrored[lane], lane ^ 7);
    EXPECT_EQ(broadcast[lane], lane < 32 ? 5u : 37u);
    EXPECT_EQ(reversed[lane], lane ^ 3);
  }
  EXPECT_FALSE(runLanes(64, [&](uint32_t lane) { swizzle(1, lane, 0xc020); }));
  expectReport(ReportKind::InvalidOperand,
               "'op.b' at b.mlir:3:4 expected the quad or the bit mask mode, "
               "got the offset 49184");
}

TEST_F(LaneExchangeTest, Readlane) {
  auto *readlane =
      find<void(uint32_t, void *, uint32_t, const void *, uint32_t, uint32_t)>(
          "emu_rocdl_readlane");
  std::vector<uint32_t> got = collect([&](uint32_t lane) {
    uint32_t source[3] = {lane, lane + 1, lane + 2}, result[3];
    readlane(0, result, 12, source, 12, 41);
    return result[2];
  });
  EXPECT_EQ(got, std::vector<uint32_t>(64, 43));
  auto readAt = [&](uint32_t at) {
    uint32_t source = 1, result;
    readlane(0, &result, 4, &source, 4, at);
  };
  EXPECT_FALSE(runLanes(64, [&](uint32_t lane) { readAt(lane % 2); }));
  expectReport(ReportKind::NonUniform,
               "has a lane number that differs between the lanes of a wave");
  EXPECT_FALSE(runLanes(32, [&](uint32_t) { readAt(32); }));
  expectReport(ReportKind::InvalidOperand,
               "expected a lane from 0 to 31, got 32");
}

TEST_F(LaneExchangeTest, Ballot) {
  auto *ballot = find<uint64_t(uint32_t, uint32_t)>("emu_rocdl_ballot");
  uint64_t expected = 0;
  for (uint32_t lane = 0; lane < 64; lane += 3)
    expected |= uint64_t(1) << lane;
  std::vector<uint32_t> got = collect([&](uint32_t lane) {
    return static_cast<uint32_t>(ballot(0, lane % 3 == 0) == expected);
  });
  EXPECT_EQ(got, std::vector<uint32_t>(64, 1));
}

struct DppCase {
  uint32_t control;
  uint32_t rowMask, bankMask, boundControl;
  /// What lanes 0, 15, 16, 33 and 63 get. Lane l gives l, the old value is
  /// 100 + l.
  uint32_t expected[5];
};

TEST_F(LaneExchangeTest, Dpp) {
  auto *dpp = find<void(uint32_t, void *, uint32_t, const void *, uint32_t,
                        const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                        uint32_t)>("emu_rocdl_update_dpp");
  constexpr uint32_t kLanes[] = {0, 15, 16, 33, 63};
  constexpr DppCase kCases[] = {
      {0x01b, 15, 15, 0, {3, 12, 19, 34, 60}},     // quad_perm:[3,2,1,0]
      {0x101, 15, 15, 0, {1, 115, 17, 34, 163}},   // row_shl:1
      {0x111, 15, 15, 1, {0, 14, 0, 32, 62}},      // row_shr:1
      {0x12f, 15, 15, 0, {1, 0, 17, 34, 48}},      // row_ror:15
      {0x121, 15, 15, 0, {15, 14, 31, 32, 62}},    // row_ror:1
      {0x130, 15, 15, 0, {1, 16, 17, 34, 163}},    // wave_shl:1
      {0x134, 15, 15, 0, {1, 16, 17, 34, 0}},      // wave_rol:1
      {0x138, 15, 15, 0, {100, 14, 15, 32, 62}},   // wave_shr:1
      {0x13c, 15, 15, 0, {63, 14, 15, 32, 62}},    // wave_ror:1
      {0x140, 15, 15, 0, {15, 0, 31, 46, 48}},     // row_mirror
      {0x141, 15, 15, 0, {7, 8, 23, 38, 56}},      // row_half_mirror
      {0x142, 10, 15, 0, {100, 115, 15, 133, 47}}, // row_bcast:15, odd rows
      {0x143, 12, 15, 0, {100, 115, 116, 31, 31}}, // row_bcast:31
      {0x153, 15, 15, 0, {3, 3, 19, 35, 51}},      // row_newbcast:3
      {0x140, 15, 1, 0, {15, 115, 31, 46, 163}},   // only the first bank
  };
  for (const DppCase &c : kCases) {
    std::vector<uint32_t> got = collect([&](uint32_t lane) {
      uint32_t old = 100 + lane, result;
      dpp(0, &result, 4, &old, 4, &lane, 4, c.control, c.rowMask, c.bankMask,
          c.boundControl);
      return result;
    });
    for (unsigned i = 0; i < 5; ++i)
      EXPECT_EQ(got[kLanes[i]], c.expected[i])
          << std::hex << c.control << std::dec << " lane " << kLanes[i];
  }
}

TEST_F(LaneExchangeTest, UnknownDppControl) {
  auto *dpp = find<void(uint32_t, void *, uint32_t, const void *, uint32_t,
                        const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                        uint32_t)>("emu_rocdl_update_dpp");
  EXPECT_FALSE(runLanes(64, [&](uint32_t lane) {
    uint32_t result;
    dpp(0, &result, 4, &lane, 4, &lane, 4, 0x100, 15, 15, 0);
  }));
  expectReport(ReportKind::InvalidOperand,
               "expected a DPP control of GFX9, got 256");
}

} // namespace
