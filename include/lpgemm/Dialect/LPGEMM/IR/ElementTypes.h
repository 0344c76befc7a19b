//===- ElementTypes.h - groups of element types -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Which types the ops mean by FP8, FP6, FP4 and 16 bits and up.

#ifndef LPGEMM_DIALECT_LPGEMM_IR_ELEMENTTYPES_H
#define LPGEMM_DIALECT_LPGEMM_IR_ELEMENTTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::lpgemm {

/// (E-2) f8E4M3, f8E3M4 and f8E4M3B11FNUZ are no operands.
inline bool isFP8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3FNUZType,
             Float8E5M2FNUZType>(type);
}

/// FP6 and FP4, which memrefs hold as packed bytes.
inline bool isSubByteFloat(Type type) {
  return isa<Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(type);
}

inline bool isLowPrecisionFloat(Type type) {
  return isFP8(type) || isSubByteFloat(type);
}

/// What values that are not quantized have.
inline bool isWideFloat(Type type) {
  return type.isF32() || type.isBF16() || type.isF16();
}

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_IR_ELEMENTTYPES_H
