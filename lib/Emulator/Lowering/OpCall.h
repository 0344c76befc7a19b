//===- OpCall.h - a runtime call for an operation ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_OPCALL_H
#define LPGEMM_LIB_EMULATOR_LOWERING_OPCALL_H

#include "RuntimeCalls.h"

namespace mlir::lpgemm::emulator {

/// Builds the call of a runtime function in place of one operation, argument by
/// argument, in the way that Runtime/Abi.h says.
class OpCall {
public:
  OpCall(Operation *op, OpBuilder &builder, RuntimeCalls &calls,
         SiteList &sites)
      : op(op), builder(builder), calls(calls), sites(sites) {}

  void passSite();
  void passConstant(int64_t value, unsigned width = 32);
  /// What is neither i32, i64, f32 nor pointer goes by address and size, and so
  /// does everything with `byAddress`.
  void pass(Value value, bool byAddress = false);
  /// An operand that may be missing.
  void passOr(Value value, int64_t otherwise, unsigned width = 32);
  /// Memory for the result and its size: the function returns nothing.
  void passResult();
  /// Whether the function cannot return the result itself.
  bool needsResultSlot() const;

  /// Calls a function of a given result, or of none.
  Value call(StringRef handler, Type type, bool isPure = false);
  /// Calls a function that returns the result of the operation, or has stored
  /// it, and replaces the operation.
  void replace(StringRef handler, bool isPure = false);
  /// Replaces the operation by a value, or by none.
  void replaceWith(Value value);

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return op->getLoc(); }

private:
  void passByAddress(Value value);

  Operation *op;
  OpBuilder &builder;
  RuntimeCalls &calls;
  SiteList &sites;
  SmallVector<Value> arguments;
  Value resultSlot;
  /// Slots are numbered; 0 is that of the result.
  unsigned numSlots = 1;
};

/// Bytes of a value in memory. A vector of three words has twelve, unlike its
/// allocation.
uint64_t getBytes(Operation *op, Type type);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_OPCALL_H
