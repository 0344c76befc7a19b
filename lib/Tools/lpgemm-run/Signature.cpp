//===- Signature.cpp - what a function takes and returns ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signature.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Expected;

std::optional<unsigned> OpInfo::findExtent(StringRef name) const {
  for (auto [i, extent] : llvm::enumerate(extents))
    if (extent.name == name)
      return i;
  return std::nullopt;
}

const OpOperandShape *OpInfo::findOperand(Slot slot) const {
  for (const OpOperandShape &operand : operands)
    if (operand.slot == slot)
      return &operand;
  return nullptr;
}

std::string Signature::describe(Slot slot) const {
  if (isArgument(slot))
    return ("argument " + Twine(slot) + " of @" + name).str();
  return "a value in @" + name;
}

bool Signature::hasProduct() const {
  return llvm::any_of(ops, [](const OpInfo &op) { return op.product; });
}

/// Calls `visit` with each slot that an op reads apart from its destinations.
static void forEachInput(const OpInfo &op, function_ref<void(Slot)> visit) {
  for (const OpOperandShape &operand : op.operands)
    if (op.readsDestinations || !operand.isDestination)
      visit(operand.slot);
  for (const OpExtent &extent : op.extents)
    if (extent.index)
      visit(*extent.index);
  if (!op.product)
    return;
  for (std::optional<Slot> factor : {op.product->alpha, op.product->beta})
    if (factor)
      visit(*factor);
}

bool Signature::isOperand(unsigned argument) const {
  return llvm::any_of(ops, [&](const OpInfo &op) {
    bool found = llvm::is_contained(op.destinations, argument);
    forEachInput(op, [&](Slot slot) { found |= slot == argument; });
    return found;
  });
}

bool Signature::isDestination(unsigned argument) const {
  for (const OpInfo &op : ops) {
    bool isRead = false;
    forEachInput(op, [&](Slot slot) { isRead |= slot == argument; });
    if (isRead)
      return false;
    if (llvm::is_contained(op.destinations, argument))
      return true;
  }
  return false;
}

SmallVector<OpOutput> Signature::findWriters(unsigned argument) const {
  SmallVector<OpOutput> writers;
  for (auto [i, op] : llvm::enumerate(ops))
    for (auto [j, slot] : llvm::enumerate(op.destinations))
      if (slot == argument)
        writers.push_back({unsigned(i), unsigned(j)});
  return writers;
}

std::string mlir::lpgemm::formatShape(ArrayRef<int64_t> shape) {
  return shape.empty()
             ? "scalar"
             : llvm::join(llvm::map_range(shape,
                                          [](int64_t extent) {
                                            return std::to_string(extent);
                                          }),
                          "x");
}

Expected<func::FuncOp> mlir::lpgemm::findEntry(ModuleOp module, StringRef entry,
                                               StringRef path) {
  SmallVector<func::FuncOp> found;
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isEntry =
        entry.empty() ? function.isPublic() : function.getName() == entry;
    if (isEntry && !function.isExternal())
      found.push_back(function);
  }
  if (found.size() == 1)
    return found.front();
  if (!entry.empty())
    return createStringError(path + ": no func.func @" + entry);
  return createStringError(path + ": expected one public func.func, found " +
                           Twine(found.size()) + ": name it with --entry");
}

static bool isScalar(Type type) {
  return type.isF32() || type.isInteger(32) || type.isInteger(64) ||
         type.isIndex();
}

static llvm::Error refuse(Type type, const Twine &what, StringRef wanted) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return createStringError("expected " + what + " to be " + wanted +
                           ", but it is " + text);
}

Expected<Signature> mlir::lpgemm::getSignature(func::FuncOp function) {
  Signature signature;
  signature.name = function.getName();
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isa<RankedTensorType, MemRefType>(type) && !isScalar(type))
      return refuse(type, "argument " + Twine(i) + " of @" + signature.name,
                    "a ranked tensor or memref, f32, i32, i64 or index");
    signature.arguments.push_back(type);
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    if (!isa<RankedTensorType, MemRefType>(type))
      return refuse(type, "result " + Twine(i) + " of @" + signature.name,
                    "a ranked tensor or memref");
    signature.results.push_back(cast<ShapedType>(type));
  }
  collectOps(function, signature);
  return signature;
}
