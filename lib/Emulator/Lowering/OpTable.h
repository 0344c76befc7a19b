//===- OpTable.h - how each operation of a kernel is lowered ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_OPTABLE_H
#define LPGEMM_LIB_EMULATOR_LOWERING_OPTABLE_H

#include "lpgemm/Emulator/Chip.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::lpgemm::emulator {

/// The kinds of EmulatorOps.def.
enum class OpKind {
  // Without a runtime function.
  Keep,       ///< Stays as it is.
  NoOp,       ///< Has no effect in the emulator: erased.
  Function,   ///< A function of the kernel's module.
  DirectCall, ///< A call of a function of the kernel's module.
  Alloca,     ///< Moves to the host's address space.
  AddressOf,  ///< Of an LDS object.
  GetElementPtr,
  Load,
  Store,
  Fence,
  Atomic,
  Unreachable, ///< Is told if it is reached.
  Custom,      ///< Has a rule of its own, see NVVM/CustomOps.h.
  // With one, called as Runtime/Abi.h says.
  Pure,
  Call,
  CallOfChip,
  CallData,
  CallTwoData,
  LdsRead, ///< A Call that InFlightLoads follows.
  Mfma,
  ScaledMfma,
};

struct OpEntry {
  llvm::StringRef name;
  OpKind kind;
  llvm::StringRef handler;
  /// With commas between.
  llvm::StringRef attributes;
};

/// The entry of an operation, or null if it is not in the table.
const OpEntry *lookupOp(llvm::StringRef name);

/// What the lowering must know about a chip.
struct EmulatedChip {
  llvm::StringLiteral name;
  Chip chip;
  unsigned waveSize;
  unsigned ldsBytes;
};

/// All that are emulated.
llvm::ArrayRef<EmulatedChip> getChips();

/// Null if the chip is not emulated. Without a name, what stands for a chip
/// that is not known: it has what any chip has.
const EmulatedChip *lookupChip(llvm::StringRef name);

/// The names of some chips, or of all, for messages.
std::string listChips(ChipSet chips = ~0u);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_OPTABLE_H
