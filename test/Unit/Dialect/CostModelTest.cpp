//===- CostModelTest.cpp - tests of the model of schedules ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Schedule/CostModel.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
class CostModelTest : public testing::Test {
protected:
  CostModelTest() { context.loadDialect<LPGEMMDialect>(); }

  /// FP8 operands and a result of 16 bits.
  static ProductTraits getProduct(int64_t m, int64_t n, int64_t k,
                                  bool hasBlocks) {
    ProductTraits product = {};
    product.m = m;
    product.n = n;
    product.k = k;
    product.batch = 1;
    product.elementBytes = 1;
    product.resultBytes = 2;
    if (hasBlocks) {
      product.isPromoted = true;
      product.lhsOuterBlock = 1;
      product.rhsOuterBlock = 128;
      product.lhsScaleBytes = product.rhsScaleBytes = 4;
    }
    return product;
  }

  CostModel getModel(const ProductTraits &product) {
    return {product, *lookupTargetRecord("sm_90a")->nvidia};
  }

  ScheduleAttr getSchedule(int64_t m, int64_t n, int64_t waves, int64_t stages,
                           ArrayRef<int64_t> cluster = {}, int64_t raster = 1,
                           int64_t tileK = 128, int64_t splitK = 1) {
    return ScheduleAttr::get(
        &context, {m, n, tileK}, {waves, 1}, MmaInstr::Wgmma_m64k32_F32_FP8,
        HomesAttr::get(&context, Home::Shared, Home::Shared), stages,
        RolesAttr::get(&context, 40, 232), cluster, raster,
        /*persistent=*/splitK == 1, /*unroll=*/1, splitK);
  }

  MLIRContext context;
};

// 8192 operations a cycle; 128 bytes a cycle of shared memory, which takes
// m + n rows and gives 64 + n for each 64 of m.
TEST_F(CostModelTest, ATileIsBoundByTheTensorCoresOrSharedMemory) {
  CostModel model = getModel(getProduct(8192, 8192, 8192, false));
  ScheduleCost wide = model.estimate(getSchedule(128, 256, 2, 4));
  EXPECT_EQ(wide.tensor, 1024);
  EXPECT_EQ(wide.shared, 128 + 256 + 2 * (64 + 256));
  ScheduleCost high = model.estimate(getSchedule(256, 128, 2, 3));
  // Few stages: no more than one slot is on its way.
  EXPECT_EQ(high.tensor, 1024 + 300);
  EXPECT_EQ(high.shared, 256 + 128 + 4 * (64 + 128));
  ScheduleCost square = model.estimate(getSchedule(128, 128, 2, 6));
  EXPECT_EQ(square.tensor, 512);
  EXPECT_EQ(square.shared, 128 + 128 + 2 * (64 + 128));
}

TEST_F(CostModelTest, NarrowerElementsGoThroughTheSameBytes) {
  ProductTraits product = getProduct(8192, 8192, 8192, false);
  product.elementBytes = 2;
  ScheduleCost cost = getModel(product).estimate(
      getSchedule(128, 256, 2, 4, {}, 1, /*tileK=*/64));
  EXPECT_EQ(cost.tensor, 1024);
  EXPECT_EQ(cost.shared, 1024);
}

TEST_F(CostModelTest, AClusterSharesCopies) {
  CostModel model = getModel(getProduct(8192, 8192, 8192, false));
  auto getL2 = [&](ArrayRef<int64_t> cluster) {
    return model.estimate(getSchedule(128, 256, 2, 4, cluster)).l2;
  };
  EXPECT_EQ(getL2({}), 132 * (128 + 256) * 128 / 6144.0);
  EXPECT_EQ(getL2({2, 1}), 132 * (128 + 128) * 128 / 6144.0);
  EXPECT_EQ(getL2({1, 2}), 132 * (64 + 256) * 128 / 6144.0);
}

TEST_F(CostModelTest, OneWaveHidesNoPromotion) {
  CostModel model = getModel(getProduct(64, 8192, 8192, true));
  // 64 sums of a lane; the scale that they have in common counts as 3 more. The
  // wave waits for its own products and scales as well.
  EXPECT_EQ(model.estimate(getSchedule(64, 128, 1, 8)).tensor, 256 + 67 + 270);
  EXPECT_EQ(model.estimate(getSchedule(128, 128, 2, 6)).tensor, 512);
}

// The last round, of 88 tiles on 132 multiprocessors, shares the L2 cache with
// fewer.
TEST_F(CostModelTest, TheLastRoundHasItsShare) {
  ProductTraits product = getProduct(4096, 2112, 7168, false);
  CostModel model = getModel(product);
  ScheduleCost whole = model.estimate(getSchedule(128, 192, 2, 4));
  EXPECT_EQ(whole.tiles, 32 * 11);
  EXPECT_EQ(whole.rounds, 32 * 11 / 132.0);
  auto getRound = [&](double share) {
    return std::max(56 * whole.getKTile(share) + whole.epilogue,
                    56 * share * whole.power + 0.35 * whole.epilogue);
  };
  EXPECT_DOUBLE_EQ(whole.work, 2 * getRound(1) + getRound(32 * 11 / 132.0 - 2));
  // Clusters of 2 that hang over: 9 columns count as 10.
  EXPECT_EQ(model.estimate(getSchedule(128, 256, 2, 4, {1, 2})).rounds,
            32 * 5 / 66.0);
  product.hasDynamicGrid = true;
  EXPECT_EQ(getModel(product).estimate(getSchedule(128, 192, 2, 4)).rounds,
            32 * 11 / 132.0);
}

// Products, copied rows of 128 bytes, and sums that are promoted.
TEST_F(CostModelTest, PowerIsOfProductsCopiesAndPromotions) {
  CostModel plain = getModel(getProduct(8192, 8192, 8192, false));
  EXPECT_DOUBLE_EQ(plain.estimate(getSchedule(128, 256, 2, 4)).power,
                   1024 + 1.04 * 384);
  EXPECT_DOUBLE_EQ(plain.estimate(getSchedule(128, 128, 2, 6)).power,
                   512 + 1.04 * 256);
  // With three stages the L2 cache shows.
  EXPECT_DOUBLE_EQ(plain.estimate(getSchedule(256, 128, 2, 3)).power,
                   1024 + 1.04 * 384 + 0.02 * 132 * 384 * 128 / 6144);
  // With promotion it always does.
  CostModel blocks = getModel(getProduct(8192, 8192, 8192, true));
  EXPECT_DOUBLE_EQ(blocks.estimate(getSchedule(128, 128, 2, 6)).power,
                   512 + 1.04 * 256 + 0.6 * (128 + 6) +
                       0.05 * 132 * 256 * 128 / 6144);
  // Tiles of 96 columns begin in the middle of a block.
  EXPECT_DOUBLE_EQ(blocks.estimate(getSchedule(128, 96, 2, 6)).power,
                   384 + 1.04 * 224 + 0.6 * (96 + 18) +
                       0.05 * 132 * 224 * 128 / 6144);
}

TEST_F(CostModelTest, ASlotOfAClusterWaitsForTheSlowestWave) {
  CostModel model = getModel(getProduct(8192, 8192, 8192, false));
  auto getTurn = [&](int64_t m, int64_t waves, ArrayRef<int64_t> cluster) {
    return model.estimate(getSchedule(m, 32, waves, 8, cluster)).turn;
  };
  EXPECT_EQ(getTurn(64, 1, {}), 230);
  EXPECT_EQ(getTurn(128, 2, {}), 230);
  EXPECT_EQ(getTurn(64, 1, {2, 1}), 230 + 70);
  EXPECT_EQ(getTurn(128, 2, {2, 1}), 230 + 280);
}

// The start and the end of a tile, a conversion, and what a wave stores at
// once.
TEST_F(CostModelTest, AnEpilogueStoresWholeTilesOrChunks) {
  CostModel model = getModel(getProduct(8192, 8192, 8192, false));
  auto getEpilogue = [&](ScheduleAttr schedule) {
    return model.estimate(schedule).epilogue;
  };
  // Four chunks, of which not all have room; two, and one of 352 bytes, do.
  EXPECT_EQ(getEpilogue(getSchedule(128, 256, 2, 4)), 1200 + 256 + 4 * 450);
  EXPECT_EQ(getEpilogue(getSchedule(128, 128, 2, 4)), 1200 + 128 + 450);
  EXPECT_EQ(getEpilogue(getSchedule(128, 176, 2, 4)), 1200 + 176 + 450);
  // Twice 64 rows of each wave.
  EXPECT_EQ(getEpilogue(getSchedule(256, 128, 2, 3)), 1200 + 256 + 2 * 450);
  // A single wave; and rows of 64 bytes, which are stored from registers.
  EXPECT_EQ(getEpilogue(getSchedule(64, 64, 1, 8)), 1800 + 32 + 450);
  EXPECT_EQ(getEpilogue(getSchedule(64, 32, 1, 12)), 1800 + 16 + 256);
}

// 160 cycles of shared memory are not what it takes.
TEST_F(CostModelTest, ASlotTakesItsTurn) {
  CostModel model = getModel(getProduct(64, 2112, 7168, /*hasBlocks=*/false));
  ScheduleCost cost = model.estimate(getSchedule(64, 16, 1, 12));
  EXPECT_EQ(cost.shared, 160);
  EXPECT_EQ(cost.getKTile(/*share=*/1), 230);
}

// Of rows that the matrix does not have none is copied but those that complete
// eight. All multiprocessors share the rate of the cache.
TEST_F(CostModelTest, CopiesAreOfTheRowsThatThereAre) {
  auto getL2 = [&](int64_t m) {
    return getModel(getProduct(m, 4096, 7168, /*hasBlocks=*/false))
        .estimate(getSchedule(64, 32, 1, 12))
        .l2;
  };
  EXPECT_EQ(getL2(16), 132 * (16 + 32) * 128 / 6144.0);
  EXPECT_EQ(getL2(9), getL2(16));
  EXPECT_EQ(getL2(64), 132 * (64 + 32) * 128 / 6144.0);
}

// 4 bytes of each sum are written, 128 a cycle, and what is not the own part of
// two comes from the other workgroup, 8 a cycle; 180 cycles there and back.
TEST_F(CostModelTest, ASplitPaysForItsExchange) {
  CostModel model = getModel(getProduct(16, 2112, 7168, /*hasBlocks=*/false));
  ScheduleAttr whole = getSchedule(64, 64, 1, 8),
               half = getSchedule(64, 64, 1, 8, {}, 1, 128, /*splitK=*/2);
  ScheduleCost cost = model.estimate(half);
  EXPECT_EQ(cost.exchange, 4500 + 128 + 2 * 180 + 1024);
  EXPECT_EQ(cost.rounds, 0.5);
  EXPECT_DOUBLE_EQ(cost.work, 28 * cost.getKTile(cost.rounds) + cost.exchange +
                                  cost.epilogue);
  EXPECT_EQ(model.estimate(whole).exchange, 0);
  EXPECT_EQ(model.getExchangeBytes(whole), 0);
  EXPECT_EQ(model.getExchangeBytes(half), 64 * 64 * 4 + 4 * 16);
  // Device memory does not hide it. Rows of rhs are read in two places.
  CostModel wide = getModel(getProduct(16, 8192, 16384, /*hasBlocks=*/false));
  cost = wide.estimate(getSchedule(64, 128, 1, 6, {}, 1, 128, /*splitK=*/2));
  EXPECT_DOUBLE_EQ(cost.memory,
                   1.25 * (16. * 16384 + 8192. * 16384 + 16. * 8192 * 2) /
                       2623);
  EXPECT_GT(cost.memory, cost.work);
  EXPECT_EQ(cost.exchange, 4500 + 256 + 2 * 180 + 2048);
  EXPECT_EQ(cost.getTotal(), cost.memory + cost.exchange + cost.epilogue);
}

// Eight parts of the chip, of pairs of multiprocessors.
TEST_F(CostModelTest, LargeClustersLeaveMultiprocessorsOver) {
  CostModel model = getModel(getProduct(16, 2112, 7168, /*hasBlocks=*/false));
  EXPECT_EQ(model.getHeldClusters(1), 132);
  EXPECT_EQ(model.getHeldClusters(2), 66);
  EXPECT_EQ(model.getHeldClusters(4), (132 - 8 * 2) / 4);
  EXPECT_EQ(model.getHeldClusters(8), (132 - 8 * 6) / 8);
  // 33 tiles, more than fit at once.
  ScheduleAttr four = getSchedule(64, 64, 1, 8, {}, 1, 128, /*splitK=*/4);
  EXPECT_EQ(model.estimate(four).rounds, 33 / 29.0);
}

TEST_F(CostModelTest, MemoryIsReadOnceOrOnceForEachRaster) {
  // 33.5 MB of rhs stay in the L2 cache, 67 MB do not.
  CostModel small = getModel(getProduct(8192, 4096, 8192, false));
  EXPECT_EQ(small.estimate(getSchedule(128, 256, 2, 4)).memory,
            (8192. * 8192 + 4096. * 8192 + 8192. * 4096 * 2) / 2623);
  CostModel large = getModel(getProduct(8192, 8192, 8192, false));
  EXPECT_EQ(large.estimate(getSchedule(128, 256, 2, 4, {}, 16)).memory,
            (8192. * 8192 * (1 + 4) + 8192. * 8192 * 2) / 2623);
}

TEST_F(CostModelTest, RasterMakesCopiesSquare) {
  CostModel model = getModel(getProduct(8192, 8192, 8192, false));
  EXPECT_EQ(model.getRaster(getSchedule(128, 256, 2, 4)), 16);
  EXPECT_EQ(model.getRaster(getSchedule(128, 256, 2, 4, {2, 1})), 8);
  EXPECT_EQ(model.getRaster(getSchedule(256, 128, 2, 3)), 8);
  CostModel flat = getModel(getProduct(64, 8192, 8192, false));
  EXPECT_EQ(flat.getRaster(getSchedule(64, 64, 1, 12)), 1);
}

TEST_F(CostModelTest, Registers) {
  CostModel plain = getModel(getProduct(8192, 8192, 8192, false));
  EXPECT_EQ(plain.getMmaRegisters(getSchedule(128, 256, 2, 4)), 128 + 40);
  ProductTraits product = getProduct(8192, 8192, 8192, true);
  EXPECT_EQ(getModel(product).getMmaRegisters(getSchedule(256, 128, 2, 3)),
            128 + 64 + 40);
  EXPECT_EQ(getModel(product).getMmaRegisters(getSchedule(128, 256, 2, 3)),
            128 + 128 + 40);
  product.rhsOuterBlock = 1;
  EXPECT_EQ(getModel(product).getMmaRegisters(getSchedule(128, 128, 2, 3)),
            64 + 64 + 32 + 40);
}

TEST_F(CostModelTest, SharedMemory) {
  CostModel plain = getModel(getProduct(8192, 8192, 8192, false));
  ScheduleAttr wide = getSchedule(128, 256, 2, 4);
  EXPECT_EQ(plain.getSlotBytes(wide), 4 * ((128 + 256) * 128 + 16));
  EXPECT_EQ(plain.getStagingBytes(wide), 8 * 2 * 16 * 128);
  // Rows of 32 elements are half a chunk.
  EXPECT_EQ(plain.getStagingBytes(getSchedule(64, 32, 1, 12)), 0);
  CostModel blocks = getModel(getProduct(8192, 8192, 8192, true));
  EXPECT_EQ(blocks.getSlotBytes(getSchedule(256, 128, 2, 3)),
            3 * ((256 + 128) * 128 + 16) + 3 * 256 * 4 + 128);
}
} // namespace
