//===- OutputFiles.h - files that are written together ----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_SUPPORT_OUTPUTFILES_H
#define LPGEMM_SUPPORT_OUTPUTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lpgemm {

struct OutputFile {
  std::string path;
  /// What it holds, piece after piece.
  llvm::SmallVector<llvm::StringRef, 2> contents;
};

/// Writes all files or none: each is complete beside its place before the first
/// takes it. A place must be free or that of a regular file.
llvm::Error writeFilesTogether(llvm::ArrayRef<OutputFile> files);

/// Whether two paths name the same file, which need not exist.
bool namesSameFile(llvm::StringRef first, llvm::StringRef second);

} // namespace mlir::lpgemm

#endif // LPGEMM_SUPPORT_OUTPUTFILES_H
