//===- JsonFile.h - JSON beside other outputs -------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TOOLS_JSONFILE_H
#define LPGEMM_TOOLS_JSONFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::lpgemm {

/// Writes a value to a file or, if `path` is "-", to stdout, and by
/// `writeOthers` what goes with it; on an error nothing is written.
llvm::Error writeJson(llvm::StringRef path, const llvm::json::Value &value,
                      llvm::function_ref<llvm::Error()> writeOthers);

} // namespace mlir::lpgemm

#endif // LPGEMM_TOOLS_JSONFILE_H
