//===- OpTable.cpp - how each operation of a kernel is lowered ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

#include "lpgemm/Emulator/Passes.h"

#include "lpgemm/Emulator/MfmaTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir::lpgemm::emulator;

static constexpr OpEntry kOps[] = {
#define LPGEMM_EMULATED_OP(name, kind) {name, OpKind::kind, "", ""},
#define LPGEMM_EMULATED_CALL(name, kind, handler, attributes)                  \
  {name, OpKind::kind, #handler, attributes},
#include "lpgemm/Emulator/EmulatorOps.def"
};

static constexpr OpEntry kMfma = {"", OpKind::Mfma, "emu_mfma", ""};
static constexpr OpEntry kScaledMfma = {"", OpKind::ScaledMfma,
                                        "emu_mfma_scale", ""};

/// LDS of a workgroup: CDNA3 ISA, 64 KiB; CDNA4 ISA, 160 KiB. Shared memory of
/// a block: CUDA C++ Programming Guide, "Compute Capabilities", 163, 99 and
/// 227 KiB.
static constexpr EmulatedChip kChips[] = {
    {"gfx942", Chip::Gfx942, 64, 64 * 1024},
    {"gfx950", Chip::Gfx950, 64, 160 * 1024},
    {"sm_80", Chip::Sm80, 32, 163 * 1024},
    {"sm_89", Chip::Sm89, 32, 99 * 1024},
    {"sm_90a", Chip::Sm90a, 32, 227 * 1024},
};
static constexpr EmulatedChip kUnknownChip = {"", Chip::Unknown, 64,
                                              160 * 1024};

const OpEntry *mlir::lpgemm::emulator::lookupOp(llvm::StringRef name) {
  static const llvm::StringMap<const OpEntry *> map = [] {
    llvm::StringMap<const OpEntry *> result;
    for (const OpEntry &entry : kOps)
      result[entry.name] = &entry;
    for (const mfma::Instruction &instruction : mfma::kInstructions)
      result[instruction.name] = instruction.isScaled ? &kScaledMfma : &kMfma;
    return result;
  }();
  return map.lookup(name);
}

llvm::ArrayRef<EmulatedChip> mlir::lpgemm::emulator::getChips() {
  return kChips;
}

const EmulatedChip *mlir::lpgemm::emulator::lookupChip(llvm::StringRef name) {
  if (name.empty())
    return &kUnknownChip;
  const EmulatedChip *it = llvm::find_if(
      kChips, [&](const EmulatedChip &chip) { return chip.name == name; });
  return it == std::end(kChips) ? nullptr : it;
}

llvm::Error mlir::lpgemm::emulator::checkChip(llvm::StringRef chip) {
  if (!chip.empty() && lookupChip(chip))
    return llvm::Error::success();
  return llvm::createStringError("emulator knows no chip '" + chip +
                                 "', expected one of " + listChips());
}

std::string mlir::lpgemm::emulator::listChips(ChipSet chips) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const EmulatedChip &chip : kChips)
    if (chips & setOf(chip.chip))
      names.push_back(chip.name);
  return llvm::join(names, ", ");
}
