//===- Compile.cpp - C API: from text to an artifact ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm-c/Compile.h"

#include "lpgemm/Compile/Compile.h"
#include "lpgemm/Tools/ToolContext.h"
#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Wrap.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {
/// A diagnostic that outlives its context.
struct StoredDiagnostic {
  explicit StoredDiagnostic(Diagnostic &diagnostic);

  MlirDiagnosticSeverity severity;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
  std::vector<StoredDiagnostic> notes;
};

struct CompileResult {
  std::string artifact;
  std::string manifest;
  std::string error;
  std::vector<StoredDiagnostic> diagnostics;
};
} // namespace

DEFINE_C_API_PTR_METHODS(LpgemmCompileResult, CompileResult)
DEFINE_C_API_PTR_METHODS(LpgemmDiagnostic, const StoredDiagnostic)

StoredDiagnostic::StoredDiagnostic(Diagnostic &diagnostic)
    : severity(mlirDiagnosticGetSeverity(wrap(diagnostic))),
      message(diagnostic.str()) {
  // The place itself, whatever is known of how it came about.
  LocationAttr location = diagnostic.getLocation();
  if (auto place = location.findInstanceOf<FileLineColRange>()) {
    file = place.getFilename().str();
    line = place.getStartLine();
    column = place.getStartColumn();
  }
  for (Diagnostic &note : diagnostic.getNotes())
    notes.emplace_back(note);
}

/// The string, or `standard` for an empty one.
static std::string getOr(MlirStringRef string, StringRef standard) {
  return (string.length ? unwrap(string) : standard).str();
}

LpgemmCompileResult lpgemmCompile(MlirStringRef source,
                                  LpgemmCompileOptions options) {
  auto result = std::make_unique<CompileResult>();
  CompileOptions compile;
  compile.chip = getOr(options.chip, compile.chip);
  compile.emit = getOr(options.emit, compile.emit);
  compile.toolkit = getOr(options.toolkit, compile.toolkit);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      unwrap(source), getOr(options.name, "<source>"));

  ToolContext context;
  ScopedDiagnosticHandler collect(&context.get(), [&](Diagnostic &diagnostic) {
    result->diagnostics.emplace_back(diagnostic);
  });
  llvm::Expected<Compilation> made =
      compileSource(context, std::move(buffer), compile);
  if (made) {
    result->manifest = made->manifest.toJson();
    result->artifact = std::move(made->artifact);
  } else {
    result->error = llvm::toString(made.takeError());
  }
  return wrap(result.release());
}

void lpgemmCompileResultDestroy(LpgemmCompileResult result) {
  delete unwrap(result);
}

MlirLogicalResult lpgemmCompileResultGetStatus(LpgemmCompileResult result) {
  return wrap(success(unwrap(result)->error.empty()));
}

MlirStringRef lpgemmCompileResultGetArtifact(LpgemmCompileResult result) {
  return wrap(StringRef(unwrap(result)->artifact));
}

MlirStringRef lpgemmCompileResultGetManifest(LpgemmCompileResult result) {
  return wrap(StringRef(unwrap(result)->manifest));
}

MlirStringRef lpgemmCompileResultGetError(LpgemmCompileResult result) {
  return wrap(StringRef(unwrap(result)->error));
}

intptr_t lpgemmCompileResultGetNumDiagnostics(LpgemmCompileResult result) {
  return unwrap(result)->diagnostics.size();
}

LpgemmDiagnostic lpgemmCompileResultGetDiagnostic(LpgemmCompileResult result,
                                                  intptr_t pos) {
  return wrap(&unwrap(result)->diagnostics[pos]);
}

MlirDiagnosticSeverity
lpgemmDiagnosticGetSeverity(LpgemmDiagnostic diagnostic) {
  return unwrap(diagnostic)->severity;
}

MlirStringRef lpgemmDiagnosticGetFile(LpgemmDiagnostic diagnostic) {
  return wrap(StringRef(unwrap(diagnostic)->file));
}

unsigned lpgemmDiagnosticGetLine(LpgemmDiagnostic diagnostic) {
  return unwrap(diagnostic)->line;
}

unsigned lpgemmDiagnosticGetColumn(LpgemmDiagnostic diagnostic) {
  return unwrap(diagnostic)->column;
}

MlirStringRef lpgemmDiagnosticGetMessage(LpgemmDiagnostic diagnostic) {
  return wrap(StringRef(unwrap(diagnostic)->message));
}

intptr_t lpgemmDiagnosticGetNumNotes(LpgemmDiagnostic diagnostic) {
  return unwrap(diagnostic)->notes.size();
}

LpgemmDiagnostic lpgemmDiagnosticGetNote(LpgemmDiagnostic diagnostic,
                                         intptr_t pos) {
  return wrap(&unwrap(diagnostic)->notes[pos]);
}
