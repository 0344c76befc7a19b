//===- DeviceLibrary.cpp - functions of device libraries ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::lpgemm::emulator;

/// What libdevice, the ROCm device libraries and libm call by the same name
/// (CUDA, "libdevice User's Guide"; ROCm device libraries, doc/OCML.md).
static constexpr llvm::StringLiteral kFunctions[] = {
    "acos",  "acosh", "asin",  "asinh", "atan", "atan2", "atanh", "cbrt",
    "ceil",  "cos",   "cosh",  "erf",   "erfc", "exp",   "exp10", "exp2",
    "expm1", "fabs",  "floor", "fma",   "fmax", "fmin",  "fmod",  "log",
    "log10", "log1p", "log2",  "pow",   "rint", "round", "sin",   "sinh",
    "sqrt",  "tan",   "tanh",  "trunc",
};

/// Splits a name into that of the function and whether it is of f32.
static std::pair<StringRef, bool> splitName(StringRef name) {
  if (name.consume_front("__nv_")) {
    bool isFloat = !llvm::is_contained(kFunctions, name);
    if (isFloat)
      name.consume_back("f");
    return {name, isFloat};
  }
  if (!name.consume_front("__ocml_"))
    return {};
  bool isFloat = name.consume_back("_f32");
  return isFloat || name.consume_back("_f64") ? std::pair(name, isFloat)
                                              : std::pair(StringRef(), false);
}

std::string mlir::lpgemm::emulator::findHostFunction(LLVM::CallOp call) {
  auto [name, isFloat] = splitName(call.getCallee().value_or(""));
  auto isRight = [isFloat = isFloat](Type type) {
    return isFloat ? type.isF32() : type.isF64();
  };
  if (!llvm::is_contained(kFunctions, name) || call.getNumResults() != 1 ||
      !isRight(call.getResult().getType()) ||
      !llvm::all_of(call.getOperandTypes(), isRight))
    return "";
  return (name + (isFloat ? "f" : "")).str();
}
