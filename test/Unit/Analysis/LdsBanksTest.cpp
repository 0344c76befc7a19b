//===- LdsBanksTest.cpp - two models of bank conflicts --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the lowering chooses layouts by, and what the emulator counts.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/LdsBanks.h"
#include "lpgemm/Analysis/BankConflicts.h"
#include "lpgemm/Target/MmaInfo.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;

namespace {
struct ChipModels {
  const AMDGPUMachine &machine;
  Chip chip;
};

class LdsBanksTest : public testing::Test {
protected:
  LdsBanksTest() { context.loadDialect<LPGEMMDialect>(); }

  /// What the emulator counts beyond the ideal for the reads of one atom.
  uint64_t countConflicts(Chip chip, SmemAttr layout, int64_t cols,
                          const LaneLayout &atom) {
    uint64_t conflicts = 0;
    for (int64_t chunk = 0; chunk < atom.numChunks; ++chunk) {
      LdsWaveAccess access;
      access.bytes = atom.chunkLen;
      access.lanes = ~uint64_t(0);
      for (unsigned lane = 0; lane < 64; ++lane) {
        auto [row, col] = atom.position(lane, chunk * atom.chunkLen);
        access.offsets[lane] = getSharedOffset(layout, cols, row, col);
      }
      LdsCycles cycles = countLdsCycles(chip, access);
      conflicts += cycles.cycles - cycles.ideal;
    }
    return conflicts;
  }

  MLIRContext context;
};

TEST_F(LdsBanksTest, ModelsAgree) {
  const ChipModels models[] = {{kGfx950Machine, Chip::Gfx950},
                               {kGfx942Machine, Chip::Gfx942}};
  constexpr MmaInstr kInstrs[] = {MmaInstr::MfmaScaleF32_16x16x128_F8F6F4,
                                  MmaInstr::MfmaScaleF32_32x32x64_F8F6F4,
                                  MmaInstr::MfmaF32_16x16x32_FP8,
                                  MmaInstr::MfmaF32_32x32x16_FP8};
  Type type = Float8E4M3FNType::get(&context);
  unsigned numCompared = 0, numWithConflicts = 0;
  for (const ChipModels &model : models)
    for (MmaInstr instr : kInstrs)
      for (int64_t pad : {0, 16, 32})
        for (int64_t mask : {0, 3, 7})
          for (int64_t shift : {0, 1})
            for (int64_t cols : {64, 128, 256}) {
              auto layout = SmemAttr::get(&context, pad, 16, mask, shift);
              auto lanes = LanesAttr::get(&context, instr, MmaRole::A);
              auto expected =
                  countBankConflicts(model.machine, layout, cols, lanes, type);
              // The lowering does not know how all widths are served.
              if (!expected)
                continue;
              const LaneLayout &atom =
                  getMmaInfo(instr).layout(MmaRole::A, type);
              SCOPED_TRACE(testing::Message()
                           << stringifyMmaInstr(instr).str() << " pad " << pad
                           << " mask " << mask << " shift " << shift << " cols "
                           << cols);
              EXPECT_EQ(countConflicts(model.chip, layout, cols, atom),
                        static_cast<uint64_t>(*expected));
              ++numCompared;
              numWithConflicts += *expected != 0;
            }
  EXPECT_GT(numCompared, 200u);
  EXPECT_GT(numWithConflicts, 50u);
}

/// Reads of 12 bytes and writes, of which the lowering does not ask.
TEST_F(LdsBanksTest, KnownPatterns) {
  auto count = [](Chip chip, bool isWrite, uint32_t bytes, uint32_t stride) {
    LdsWaveAccess access;
    access.isWrite = isWrite;
    access.bytes = bytes;
    access.lanes = ~uint64_t(0);
    for (uint32_t lane = 0; lane < 64; ++lane)
      access.offsets[lane] = lane * stride;
    LdsCycles cycles = countLdsCycles(chip, access);
    return std::pair(cycles.cycles, cycles.ideal);
  };
  using Cycles = std::pair<uint64_t, uint64_t>;
  for (Chip chip : {Chip::Gfx942, Chip::Gfx950}) {
    EXPECT_EQ(count(chip, /*isWrite=*/true, 16, 16), Cycles(8, 8));
    EXPECT_EQ(count(chip, /*isWrite=*/true, 16, 128), Cycles(64, 8));
    EXPECT_EQ(count(chip, /*isWrite=*/true, 8, 8), Cycles(4, 4));
    EXPECT_EQ(count(chip, /*isWrite=*/true, 4, 4), Cycles(2, 2));
    // All lanes read one word, or bytes of it.
    EXPECT_EQ(count(chip, /*isWrite=*/false, 4, 0).first,
              count(chip, /*isWrite=*/false, 4, 0).second);
  }
  EXPECT_EQ(count(Chip::Gfx950, /*isWrite=*/false, 4, 4), Cycles(1, 1));
  EXPECT_EQ(count(Chip::Gfx942, /*isWrite=*/false, 4, 4), Cycles(2, 2));
  EXPECT_EQ(count(Chip::Gfx950, /*isWrite=*/false, 1, 1), Cycles(1, 1));
  EXPECT_EQ(count(Chip::Gfx950, /*isWrite=*/false, 4, 256), Cycles(64, 1));
  EXPECT_EQ(count(Chip::Gfx950, /*isWrite=*/false, 8, 8), Cycles(2, 2));
  EXPECT_EQ(count(Chip::Gfx942, /*isWrite=*/false, 8, 8), Cycles(4, 4));
  EXPECT_EQ(count(Chip::Gfx950, /*isWrite=*/false, 12, 12).second, 8u);
}
} // namespace
