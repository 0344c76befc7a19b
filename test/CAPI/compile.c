//===- compile.c - test of lpgemm-c/Compile.h ---------------------*- C -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run by compile.test.
//
//===----------------------------------------------------------------------===//

#include "lpgemm-c/Compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef refer(const char *string) {
  return mlirStringRefCreate(string, strlen(string));
}

static void printDiagnostic(LpgemmDiagnostic diagnostic) {
  MlirStringRef file = lpgemmDiagnosticGetFile(diagnostic);
  MlirStringRef message = lpgemmDiagnosticGetMessage(diagnostic);
  printf("%.*s:%u:%u: %d: %.*s\n", (int)file.length, file.data,
         lpgemmDiagnosticGetLine(diagnostic),
         lpgemmDiagnosticGetColumn(diagnostic),
         (int)lpgemmDiagnosticGetSeverity(diagnostic), (int)message.length,
         message.data);
  for (intptr_t i = 0; i != lpgemmDiagnosticGetNumNotes(diagnostic); ++i)
    printDiagnostic(lpgemmDiagnosticGetNote(diagnostic, i));
}

/// Does nothing without a path.
static void writeFile(const char *path, MlirStringRef content) {
  FILE *file = path ? fopen(path, "wb") : NULL;
  if (!file)
    return;
  fwrite(content.data, 1, content.length, file);
  fclose(file);
}

static void printArtifact(MlirStringRef artifact) {
  int isELF = artifact.length > 4 && !memcmp(artifact.data, "\177ELF", 4);
  printf("ok, %zu bytes%s\n", artifact.length, isELF ? ", ELF" : "");
  if (!isELF)
    fwrite(artifact.data, 1, artifact.length, stdout);
}

/// Compiles the file for a chip to what is to be emitted. Also writes artifact
/// and manifest to the files that the environment names.
int main(int argc, char **argv) {
  static char source[1 << 16];
  FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 2;
  MlirStringRef text =
      mlirStringRefCreate(source, fread(source, 1, sizeof(source), file));
  fclose(file);

  LpgemmCompileOptions options = {0};
  options.name = refer("module");
  options.chip = refer(argv[2]);
  options.emit = refer(argv[3]);
  LpgemmCompileResult result = lpgemmCompile(text, options);
  intptr_t count = lpgemmCompileResultGetNumDiagnostics(result);
  printf("%d diagnostics\n", (int)count);
  for (intptr_t i = 0; i != count; ++i)
    printDiagnostic(lpgemmCompileResultGetDiagnostic(result, i));
  int failed = mlirLogicalResultIsFailure(lpgemmCompileResultGetStatus(result));
  MlirStringRef error = lpgemmCompileResultGetError(result);
  if (failed)
    printf("error: %.*s\n", (int)error.length, error.data);
  else
    printArtifact(lpgemmCompileResultGetArtifact(result));
  writeFile(getenv("ARTIFACT"), lpgemmCompileResultGetArtifact(result));
  writeFile(getenv("MANIFEST"), lpgemmCompileResultGetManifest(result));
  lpgemmCompileResultDestroy(result);
  return failed;
}
