//===- LaneLayoutTest.cpp - tests of the register layouts -----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The table that the lowering uses and the formulas of the emulator are two
// descriptions of the same instructions. Here they are compared, element by
// element.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/Mfma.h"
#include "lpgemm/Target/MmaInfo.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>
#include <map>

using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;

namespace {
using Position = std::pair<int64_t, int64_t>;

/// An instruction in the terms of the lowering and in those of the emulator.
struct Instruction {
  MmaInstr instr;
  mfma::Shape shape;
};

class LaneLayoutTest : public testing::TestWithParam<Instruction> {
protected:
  const MmaInfo &info() { return getMmaInfo(GetParam().instr); }
  mfma::Shape shape() { return GetParam().shape; }
  bool isScaled() { return info().scaleBlock != 0; }

  /// Calls `check(lane, element, position)` for all that a wave holds.
  template <typename Check>
  void forEachElement(MmaRole role, Check check) {
    const LaneLayout &layout = info().layout(role);
    ASSERT_GT(layout.numElements(), 0);
    for (unsigned lane = 0; lane < mfma::kWaveSize; ++lane)
      for (unsigned e = 0; e < layout.numElements(); ++e) {
        SCOPED_TRACE(testing::Message() << "lane " << lane << " element " << e);
        check(lane, e, layout.position(lane, e));
      }
  }

  void expectOperand(MmaRole role) {
    EXPECT_EQ(info().layout(role).numElements(),
              mfma::elementsPerLane(shape()));
    forEachElement(role, [&](unsigned lane, unsigned e, Position position) {
      unsigned row = mfma::operandRow(shape(), lane);
      unsigned k = mfma::operandK(shape(), mfma::Format::Fp8, lane, e);
      EXPECT_EQ(position, Position(row, k));
    });
  }

  void expectScale(MmaRole role) {
    EXPECT_EQ(info().layout(role).numElements(), 1);
    forEachElement(role, [&](unsigned lane, unsigned, Position position) {
      auto [row, block] = position;
      EXPECT_EQ(mfma::scaleLane(shape(), row, block), lane);
    });
  }

  void expectHeldOnce(MmaRole role) {
    const LaneLayout &layout = info().layout(role);
    std::map<Position, int> holders;
    forEachElement(role, [&](unsigned, unsigned, Position position) {
      ++holders[position];
    });
    for (int64_t row = 0; row < layout.rows; ++row)
      for (int64_t col = 0; col < layout.cols; ++col)
        EXPECT_EQ(holders[Position(row, col)], 1)
            << "row " << row << " column " << col;
    EXPECT_EQ(static_cast<int64_t>(holders.size()), layout.rows * layout.cols);
  }
};

TEST_P(LaneLayoutTest, ExtentsAreThoseOfTheInstruction) {
  EXPECT_EQ(info().m, shape().dim);
  EXPECT_EQ(info().n, shape().dim);
  EXPECT_EQ(info().k, shape().k);
  if (isScaled())
    EXPECT_EQ(info().scaleBlock, mfma::kScaleBlock);
  auto extents = [&](MmaRole role) {
    return Position(info().layout(role).rows, info().layout(role).cols);
  };
  EXPECT_EQ(extents(MmaRole::A), Position(info().m, info().k));
  EXPECT_EQ(extents(MmaRole::B), Position(info().n, info().k));
  EXPECT_EQ(extents(MmaRole::C), Position(info().m, info().n));
  EXPECT_EQ(extents(MmaRole::CRow), Position(info().m, 1));
  EXPECT_EQ(extents(MmaRole::CCol), Position(info().n, 1));
}

TEST_P(LaneLayoutTest, A) { expectOperand(MmaRole::A); }

TEST_P(LaneLayoutTest, B) { expectOperand(MmaRole::B); }

TEST_P(LaneLayoutTest, Accumulator) {
  EXPECT_EQ(info().c.numElements(), mfma::resultsPerLane(shape()));
  forEachElement(MmaRole::C, [&](unsigned lane, unsigned e, Position position) {
    EXPECT_EQ(position, Position(mfma::resultRow(shape(), lane, e),
                                 mfma::resultCol(shape(), lane)));
  });
}

TEST_P(LaneLayoutTest, RowsOfTheAccumulator) {
  EXPECT_EQ(info().layout(MmaRole::CRow).numElements(),
            mfma::resultsPerLane(shape()));
  forEachElement(
      MmaRole::CRow, [&](unsigned lane, unsigned e, Position position) {
        EXPECT_EQ(position, Position(mfma::resultRow(shape(), lane, e), 0));
      });
}

TEST_P(LaneLayoutTest, ColumnsOfTheAccumulator) {
  EXPECT_EQ(info().layout(MmaRole::CCol).numElements(), 1);
  forEachElement(
      MmaRole::CCol, [&](unsigned lane, unsigned, Position position) {
        EXPECT_EQ(position, Position(mfma::resultCol(shape(), lane), 0));
      });
}

TEST_P(LaneLayoutTest, Scales) {
  for (MmaRole role : {MmaRole::SA, MmaRole::SB}) {
    if (isScaled())
      expectScale(role);
    else
      EXPECT_EQ(info().layout(role).rows, 0);
  }
}

TEST_P(LaneLayoutTest, EveryElementIsHeldOnce) {
  for (MmaRole role : {MmaRole::A, MmaRole::B, MmaRole::C}) {
    SCOPED_TRACE(stringifyMmaRole(role).str());
    expectHeldOnce(role);
  }
  if (!isScaled())
    return;
  for (MmaRole role : {MmaRole::SA, MmaRole::SB}) {
    SCOPED_TRACE(stringifyMmaRole(role).str());
    expectHeldOnce(role);
  }
}

constexpr Instruction kInstructions[] = {
    {MmaInstr::MfmaScaleF32_16x16x128_F8F6F4, mfma::k16x16x128},
    {MmaInstr::MfmaF32_16x16x32_FP8_FP8, mfma::k16x16x32},
};

INSTANTIATE_TEST_SUITE_P(Instructions, LaneLayoutTest,
                         testing::ValuesIn(kInstructions),
                         [](const testing::TestParamInfo<Instruction> &param) {
                           return stringifyMmaInstr(param.param.instr).str();
                         });

TEST(LaneLayoutTableTest, EveryInstructionIsCompared) {
  for (unsigned value = 0; value <= getMaxEnumValForMmaInstr(); ++value)
    if (std::optional<MmaInstr> instr = symbolizeMmaInstr(value))
      EXPECT_TRUE(llvm::any_of(kInstructions, [&](const Instruction &i) {
        return i.instr == instr;
      })) << stringifyMmaInstr(*instr).str();
}
} // namespace
