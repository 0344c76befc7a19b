//===- Toolkit.h - where the linker is --------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_COMPILE_TOOLKIT_H
#define LPGEMM_LIB_COMPILE_TOOLKIT_H

#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lpgemm {

/// A folder with llvm/bin/ld.lld, which is where MLIR looks for the linker. If
/// there is no ROCm installation it is a temporary one, which goes away with
/// the object.
class Toolkit {
public:
  /// Takes `path` if it is not empty, else ROCM_PATH, else LLVM's linker.
  static llvm::Expected<Toolkit> find(llvm::StringRef path);

  Toolkit(Toolkit &&other);
  ~Toolkit();

  llvm::StringRef getPath() const { return path; }

private:
  explicit Toolkit(llvm::StringRef path) : path(path) {}

  /// Makes a folder with a link to `linker`.
  static llvm::Expected<Toolkit> makeTemporary(llvm::StringRef linker);

  std::string path;
  bool isTemporary = false;
};

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_COMPILE_TOOLKIT_H
