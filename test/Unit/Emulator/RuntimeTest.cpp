//===- RuntimeTest.cpp - tests of launching without a compiler ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Kernels written in C++ against the functions that generated code calls.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include <algorithm>

using namespace mlir::lpgemm::emulator;

namespace {

class RuntimeTest : public KernelTest {};

/// Where each work item of a grid writes its number.
int32_t *output;

void writeIds(void **args) {
  static auto *x = find<int32_t()>("emu_rocdl_workitem_id_x");
  static auto *y = find<int32_t()>("emu_rocdl_workitem_id_y");
  static auto *block = find<int32_t()>("emu_rocdl_workgroup_id_x");
  static auto *size = find<int32_t()>("emu_rocdl_workgroup_dim_x");
  static auto *barrier = find<void(uint32_t)>("emu_rocdl_s_barrier");
  int32_t start = *static_cast<int32_t *>(args[0]);
  int32_t index = (block() * 2 + y()) * size() + x();
  barrier(0);
  output[index] = start + index;
}

TEST_F(RuntimeTest, RunsEveryWorkItemOnce) {
  std::vector<int32_t> values(5 * 2 * 100);
  for (LaneOrder order :
       {LaneOrder::Forward, LaneOrder::Reverse, LaneOrder::Random}) {
    Options options;
    options.order = order;
    options.threads = 2;
    setOptions(options);
    std::fill(values.begin(), values.end(), -1);
    output = values.data();
    int32_t start = 7;
    void *args[] = {&start};
    KernelInfo info = makeInfo();
    EXPECT_TRUE(launch(info, writeIds, {5, 1, 1}, {100, 2, 1}, 0, args));
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], static_cast<int32_t>(7 + i));
  }
  EXPECT_TRUE(takeReports().empty());
  EXPECT_EQ(getStatistics().launches, 3u);
  EXPECT_EQ(getStatistics().workgroups, 15u);
  EXPECT_EQ(getStatistics().barriers, 15u);
}

/// The order in which the work items of two workgroups run, for one seed.
std::vector<uint32_t> orderOf(uint64_t seed) {
  Options options;
  options.order = LaneOrder::Random;
  options.loads = LoadTime::Random;
  options.seed = seed;
  options.threads = 1;
  setOptions(options);
  std::vector<uint32_t> order;
  EXPECT_TRUE(runLanes(192, [&](uint32_t item) { order.push_back(item); }, 2));
  return order;
}

TEST_F(RuntimeTest, SeedReproducesTheOrder) {
  std::vector<uint32_t> order = orderOf(7);
  EXPECT_EQ(order.size(), 384u);
  EXPECT_EQ(orderOf(7), order);
  EXPECT_NE(orderOf(8), order);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

/// Each work item of a grid of three dimensions marks its own place.
void writeCoordinates(void **) {
  static auto *x = find<int32_t()>("emu_rocdl_workgroup_id_x");
  static auto *y = find<int32_t()>("emu_rocdl_workgroup_id_y");
  static auto *z = find<int32_t()>("emu_rocdl_workgroup_id_z");
  static auto *sizeX = find<int32_t()>("emu_rocdl_grid_dim_x");
  static auto *sizeY = find<int32_t()>("emu_rocdl_grid_dim_y");
  static auto *itemX = find<int32_t()>("emu_rocdl_workitem_id_x");
  static auto *itemZ = find<int32_t()>("emu_rocdl_workitem_id_z");
  int32_t block = (z() * sizeY() + y()) * sizeX() + x();
  output[block * 6 + itemZ() * 2 + itemX()] =
      x() + 10 * y() + 100 * z() + 1000 * itemX() + 10000 * itemZ();
}

TEST_F(RuntimeTest, GridsOfThreeDimensions) {
  std::vector<int32_t> values(2 * 3 * 4 * 6, -1);
  output = values.data();
  KernelInfo info = makeInfo();
  EXPECT_TRUE(launch(info, writeCoordinates, {2, 3, 4}, {2, 1, 3}, 0, nullptr));
  auto *value = values.data();
  for (int32_t z = 0; z < 4; ++z)
    for (int32_t y = 0; y < 3; ++y)
      for (int32_t x = 0; x < 2; ++x)
        for (int32_t itemZ = 0; itemZ < 3; ++itemZ)
          for (int32_t itemX = 0; itemX < 2; ++itemX)
            ASSERT_EQ(*value++,
                      x + 10 * y + 100 * z + 1000 * itemX + 10000 * itemZ);
}

TEST_F(RuntimeTest, RefusesBadLaunches) {
  KernelInfo info = makeInfo();
  info.requiredBlock[0] = info.requiredBlock[1] = info.requiredBlock[2] = 4;
  auto expectReport = [&](const std::string &message, Dim3 grid, Dim3 block,
                          int64_t ldsBytes) {
    EXPECT_FALSE(launch(info, writeIds, grid, block, ldsBytes, nullptr));
    std::vector<Report> reports = takeReports();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].kind, ReportKind::InvalidLaunch);
    EXPECT_EQ(reports[0].message, "launch of kernel kernel: " + message);
  };
  expectReport("expected a grid of positive sizes, got 0,1,1", {0, 1, 1},
               {4, 4, 4}, 0);
  expectReport("expected a block of 1 to 1024 work items, got 1025,1,1",
               {1, 1, 1}, {1025, 1, 1}, 0);
  expectReport("expected the block 4,4,4, got 64,1,1", {1, 1, 1}, {64, 1, 1},
               0);
  expectReport("expected at most 163840 bytes of LDS, got 163841", {1, 1, 1},
               {4, 4, 4}, 163841);
}

void readPastEnd(void **) {
  static auto *load =
      find<void(uint32_t, const void *, uint32_t)>("emu_global_load");
  load(1, output + 4, 4);
}

TEST_F(RuntimeTest, ReportsOutOfBounds) {
  int32_t values[5] = {};
  output = values;
  registerBuffer(values, 4 * sizeof(int32_t), "values");
  KernelInfo info = makeInfo();
  EXPECT_FALSE(launch(info, readPastEnd, {1, 1, 1}, {1, 1, 1}, 0, nullptr));
  unregisterBuffer(values);
  std::vector<Report> reports = takeReports();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::GlobalOutOfBounds);
  EXPECT_EQ(reports[0].message,
            "'op.b' at b.mlir:3:4 accesses 4 bytes at offset 16 of 'values', "
            "which has 16 bytes (kernel kernel, workgroup 0,0,0, wave 0 lane "
            "0)");
}

TEST_F(RuntimeTest, AllocatesKnownMemory) {
  auto *allocate = find<void *(size_t)>("lpgemm_emu_alloc");
  auto *release = find<void(void *)>("lpgemm_emu_free");
  output = static_cast<int32_t *>(allocate(20));
  // Not zero, so that nothing can rely on it.
  EXPECT_EQ(output[0], -1);
  KernelInfo info = makeInfo();
  EXPECT_TRUE(launch(info, readPastEnd, {1, 1, 1}, {1, 1, 1}, 0, nullptr));
  release(output);
  EXPECT_FALSE(launch(info, readPastEnd, {1, 1, 1}, {1, 1, 1}, 0, nullptr));
  EXPECT_EQ(takeReports()[0].kind, ReportKind::GlobalOutOfBounds);
}

} // namespace
