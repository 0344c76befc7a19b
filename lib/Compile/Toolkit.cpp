//===- Toolkit.cpp - where the linker is ----------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace mlir::lpgemm;

Toolkit::Toolkit(Toolkit &&other)
    : path(std::move(other.path)),
      isTemporary(std::exchange(other.isTemporary, false)) {}

Toolkit::~Toolkit() {
  if (isTemporary)
    sys::fs::remove_directories(path);
}

static std::string getLinkerPath(StringRef toolkit) {
  SmallString<128> linker(toolkit);
  sys::path::append(linker, "llvm", "bin", "ld.lld");
  return linker.str().str();
}

/// LLVM's own linker; empty if there is none.
static std::string findLinker() {
  if (sys::fs::can_execute(LPGEMM_LLD_PATH))
    return LPGEMM_LLD_PATH;
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (ErrorOr<std::string> found = sys::findProgramByName(name))
      return *found;
  return "";
}

Expected<Toolkit> Toolkit::makeTemporary(StringRef linker) {
  SmallString<128> root;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("lpgemm-toolkit", root))
    return createStringError(error, "cannot make a temporary folder: " +
                                        error.message());
  Toolkit toolkit(root);
  toolkit.isTemporary = true;
  std::string link = getLinkerPath(root);
  std::error_code error =
      sys::fs::create_directories(sys::path::parent_path(link));
  if (!error)
    error = sys::fs::create_link(linker, link);
  if (error)
    return createStringError(error, link + ": " + error.message());
  return toolkit;
}

Expected<Toolkit> Toolkit::find(StringRef path) {
  std::string chosen = path.str();
  if (chosen.empty())
    chosen = sys::Process::GetEnv("ROCM_PATH").value_or("");
  if (!chosen.empty()) {
    if (sys::fs::can_execute(getLinkerPath(chosen)))
      return Toolkit(chosen);
    return createStringError("no linker at " + getLinkerPath(chosen));
  }
  std::string linker = findLinker();
  if (linker.empty())
    return createStringError(
        "no ld.lld found: install that of LLVM, or name a toolkit");
  return makeTemporary(linker);
}
