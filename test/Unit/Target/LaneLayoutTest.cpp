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
#include "lpgemm/Emulator/MmaSync.h"
#include "lpgemm/Emulator/Wgmma.h"
#include "lpgemm/Target/MmaInfo.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>
#include <map>

using namespace mlir;
using namespace mlir::lpgemm;
using namespace mlir::lpgemm::emulator;

namespace {
using Position = std::pair<int64_t, int64_t>;

/// An instruction with operands of one type, in the terms of the lowering and
/// in those of the emulator.
struct Instruction {
  MmaInstr instr;
  mfma::Shape shape;
  ElementKind kind;
  mfma::Format format;
};

class LaneLayoutTest : public testing::TestWithParam<Instruction> {
protected:
  const MmaInfo &info() { return getMmaInfo(GetParam().instr); }
  mfma::Shape shape() { return GetParam().shape; }
  bool isScaled() { return info().scaleBlock != 0; }
  const LaneLayout &layout(MmaRole role) {
    return info().layout(role, getElementType(GetParam().kind, &context));
  }

  /// Calls `check(lane, element, position)` for all that a wave holds.
  template <typename Check>
  void forEachElement(MmaRole role, Check check) {
    const LaneLayout &held = layout(role);
    ASSERT_GT(held.numElements(), 0);
    for (unsigned lane = 0; lane < mfma::kWaveSize; ++lane)
      for (unsigned e = 0; e < held.numElements(); ++e) {
        SCOPED_TRACE(testing::Message() << "lane " << lane << " element " << e);
        check(lane, e, held.position(lane, e));
      }
  }

  void expectOperand(MmaRole role) {
    EXPECT_EQ(layout(role).numElements(), mfma::elementsPerLane(shape()));
    forEachElement(role, [&](unsigned lane, unsigned e, Position position) {
      unsigned row = mfma::operandRow(shape(), lane);
      unsigned k = mfma::operandK(shape(), GetParam().format, lane, e);
      EXPECT_EQ(position, Position(row, k));
    });
  }

  void expectScale(MmaRole role) {
    EXPECT_EQ(layout(role).numElements(), 1);
    forEachElement(role, [&](unsigned lane, unsigned, Position position) {
      auto [row, block] = position;
      EXPECT_EQ(mfma::scaleLane(shape(), row, block), lane);
    });
  }

  void expectHeldOnce(MmaRole role) {
    const LaneLayout &held = layout(role);
    std::map<Position, int> holders;
    forEachElement(role, [&](unsigned, unsigned, Position position) {
      ++holders[position];
    });
    for (int64_t row = 0; row < held.rows; ++row)
      for (int64_t col = 0; col < held.cols; ++col)
        EXPECT_EQ(holders[Position(row, col)], 1)
            << "row " << row << " column " << col;
    EXPECT_EQ(static_cast<int64_t>(holders.size()), held.rows * held.cols);
  }

  MLIRContext context;
};

TEST_P(LaneLayoutTest, ExtentsAreThoseOfTheInstruction) {
  EXPECT_EQ(info().m, shape().dim);
  EXPECT_EQ(info().n, shape().dim);
  EXPECT_EQ(info().k, shape().k);
  if (isScaled())
    EXPECT_EQ(info().scaleBlock, mfma::kScaleBlock);
  auto extents = [&](MmaRole role) {
    return Position(layout(role).rows, layout(role).cols);
  };
  EXPECT_EQ(extents(MmaRole::A), Position(info().m, info().k));
  EXPECT_EQ(extents(MmaRole::B), Position(info().n, info().k));
  EXPECT_EQ(extents(MmaRole::C), Position(info().m, info().n));
  EXPECT_EQ(extents(MmaRole::CRow), Position(info().m, 1));
  EXPECT_EQ(extents(MmaRole::CCol), Position(info().n, 1));
}

TEST_P(LaneLayoutTest, A) { expectOperand(MmaRole::A); }

TEST_P(LaneLayoutTest, B) { expectOperand(MmaRole::B); }

// The rows of the instruction's result are the columns of the accumulator, as
// its first operand is B.

TEST_P(LaneLayoutTest, Accumulator) {
  EXPECT_EQ(layout(MmaRole::C).numElements(), mfma::resultsPerLane(shape()));
  forEachElement(MmaRole::C, [&](unsigned lane, unsigned e, Position position) {
    EXPECT_EQ(position, Position(mfma::resultCol(shape(), lane),
                                 mfma::resultRow(shape(), lane, e)));
  });
}

TEST_P(LaneLayoutTest, RowsOfTheAccumulator) {
  EXPECT_EQ(layout(MmaRole::CRow).numElements(), 1);
  forEachElement(
      MmaRole::CRow, [&](unsigned lane, unsigned, Position position) {
        EXPECT_EQ(position, Position(mfma::resultCol(shape(), lane), 0));
      });
}

TEST_P(LaneLayoutTest, ColumnsOfTheAccumulator) {
  EXPECT_EQ(layout(MmaRole::CCol).numElements(), mfma::resultsPerLane(shape()));
  forEachElement(
      MmaRole::CCol, [&](unsigned lane, unsigned e, Position position) {
        EXPECT_EQ(position, Position(mfma::resultRow(shape(), lane, e), 0));
      });
}

// A lane has both sums of a pair of columns, and what they become.
TEST_P(LaneLayoutTest, PairsOfTheAccumulator) {
  const LaneLayout &c = layout(MmaRole::C), &pair = layout(MmaRole::CPair),
                   &col = layout(MmaRole::CPairCol);
  EXPECT_EQ(pair.rows, c.rows);
  EXPECT_EQ(2 * pair.cols, c.cols);
  EXPECT_EQ(2 * pair.numElements(), c.numElements());
  EXPECT_EQ(col.numElements(), pair.numElements());
  for (int64_t lane = 0; lane < 64; ++lane)
    for (int64_t e = 0; e < pair.numElements(); ++e) {
      auto [row, column] = pair.position(lane, e);
      EXPECT_EQ(c.position(lane, 2 * e), std::pair(row, 2 * column));
      EXPECT_EQ(c.position(lane, 2 * e + 1), std::pair(row, 2 * column + 1));
      EXPECT_EQ(col.position(lane, e).first, column);
    }
}

TEST_P(LaneLayoutTest, Scales) {
  for (MmaRole role : {MmaRole::SA, MmaRole::SB}) {
    if (isScaled())
      expectScale(role);
    else
      EXPECT_EQ(layout(role).rows, 0);
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

using I = MmaInstr;
using K = ElementKind;
using F = mfma::Format;

constexpr Instruction kInstructions[] = {
    {I::MfmaScaleF32_16x16x128_F8F6F4, mfma::k16x16x128, K::F8E4M3FN, F::Fp8},
    {I::MfmaScaleF32_16x16x128_F8F6F4, mfma::k16x16x128, K::F8E5M2, F::Bf8},
    {I::MfmaScaleF32_16x16x128_F8F6F4, mfma::k16x16x128, K::F6E2M3FN, F::Fp6},
    {I::MfmaScaleF32_16x16x128_F8F6F4, mfma::k16x16x128, K::F6E3M2FN, F::Bf6},
    {I::MfmaScaleF32_16x16x128_F8F6F4, mfma::k16x16x128, K::F4E2M1FN, F::Fp4},
    {I::MfmaScaleF32_32x32x64_F8F6F4, mfma::k32x32x64, K::F8E4M3FN, F::Fp8},
    {I::MfmaScaleF32_32x32x64_F8F6F4, mfma::k32x32x64, K::F8E5M2, F::Bf8},
    {I::MfmaScaleF32_32x32x64_F8F6F4, mfma::k32x32x64, K::F6E2M3FN, F::Fp6},
    {I::MfmaScaleF32_32x32x64_F8F6F4, mfma::k32x32x64, K::F6E3M2FN, F::Bf6},
    {I::MfmaScaleF32_32x32x64_F8F6F4, mfma::k32x32x64, K::F4E2M1FN, F::Fp4},
    {I::MfmaF32_16x16x32_FP8, mfma::k16x16x32, K::F8E4M3FN, F::Fp8},
    {I::MfmaF32_16x16x32_FP8, mfma::k16x16x32, K::F8E5M2, F::Bf8},
    {I::MfmaF32_16x16x32_FP8, mfma::k16x16x32, K::F8E4M3FNUZ, F::Fp8Fnuz},
    {I::MfmaF32_16x16x32_FP8, mfma::k16x16x32, K::F8E5M2FNUZ, F::Bf8Fnuz},
    {I::MfmaF32_32x32x16_FP8, mfma::k32x32x16, K::F8E4M3FN, F::Fp8},
    {I::MfmaF32_32x32x16_FP8, mfma::k32x32x16, K::F8E5M2, F::Bf8},
    {I::MfmaF32_32x32x16_FP8, mfma::k32x32x16, K::F8E4M3FNUZ, F::Fp8Fnuz},
    {I::MfmaF32_32x32x16_FP8, mfma::k32x32x16, K::F8E5M2FNUZ, F::Bf8Fnuz},
    {I::MfmaI32_16x16x32_I8, mfma::k16x16x32, K::I8, F::I8},
    {I::MfmaI32_32x32x16_I8, mfma::k32x32x16, K::I8, F::I8},
    {I::MfmaF32_16x16x16_BF16, mfma::k16x16x16, K::BF16, F::Bf16},
    {I::MfmaF32_32x32x8_BF16, mfma::k32x32x8, K::BF16, F::Bf16},
    {I::MfmaF32_16x16x16_F16, mfma::k16x16x16, K::F16, F::F16},
    {I::MfmaF32_32x32x8_F16, mfma::k32x32x8, K::F16, F::F16},
};

INSTANTIATE_TEST_SUITE_P(Instructions, LaneLayoutTest,
                         testing::ValuesIn(kInstructions),
                         [](const testing::TestParamInfo<Instruction> &param) {
                           return (stringifyMmaInstr(param.param.instr) + "_" +
                                   stringifyElementKind(param.param.kind))
                               .str();
                         });

// Instructions of a warpgroup, which read A and B in shared memory: the
// accumulator, and the vectors along its rows and columns. An atom has 8
// columns.
class WarpgroupLayoutTest : public testing::TestWithParam<MmaInstr> {};

TEST_P(WarpgroupLayoutTest, AccumulatorIsThatOfTheEmulator) {
  const MmaInfo &info = getMmaInfo(GetParam());
  ASSERT_TRUE(info.readsSharedMemory());
  const MmaLayouts &layouts = info.result;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned e = 0; e < layouts.c.numElements(); ++e) {
      SCOPED_TRACE(testing::Message()
                   << "thread " << thread << " element " << e);
      unsigned warp = thread / 32, lane = thread % 32;
      Position expected = {wgmma::resultRow(warp, lane, e),
                           tensorcore::resultCol(lane, e)};
      EXPECT_EQ(layouts.c.position(thread, e), expected);
      EXPECT_EQ(layouts.row.position(thread, info.getRowElement(e)),
                Position(expected.first, 0));
      EXPECT_EQ(layouts.col.position(thread, info.getColElement(e)),
                Position(expected.second, 0));
    }
}

constexpr MmaInstr kWarpgroupInstructions[] = {
    I::Wgmma_m64k32_F32_FP8, I::Wgmma_m64k16_F32_BF16, I::Wgmma_m64k16_F32_F16};

INSTANTIATE_TEST_SUITE_P(Instructions, WarpgroupLayoutTest,
                         testing::ValuesIn(kWarpgroupInstructions),
                         [](const testing::TestParamInfo<MmaInstr> &param) {
                           return stringifyMmaInstr(param.param).str();
                         });

// Instructions of a warp, mma.sync, with operands of one type.
struct WarpInstruction {
  MmaInstr instr;
  ElementKind kind;
  tensorcore::Element element;
};

class WarpLayoutTest : public testing::TestWithParam<WarpInstruction> {
protected:
  const MmaInfo &info() { return getMmaInfo(GetParam().instr); }
  const LaneLayout &layout(MmaRole role) {
    return info().layout(role, getElementType(GetParam().kind, &context));
  }

  /// Compares all that a warp holds, and each element that it should hold.
  template <typename Expect>
  void compare(MmaRole role, unsigned elements, Expect expect) {
    const LaneLayout &held = layout(role);
    ASSERT_EQ(held.numElements(), elements);
    std::map<Position, int> holders;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned e = 0; e < elements; ++e) {
        SCOPED_TRACE(testing::Message() << "lane " << lane << " element " << e);
        EXPECT_EQ(held.position(lane, e), expect(lane, e));
        ++holders[held.position(lane, e)];
      }
    EXPECT_EQ(static_cast<int64_t>(holders.size()), held.rows * held.cols);
  }

  MLIRContext context;
};

TEST_P(WarpLayoutTest, ExtentsAreThoseOfTheInstruction) {
  EXPECT_FALSE(info().readsSharedMemory());
  EXPECT_TRUE(mmasync::isShape(info().k, GetParam().element));
  auto extents = [&](MmaRole role) {
    return Position(layout(role).rows, layout(role).cols);
  };
  EXPECT_EQ(extents(MmaRole::A), Position(16, info().k));
  EXPECT_EQ(extents(MmaRole::B), Position(8, info().k));
  EXPECT_EQ(extents(MmaRole::C), Position(16, 8));
  EXPECT_EQ(extents(MmaRole::CRow), Position(16, 1));
  EXPECT_EQ(extents(MmaRole::CCol), Position(8, 1));
}

TEST_P(WarpLayoutTest, A) {
  tensorcore::Element element = GetParam().element;
  compare(MmaRole::A, mmasync::elementsOfA(info().k),
          [&](unsigned lane, unsigned e) {
            return Position(mmasync::rowOfA(element, lane, e),
                            mmasync::kOfA(element, lane, e));
          });
}

TEST_P(WarpLayoutTest, B) {
  compare(MmaRole::B, mmasync::elementsOfB(info().k),
          [&](unsigned lane, unsigned e) {
            return Position(mmasync::columnOfB(lane),
                            mmasync::kOfB(GetParam().element, lane, e));
          });
}

TEST_P(WarpLayoutTest, AccumulatorAndVectorsAlongIt) {
  const MmaLayouts &layouts = info().result;
  compare(MmaRole::C, 4, [&](unsigned lane, unsigned e) {
    Position expected = {wgmma::resultRow(/*warp=*/0, lane, e),
                         tensorcore::resultCol(lane, e)};
    EXPECT_EQ(layouts.row.position(lane, info().getRowElement(e)),
              Position(expected.first, 0));
    EXPECT_EQ(layouts.col.position(lane, info().getColElement(e)),
              Position(expected.second, 0));
    return expected;
  });
}

using E = tensorcore::Element;

constexpr WarpInstruction kWarpInstructions[] = {
    {I::Mma_m16n8k32_F32_FP8, K::F8E4M3FN, E::E4m3},
    {I::Mma_m16n8k32_F32_FP8, K::F8E5M2, E::E5m2},
    {I::Mma_m16n8k32_I32_I8, K::I8, E::S8},
    {I::Mma_m16n8k16_F32_BF16, K::BF16, E::Bf16},
    {I::Mma_m16n8k16_F32_F16, K::F16, E::F16},
};

INSTANTIATE_TEST_SUITE_P(
    Instructions, WarpLayoutTest, testing::ValuesIn(kWarpInstructions),
    [](const testing::TestParamInfo<WarpInstruction> &param) {
      return (stringifyMmaInstr(param.param.instr) + "_" +
              stringifyElementKind(param.param.kind))
          .str();
    });

// With every type of operands that it takes.
TEST(LaneLayoutTableTest, EveryInstructionIsCompared) {
  for (unsigned value = 0; value <= getMaxEnumValForMmaInstr(); ++value)
    if (std::optional<MmaInstr> instr = symbolizeMmaInstr(value)) {
      if (getMmaInfo(*instr).readsSharedMemory()) {
        EXPECT_TRUE(llvm::is_contained(kWarpgroupInstructions, *instr))
            << stringifyMmaInstr(*instr).str();
        continue;
      }
      for (ElementKind kind : getMmaInfo(*instr).operands) {
        auto isCompared = [&](const auto &i) {
          return i.instr == instr && i.kind == kind;
        };
        EXPECT_TRUE(llvm::any_of(kInstructions, isCompared) ||
                    llvm::any_of(kWarpInstructions, isCompared))
            << stringifyMmaInstr(*instr).str() << " "
            << stringifyElementKind(kind).str();
      }
    }
}
} // namespace
