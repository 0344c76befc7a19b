//===- Compile.h - ahead-of-time compilation --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_COMPILE_COMPILE_H
#define LPGEMM_COMPILE_COMPILE_H

#include "lpgemm/Compile/Manifest.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace mlir::lpgemm {

class ToolContext;

/// What is made of a module.
struct CompileOptions {
  std::string chip = "gfx950";
  /// "mlir": host code and lowered kernels. Of the kernels alone, "llvm": LLVM
  /// IR; "isa": assembly, or PTX; "binary": an HSACO, or a cubin.
  std::string emit = "binary";
  /// A ROCm installation, for llvm/bin/ld.lld; empty: the one that ROCM_PATH
  /// names, or else the ld.lld of LLVM. For a chip of NVIDIA a CUDA toolkit,
  /// for bin/ptxas; empty: the one that CUDA_PATH names, /usr/local/cuda, or
  /// the ptxas in PATH.
  std::string toolkit;
};

/// What was made, and what a program needs to launch the kernels in it.
struct Compilation {
  std::string artifact;
  /// Lives no longer than the context.
  Manifest manifest;
};

/// Whether what `emit` names is text; an error if it names nothing.
llvm::Expected<bool> emitsText(llvm::StringRef emit);

/// Compiles a module at any stage, text or bytecode. Diagnostics go to the
/// handlers of the context, by the name of the buffer; the error sums them up,
/// or says in one line what has no place in the source.
llvm::Expected<Compilation>
compileSource(ToolContext &context, std::unique_ptr<llvm::MemoryBuffer> source,
              const CompileOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_COMPILE_COMPILE_H
