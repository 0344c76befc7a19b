//===- OpCall.cpp - a runtime call for an operation -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpCall.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

uint64_t mlir::lpgemm::emulator::getBytes(Operation *op, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return llvm::divideCeil(
        vector.getNumElements() * vector.getElementTypeBitWidth(), 8);
  return DataLayout::closest(op).getTypeSize(type);
}

/// Types that are passed to the runtime and returned by it as they are.
static bool isPassedDirectly(Type type) {
  return type.isInteger(32) || type.isInteger(64) || type.isF32() ||
         isa<LLVM::LLVMPointerType>(type);
}

void OpCall::passSite() {
  arguments.push_back(calls.constant(getLoc(), sites.add(op)));
}

void OpCall::passConstant(int64_t value, unsigned width) {
  arguments.push_back(calls.constant(getLoc(), value, width));
}

void OpCall::passByAddress(Value value) {
  uint64_t bytes = getBytes(op, value.getType());
  Value slot = calls.slot(op, bytes, numSlots++);
  LLVM::StoreOp::create(builder, getLoc(), value, slot);
  arguments.push_back(slot);
  passConstant(bytes);
}

void OpCall::pass(Value value, bool byAddress) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(value.getType())) {
    if (pointer.getAddressSpace() != 0)
      value = LLVM::AddrSpaceCastOp::create(
          builder, getLoc(), LLVM::LLVMPointerType::get(builder.getContext()),
          value);
    arguments.push_back(value);
    return;
  }
  auto integer = dyn_cast<IntegerType>(value.getType());
  if (!byAddress && integer && integer.getWidth() < 32)
    value =
        LLVM::ZExtOp::create(builder, getLoc(), builder.getI32Type(), value);
  if (!byAddress && isPassedDirectly(value.getType()))
    arguments.push_back(value);
  else
    passByAddress(value);
}

void OpCall::passOr(Value value, int64_t otherwise, unsigned width) {
  if (value)
    pass(value);
  else
    passConstant(otherwise, width);
}

bool OpCall::needsResultSlot() const {
  return op->getNumResults() != 0 &&
         !isPassedDirectly(op->getResult(0).getType());
}

void OpCall::passResult() {
  uint64_t bytes = getBytes(op, op->getResult(0).getType());
  resultSlot = calls.slot(op, bytes, /*index=*/0);
  arguments.push_back(resultSlot);
  passConstant(bytes);
}

Value OpCall::call(StringRef handler, Type type, bool isPure) {
  return calls.call(getLoc(), handler, type, arguments, isPure);
}

void OpCall::replace(StringRef handler, bool isPure) {
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  auto pointer = dyn_cast_or_null<LLVM::LLVMPointerType>(type);
  Type callType = resultSlot ? Type() : type;
  if (pointer)
    callType = LLVM::LLVMPointerType::get(builder.getContext());
  Value result = call(handler, callType, isPure);
  if (resultSlot)
    result = LLVM::LoadOp::create(builder, getLoc(), type, resultSlot);
  else if (pointer && pointer.getAddressSpace() != 0)
    result = LLVM::AddrSpaceCastOp::create(builder, getLoc(), type, result);
  replaceWith(result);
}

void OpCall::replaceWith(Value value) {
  if (op->getNumResults() != 0)
    op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}
