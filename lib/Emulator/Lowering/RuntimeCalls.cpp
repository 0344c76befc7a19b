//===- RuntimeCalls.cpp - building calls of the emulator's runtime --------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// `file:line:column` if the location has one.
static std::string formatLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << loc;
  return text;
}

uint32_t SiteList::add(Operation *op) {
  text += op->getName().getStringRef();
  text += '\0';
  text += formatLocation(op->getLoc());
  text += '\0';
  return count++;
}

LLVM::LLVMFuncOp RuntimeCalls::declare(StringRef name, Type result,
                                       TypeRange operands, bool isPure) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  MLIRContext *context = builder.getContext();
  if (!result)
    result = LLVM::LLVMVoidType::get(context);
  auto function = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands)));
  if (isPure) {
    auto none = LLVM::ModRefInfo::NoModRef;
    function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
        context, {none, none, none, none, none, none}));
    function.setNoUnwind(true);
    function.setWillReturn(true);
  }
  return function;
}

Value RuntimeCalls::call(Location loc, StringRef name, Type result,
                         ValueRange operands, bool isPure) {
  LLVM::LLVMFuncOp callee = declare(name, result, operands.getTypes(), isPure);
  auto call = LLVM::CallOp::create(builder, loc, callee, operands);
  return result ? call.getResult() : Value();
}

Value RuntimeCalls::constant(Location loc, int64_t value, unsigned width) {
  Type type = builder.getIntegerType(width);
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

Value RuntimeCalls::slot(Operation *op, uint64_t bytes, unsigned index) {
  // One size for many, so that unrolled kernels stay within their stacks.
  constexpr uint64_t kGranule = 64;
  bytes = llvm::alignTo(std::max<uint64_t>(bytes, 1), kGranule);
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  Value &value = slots[{function, bytes, index}];
  if (value)
    return value;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  value = LLVM::AllocaOp::create(
      builder, function.getLoc(),
      LLVM::LLVMPointerType::get(builder.getContext()), builder.getI8Type(),
      constant(function.getLoc(), bytes), kGranule);
  return value;
}
