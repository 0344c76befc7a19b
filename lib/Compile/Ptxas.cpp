//===- Ptxas.cpp - from PTX to a cubin ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlir::lpgemm;

/// Where CUDA is unless something else is said.
static constexpr StringLiteral kDefaultToolkit = "/usr/local/cuda";

static std::string getPtxasPath(StringRef toolkit) {
  SmallString<128> path(toolkit);
  sys::path::append(path, "bin", "ptxas");
  return path.str().str();
}

Expected<Ptxas> Ptxas::find(StringRef toolkit) {
  std::string chosen = toolkit.str();
  if (chosen.empty())
    chosen = sys::Process::GetEnv("CUDA_PATH").value_or("");
  if (!chosen.empty()) {
    if (sys::fs::can_execute(getPtxasPath(chosen)))
      return Ptxas(getPtxasPath(chosen));
    return createStringError("no ptxas at " + getPtxasPath(chosen));
  }
  if (sys::fs::can_execute(getPtxasPath(kDefaultToolkit)))
    return Ptxas(getPtxasPath(kDefaultToolkit));
  if (ErrorOr<std::string> found = sys::findProgramByName("ptxas"))
    return Ptxas(*found);
  return createStringError(
      "no ptxas found: install a CUDA toolkit, or name one");
}

/// The name of a new file in the folder for temporary ones.
static Expected<std::string> createFile(StringRef suffix) {
  SmallString<128> path;
  if (std::error_code error =
          sys::fs::createTemporaryFile("lpgemm", suffix, path))
    return createStringError(error, "cannot make a temporary file: " +
                                        error.message());
  return path.str().str();
}

static Error writeFile(StringRef path, StringRef content) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  stream << content;
  stream.flush();
  if (!error)
    error = stream.error();
  stream.clear_error();
  return error ? createStringError(error, path + ": " + error.message())
               : Error::success();
}

static Expected<std::string> readFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(),
                             path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// Why there is no cubin, in one line: that of the log which says so, else the
/// first one that says anything.
static std::string describeFailure(StringRef log, int code) {
  for (StringRef line : split(log, '\n'))
    if (line.contains("error") || line.contains("fatal"))
      return line.trim().str();
  if (StringRef first = log.ltrim().split('\n').first; !first.empty())
    return first.rtrim().str();
  return "ended with exit status " + std::to_string(code) +
         ", and said nothing";
}

Expected<PtxasOutput> Ptxas::assemble(StringRef ptx, StringRef chip) const {
  SmallVector<std::string> files;
  auto remove = make_scope_exit([&] {
    for (StringRef file : files)
      sys::fs::remove(file);
  });
  for (StringRef suffix : {"ptx", "cubin", "log"}) {
    Expected<std::string> file = createFile(suffix);
    if (!file)
      return file.takeError();
    files.push_back(*file);
  }
  StringRef input = files[0], output = files[1], log = files[2];
  if (Error error = writeFile(input, ptx))
    return std::move(error);
  std::string architecture = ("-arch=" + chip).str();
  const StringRef arguments[] = {path,  architecture, "-O3", "-v",
                                 input, "-o",         output};
  // Nothing comes in; all that comes out is the log.
  const std::optional<StringRef> streams[] = {StringRef(""), log, log};
  std::string failure;
  int code =
      sys::ExecuteAndWait(path, arguments, /*Env=*/std::nullopt, streams,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &failure);
  Expected<std::string> said = readFile(log);
  if (!said)
    return said.takeError();
  if (code != 0)
    return createStringError(
        path + ": " +
        (failure.empty() ? describeFailure(*said, code) : failure));
  Expected<std::string> cubin = readFile(output);
  if (!cubin)
    return cubin.takeError();
  if (cubin->empty())
    return createStringError(path + ": ended well, but made no cubin");
  return PtxasOutput{std::move(*cubin), std::move(*said)};
}
