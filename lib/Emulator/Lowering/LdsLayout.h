//===- LdsLayout.h - where the LDS objects of a kernel are ------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_LDSLAYOUT_H
#define LPGEMM_LIB_EMULATOR_LOWERING_LDSLAYOUT_H

#include "OpTable.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::lpgemm::emulator {

struct LdsObject {
  uint32_t offset;
  uint32_t bytes;
};

/// The LDS of one kernel. Between two objects there is unused space, so that
/// leaving one is noticed before the next is reached.
struct LdsLayout {
  llvm::MapVector<LLVM::GlobalOp, LdsObject> objects;
  /// Globals without a size of their own are here, after the others.
  uint32_t dynamicOffset = 0;
  /// What the objects take on the device, without unused space.
  uint32_t deviceBytes = 0;

  uint32_t offsetOf(LLVM::GlobalOp global) const {
    const auto *it = objects.find(global);
    return it == objects.end() ? dynamicOffset : it->second.offset;
  }
};

constexpr unsigned kLdsAddressSpace = 3;

/// Whether a function can be launched.
bool isKernel(LLVM::LLVMFuncOp function);

/// Lays out the LDS globals that `kernel` refers to.
FailureOr<LdsLayout> layOutLds(LLVM::LLVMFuncOp kernel, SymbolTable &symbols,
                               const EmulatedChip &chip);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_LDSLAYOUT_H
