//===- Numerics.h - how emulated tensor cores round -------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_NUMERICS_H
#define LPGEMM_EMULATOR_NUMERICS_H

namespace mlir::lpgemm::emulator {

/// How a matrix instruction on floats forms its sums.
enum class Numerics {
  /// In double precision, rounded once.
  Exact,
  /// One f32 fused multiply-add after the other.
  F32,
  /// As the device does, by the rules in TensorCore.h.
  Hw,
};

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_NUMERICS_H
