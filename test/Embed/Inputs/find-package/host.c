//===- host.c - compiles a module in a C program ------------------*- C -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm-c/Compile.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  static char source[1 << 16];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 1;
  size_t size = fread(source, 1, sizeof(source), file);
  fclose(file);

  LpgemmCompileOptions options = {0};
  options.chip = mlirStringRefCreate("gfx950", strlen("gfx950"));
  options.emit = mlirStringRefCreate("isa", strlen("isa"));
  LpgemmCompileResult result =
      lpgemmCompile(mlirStringRefCreate(source, size), options);
  for (intptr_t i = 0; i != lpgemmCompileResultGetNumDiagnostics(result); ++i) {
    LpgemmDiagnostic diagnostic = lpgemmCompileResultGetDiagnostic(result, i);
    MlirStringRef message = lpgemmDiagnosticGetMessage(diagnostic);
    fprintf(stderr, "%u:%u: %.*s\n", lpgemmDiagnosticGetLine(diagnostic),
            lpgemmDiagnosticGetColumn(diagnostic), (int)message.length,
            message.data);
  }
  MlirStringRef artifact = lpgemmCompileResultGetArtifact(result);
  fwrite(artifact.data, 1, artifact.length, stdout);
  MlirLogicalResult status = lpgemmCompileResultGetStatus(result);
  lpgemmCompileResultDestroy(result);
  return mlirLogicalResultIsSuccess(status) ? 0 : 1;
}
