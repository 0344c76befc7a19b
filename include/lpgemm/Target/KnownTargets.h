//===- KnownTargets.h - records of the known chips --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TARGET_KNOWNTARGETS_H
#define LPGEMM_TARGET_KNOWNTARGETS_H

#include "lpgemm/Target/AMDGPUMachine.h"
#include "lpgemm/Target/ElementKind.h"
#include "lpgemm/Target/MmaInfo.h"
#include "lpgemm/Target/NVIDIAMachine.h"

namespace mlir::lpgemm {

/// Operands of `from` are turned into operands of `to` in front of the matrix
/// instruction, by a rule of docs/spec.md that keeps every finite value.
struct OperandConversion {
  ElementKind from, to;
  StringLiteral rule;
};

/// Scales that the matrix instruction applies itself, to both operands: one of
/// type `scale` for each `block` elements along K, of operands whose types are
/// any two of `operands`.
struct InstructionScale {
  int64_t block;
  ElementKind scale;
  ArrayRef<ElementKind> operands;
};

/// The types that a matrix instruction takes for two operands.
struct OperandKinds {
  ElementKind lhs, rhs;

  bool operator==(const OperandKinds &other) const {
    return lhs == other.lhs && rhs == other.rhs;
  }
};

/// What passes, verifiers and tools ask about a chip. A field is here because
/// one of them, or a test, reads it; KnownTargets.cpp cites the sources.
struct TargetRecord {
  StringLiteral chip;
  /// Any two types of one of these sets are multiplied by an instruction.
  ArrayRef<ArrayRef<ElementKind>> mixes;
  ArrayRef<OperandConversion> conversions;
  /// Scales not listed are applied to the accumulator, in f32 (G-4).
  ArrayRef<InstructionScale> scales;
  /// Null if lpgemm-lower-to-rocdl does not know the chip.
  const AMDGPUMachine *amdgpu;
  /// Null if lpgemm-lower-to-nvvm does not know the chip.
  const NVIDIAMachine *nvidia;

  /// Whether there is a way to kernels, and so the numbers below.
  bool hasLowering() const { return amdgpu || nvidia; }
  /// Threads that execute `instr` together.
  int64_t getWaveSize(MmaInstr instr) const;
  int64_t getSharedMemoryBytes() const; // of one workgroup
  int64_t getMaxWorkgroupSize() const;  // threads
  /// In order of preference.
  ArrayRef<MmaInstr> getInstructions() const;

  /// The types in which operands of these types are multiplied: their own, or
  /// those after conversions. None if they are not.
  std::optional<OperandKinds> lookupProduct(ElementKind lhs,
                                            ElementKind rhs) const;
  /// The same with this instruction.
  std::optional<OperandKinds> lookupProduct(ElementKind lhs, ElementKind rhs,
                                            const MmaInfo &instr) const;
  /// Whether operands of these types are multiplied, perhaps after conversions.
  bool multiplies(Type lhs, Type rhs) const;
  /// Whether scales of this block and type on both operands are applied by the
  /// instruction that multiplies them.
  bool scalesInInstruction(int64_t block, Type scale, Type lhs, Type rhs) const;

  /// "{f16}, {bf16}, {f8E4M3FN, f8E5M2}".
  std::string listMixes() const;
  /// "f8E4M3FN as f16 (C-10), ..."; empty if there are none.
  std::string listConversions() const;
};

/// All records.
ArrayRef<TargetRecord> getTargetRecords();

/// The record of `chip`; null if it is not known.
const TargetRecord *lookupTargetRecord(llvm::StringRef chip);

/// "gfx942, gfx950, ...": what an error about an unknown chip lists.
std::string listKnownTargets();

/// What to say about a chip that no pipeline lowers to.
std::string describeMissingLowering(const TargetRecord &record);

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_KNOWNTARGETS_H
