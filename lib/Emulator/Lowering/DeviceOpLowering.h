//===- DeviceOpLowering.h - device operations of a kernel -------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_DEVICEOPLOWERING_H
#define LPGEMM_LIB_EMULATOR_LOWERING_DEVICEOPLOWERING_H

#include "LdsLayout.h"
#include "OpTable.h"
#include "RuntimeCalls.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lpgemm::emulator {

/// Replaces the device operations of functions by calls of the runtime.
class DeviceOpLowering {
public:
  DeviceOpLowering(ModuleOp module, OpBuilder &builder, SiteList &sites)
      : builder(builder), calls(module, builder), sites(sites) {}

  /// Checks that the emulator models every operation of `function` on `chip`.
  /// `symbols` are those of its gpu.module.
  static LogicalResult check(LLVM::LLVMFuncOp function, SymbolTable &symbols,
                             const EmulatedChip &chip);

  /// Lowers a function that passed the check. `layout` is null in a function
  /// that is not a kernel.
  void lower(LLVM::LLVMFuncOp function, SymbolTable &symbols,
             const EmulatedChip &chip, const LdsLayout *layout);

private:
  void insertSteps(ArrayRef<Operation *> ops);
  void insertDivisorCheck(Operation *op);
  Value checkDivisor(Operation *op, Value divisor);
  void lowerOp(Operation *op, OpKind kind);
  void lowerAccess(Operation *op, Value address, Type type);
  void lowerAtomic(Operation *op);
  void lowerAlloca(LLVM::AllocaOp op);
  void lowerAddressOf(LLVM::AddressOfOp op);
  void lowerDirectCall(LLVM::CallOp op);
  void lowerFence(LLVM::FenceOp op);
  void lowerCall(Operation *op, const OpEntry &entry);

  OpBuilder &builder;
  RuntimeCalls calls;
  SiteList &sites;
  SymbolTable *symbols = nullptr;
  const EmulatedChip *chip = nullptr;
  const LdsLayout *layout = nullptr;
  llvm::DenseSet<Operation *> loadsAcrossBarriers;
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_DEVICEOPLOWERING_H
