//===- ChipRules.cpp - chips that have an operation -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChipRules.h"

#include "../OpTable.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

namespace {
struct ChipRule {
  llvm::StringLiteral name;
  ChipSet chips;
};
} // namespace

/// PTX ISA, "Target ISA Notes" of each instruction, where MLIR does not know
/// them. None: those of sm_100 and later.
static constexpr ChipRule kRules[] = {
    {"nvvm.cluster.arrive", kOnSm90a},
    {"nvvm.convert.bf16x2.to.f8x2", 0},
    {"nvvm.convert.f32x2.to.f4x2", 0},
    {"nvvm.convert.f32x2.to.f6x2", 0},
    {"nvvm.convert.f4x2.to.f16x2", 0},
    {"nvvm.convert.f6x2.to.f16x2", 0},
    {"nvvm.convert.f8x2.to.bf16x2", 0},
    {"nvvm.cp.async.bulk.commit.group", kOnSm90a},
    {"nvvm.cp.async.bulk.global.shared.cta", kOnSm90a},
    {"nvvm.cp.async.bulk.prefetch", kOnSm90a},
    {"nvvm.cp.async.bulk.shared.cluster.global", kOnSm90a},
    {"nvvm.cp.async.bulk.shared.cluster.shared.cta", kOnSm90a},
    {"nvvm.cp.async.bulk.tensor.global.shared.cta", kOnSm90a},
    {"nvvm.cp.async.bulk.tensor.prefetch", kOnSm90a},
    {"nvvm.cp.async.bulk.tensor.reduce", kOnSm90a},
    {"nvvm.cp.async.bulk.tensor.shared.cluster.global", kOnSm90a},
    {"nvvm.fence.mbarrier.init", kOnSm90a},
    {"nvvm.fence.proxy.acquire", kOnSm90a},
    {"nvvm.fence.proxy.release", kOnSm90a},
    {"nvvm.fence.proxy.sync_restrict", kOnSm90a},
    {"nvvm.fence.sc.cluster", kOnSm90a},
    {"nvvm.fence.sync_restrict", kOnSm90a},
    {"nvvm.griddepcontrol", kOnSm90a},
    {"nvvm.mbarrier.arrive.expect_tx", kOnSm90a},
    {"nvvm.mbarrier.arrive_drop.expect_tx", kOnSm90a},
    {"nvvm.mbarrier.complete_tx", kOnSm90a},
    {"nvvm.mbarrier.expect_tx", kOnSm90a},
    {"nvvm.mbarrier.try_wait", kOnSm90a},
    {"nvvm.mbarrier.try_wait.parity", kOnSm90a},
    {"nvvm.setmaxregister", kOnSm90a},
    {"nvvm.st.bulk", 0},
};

static ChipSet lookupRule(StringRef name) {
  static const llvm::StringMap<ChipSet> map = [] {
    llvm::StringMap<ChipSet> result;
    for (const ChipRule &rule : kRules)
      result[rule.name] = rule.chips;
    return result;
  }();
  auto it = map.find(name);
  return it == map.end() ? kOnNvidia : it->second;
}

ChipSet mlir::lpgemm::emulator::getChipsWith(Operation *op) {
  ChipSet chips = lookupRule(op->getName().getStringRef());
  auto versioned = dyn_cast<NVVM::RequiresSMInterface>(op);
  for (const EmulatedChip &chip : getChips())
    if (versioned && isNvidia(chip.chip) &&
        !versioned.getRequiredMinSMVersion().isCompatibleWith(
            NVVM::NVVMCheckSMVersion::getTargetSMVersionFromStr(chip.name)))
      chips &= ~setOf(chip.chip);
  return chips;
}
