//===- AMDGPUCostModelTest.cpp - tests of the model for AMD GPUs ----------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/AMDGPUCostModel.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
class AMDGPUCostModelTest : public testing::Test {
protected:
  AMDGPUCostModelTest() {
    context.loadDialect<LPGEMMDialect>();
    for (MmaOperand *side : {&operands.lhs, &operands.rhs})
      side->stored = side->multiplied = Float8E4M3FNType::get(&context);
  }

  /// With a result of 16 bits on a gfx950.
  AMDGPUCostModel getModel(int64_t m, int64_t n, int64_t k,
                           int64_t resultBits = 16) {
    ProductShape shape = {m,
                          n,
                          k,
                          /*hasDynamicGrid=*/false,
                          /*isBatched=*/false,
                          /*batch=*/1};
    return {shape, operands, resultBits, *lookupTargetRecord("gfx950")->amdgpu};
  }

  ScheduleAttr getSchedule(int64_t m, int64_t n, ArrayRef<int64_t> waves,
                           int64_t stages, int64_t splitK = 1,
                           Home rhs = Home::Shared,
                           ResultPath path = ResultPath::Direct) {
    return ScheduleAttr::get(
        &context, {m, n, 128}, waves, MmaInstr::MfmaScaleF32_16x16x128_F8F6F4,
        HomesAttr::get(&context, Home::Shared, rhs), stages, /*roles=*/{},
        /*cluster=*/{},
        /*raster=*/1, /*persistent=*/false, /*unroll=*/1, splitK,
        Strategy::Together, path);
  }

  /// With tiles of 256 x 256, one of which a compute unit holds.
  ScheduleAttr getLargeSchedule(int64_t raster, bool persistent = false,
                                int64_t splitK = 1, int64_t k = 128) {
    return ScheduleAttr::get(
        &context, {256, 256, k}, {2, 4},
        MmaInstr::MfmaScaleF32_16x16x128_F8F6F4,
        HomesAttr::get(&context, Home::Shared, Home::Shared), /*stages=*/2,
        /*roles=*/{}, /*cluster=*/{}, raster, persistent, /*unroll=*/1, splitK,
        Strategy::PingPong, ResultPath::Direct);
  }

  MLIRContext context;
  MmaOperands operands = {};
};

// 32 cycles for 16 x 16 x 128 on each of four SIMDs; 128 bytes a cycle into
// shared memory and 256 out of it; 64 from the caches.
TEST_F(AMDGPUCostModelTest, ResourcesOfAKTile) {
  AMDGPUScheduleCost cost =
      getModel(8192, 8192, 8192).estimate(getSchedule(128, 128, {2, 2}, 2));
  EXPECT_EQ(cost.matrix, 512);
  EXPECT_EQ(cost.shared, 256 + 256);
  EXPECT_EQ(cost.load, 512);
  EXPECT_EQ(cost.l2, 32 * 256 * 128 / 2048);
  EXPECT_EQ(cost.tiles, 64 * 64);
  EXPECT_EQ(cost.rounds, 16);
}

TEST_F(AMDGPUCostModelTest, FP4IsTwiceAsFast) {
  ScheduleAttr schedule = getSchedule(128, 128, {2, 2}, 2);
  double wide = getModel(8192, 8192, 8192).estimate(schedule).matrix;
  for (MmaOperand *side : {&operands.lhs, &operands.rhs})
    side->stored = side->multiplied = Float4E2M1FNType::get(&context);
  EXPECT_EQ(getModel(8192, 8192, 8192).estimate(schedule).matrix, wide / 2);
  // Both have to be narrow.
  operands.rhs.stored = operands.rhs.multiplied =
      Float8E4M3FNType::get(&context);
  EXPECT_EQ(getModel(8192, 8192, 8192).estimate(schedule).matrix, wide);
}

// Nothing hides what a single workgroup of a compute unit waits for.
TEST_F(AMDGPUCostModelTest, NeighboursHideTheChain) {
  ScheduleAttr schedule = getSchedule(128, 128, {2, 2}, 2);
  AMDGPUScheduleCost alone = getModel(128, 128, 8192).estimate(schedule);
  AMDGPUScheduleCost many = getModel(8192, 8192, 8192).estimate(schedule);
  EXPECT_EQ(alone.chain, many.chain);
  EXPECT_EQ(alone.getKTile(), alone.chain);
  EXPECT_EQ(many.resident, 2);
  EXPECT_LT(many.getKTile(), many.chain);
}

// With two stages the next load is under way.
TEST_F(AMDGPUCostModelTest, StagesShortenTheChain) {
  AMDGPUCostModel model = getModel(8192, 8192, 8192);
  EXPECT_LT(model.estimate(getSchedule(128, 128, {2, 2}, 2)).chain,
            model.estimate(getSchedule(128, 128, {2, 2}, 1)).chain);
}

// Registers take half lines, and each wave its own.
TEST_F(AMDGPUCostModelTest, RegistersLoadMore) {
  AMDGPUCostModel model = getModel(8192, 8192, 8192);
  AMDGPUScheduleCost cost =
      model.estimate(getSchedule(64, 64, {2, 2}, 2, 1, Home::Reg));
  EXPECT_EQ(cost.load, (64 + 64 * 2 * 2) * 128 / 64);
}

TEST_F(AMDGPUCostModelTest, SplitsExchangeSums) {
  AMDGPUCostModel model = getModel(128, 128, 65536);
  AMDGPUScheduleCost whole = model.estimate(getSchedule(128, 128, {2, 2}, 2));
  AMDGPUScheduleCost eight =
      model.estimate(getSchedule(128, 128, {2, 2}, 2, /*splitK=*/8));
  EXPECT_EQ(whole.exchange, 0);
  EXPECT_GT(eight.exchange, 4000);
  EXPECT_EQ(eight.tiles, 8);
  EXPECT_LT(eight.getTotal(), whole.getTotal());
  // Not for little work.
  AMDGPUCostModel small = getModel(128, 128, 256);
  EXPECT_GT(small.estimate(getSchedule(128, 128, {2, 2}, 2, 2)).getTotal(),
            small.estimate(getSchedule(128, 128, {2, 2}, 2)).getTotal());
}

// 16 columns of an instruction are 32 bytes of bf16, which count as 64, and 64
// of f32. Staged rows are whole, but 128 bytes a cycle go into shared memory
// and 256 out of it, and each turn takes two latencies.
TEST_F(AMDGPUCostModelTest, StagedResultsAreWholeRows) {
  auto getEpilogue = [&](ResultPath path, int64_t stages, int64_t bits) {
    return getModel(8192, 8192, 8192, bits)
        .estimate(getSchedule(128, 128, {2, 2}, stages, /*splitK=*/1,
                              Home::Shared, path))
        .epilogue;
  };
  constexpr double kElements = 128 * 128;
  constexpr double kArithmetic = kElements / 64 * 2 * 4 / 4;
  EXPECT_EQ(getEpilogue(ResultPath::Direct, 2, 16),
            kArithmetic + kElements * 2 * 2 / 64);
  EXPECT_EQ(getEpilogue(ResultPath::Direct, 2, 32),
            kArithmetic + kElements * 4 / 64);
  // Two slots of 16 KiB hold all of 32 KiB, one slot half of it.
  constexpr double kStaged =
      kElements * 2 / 64 + kElements * 2 / 128 + kElements * 2 / 256;
  EXPECT_EQ(getEpilogue(ResultPath::Staged, 2, 16),
            kArithmetic + kStaged + 2 * 64);
  EXPECT_EQ(getEpilogue(ResultPath::Staged, 1, 16),
            kArithmetic + kStaged + 2 * 2 * 64);
}

// Of the 32 workgroups of each die that run at once, 8 share a column and 4 a
// row where all columns are a multiple of the dies; else each has a column of
// its own, but for those of bands, 4 rows by 8 columns.
TEST_F(AMDGPUCostModelTest, DiesReadWhatTheirWorkgroupsShareOnce) {
  constexpr double kRows = 256 * 128;
  auto getBytes = [&](int64_t n, int64_t raster, int64_t k = 128) {
    return getModel(8192, n, 8192)
        .estimate(getLargeSchedule(raster, /*persistent=*/false, 1, k))
        .infinityBytes;
  };
  EXPECT_EQ(getBytes(8192, 1), 8 * (8 + 4) * kRows);
  EXPECT_EQ(getBytes(8192, 4), 8 * (8 + 4) * kRows);
  EXPECT_EQ(getBytes(8448, 1), 8 * (8 + 32) * kRows);
  EXPECT_EQ(getBytes(8448, 4), 8 * (4 + 8) * kRows);
  // Two K tiles of 40 rows and columns are more than an L2 cache has.
  EXPECT_EQ(getBytes(8448, 1, 256), 256 * 2 * 2 * kRows);
  EXPECT_EQ(getBytes(8448, 4, 256), 8 * (4 + 8) * 2 * kRows);
}

// Workgroups that share a tile are on different dies.
TEST_F(AMDGPUCostModelTest, PartsOfKShareNothing) {
  // 8 x 8 tiles of 4 parts: two dies have the same part, those of 32 tiles.
  EXPECT_EQ(getModel(2048, 2048, 8192)
                .estimate(getLargeSchedule(1, false, /*splitK=*/4))
                .infinityBytes,
            8 * (8 + 4) * 256 * 128.0);
}

// What is larger than the cache of all dies is read again for each band.
TEST_F(AMDGPUCostModelTest, BandsReadMemoryLess) {
  AMDGPUCostModel model = getModel(32768, 32768, 32768);
  double row = model.estimate(getLargeSchedule(1)).memory;
  double band = model.estimate(getLargeSchedule(8)).memory;
  constexpr double kOperand = 32768.0 * 32768;
  EXPECT_EQ(row, (kOperand + 64 * kOperand + 2 * kOperand) / 3333);
  EXPECT_EQ(band, (kOperand + 2 * kOperand + 2 * kOperand) / 3333);
  EXPECT_LT(model.getTraffic(getLargeSchedule(8)),
            model.getTraffic(getLargeSchedule(1)));
}

// A later tile of a persistent workgroup begins sooner; its K tiles take
// longer.
TEST_F(AMDGPUCostModelTest, PersistentWorkgroupsSaveTurns) {
  auto getWork = [&](int64_t k, bool persistent) {
    return getModel(16384, 16384, k)
        .estimate(getLargeSchedule(1, persistent))
        .work;
  };
  EXPECT_LT(getWork(512, true), getWork(512, false));
  EXPECT_GT(getWork(8192, true), getWork(8192, false));
  // Nobody multiplies meanwhile.
  ScheduleAttr small = ScheduleAttr::get(
      &context, {128, 128, 128}, {2, 2},
      MmaInstr::MfmaScaleF32_16x16x128_F8F6F4,
      HomesAttr::get(&context, Home::Shared, Home::Shared), /*stages=*/2,
      /*roles=*/{}, /*cluster=*/{}, /*raster=*/1, /*persistent=*/true,
      /*unroll=*/1, /*split_k=*/1, Strategy::Together, ResultPath::Direct);
  AMDGPUCostModel model = getModel(8192, 8192, 8192);
  EXPECT_EQ(model.estimate(small).resident, 1);
  EXPECT_GT(model.estimate(small).work,
            model.estimate(getSchedule(128, 128, {2, 2}, 2)).work);
}

// 81 tiles of 128 K tiles, 40.5 of which each compute unit would have: 41. None
// of 253 workgroups but the first and one more begins where a tile does.
TEST_F(AMDGPUCostModelTest, StreamKSharesOutKTiles) {
  AMDGPUCostModel model = getModel(2304, 2304, 16384);
  AMDGPUScheduleCost cost =
      model.estimate(getLargeSchedule(1, /*persistent=*/true, /*splitK=*/8));
  EXPECT_EQ(cost.kTiles, 41);
  EXPECT_EQ(cost.begun, 2);
  EXPECT_EQ(cost.tiles, 81 + 252 - 1);
  EXPECT_EQ(cost.exchange,
            4000 + 2 * 800 +
                (332 * 256 * 256 * 4.0 + 2304 * 2304 * 2.0) / 8190);
  EXPECT_LT(cost.getTotal(), model.estimate(getLargeSchedule(1)).getTotal());
  // No more parts than there is room for.
  EXPECT_EQ(model.estimate(getLargeSchedule(1, true, 2)).kTiles, 128);
}
} // namespace
