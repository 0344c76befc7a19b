//===- CompileFile.h - compile the module of a file -------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_LPGEMM_COMPILE_COMPILEFILE_H
#define LPGEMM_TOOLS_LPGEMM_COMPILE_COMPILEFILE_H

#include "lpgemm/Compile/Compile.h"

namespace mlir::lpgemm {

/// What lpgemm-compile does, in the words of its command line.
struct CompileFileOptions : CompileOptions {
  /// A module at any stage.
  std::string input;
  /// Receives the result; "-" is stdout.
  std::string output;
  /// Receives what docs/manifest.md describes; empty: the name of `output` and
  /// ".json", or nothing if `output` is no file.
  std::string manifest;
  /// Do not tell on stdout, behind a result in a file, what the kernels need.
  bool quiet = false;
};

/// Compiles the kernels of a module. On an error nothing is written. Result and
/// manifest are written together.
llvm::Error compileFile(const CompileFileOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_LPGEMM_COMPILE_COMPILEFILE_H
