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
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// Sets of types. MLIR leaves the type of a result, or of the first operand if
/// there is none, open in many operations.
enum TypeSet : unsigned {
  I32 = 1,
  I64 = 2,
  F32 = 4,
  F64 = 8,
  V2F32 = 16,
  V2I32 = 32,
  V3I32 = 64,
  V4I16 = 128,
  V4F16 = 256,
  V4BF16 = 512
};

static constexpr std::pair<TypeSet, llvm::StringLiteral> kTypeNames[] = {
    {I32, "i32"},
    {I64, "i64"},
    {F32, "f32"},
    {F64, "f64"},
    {V2F32, "vector<2xf32>"},
    {V2I32, "vector<2xi32>"},
    {V3I32, "vector<3xi32>"},
    {V4I16, "vector<4xi16>"},
    {V4F16, "vector<4xf16>"},
    {V4BF16, "vector<4xbf16>"}};

/// How names begin that gfx942 does not have.
static constexpr llvm::StringLiteral kNamesOfGfx950[] = {"rocdl.cvt.scalef32.",
                                                         "rocdl.ds.read.tr"};

/// How names begin that no chip here has: they are of gfx1250 and of RDNA
/// (ROCDLOps.td).
static constexpr llvm::StringLiteral kNamesOfOthers[] = {
    "rocdl.cvt.scale.pk",         "rocdl.cvt.scalef32.pk16.",
    "rocdl.cvt.scalef32.pk8.",    "rocdl.cvt.scalef32.sr.pk16.",
    "rocdl.cvt.scalef32.sr.pk8.", "rocdl.ds.load.tr",
    "rocdl.global.load.tr",       "rocdl.wmma."};

/// Those that round stochastically, by a seed.
static constexpr llvm::StringLiteral kStochasticNames[] = {
    "rocdl.cvt.scalef32.sr.", "rocdl.cvt.sr."};

static bool startsWithAny(StringRef name,
                          ArrayRef<llvm::StringLiteral> prefixes) {
  return llvm::any_of(
      prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

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
    {"rocdl.ds.read.tr4.b64", V2I32},
    {"rocdl.ds.read.tr6.b96", V3I32},
    {"rocdl.ds.read.tr8.b64", V2I32},
    {"rocdl.ds.read.tr16.b64", V4I16 | V4F16 | V4BF16},
    {"rocdl.raw.ptr.buffer.atomic.fadd", F32 | F64},
    {"rocdl.raw.ptr.buffer.atomic.fmax", F64},
    {"rocdl.raw.ptr.buffer.atomic.smax", I32 | I64},
    {"rocdl.raw.ptr.buffer.atomic.umin", I32 | I64},
    {"rocdl.raw.ptr.buffer.atomic.cmpswap", I32},
};

static bool contains(unsigned types, Type type) {
  std::string text = llvm::to_string(type);
  return llvm::any_of(kTypeNames, [&](const auto &entry) {
    return (types & entry.first) && entry.second == text;
  });
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
  return emitNoForm(op, chip, "", chips);
}

LogicalResult mlir::lpgemm::emulator::emitNoForm(Operation *op,
                                                 const EmulatedChip &chip,
                                                 StringRef form,
                                                 ChipSet chips) {
  InFlightDiagnostic error = op->emitError("chip ");
  error << chip.name << " has no '" << op->getName() << "'";
  if (!form.empty())
    error << " " << form;
  if (chips == 0)
    return error << ", nor has any that is emulated";
  return error << "; it is of " << listChips(chips);
}

LogicalResult
mlir::lpgemm::emulator::checkUnmodelled(Operation *op,
                                        const EmulatedChip &chip) {
  StringRef name = op->getName().getStringRef();
  if (chip.chip != Chip::Unknown && startsWithAny(name, kNamesOfOthers))
    return emitNotOfChip(op, chip, /*chips=*/0);
  if (startsWithAny(name, kStochasticNames))
    return op->emitError("emulator does not model stochastic rounding, got '")
           << name << "'";
  return success();
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
  if (chip.chip == Chip::Gfx942 && startsWithAny(name, kNamesOfGfx950))
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
