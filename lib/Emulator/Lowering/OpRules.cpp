//===- OpRules.cpp - limits of operations ---------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRules.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// Sets of types. MLIR leaves the type of a result, or of the first operand if
/// there is none, open in many operations.
enum TypeSet : unsigned { I32 = 1, I64 = 2, F32 = 4, F64 = 8, V2F32 = 16 };

static constexpr std::pair<TypeSet, llvm::StringLiteral> kTypeNames[] = {
    {I32, "i32"},
    {I64, "i64"},
    {F32, "f32"},
    {F64, "f64"},
    {V2F32, "vector<2xf32>"}};

struct OpRule {
  llvm::StringLiteral name;
  unsigned types;
};

/// The atomic operations are those of the chips on buffers: fmax is of f64
/// alone there (LLVM, AMDGPU.td, FeatureAtomicFMinFMaxF64GlobalInsts).
static constexpr OpRule kRules[] = {
    {"rocdl.exp2", F32},
    {"rocdl.rcp", F32},
    {"rocdl.log", F32},
    {"rocdl.sqrt", F32},
    {"rocdl.ballot", I64},
    {"rocdl.cvt.f32.fp8", F32},
    {"rocdl.cvt.f32.bf8", F32},
    {"rocdl.cvt.pk.f32.fp8", V2F32},
    {"rocdl.cvt.pk.f32.bf8", V2F32},
    {"rocdl.cvt.pk.fp8.f32", I32},
    {"rocdl.cvt.pk.bf8.f32", I32},
    {"rocdl.raw.ptr.buffer.atomic.fadd", F32 | F64},
    {"rocdl.raw.ptr.buffer.atomic.fmax", F64},
    {"rocdl.raw.ptr.buffer.atomic.smax", I32 | I64},
    {"rocdl.raw.ptr.buffer.atomic.umin", I32 | I64},
    {"rocdl.raw.ptr.buffer.atomic.cmpswap", I32},
};

static bool contains(unsigned types, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return ((types & I32) && type.isInteger(32)) ||
         ((types & I64) && type.isInteger(64)) ||
         ((types & F32) && type.isF32()) || ((types & F64) && type.isF64()) ||
         ((types & V2F32) && vector && vector.getElementType().isF32() &&
          vector.getNumElements() == 2);
}

static std::string listTypes(unsigned types) {
  SmallVector<StringRef> names;
  for (auto [type, name] : kTypeNames)
    if (types & type)
      names.push_back(name);
  return llvm::join(names, " or ");
}

LogicalResult mlir::lpgemm::emulator::emitNotOfChip(Operation *op,
                                                    const EmulatedChip &chip,
                                                    ChipSet chips) {
  return op->emitError("chip ") << chip.name << " has no '" << op->getName()
                                << "'; it is of " << listChips(chips);
}

LogicalResult mlir::lpgemm::emulator::emitChipNeeded(Operation *op,
                                                     ChipSet chips) {
  return op->emitError("emulator must know the chip, because ")
         << listChips(chips) << " use different formats in '" << op->getName()
         << "': give the gpu.module a #rocdl.target";
}

LogicalResult mlir::lpgemm::emulator::checkRules(Operation *op,
                                                 const OpEntry &entry,
                                                 const EmulatedChip &chip) {
  StringRef name = op->getName().getStringRef();
  if (entry.kind == OpKind::CallOfChip && chip.chip == Chip::Unknown)
    return emitChipNeeded(op, kOnBoth);
  if (name.starts_with("rocdl.cvt.scalef32.") && chip.chip == Chip::Gfx942)
    return emitNotOfChip(op, chip, kOnGfx950);
  const OpRule *rule =
      llvm::find_if(kRules, [&](const OpRule &r) { return r.name == name; });
  unsigned types = rule != std::end(kRules)     ? rule->types
                   : entry.kind == OpKind::Pure ? unsigned(I32)
                                                : 0;
  Type type = op->getNumResults()    ? op->getResult(0).getType()
              : op->getNumOperands() ? op->getOperand(0).getType()
                                     : Type();
  if (types == 0 || contains(types, type))
    return success();
  return op->emitError("emulator models '")
         << name << "' of " << listTypes(types) << ", got " << type;
}
