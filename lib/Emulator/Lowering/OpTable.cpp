//===- OpTable.cpp - how each operation of a kernel is lowered ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

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

/// LDS: "CDNA4 ISA", 160 KiB in each compute unit; waves of 64 lanes.
static constexpr EmulatedChip kChips[] = {
    {"gfx950", 64, 160 * 1024},
};

const OpEntry *mlir::lpgemm::emulator::lookupOp(llvm::StringRef name) {
  static const llvm::StringMap<const OpEntry *> map = [] {
    llvm::StringMap<const OpEntry *> result;
    for (const OpEntry &entry : kOps)
      result[entry.name] = &entry;
    return result;
  }();
  return map.lookup(name);
}

const EmulatedChip *mlir::lpgemm::emulator::lookupChip(llvm::StringRef name) {
  const EmulatedChip *it = llvm::find_if(
      kChips, [&](const EmulatedChip &chip) { return chip.name == name; });
  return it == std::end(kChips) ? nullptr : it;
}

std::string mlir::lpgemm::emulator::listChips() {
  return llvm::join(
      llvm::map_range(kChips,
                      [](const EmulatedChip &chip) { return chip.name.str(); }),
      ", ");
}
