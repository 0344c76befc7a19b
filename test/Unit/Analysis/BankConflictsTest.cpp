//===- BankConflictsTest.cpp - tests of the cost of reads -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Analysis/BankConflicts.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
class BankConflictsTest : public testing::Test {
protected:
  BankConflictsTest() { context.loadDialect<LPGEMMDialect>(); }

  SmemAttr rowMajor() { return SmemAttr::get(&context, 0, 16, 0, 0); }
  SmemAttr padded(int64_t pad) {
    return SmemAttr::get(&context, pad, 16, 0, 0);
  }
  /// The 16-byte pieces of row r at p xor ((r >> shift) & mask).
  SmemAttr exchanged(int64_t mask, int64_t shift) {
    return SmemAttr::get(&context, 0, 16, mask, shift);
  }

  /// Of operand `role` of `instr`, in rows of `cols` bytes.
  std::optional<int64_t>
  count(SmemAttr layout, int64_t cols = 128, MmaRole role = MmaRole::A,
        MmaInstr instr = MmaInstr::MfmaScaleF32_16x16x128_F8F6F4) {
    return countBankConflicts(kGfx950Machine, layout, cols,
                              LanesAttr::get(&context, instr, role),
                              Float8E4M3FNType::get(&context));
  }

  MLIRContext context;
};

// A lane reads two chunks of 16 bytes, a phase serves 16 lanes: 8 phases at
// least. 16 lanes times 16 bytes are as much as the 64 banks hold, so any two
// pieces on the same banks cost a phase.

// Rows of 128 bytes: 2 rows are once around the banks. The 8 rows of a phase
// that read the same piece then lie on 2 groups of banks: 4 on each.
TEST_F(BankConflictsTest, RowMajorRowsCollide) {
  EXPECT_EQ(count(rowMajor()), 8 * (4 - 1));
}

TEST_F(BankConflictsTest, ExchangedPiecesAreFree) {
  EXPECT_EQ(count(exchanged(/*mask=*/7, /*shift=*/0)), 0);
  EXPECT_EQ(count(exchanged(/*mask=*/7, /*shift=*/1)), 0);
}

TEST_F(BankConflictsTest, PaddingBy16BytesIsTwoWay) {
  EXPECT_EQ(count(padded(16)), 8 * (2 - 1));
}

TEST_F(BankConflictsTest, PaddingBy32BytesIsFree) {
  EXPECT_EQ(count(padded(32)), 0);
}

// The mask must reach all pieces of a row.
TEST_F(BankConflictsTest, ANarrowMaskIsNotEnough) {
  EXPECT_GT(count(exchanged(/*mask=*/1, /*shift=*/0)), 0);
  EXPECT_GT(count(exchanged(/*mask=*/3, /*shift=*/0)), 0);
}

TEST_F(BankConflictsTest, BothOperandsAreReadAlike) {
  for (SmemAttr layout :
       {rowMajor(), padded(16), padded(32), exchanged(7, 0), exchanged(7, 1)})
    EXPECT_EQ(count(layout, 128, MmaRole::A), count(layout, 128, MmaRole::B));
}

// 8 bytes for each lane, 32 lanes in a phase.
TEST_F(BankConflictsTest, NarrowReads) {
  MmaInstr instr = MmaInstr::MfmaF32_16x16x32_FP8;
  // 2 rows of 128 bytes are once around the banks: 8 rows on each group.
  EXPECT_EQ(count(rowMajor(), 128, MmaRole::A, instr), 2 * (8 - 1));
  EXPECT_EQ(count(exchanged(7, 0), 128, MmaRole::A, instr), 2 * (2 - 1));
  EXPECT_EQ(count(exchanged(7, 1), 128, MmaRole::A, instr), 0);
  // 8 rows of 32 bytes are once around: 2 rows on each group.
  EXPECT_EQ(count(rowMajor(), 32, MmaRole::A, instr), 2 * (2 - 1));
  EXPECT_EQ(count(padded(16), 32, MmaRole::A, instr), 0);
}

// gfx942 has half the banks: 16 lanes times 8 bytes are all of them, so that
// every row of a phase must start at another 8 bytes. Pieces of 16 leave half
// of the banks idle.
TEST_F(BankConflictsTest, HalfTheBanks) {
  auto countOf = [&](SmemAttr layout) {
    auto lanes =
        LanesAttr::get(&context, MmaInstr::MfmaF32_16x16x32_FP8, MmaRole::A);
    return countBankConflicts(kGfx942Machine, layout, /*cols=*/128, lanes,
                              Float8E4M3FNUZType::get(&context));
  };
  EXPECT_EQ(countOf(rowMajor()), 4 * (16 - 1));
  EXPECT_EQ(countOf(exchanged(7, 0)), 4 * (2 - 1));
  EXPECT_EQ(countOf(padded(16)), 4 * (2 - 1));
  EXPECT_EQ(countOf(SmemAttr::get(&context, 0, 8, /*mask=*/15, 0)), 0);
}

// Packed elements: rows of 64 bytes of FP4, of which a lane reads 16, and of 96
// bytes of FP6, of which it reads 24 in three accesses of 8.
TEST_F(BankConflictsTest, PackedElements) {
  auto countOf = [&](SmemAttr layout, Type type) {
    auto lanes = LanesAttr::get(
        &context, MmaInstr::MfmaScaleF32_16x16x128_F8F6F4, MmaRole::A);
    return countBankConflicts(kGfx950Machine, layout, /*cols=*/128, lanes,
                              type);
  };
  // 4 rows are once around the banks: 2 of a phase are on each group.
  EXPECT_EQ(countOf(rowMajor(), Float4E2M1FNType::get(&context)), 4 * (2 - 1));
  // 8 rows of 96 bytes are three times around, 16 of 112 bytes seven times: of
  // 16 rows 2 are on each group, or none.
  EXPECT_EQ(countOf(rowMajor(), Float6E2M3FNType::get(&context)), 6 * (2 - 1));
  EXPECT_EQ(countOf(padded(16), Float6E2M3FNType::get(&context)), 0);
}

// One byte for each lane: no record of how that is served.
TEST_F(BankConflictsTest, UnknownWidth) {
  EXPECT_EQ(count(rowMajor(), 16, MmaRole::SA), std::nullopt);
}

TEST_F(BankConflictsTest, Offsets) {
  EXPECT_EQ(getSharedOffset(rowMajor(), 128, 3, 5), 3 * 128 + 5);
  EXPECT_EQ(getSharedOffset(padded(16), 128, 3, 5), 3 * 144 + 5);
  // Piece 2 of row 3 goes to 2 xor 3, of row 6 with shift 1 as well.
  EXPECT_EQ(getSharedOffset(exchanged(7, 0), 128, 3, 37), 3 * 128 + 16 + 5);
  EXPECT_EQ(getSharedOffset(exchanged(7, 1), 128, 6, 37), 6 * 128 + 16 + 5);
}

TEST_F(BankConflictsTest, NoTwoElementsShareAnOffset) {
  for (SmemAttr layout : {rowMajor(), padded(16), exchanged(7, 0),
                          exchanged(7, 1), exchanged(3, 2)}) {
    std::set<int64_t> offsets;
    for (int64_t row = 0; row < 32; ++row)
      for (int64_t col = 0; col < 128; ++col)
        offsets.insert(getSharedOffset(layout, 128, row, col));
    EXPECT_EQ(offsets.size(), 32u * 128u);
  }
}

//===----------------------------------------------------------------------===//
// mma.sync: 32 banks, a phase reads a matrix of 8 rows of 16 bytes
//===----------------------------------------------------------------------===//

/// Of A of f8E4M3FN in a buffer of `cols` columns, to be multiplied in its own
/// type or in f16.
static int64_t countOfWarp(MLIRContext &context, SmemAttr layout, int64_t cols,
                           MmaInstr instr) {
  return countBankConflicts(kSm89Machine, layout, cols,
                            LanesAttr::get(&context, instr, MmaRole::A),
                            Float8E4M3FNType::get(&context));
}

// Rows of 64 bytes: those two apart lie on the same banks, 4 for each piece. A
// has 4 matrices.
TEST_F(BankConflictsTest, MatricesOfRowsInOrderCollide) {
  MmaInstr instr = MmaInstr::Mma_m16n8k32_F32_FP8;
  EXPECT_EQ(countOfWarp(context, rowMajor(), 64, instr), 4 * (4 - 1));
  EXPECT_EQ(countOfWarp(context, exchanged(/*mask=*/3, /*shift=*/0), 64, instr),
            4 * (2 - 1));
  EXPECT_EQ(countOfWarp(context, exchanged(/*mask=*/3, /*shift=*/1), 64, instr),
            0);
}

// Chunks of two bytes, which lanes read themselves: 8 rows of 32 bytes are
// twice around the banks.
TEST_F(BankConflictsTest, ChunksOfAWarpAreReadTogether) {
  MmaInstr instr = MmaInstr::Mma_m16n8k16_F32_F16;
  EXPECT_EQ(countOfWarp(context, rowMajor(), 32, instr), 4 * (2 - 1));
  EXPECT_EQ(countOfWarp(context, exchanged(/*mask=*/1, /*shift=*/2), 32, instr),
            0);
}

TEST_F(BankConflictsTest, MatricesAreRowsOf16Bytes) {
  auto reads = [&](SmemAttr layout, int64_t cols, MmaInstr instr) {
    return readsMatrices(layout, cols,
                         LanesAttr::get(&context, instr, MmaRole::B),
                         Float8E4M3FNType::get(&context));
  };
  MmaInstr fp8 = MmaInstr::Mma_m16n8k32_F32_FP8;
  EXPECT_TRUE(reads(exchanged(3, 1), 64, fp8));
  EXPECT_TRUE(reads(padded(16), 64, fp8));
  EXPECT_FALSE(reads(padded(8), 64, fp8));
  EXPECT_FALSE(reads(rowMajor(), 40, fp8));
  EXPECT_FALSE(reads(SmemAttr::get(&context, 0, 8, 7, 1), 64, fp8));
  EXPECT_FALSE(reads(exchanged(3, 1), 64, MmaInstr::Mma_m16n8k16_F32_F16));
}

//===----------------------------------------------------------------------===//
// Results on their way out of AMD GPUs
//===----------------------------------------------------------------------===//

// A result on its way out: a lane writes its four columns, 4 to 16 bytes, and
// reads 16 bytes of a row, at once also where pieces of 8 bytes are exchanged.
class StageConflictsTest : public BankConflictsTest {
protected:
  /// Of bf16.
  int64_t countStage(const AMDGPUMachine &machine, int64_t unit, int64_t mask) {
    return countStage(machine, BFloat16Type::get(&context), unit, mask,
                      /*shift=*/0, MmaInstr::MfmaF32_16x16x32_FP8);
  }
  int64_t countStage(const AMDGPUMachine &machine, Type type, int64_t unit,
                     int64_t mask, int64_t shift, MmaInstr instr) {
    return *countStageConflicts(
        machine, SmemAttr::get(&context, /*pad=*/0, unit, mask, shift),
        /*cols=*/128, LanesAttr::get(&context, instr, MmaRole::C), type);
  }
  /// With the best of the exchanges that lpgemm-stage-results tries.
  int64_t countBest(const AMDGPUMachine &machine, Type type, int64_t cols,
                    MmaInstr instr) {
    int64_t rowBytes = cols * type.getIntOrFloatBitWidth() / 8;
    int64_t best = std::numeric_limits<int64_t>::max();
    for (int64_t unit : {16, 8, 4})
      for (int64_t shift : {0, 1, 2})
        best = std::min(
            best, *countStageConflicts(
                      machine,
                      SmemAttr::get(&context, /*pad=*/0, unit,
                                    /*mask=*/rowBytes / unit - 1, shift),
                      cols, LanesAttr::get(&context, instr, MmaRole::C), type));
    return best;
  }
};

// 16 lanes have 16 rows of 256 bytes: all on two banks, 16 phases for each of
// the four of a write of 8 bytes. Reads go along rows.
TEST_F(StageConflictsTest, InPlace) {
  for (const AMDGPUMachine *machine : {&kGfx942Machine, &kGfx950Machine})
    EXPECT_EQ(countStage(*machine, /*unit=*/16, /*mask=*/0), 4 * 15);
}

// Only half of the banks are written at a time.
TEST_F(StageConflictsTest, PiecesOf16BytesAreTwoWay) {
  for (const AMDGPUMachine *machine : {&kGfx942Machine, &kGfx950Machine})
    EXPECT_EQ(countStage(*machine, /*unit=*/16, /*mask=*/15), 4);
}

// By the row, or, where a row has fewer pieces than there are banks, by groups
// of rows.
TEST_F(StageConflictsTest, SomeExchangeIsFree) {
  Type types[] = {Float32Type::get(&context), BFloat16Type::get(&context),
                  Float8E4M3FNType::get(&context)};
  for (const AMDGPUMachine *machine : {&kGfx942Machine, &kGfx950Machine})
    for (MmaInstr instr :
         {MmaInstr::MfmaF32_16x16x32_FP8, MmaInstr::MfmaF32_32x32x16_FP8})
      for (Type type : types)
        for (int64_t cols : {32, 64, 128, 256})
          EXPECT_EQ(countBest(*machine, type, cols, instr), 0)
              << machine->sharedBanks << " banks, " << cols << " columns of "
              << type.getIntOrFloatBitWidth() << " bits";
}

// Writes of 4 bytes: of 32 lanes at once, which with instructions of 32 rows
// have the same four columns, so that half of the banks are free.
TEST_F(StageConflictsTest, Bytes) {
  Type type = Float8E4M3FNType::get(&context);
  for (const AMDGPUMachine *machine : {&kGfx942Machine, &kGfx950Machine}) {
    EXPECT_EQ(countStage(*machine, type, /*unit=*/8, /*mask=*/15, /*shift=*/0,
                         MmaInstr::MfmaF32_16x16x32_FP8),
              0);
    EXPECT_EQ(countStage(*machine, type, /*unit=*/8, /*mask=*/15, /*shift=*/0,
                         MmaInstr::MfmaF32_32x32x16_FP8),
              8);
    EXPECT_EQ(countStage(*machine, type, /*unit=*/4, /*mask=*/31, /*shift=*/0,
                         MmaInstr::MfmaF32_32x32x16_FP8),
              0);
  }
}
} // namespace
