//===- OpTable.h - how each operation of a kernel is lowered ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_OPTABLE_H
#define LPGEMM_LIB_EMULATOR_LOWERING_OPTABLE_H

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
  Load,
  Store,
  Fence,
  // With one, called as Runtime/Abi.h says.
  Pure,
  Call,
  CallData,
  ScaledMfma,
};

struct OpEntry {
  llvm::StringLiteral name;
  OpKind kind;
  llvm::StringLiteral handler;
  /// With commas between.
  llvm::StringLiteral attributes;
};

/// The entry of an operation, or null if it is not in the table.
const OpEntry *lookupOp(llvm::StringRef name);

/// What the lowering must know about a chip.
struct EmulatedChip {
  llvm::StringLiteral name;
  unsigned waveSize;
  unsigned ldsBytes;
};

/// Null if the chip is not emulated.
const EmulatedChip *lookupChip(llvm::StringRef name);

/// The names of all chips, for messages.
std::string listChips();

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_OPTABLE_H
