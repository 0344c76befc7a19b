//===- CompileFile.cpp - compile the module of a file ---------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Tools/lpgemm-compile/CompileFile.h"

#include "lpgemm/Support/OutputFiles.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::lpgemm;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// Whether a result is put in place of what is there, if anything: not for
/// stdout, a pipe or what stands for a device, even if that is sent to a file.
static bool isFile(StringRef path) {
  llvm::sys::fs::file_status status;
  return path != "-" && !path.starts_with("/dev/") &&
         (llvm::sys::fs::status(path, status) ||
          llvm::sys::fs::is_regular_file(status) ||
          llvm::sys::fs::is_directory(status));
}

/// Empty if there is to be none.
static std::string chooseManifest(const CompileFileOptions &options) {
  if (!options.manifest.empty() || !isFile(options.output))
    return options.manifest;
  return options.output + ".json";
}

/// No file may be written twice, or be read and written.
static Error checkFiles(const CompileFileOptions &options, StringRef manifest) {
  if (manifest == "-")
    return createStringError("--manifest needs the name of a file");
  struct File {
    StringRef meaning, path;
  };
  const File files[] = {{"the input", options.input},
                        {"the result", options.output},
                        {"the manifest", manifest}};
  for (const File &file : llvm::drop_begin(files))
    for (const File &earlier : ArrayRef(files, &file))
      if (!file.path.empty() && file.path != "-" && earlier.path != "-" &&
          namesSameFile(earlier.path, file.path))
        return createStringError(file.path + ": named for both " +
                                 earlier.meaning + " and " + file.meaning);
  return Error::success();
}

static Error writeStream(StringRef path, StringRef content) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (!code) {
    stream << content;
    stream.flush();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    return createStringError(path + ": cannot write: " + code.message());
  return Error::success();
}

static Error writeResults(const Compilation &made,
                          const CompileFileOptions &options,
                          StringRef manifest) {
  std::string json = made.manifest.toJson();
  SmallVector<OutputFile> files;
  if (isFile(options.output))
    files.push_back({options.output, {made.artifact}});
  if (!manifest.empty())
    files.push_back({manifest.str(), {json}});
  if (Error error = writeFilesTogether(files))
    return error;
  if (isFile(options.output))
    return Error::success();
  return writeStream(options.output, made.artifact);
}

Error mlir::lpgemm::compileFile(const CompileFileOptions &options) {
  if (options.input.empty())
    return createStringError("an input file must be given, see --help");
  Expected<bool> isText = emitsText(options.emit);
  if (!isText)
    return isText.takeError();
  // Only what is linked is no text.
  if (!options.toolkit.empty() && *isText)
    return createStringError("--toolkit is of --emit=binary only, got --emit=" +
                             Twine(options.emit));
  std::string manifest = chooseManifest(options);
  if (Error error = checkFiles(options, manifest))
    return error;
  std::string message;
  auto source = openInputFile(options.input, &message);
  if (!source)
    return createStringError(message);
  ToolContext context;
  Expected<Compilation> made =
      compileSource(context, std::move(source), options);
  if (!made)
    return made.takeError();
  // Last: what is wrong with the input is of more use.
  if (options.output == "-" && !*isText)
    return createStringError("--emit=" + Twine(options.emit) +
                             " needs -o with the name of a file");
  if (Error error = writeResults(*made, options, manifest))
    return error;
  if (!options.quiet && isFile(options.output))
    made->manifest.printReport(llvm::outs());
  return Error::success();
}
