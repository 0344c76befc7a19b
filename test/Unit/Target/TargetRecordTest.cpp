//===- TargetRecordTest.cpp - tests of the records of chips ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the tables say, against an expectation that is written as a matrix and
// shares nothing with them.
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Target/KnownTargets.h"

#include "lpgemm/Target/MmaInfo.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
using K = ElementKind;

class TargetRecordTest : public testing::TestWithParam<TargetRecord> {
protected:
  const TargetRecord &record() { return GetParam(); }

  /// In the order of ElementKind.
  SmallVector<Type> types() {
    Builder b(&context);
    return {b.getF16Type(),
            b.getBF16Type(),
            b.getI8Type(),
            b.getType<Float8E4M3FNType>(),
            b.getType<Float8E5M2Type>(),
            b.getType<Float8E4M3FNUZType>(),
            b.getType<Float8E5M2FNUZType>(),
            b.getType<Float6E2M3FNType>(),
            b.getType<Float6E3M2FNType>(),
            b.getType<Float4E2M1FNType>(),
            b.getType<Float8E8M0FNUType>()};
  }
  Type type(K kind) { return types()[llvm::to_underlying(kind)]; }

  bool isMixed(K lhs, K rhs) {
    return llvm::any_of(record().mixes, [&](ArrayRef<K> mix) {
      return llvm::is_contained(mix, lhs) && llvm::is_contained(mix, rhs);
    });
  }

  MLIRContext context;
};

//===----------------------------------------------------------------------===//
// Every field is sane
//===----------------------------------------------------------------------===//

TEST_P(TargetRecordTest, IsFoundByItsName) {
  const TargetRecord *found = lookupTargetRecord(record().chip);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->chip, record().chip);
  EXPECT_EQ(llvm::count_if(
                getTargetRecords(),
                [&](const TargetRecord &r) { return r.chip == record().chip; }),
            1);
}

TEST_P(TargetRecordTest, ATypeIsInOneMix) {
  std::set<K> seen;
  for (ArrayRef<K> mix : record().mixes) {
    EXPECT_FALSE(mix.empty());
    for (K kind : mix)
      EXPECT_TRUE(seen.insert(kind).second) << stringifyElementKind(kind).str();
  }
  EXPECT_EQ(seen.count(K::F8E8M0FNU), 0u) << "a type of scales only";
}

TEST_P(TargetRecordTest, ConversionsLeadToAMix) {
  for (const OperandConversion &conversion : record().conversions) {
    SCOPED_TRACE(stringifyElementKind(conversion.from).str());
    EXPECT_TRUE(isMixed(conversion.to, conversion.to));
    EXPECT_NE(conversion.to, conversion.from);
    // What the chip has instructions for falls back on bf16 alone.
    if (isMixed(conversion.from, conversion.from))
      EXPECT_EQ(conversion.to, K::BF16);
  }
}

const llvm::fltSemantics &semantics(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

// C-10: the value stays. C-17: the code stays, its value is half of it. Codes
// that are not finite, and a negative zero that the other format lacks, have
// rules of their own.
TEST_P(TargetRecordTest, ConversionsAreExact) {
  for (const OperandConversion &conversion : record().conversions) {
    const auto &from = semantics(type(conversion.from));
    const auto &to = semantics(type(conversion.to));
    unsigned width = type(conversion.from).getIntOrFloatBitWidth();
    for (unsigned code = 0; code < 1u << width; ++code) {
      SCOPED_TRACE(testing::Message() << "code " << code);
      llvm::APFloat value(from, llvm::APInt(width, code));
      if (!value.isFinite() || value.isNegZero())
        continue;
      if (conversion.rule == "C-10") {
        bool losesInfo = true;
        value.convert(to, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
        EXPECT_FALSE(losesInfo);
      } else {
        ASSERT_EQ(conversion.rule, "C-17");
        llvm::APFloat other(to, llvm::APInt(8, code));
        EXPECT_EQ(value.convertToDouble(), 2 * other.convertToDouble());
      }
    }
  }
}

TEST_P(TargetRecordTest, ScaledOperandsAreMultiplied) {
  std::set<std::pair<int64_t, K>> seen;
  for (const InstructionScale &scale : record().scales) {
    EXPECT_TRUE(scale.block == 16 || scale.block == 32) << scale.block;
    EXPECT_TRUE(scale.scale == K::F8E8M0FNU || scale.scale == K::F8E4M3FN);
    EXPECT_TRUE(seen.insert({scale.block, scale.scale}).second);
    EXPECT_FALSE(scale.operands.empty());
    for (K lhs : scale.operands)
      for (K rhs : scale.operands)
        EXPECT_TRUE(isMixed(lhs, rhs));
  }
}

/// The records that lpgemm-lower-to-rocdl knows.
class AMDGPUMachineTest : public TargetRecordTest {
protected:
  const AMDGPUMachine &machine() { return *record().amdgpu; }
};

TEST_P(AMDGPUMachineTest, IsSane) {
  EXPECT_TRUE(machine().waveSize == 32 || machine().waveSize == 64);
  EXPECT_EQ(machine().maxWorkgroupSize % machine().waveSize, 0);
  EXPECT_GT(machine().maxWorkgroupSize, 0);
  EXPECT_GT(machine().sharedMemoryBytes, 0);
  EXPECT_GT(machine().vectorRegisters, 0);
  EXPECT_GT(machine().numSIMDs, 0);
  EXPECT_TRUE(llvm::isPowerOf2_64(machine().sharedBanks));
  for (const ReadPhases &phases : machine().readPhases) {
    EXPECT_EQ(&phases, machine().lookupReadPhases(phases.bytes));
    EXPECT_EQ(machine().waveSize % phases.lanesPerPhase, 0);
    std::set<uint8_t> lanes(phases.lanes.begin(), phases.lanes.end());
    EXPECT_EQ(static_cast<int64_t>(phases.lanes.size()), machine().waveSize);
    EXPECT_EQ(static_cast<int64_t>(lanes.size()), machine().waveSize);
    EXPECT_LT(*lanes.rbegin(), machine().waveSize);
  }
}

// An instruction names the FP8 of all chips, of which each has some.
TEST_P(AMDGPUMachineTest, InstructionsAgree) {
  ASSERT_FALSE(machine().instructions.empty());
  for (MmaInstr instr : machine().instructions) {
    SCOPED_TRACE(stringifyMmaInstr(instr).str());
    EXPECT_TRUE(machine().hasInstruction(instr));
    const MmaInfo &info = getMmaInfo(instr);
    for (K lhs : getElementKinds())
      for (K rhs : getElementKinds()) {
        if (!info.acceptsElementTypes(type(lhs), type(rhs)) ||
            !isMixed(lhs, lhs) || !isMixed(rhs, rhs))
          continue;
        EXPECT_TRUE(isMixed(lhs, rhs));
        EXPECT_TRUE(record().lookupProduct(lhs, rhs, info) ==
                    (OperandKinds{lhs, rhs}));
        if (info.scaleBlock)
          EXPECT_TRUE(record().scalesInInstruction(
              info.scaleBlock, type(K::F8E8M0FNU), type(lhs), type(rhs)));
      }
  }
}

TEST_P(AMDGPUMachineTest, EveryMixHasAnInstruction) {
  for (ArrayRef<K> mix : record().mixes)
    for (K lhs : mix)
      for (K rhs : mix)
        EXPECT_TRUE(llvm::any_of(machine().instructions,
                                 [&](MmaInstr instr) {
                                   return getMmaInfo(instr).acceptsElementKinds(
                                       lhs, rhs);
                                 }))
            << stringifyElementKind(lhs).str() << " x "
            << stringifyElementKind(rhs).str();
}

TEST_P(AMDGPUMachineTest, CyclesOfEachInstructionAreKnown) {
  for (MmaInstr instr : machine().instructions) {
    const MmaCycles &cycles = machine().rates.lookupCycles(instr);
    EXPECT_EQ(cycles.instr, instr);
    EXPECT_LE(cycles.narrow, cycles.wide);
  }
}

/// Chips whose instructions are those of a warp.
class WarpMachineTest : public TargetRecordTest {
protected:
  const NVIDIAMachine &machine() { return *record().nvidia; }
};

// In each of the types that an instruction multiplies, and in a ring of three
// slots.
TEST_P(WarpMachineTest, DefaultScheduleFitsItsInstructions) {
  auto [tileM, tileN] = machine().defaultTile;
  auto [wavesM, wavesN] = machine().defaultWaves;
  ASSERT_FALSE(machine().instructions.empty());
  for (MmaInstr instr : machine().instructions) {
    SCOPED_TRACE(stringifyMmaInstr(instr).str());
    const MmaInfo &info = getMmaInfo(instr);
    EXPECT_EQ(tileM % (wavesM * info.m), 0);
    EXPECT_EQ(tileN % (wavesN * info.n), 0);
    for (K kind : getElementKinds())
      if (info.acceptsElementKinds(kind, kind)) {
        int64_t bits = type(kind).getIntOrFloatBitWidth();
        EXPECT_EQ(machine().defaultRowBytes * 8 / bits % info.k, 0);
      }
  }
  EXPECT_LE(wavesM * wavesN * machine().waveSize, machine().maxWorkgroupSize);
  EXPECT_LE(3 * (tileM + tileN) * machine().defaultRowBytes,
            machine().sharedMemoryBytes);
  // The sums of FP8 products, twice.
  EXPECT_LT(2 * tileM * tileN / (wavesM * wavesN * machine().waveSize),
            machine().threadRegisters);
}

//===----------------------------------------------------------------------===//
// What is multiplied
//===----------------------------------------------------------------------===//

// Rows are lhs, columns rhs, in the order of ElementKind: f16, bf16, i8,
// f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, f6E2M3FN, f6E3M2FN, f4E2M1FN,
// f8E8M0FNU. n: as they are; c: converted.
using Matrix = const char *const[11];

constexpr Matrix kFNUZOrBF16 = {"n..........", ".n.ccccccc.", "..n........", //
                                ".c.ccccccc.", ".c.ccccccc.",                //
                                ".c.ccnnccc.", ".c.ccnnccc.",                //
                                ".c.ccccccc.", ".c.ccccccc.", ".c.ccccccc.",
                                "..........."};
constexpr Matrix kOCPOrBF16 = {"n..........", ".n.ccccccc.", "..n........", //
                               ".c.nnccnnn.", ".c.nnccnnn.",                //
                               ".c.ccccccc.", ".c.ccccccc.",                //
                               ".c.nnccnnn.", ".c.nnccnnn.", ".c.nnccnnn.",
                               "..........."};
constexpr Matrix kNoFP8 = {"n..cc......", ".n.........", "..n........", //
                           "c..cc......", "c..cc......",                //
                           "...........", "...........",                //
                           "...........", "...........", "...........",
                           "..........."};
constexpr Matrix kOnlyFP8 = {"n..........", ".n.........", "..n........", //
                             "...nn......", "...nn......",                //
                             "...........", "...........",                //
                             "...........", "...........", "...........",
                             "..........."};
constexpr Matrix kFP8FP6FP4 = {"n..........", ".n.........", "..n........", //
                               "...nn..nnn.", "...nn..nnn.",                //
                               "...........", "...........",                //
                               "...nn..nnn.", "...nn..nnn.", "...nn..nnn.",
                               "..........."};

// Block, type of the scale, widest and narrowest operand that it goes with.
struct Scaled {
  int64_t block;
  K scale;
  K lhs, rhs;
};
constexpr Scaled kMX = {32, K::F8E8M0FNU, K::F8E5M2, K::F6E2M3FN};
constexpr Scaled kMXFP4 = {32, K::F8E8M0FNU, K::F4E2M1FN, K::F4E2M1FN};
constexpr Scaled kMX16 = {16, K::F8E8M0FNU, K::F8E4M3FN, K::F4E2M1FN};
constexpr Scaled kNVFP4 = {16, K::F8E4M3FN, K::F4E2M1FN, K::F4E2M1FN};
constexpr Scaled kNVFP4By32 = {32, K::F8E4M3FN, K::F4E2M1FN, K::F4E2M1FN};
constexpr Scaled kNVFP4WithFP8 = {16, K::F8E4M3FN, K::F8E4M3FN, K::F4E2M1FN};
constexpr Scaled kFNUZ = {32, K::F8E8M0FNU, K::F8E4M3FNUZ, K::F8E4M3FNUZ};
constexpr Scaled kBF16 = {32, K::F8E8M0FNU, K::BF16, K::BF16};
constexpr Scaled kScaled[] = {kMX,        kMXFP4,        kMX16, kNVFP4,
                              kNVFP4By32, kNVFP4WithFP8, kFNUZ, kBF16};

struct Expected {
  StringLiteral chip;
  const Matrix &products;
  /// For each of kScaled, y: in the instruction.
  StringLiteral scaled;
};

constexpr Expected kExpected[] = {
    {"gfx942", kFNUZOrBF16, "........"}, {"gfx950", kOCPOrBF16, "yy......"},
    {"gfx1250", kFP8FP6FP4, "yyyyy..."}, {"sm_80", kNoFP8, "........"},
    {"sm_89", kOnlyFP8, "........"},     {"sm_90a", kOnlyFP8, "........"},
    {"sm_100a", kFP8FP6FP4, "yy.y...."}, {"sm_103a", kFP8FP6FP4, "yy.y...."},
    {"sm_120a", kFP8FP6FP4, "yy.y...."}, {"sm_121a", kFP8FP6FP4, "yy.y...."},
};

const Expected *lookupExpected(StringRef chip) {
  const Expected *found = llvm::find_if(
      kExpected, [&](const Expected &e) { return e.chip == chip; });
  return found == std::end(kExpected) ? nullptr : found;
}

TEST_P(TargetRecordTest, Multiplies) {
  const Expected *expected = lookupExpected(record().chip);
  ASSERT_NE(expected, nullptr);
  for (K lhs : getElementKinds())
    for (K rhs : getElementKinds()) {
      SCOPED_TRACE(
          (stringifyElementKind(lhs) + " x " + stringifyElementKind(rhs))
              .str());
      std::optional<OperandKinds> product = record().lookupProduct(lhs, rhs);
      char got = !product                             ? '.'
                 : *product == OperandKinds{lhs, rhs} ? 'n'
                                                      : 'c';
      EXPECT_EQ(got, expected->products[llvm::to_underlying(lhs)]
                                       [llvm::to_underlying(rhs)]);
      EXPECT_EQ(record().multiplies(type(lhs), type(rhs)), got != '.');
      if (product)
        EXPECT_TRUE(isMixed(product->lhs, product->rhs));
    }
}

TEST_P(TargetRecordTest, MultipliesNothingElse) {
  Builder b(&context);
  for (Type other :
       {Type(b.getF32Type()), Type(b.getI32Type()),
        Type(b.getIntegerType(8, /*isSigned=*/false)),
        Type(b.getType<Float8E4M3Type>()), Type(b.getType<Float8E3M4Type>())})
    for (Type known : types()) {
      EXPECT_FALSE(record().multiplies(other, known));
      EXPECT_FALSE(record().multiplies(known, other));
      EXPECT_FALSE(record().multiplies(other, other));
    }
}

TEST_P(TargetRecordTest, ScalesInInstruction) {
  const Expected *expected = lookupExpected(record().chip);
  ASSERT_NE(expected, nullptr);
  ASSERT_EQ(expected->scaled.size(), std::size(kScaled));
  for (auto [i, scaled] : llvm::enumerate(kScaled)) {
    SCOPED_TRACE(testing::Message() << "scale " << i);
    bool in = expected->scaled[i] == 'y';
    auto ask = [&](int64_t block, K scale, K lhs, K rhs) {
      return record().scalesInInstruction(block, type(scale), type(lhs),
                                          type(rhs));
    };
    EXPECT_EQ(ask(scaled.block, scaled.scale, scaled.lhs, scaled.rhs), in);
    EXPECT_EQ(ask(scaled.block, scaled.scale, scaled.rhs, scaled.lhs), in);
    // DeepGEMM's blocks, and scales in f16, are in no instruction.
    EXPECT_FALSE(ask(128, scaled.scale, scaled.lhs, scaled.rhs));
    EXPECT_FALSE(ask(scaled.block, K::F16, scaled.lhs, scaled.rhs));
  }
}

TEST(TargetRecordTableTest, EveryChipIsExpected) {
  EXPECT_EQ(getTargetRecords().size(), std::size(kExpected));
  EXPECT_EQ(lookupTargetRecord("gfx900"), nullptr);
  EXPECT_EQ(lookupTargetRecord(""), nullptr);
}

TEST(TargetRecordTableTest, ConversionsAreFound) {
  auto expect = [](StringRef chip, OperandKinds from, OperandKinds to) {
    EXPECT_TRUE(lookupTargetRecord(chip)->lookupProduct(from.lhs, from.rhs) ==
                to)
        << chip.str();
  };
  expect("sm_80", {K::F8E4M3FN, K::F8E5M2}, {K::F16, K::F16});
  expect("sm_80", {K::F16, K::F8E4M3FN}, {K::F16, K::F16});
  expect("gfx942", {K::F8E4M3FN, K::F8E5M2}, {K::F8E4M3FNUZ, K::F8E5M2FNUZ});
  expect("gfx942", {K::F8E5M2FNUZ, K::F8E4M3FN},
         {K::F8E5M2FNUZ, K::F8E4M3FNUZ});
  // Where one side has nothing better, both become bf16.
  expect("gfx942", {K::F8E4M3FN, K::F4E2M1FN}, {K::BF16, K::BF16});
  expect("gfx942", {K::F8E5M2FNUZ, K::BF16}, {K::BF16, K::BF16});
  expect("gfx950", {K::F8E4M3FN, K::F8E4M3FNUZ}, {K::BF16, K::BF16});
  expect("gfx950", {K::F8E4M3FN, K::F6E2M3FN}, {K::F8E4M3FN, K::F6E2M3FN});
}

// An instruction decides between the forms of its operands.
TEST(TargetRecordTableTest, ConversionsAreFoundForAnInstruction) {
  auto lookup = [](StringRef chip, K lhs, K rhs, MmaInstr instr) {
    return lookupTargetRecord(chip)->lookupProduct(lhs, rhs, getMmaInfo(instr));
  };
  EXPECT_TRUE(lookup("gfx942", K::F8E4M3FN, K::F8E5M2,
                     MmaInstr::MfmaF32_16x16x32_FP8) ==
              (OperandKinds{K::F8E4M3FNUZ, K::F8E5M2FNUZ}));
  EXPECT_TRUE(lookup("gfx942", K::F8E4M3FN, K::F8E5M2,
                     MmaInstr::MfmaF32_32x32x8_BF16) ==
              (OperandKinds{K::BF16, K::BF16}));
  EXPECT_TRUE(lookup("gfx950", K::F8E4M3FN, K::F8E5M2,
                     MmaInstr::MfmaF32_16x16x32_FP8) ==
              (OperandKinds{K::F8E4M3FN, K::F8E5M2}));
  EXPECT_FALSE(lookup("gfx950", K::F8E4M3FNUZ, K::F8E5M2,
                      MmaInstr::MfmaF32_16x16x32_FP8));
  EXPECT_FALSE(lookup("gfx942", K::I8, K::I8, MmaInstr::MfmaF32_16x16x32_FP8));
}

TEST(TargetRecordTableTest, Lists) {
  EXPECT_EQ(listKnownTargets(), "gfx942, gfx950, gfx1250, sm_80, sm_89, sm_90a,"
                                " sm_100a, sm_103a, sm_120a, sm_121a");
  EXPECT_EQ(describeMissingLowering(*lookupTargetRecord("sm_100a")),
            "no lowering for sm_100a yet; there is one for gfx942, gfx950, "
            "sm_80, sm_89, sm_90a");
}

//===----------------------------------------------------------------------===//
// The table of docs/targets.md
//===----------------------------------------------------------------------===//

std::string orNone(std::string text) { return text.empty() ? "none" : text; }

std::string printRow(const TargetRecord &record) {
  auto scale = [](const InstructionScale &s) {
    return (Twine(s.block) + " x " + stringifyElementKind(s.scale) + " on {" +
            listElementKinds(s.operands) + "}")
        .str();
  };
  return ("| " + record.chip + " | " + record.listMixes() + " | " +
          orNone(record.listConversions()) + " | " +
          orNone(llvm::join(llvm::map_range(record.scales, scale), ", ")) +
          " | " +
          (record.amdgpu   ? "lpgemm-lower-to-rocdl"
           : record.nvidia ? "lpgemm-lower-to-nvvm"
                           : "none") +
          " |\n")
      .str();
}

TEST(TargetRecordTableTest, TheDocumentSaysTheSame) {
  auto text = llvm::MemoryBuffer::getFile(LPGEMM_TARGETS_DOCUMENT);
  ASSERT_TRUE(bool(text)) << text.getError().message();
  std::string table;
  for (const TargetRecord &record : getTargetRecords())
    table += printRow(record);
  EXPECT_TRUE((*text)->getBuffer().contains(table)) << "expected:\n" << table;
}

std::string printChip(const testing::TestParamInfo<TargetRecord> &param) {
  return param.param.chip.str();
}

INSTANTIATE_TEST_SUITE_P(Chips, TargetRecordTest,
                         testing::ValuesIn(getTargetRecords().begin(),
                                           getTargetRecords().end()),
                         printChip);

template <typename Predicate>
std::vector<TargetRecord> getRecords(Predicate predicate) {
  std::vector<TargetRecord> records;
  llvm::copy_if(getTargetRecords(), std::back_inserter(records), predicate);
  return records;
}

INSTANTIATE_TEST_SUITE_P(
    Chips, AMDGPUMachineTest,
    testing::ValuesIn(getRecords([](const TargetRecord &record) {
      return record.amdgpu != nullptr;
    })),
    printChip);

INSTANTIATE_TEST_SUITE_P(
    Chips, WarpMachineTest,
    testing::ValuesIn(getRecords([](const TargetRecord &record) {
      return record.chip == "sm_80" || record.chip == "sm_89";
    })),
    printChip);
} // namespace
