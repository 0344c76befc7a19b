//===- RuntimeCalls.h - building calls of the runtime -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_RUNTIMECALLS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_RUNTIMECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::lpgemm::emulator {

/// Operations that reports can name, in the order of their numbers.
class SiteList {
public:
  uint32_t add(Operation *op);
  uint32_t size() const { return count; }
  /// Operation and location of each site, each ended by a zero byte.
  StringRef getText() const { return text; }

private:
  std::string text;
  uint32_t count = 0;
};

/// Builds calls of the runtime in one module.
class RuntimeCalls {
public:
  RuntimeCalls(ModuleOp module, OpBuilder &builder)
      : module(module), builder(builder) {}

  /// Calls `name`; returns null if `result` is. `isPure`: the call depends on
  /// nothing but its operands and the lane.
  Value call(Location loc, StringRef name, Type result, ValueRange operands,
             bool isPure = false);

  Value constant(Location loc, int64_t value, unsigned width = 32);

  /// Memory on the stack of the function around `op`, for the operand or the
  /// result number `index` of a call. Calls share it: each uses it only from
  /// just before to just after itself.
  Value slot(Operation *op, uint64_t bytes, unsigned index);

private:
  LLVM::LLVMFuncOp declare(StringRef name, Type result, TypeRange operands,
                           bool isPure);

  using SlotKey = std::tuple<Operation *, uint64_t, unsigned>;
  ModuleOp module;
  OpBuilder &builder;
  llvm::DenseMap<SlotKey, Value> slots;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_RUNTIMECALLS_H
