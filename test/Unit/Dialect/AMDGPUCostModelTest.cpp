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
} // namespace
