//===- NumericTypes.h - names and ranges of element types -------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_NUMERICTYPES_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_NUMERICTYPES_H

#include "mlir/IR/Types.h"
#include <string>

namespace mlir::lpgemm {

/// How MLIR spells `type`.
std::string printType(Type type);

/// The layout of an f64, on whose bits conversions work.
namespace binary64 {
constexpr int mantissaBits = 52;
constexpr int bias = 1023;
constexpr int64_t exponentMask = 0x7FF;
constexpr int64_t mantissaMask = (int64_t(1) << mantissaBits) - 1;
constexpr int64_t infinity = exponentMask << mantissaBits;
} // namespace binary64

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_NUMERICTYPES_H
