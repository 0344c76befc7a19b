//===- OutputFiles.cpp - files that are written together ------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Support/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::lpgemm;

static Error makeError(StringRef path, const Twine &reason) {
  return createStringError(path + ": cannot write: " + reason);
}

/// Writes into a temporary file next to the final place.
static Expected<sys::fs::TempFile> stage(const OutputFile &output) {
  // Renaming over a device or a directory would replace or fail oddly.
  sys::fs::file_status status;
  if (!sys::fs::status(output.path, status) &&
      !sys::fs::is_regular_file(status))
    return makeError(output.path, "not a regular file");
  Expected<sys::fs::TempFile> file =
      sys::fs::TempFile::create(output.path + ".tmp%%%%%%%%");
  if (!file)
    return makeError(output.path, toString(file.takeError()));
  raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  for (StringRef piece : output.contents)
    os << piece;
  os.flush();
  if (std::error_code code = os.error()) {
    os.clear_error();
    consumeError(file->discard());
    return makeError(output.path, code.message());
  }
  return file;
}

Error mlir::lpgemm::writeFilesTogether(ArrayRef<OutputFile> outputs) {
  SmallVector<sys::fs::TempFile> files;
  auto discardFrom = [&](size_t first) {
    for (sys::fs::TempFile &file : drop_begin(files, first))
      consumeError(file.discard());
  };
  for (const OutputFile &output : outputs) {
    Expected<sys::fs::TempFile> file = stage(output);
    if (!file) {
      discardFrom(0);
      return file.takeError();
    }
    files.push_back(std::move(*file));
  }
  for (auto [index, output] : enumerate(outputs)) {
    if (Error error = files[index].keep(output.path)) {
      discardFrom(index + 1);
      return makeError(output.path, toString(std::move(error)));
    }
  }
  return Error::success();
}

/// The path of a file that need not exist, in a folder without links.
static SmallString<128> resolveFolder(StringRef path) {
  SmallString<128> absolute(path), folder;
  sys::fs::make_absolute(absolute);
  if (sys::fs::real_path(sys::path::parent_path(absolute), folder))
    return absolute;
  sys::path::append(folder, sys::path::filename(absolute));
  return folder;
}

bool mlir::lpgemm::namesSameFile(StringRef first, StringRef second) {
  // False for files that do not exist.
  bool isSame = false;
  return resolveFolder(first) == resolveFolder(second) ||
         (!sys::fs::equivalent(first, second, isSame) && isSame);
}
