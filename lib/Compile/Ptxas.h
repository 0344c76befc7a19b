//===- Ptxas.h - from PTX to a cubin ----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_COMPILE_PTXAS_H
#define LPGEMM_LIB_COMPILE_PTXAS_H

#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lpgemm {

/// What ptxas made, and what it said.
struct PtxasOutput {
  std::string cubin;
  std::string log;
};

/// The ptxas of a CUDA toolkit.
class Ptxas {
public:
  /// That of `toolkit` if it is not empty, else of CUDA_PATH, else of
  /// /usr/local/cuda, else in PATH.
  static llvm::Expected<Ptxas> find(llvm::StringRef toolkit);

  llvm::Expected<PtxasOutput> assemble(llvm::StringRef ptx,
                                       llvm::StringRef chip) const;

private:
  explicit Ptxas(llvm::StringRef path) : path(path) {}

  std::string path;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_COMPILE_PTXAS_H
