//===- GlobalRacesTest.cpp - tests of races in global memory --------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace mlir::lpgemm::emulator;

namespace {

enum Access { Read, Write, Atomic };

class GlobalRacesTest : public KernelTest,
                        public testing::WithParamInterface<unsigned> {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    Options options;
    options.threads = GetParam();
    setOptions(options);
    registerBuffer(memory, sizeof(memory), "memory");
  }
  void TearDown() override {
    unregisterBuffer(memory);
    KernelTest::TearDown();
  }

  /// Accesses `bytes` bytes at `offset`.
  void access(Access kind, uint32_t offset, uint32_t bytes, uint32_t site = 0) {
    using Fn = void(uint32_t, const void *, uint32_t);
    static Fn *functions[] = {find<Fn>("emu_global_load"),
                              find<Fn>("emu_global_store"),
                              find<Fn>("emu_global_atomic")};
    functions[kind](site, memory + offset, bytes);
  }
  void barrier() {
    static auto *function = find<void(uint32_t)>("emu_rocdl_s_barrier");
    function(1);
  }

  /// Runs 4 workgroups of two waves, and says whether there was a race.
  bool races(std::function<void(uint32_t group, uint32_t wave)> body) {
    bool isGood = runLanes(
        128, [&](uint32_t item) { body(item / 128, item / 64 % 2); },
        /*numWorkgroups=*/4);
    std::vector<Report> reports = takeReports();
    for (const Report &report : reports)
      EXPECT_EQ(report.kind, ReportKind::GlobalRace) << report.message;
    EXPECT_EQ(isGood, reports.empty());
    return !isGood;
  }

  alignas(16) uint8_t memory[4096];
};

TEST_P(GlobalRacesTest, WritesOfWorkgroups) {
  EXPECT_TRUE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, group == 3 ? 0 : 16 * group, 16);
  }));
  EXPECT_FALSE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, 16 * group, 16);
  }));
}

/// Elements of two workgroups may share a word.
TEST_P(GlobalRacesTest, BytesOfOneWord) {
  EXPECT_FALSE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, 2 * group, 2);
  }));
  EXPECT_TRUE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, group / 2, 1);
  }));
  // Words and bytes have different cells.
  EXPECT_TRUE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, group ? 8 * group : 9, group ? 4 : 1);
  }));
  EXPECT_FALSE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, group ? 8 * group : 13, group ? 4 : 1);
  }));
  // A word that starts within another.
  EXPECT_TRUE(races([&](uint32_t group, uint32_t wave) {
    if (wave == 0)
      access(Write, group ? 100 * group : 102, group ? 4 : 1);
  }));
}

TEST_P(GlobalRacesTest, ReadsAndWrites) {
  EXPECT_FALSE(races([&](uint32_t, uint32_t) { access(Read, 0, 1024); }));
  // One writes what all read, whoever comes first.
  for (uint32_t writer = 0; writer < 4; ++writer)
    EXPECT_TRUE(races([&](uint32_t group, uint32_t wave) {
      access(Read, 0, 64);
      if (group == writer && wave == 0)
        access(Write, 48, 4);
    }));
  // Each reads and writes its own.
  EXPECT_FALSE(races([&](uint32_t group, uint32_t wave) {
    access(Read, 32 * group + 16 * wave, 16);
    access(Write, 32 * group + 16 * wave, 16);
  }));
}

TEST_P(GlobalRacesTest, Atomics) {
  EXPECT_FALSE(races([&](uint32_t, uint32_t) { access(Atomic, 8, 4); }));
  EXPECT_TRUE(races([&](uint32_t group, uint32_t) {
    access(group == 2 ? Write : Atomic, 8, 4);
  }));
  for (uint32_t reader = 0; reader < 4; ++reader)
    EXPECT_TRUE(races([&](uint32_t group, uint32_t) {
      access(Atomic, 8, 4);
      if (group == reader)
        access(Read, 8, 4);
    }));
  EXPECT_FALSE(races([&](uint32_t group, uint32_t wave) {
    access(Atomic, 8, 4);
    access(Read, 12, 4);
    if (wave == 0)
      access(Write, 16 + 4 * group, 4);
  }));
}

TEST_P(GlobalRacesTest, WavesOfOneWorkgroup) {
  auto exchange = [&](bool hasBarrier, Access second) {
    return races([&](uint32_t group, uint32_t wave) {
      if (wave == 1)
        access(Write, 64 * group, 64);
      if (hasBarrier)
        barrier();
      if (wave == 0)
        access(second, 64 * group + 32, 4);
    });
  };
  EXPECT_TRUE(exchange(false, Read));
  EXPECT_TRUE(exchange(false, Write));
  EXPECT_FALSE(exchange(true, Read));
  EXPECT_FALSE(exchange(true, Write));
  // After a barrier, what both waves have read may be written by one.
  for (bool hasBarrier : {false, true})
    EXPECT_NE(hasBarrier, races([&](uint32_t group, uint32_t wave) {
                access(Read, 64 * group, 64);
                if (hasBarrier)
                  barrier();
                if (wave == 0)
                  access(Write, 64 * group, 64);
              }));
}

TEST_P(GlobalRacesTest, LaunchesAreApart) {
  for (uint32_t i = 0; i < 2; ++i)
    EXPECT_FALSE(races([&](uint32_t group, uint32_t wave) {
      if (wave == 0)
        access(Write, 16 * (i ? group : 3 - group), 16);
    }));
}

INSTANTIATE_TEST_SUITE_P(Threads, GlobalRacesTest, testing::Values(1, 3));

TEST_F(KernelTest, GlobalRaceMessages) {
  Options options;
  options.threads = 1;
  setOptions(options);
  uint32_t memory[8];
  registerBuffer(memory, sizeof(memory), "memory");
  using Fn = void(uint32_t, const void *, uint32_t);
  auto *load = find<Fn>("emu_global_load");
  auto *store = find<Fn>("emu_global_store");
  EXPECT_FALSE(runLanes(
      64,
      [&](uint32_t item) {
        if (item == 5)
          store(1, memory + 2, 4);
        if (item == 64)
          load(0, memory + 1, 8);
      },
      /*numWorkgroups=*/2));
  EXPECT_FALSE(runLanes(128, [&](uint32_t item) {
    if (item % 64 == 0)
      store(0, memory, 4);
  }));
  unregisterBuffer(memory);
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].message,
            "'op.a' at a.mlir:1:2 writes memory that another wave accesses, "
            "with no barrier between; the other is 'op.a' at a.mlir:1:2; "
            "offset 0 of 'memory' (kernel kernel, workgroup 0,0,0, wave 1 lane "
            "0)");
  EXPECT_EQ(reports[1].message,
            "'op.a' at a.mlir:1:2 reads memory that another workgroup of the "
            "launch accesses; the other is 'op.b' at b.mlir:3:4; offset 8 of "
            "'memory' (kernel kernel, workgroup 1,0,0, wave 0 lane 0)");
}

} // namespace
