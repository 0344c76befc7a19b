//===- Compile.h - ahead-of-time compilation --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_LPGEMM_COMPILE_COMPILE_H
#define LPGEMM_TOOLS_LPGEMM_COMPILE_COMPILE_H

#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lpgemm {

/// What lpgemm-compile does, in the words of its command line.
struct CompileOptions {
  /// A module at any stage.
  std::string input;
  std::string chip;
  /// "mlir", "llvm", "isa" or "binary".
  std::string emit;
  /// Receives the result; "-" is stdout.
  std::string output;
  /// A ROCm installation, for llvm/bin/ld.lld; empty: the one that ROCM_PATH
  /// names, or else the ld.lld of LLVM.
  std::string toolkit;
};

/// Compiles the kernels of a module. On an error nothing is written.
llvm::Error compileModule(const CompileOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_COMPILE_COMPILE_H
