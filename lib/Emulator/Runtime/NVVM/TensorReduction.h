//===- TensorReduction.h - reductions of tensors ----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_TENSORREDUCTION_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_TENSORREDUCTION_H

#include "lpgemm/Emulator/TensorMap.h"

namespace mlir::lpgemm::emulator {

/// Numbered as NVVM::TMAReduxKind is.
enum class TensorReduction : uint32_t {
  Add,
  Min,
  Max,
  Inc,
  Dec,
  And,
  Or,
  Xor,
};

/// What is wrong with a reduction of a type, or nothing.
std::string checkTensorReduction(TensorType type, TensorReduction reduction);

/// Combines each element at `target` with the one at `source`, in one step as
/// others see it.
void reduceTensor(TensorType type, TensorReduction reduction, void *target,
                  const void *source, uint32_t bytes);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_TENSORREDUCTION_H
