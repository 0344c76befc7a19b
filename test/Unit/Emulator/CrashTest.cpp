//===- CrashTest.cpp - tests of faults in emulated code -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <csignal>

using namespace mlir::lpgemm::emulator;

namespace {

class CrashTest : public KernelTest {};

void crash() { *reinterpret_cast<volatile int *>(8) = 1; }

TEST_F(CrashTest, BecomesAReportOfItsLane) {
  EXPECT_FALSE(runLanes(128, [](uint32_t lane) {
    static auto *step = find<void(uint32_t)>("emu_step");
    if (lane == 67) {
      step(1);
      crash();
    }
  }));
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::Crash);
  EXPECT_EQ(reports[0].message,
            "'op.b' at b.mlir:3:4 is the last operation that is known of a "
            "work item that crashed: an access to address 0x8 (SIGSEGV) "
            "(kernel kernel, workgroup 0,0,0, wave 1 lane 3)");
  // The next launch is not affected.
  EXPECT_TRUE(runLanes(128, [](uint32_t) {}));
}

TEST_F(CrashTest, OnEveryThread) {
  Options options;
  options.threads = 4;
  setOptions(options);
  EXPECT_FALSE(runLanes(64, [](uint32_t) { crash(); }, /*numWorkgroups=*/64));
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_GE(reports[0].count, 1u);
  EXPECT_LE(reports[0].count, 4u);
}

void handleByTest(int) {}

TEST_F(CrashTest, HandlersComeBack) {
  struct sigaction action{};
  action.sa_handler = handleByTest;
  struct sigaction before{};
  sigaction(SIGSEGV, &action, &before);
  EXPECT_FALSE(runLanes(64, [](uint32_t) { crash(); }));
  takeReports();
  struct sigaction after{};
  sigaction(SIGSEGV, &before, &after);
  EXPECT_EQ(after.sa_handler, handleByTest);
}

TEST_F(CrashTest, OutsideOfAKernelItStaysACrash) {
  auto crashAfterLaunch = [] {
    runLanes(64, [](uint32_t) { crash(); });
    crash();
  };
  // By the signal, or by a sanitizer that handles it.
  EXPECT_DEATH(crashAfterLaunch(), "");
}

TEST_F(CrashTest, StepsAreOfOneWorkgroup) {
  Options options;
  options.maxSteps = 64 * 10;
  setOptions(options);
  auto body = [](uint32_t numSteps) {
    static auto *step = find<void(uint32_t)>("emu_step");
    for (uint32_t i = 0; i < numSteps; ++i)
      step(0);
  };
  EXPECT_TRUE(runLanes(64, [&](uint32_t) { body(10); }, /*numWorkgroups=*/8));
  EXPECT_FALSE(runLanes(64, [&](uint32_t) { body(11); }));
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::NoProgress);
  EXPECT_EQ(reports[0].message,
            "'op.a' at a.mlir:1:2 is in a loop that does not end: after 640 "
            "passes, of 64 lanes 1 run in 'op.a' at a.mlir:1:2, 5 run before "
            "their first operation, 58 exited (kernel kernel, workgroup 0,0,0, "
            "wave 0 lane 58)");
}

} // namespace
