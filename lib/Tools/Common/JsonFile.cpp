//===- JsonFile.cpp - JSON beside other outputs ---------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/JsonFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;

/// Renaming over a device would replace it.
static Error checkRegular(StringRef path) {
  llvm::sys::fs::file_status status;
  if (path != "-" && !llvm::sys::fs::status(path, status) &&
      !llvm::sys::fs::is_regular_file(status))
    return createStringError(path + ": cannot write: not a regular file");
  return Error::success();
}

Error mlir::lpgemm::writeJson(StringRef path, const llvm::json::Value &value,
                              llvm::function_ref<Error()> writeOthers) {
  if (Error error = checkRegular(path))
    return error;
  Error othersError = Error::success();
  Error error =
      llvm::writeToOutput(path, [&](llvm::raw_ostream &stream) -> Error {
        llvm::ErrorAsOutParameter checked(&othersError);
        if ((othersError = writeOthers()))
          return createStringError("not written");
        stream << llvm::formatv("{0:2}\n", value);
        return Error::success();
      });
  if (othersError) {
    llvm::consumeError(std::move(error));
    return othersError;
  }
  if (!error)
    return Error::success();
  return createStringError(
      path + ": cannot write: " + llvm::toString(std::move(error)));
}
