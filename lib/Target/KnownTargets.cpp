//===- KnownTargets.cpp - records of the known chips ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Target/KnownTargets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;

using K = ElementKind;

//===----------------------------------------------------------------------===//
// Types that multiply each other
//===----------------------------------------------------------------------===//

static constexpr K kF16[] = {K::F16};
static constexpr K kBF16[] = {K::BF16};
static constexpr K kI8[] = {K::I8};
static constexpr K kFP8[] = {K::F8E4M3FN, K::F8E5M2};
static constexpr K kFNUZ[] = {K::F8E4M3FNUZ, K::F8E5M2FNUZ};
static constexpr K kF8F6F4[] = {K::F8E4M3FN, K::F8E5M2, K::F6E2M3FN,
                                K::F6E3M2FN, K::F4E2M1FN};
static constexpr K kFP4[] = {K::F4E2M1FN};

// sm_80: PTX ISA 9.0, 9.7.14 "mma": .f16, .bf16 and .s8 of m16n8k16 and
// m16n8k32 need sm_80; the FP8 types need sm_89.
static constexpr ArrayRef<K> kWideMixes[] = {kF16, kBF16, kI8};
// sm_89, sm_90a: the same section, .e4m3 and .e5m2 in every mix; sm_90a also
// 9.7.15 "wgmma".
static constexpr ArrayRef<K> kFP8Mixes[] = {kF16, kBF16, kI8, kFP8};
// gfx942: "AMD Instinct MI300 (CDNA3) Instruction Set Architecture", 7:
// V_MFMA_F32_16X16X32_{FP8,BF8}_{FP8,BF8}, whose formats are the FNUZ ones
// (ROCm documentation, "Data types and precision support"; MLIR amdgpu.mfma).
static constexpr ArrayRef<K> kFNUZMixes[] = {kF16, kBF16, kI8, kFNUZ};
// All five OCP formats in every mix:
//  - gfx950: "AMD Instinct CDNA4 Instruction Set Architecture",
//    V_MFMA_F32_16X16X128_F8F6F4, cbsz and blgp choose the format of each side.
//  - gfx1250: LLVM AMDGPU, v_wmma_f32_16x16x128_f8f6f4 with matrix_a_fmt and
//    matrix_b_fmt.
//  - sm_100a, sm_103a: PTX ISA 9.0, 9.7.16 "tcgen05.mma", .kind::f8f6f4.
//    .kind::i8 is missing on sm_103a, but mma m16n8k32 takes .s8 there.
//  - sm_120a, sm_121a: 9.7.14 "mma", .kind::f8f6f4.
static constexpr ArrayRef<K> kF8F6F4Mixes[] = {kF16, kBF16, kI8, kF8F6F4};

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

// A chip without FP8 multiplies the values in f16; one that has other FP8
// formats, the codes with twice the scale.
static constexpr OperandConversion kFP8ToF16[] = {{K::F8E4M3FN, K::F16, "C-10"},
                                                  {K::F8E5M2, K::F16, "C-10"}};
// All others fall back on bf16, where the blocks of scales are too short for
// the instruction or there is none.
static constexpr OperandConversion kToFNUZOrBF16[] = {
    {K::F8E4M3FN, K::F8E4M3FNUZ, "C-17"}, {K::F8E5M2, K::F8E5M2FNUZ, "C-17"},
    {K::F8E4M3FN, K::BF16, "C-10"},       {K::F8E5M2, K::BF16, "C-10"},
    {K::F8E4M3FNUZ, K::BF16, "C-10"},     {K::F8E5M2FNUZ, K::BF16, "C-10"},
    {K::F6E2M3FN, K::BF16, "C-10"},       {K::F6E3M2FN, K::BF16, "C-10"},
    {K::F4E2M1FN, K::BF16, "C-10"}};
static constexpr ArrayRef<OperandConversion> kToBF16 = {
    kToFNUZOrBF16 + 2, std::size(kToFNUZOrBF16) - 2};

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

// gfx950: CDNA4 ISA, V_MFMA_SCALE_F32_16X16X128_F8F6F4: E8M0, 32 elements.
static constexpr InstructionScale kMXScales[] = {{32, K::F8E8M0FNU, kF8F6F4}};
// PTX ISA 9.0, the tables of .kind, .stype and .scale_vec in 9.7.14 "mma" and
// 9.7.16 "tcgen05.mma": mxf8f6f4 and mxf4 take ue8m0 for each 32 elements,
// mxf4nvf4 takes ue4m3 for each 16.
static constexpr InstructionScale kMXAndNVFP4Scales[] = {
    {32, K::F8E8M0FNU, kF8F6F4}, {16, K::F8E4M3FN, kFP4}};
// LLVM AMDGPU, v_wmma_scale (32 elements) and v_wmma_scale16 (16) of
// 16x16x128_f8f6f4; MLIR amdgpu.scaled_wmma: E8M0 for every format, E4M3 for
// FP4 alone.
static constexpr InstructionScale kWmmaScales[] = {{32, K::F8E8M0FNU, kF8F6F4},
                                                   {16, K::F8E8M0FNU, kF8F6F4},
                                                   {32, K::F8E4M3FN, kFP4},
                                                   {16, K::F8E4M3FN, kFP4}};

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static constexpr const AMDGPUMachine *kNoAMDGPU = nullptr;
static constexpr const NVIDIAMachine *kNoNVIDIA = nullptr;

static constexpr TargetRecord kTargets[] = {
    {"gfx942", kFNUZMixes, kToFNUZOrBF16, {}, &kGfx942Machine, kNoNVIDIA},
    {"gfx950", kF8F6F4Mixes, kToBF16, kMXScales, &kGfx950Machine, kNoNVIDIA},
    {"gfx1250", kF8F6F4Mixes, {}, kWmmaScales, kNoAMDGPU, kNoNVIDIA},
    {"sm_80", kWideMixes, kFP8ToF16, {}, kNoAMDGPU, &kSm80Machine},
    {"sm_89", kFP8Mixes, {}, {}, kNoAMDGPU, &kSm89Machine},
    {"sm_90a", kFP8Mixes, {}, {}, kNoAMDGPU, &kSm90aMachine},
    {"sm_100a", kF8F6F4Mixes, {}, kMXAndNVFP4Scales, kNoAMDGPU, kNoNVIDIA},
    {"sm_103a", kF8F6F4Mixes, {}, kMXAndNVFP4Scales, kNoAMDGPU, kNoNVIDIA},
    {"sm_120a", kF8F6F4Mixes, {}, kMXAndNVFP4Scales, kNoAMDGPU, kNoNVIDIA},
    {"sm_121a", kF8F6F4Mixes, {}, kMXAndNVFP4Scales, kNoAMDGPU, kNoNVIDIA},
};

int64_t TargetRecord::getWaveSize(MmaInstr instr) const {
  if (amdgpu)
    return amdgpu->waveSize;
  return getMmaInfo(instr).readsSharedMemory() ? nvidia->waveSize
                                               : nvidia->warpSize;
}

int64_t TargetRecord::getSharedMemoryBytes() const {
  return amdgpu ? amdgpu->sharedMemoryBytes : nvidia->sharedMemoryBytes;
}

int64_t TargetRecord::getMaxWorkgroupSize() const {
  return amdgpu ? amdgpu->maxWorkgroupSize : nvidia->maxWorkgroupSize;
}

ArrayRef<MmaInstr> TargetRecord::getInstructions() const {
  return amdgpu ? amdgpu->instructions : nvidia->instructions;
}

static bool areMixed(ArrayRef<ArrayRef<K>> mixes, K lhs, K rhs) {
  return llvm::any_of(mixes, [&](ArrayRef<K> mix) {
    return llvm::is_contained(mix, lhs) && llvm::is_contained(mix, rhs);
  });
}

/// `kind`, and what it may be converted to.
static SmallVector<K> getForms(const TargetRecord &record, K kind) {
  SmallVector<K> forms = {kind};
  for (const OperandConversion &conversion : record.conversions)
    if (conversion.from == kind)
      forms.push_back(conversion.to);
  return forms;
}

std::optional<OperandKinds> TargetRecord::lookupProduct(K lhs, K rhs) const {
  for (K l : getForms(*this, lhs))
    for (K r : getForms(*this, rhs))
      if (areMixed(mixes, l, r))
        return OperandKinds{l, r};
  return std::nullopt;
}

std::optional<OperandKinds>
TargetRecord::lookupProduct(K lhs, K rhs, const MmaInfo &instr) const {
  for (K l : getForms(*this, lhs))
    for (K r : getForms(*this, rhs))
      if (areMixed(mixes, l, r) && instr.acceptsElementKinds(l, r))
        return OperandKinds{l, r};
  return std::nullopt;
}

bool TargetRecord::multiplies(Type lhs, Type rhs) const {
  std::optional<K> l = getElementKind(lhs), r = getElementKind(rhs);
  return l && r && lookupProduct(*l, *r);
}

bool TargetRecord::scalesInInstruction(int64_t block, Type scale, Type lhs,
                                       Type rhs) const {
  std::optional<K> s = getElementKind(scale), l = getElementKind(lhs),
                   r = getElementKind(rhs);
  return l && r && llvm::any_of(scales, [&](const InstructionScale &form) {
           return form.block == block && form.scale == s &&
                  areMixed(form.operands, *l, *r);
         });
}

std::string TargetRecord::listMixes() const {
  auto list = [](ArrayRef<K> mix) { return "{" + listElementKinds(mix) + "}"; };
  return llvm::join(llvm::map_range(mixes, list), ", ");
}

std::string TargetRecord::listConversions() const {
  auto list = [](const OperandConversion &c) {
    return (stringifyElementKind(c.from) + " as " + stringifyElementKind(c.to) +
            " (" + c.rule + ")")
        .str();
  };
  return llvm::join(llvm::map_range(conversions, list), ", ");
}

ArrayRef<TargetRecord> lpgemm::getTargetRecords() { return kTargets; }

const TargetRecord *lpgemm::lookupTargetRecord(llvm::StringRef chip) {
  const TargetRecord *record = llvm::find_if(
      kTargets, [&](const TargetRecord &r) { return r.chip == chip; });
  return record == std::end(kTargets) ? nullptr : record;
}

static StringRef getChip(const TargetRecord &record) { return record.chip; }

std::string lpgemm::listKnownTargets() {
  return llvm::join(llvm::map_range(kTargets, getChip), ", ");
}

std::string lpgemm::describeMissingLowering(const TargetRecord &record) {
  auto lowered = llvm::make_filter_range(
      kTargets, [](const TargetRecord &r) { return r.hasLowering(); });
  return ("no lowering for " + record.chip + " yet; there is one for " +
          llvm::join(llvm::map_range(lowered, getChip), ", "))
      .str();
}
