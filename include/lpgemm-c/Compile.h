//===- Compile.h - from text to an artifact -----------------------*- C -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call from a module to what lpgemm-compile would write. It needs nothing
// else of MLIR: each call has a context of its own, so that calls may be made
// from several threads, and nothing is printed.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_C_COMPILE_H
#define LPGEMM_C_COMPILE_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to compile to. A string of length 0 stands for the default, so that
/// `LpgemmCompileOptions options = {0}` is valid.
typedef struct LpgemmCompileOptions {
  /// What locations call the source; by default "<source>".
  MlirStringRef name;
  /// The chip; by default "gfx950".
  MlirStringRef chip;
  /// "mlir": host code and lowered kernels. Of the kernels alone, "llvm": LLVM
  /// IR; "isa": assembly, or PTX; "binary", the default: an HSACO, or a cubin.
  MlirStringRef emit;
  /// A ROCm installation whose linker is used; by default the one that the
  /// environment variable ROCM_PATH names, or else LLVM's own linker. For a
  /// chip of NVIDIA a CUDA toolkit whose ptxas is used; by default the one that
  /// CUDA_PATH names, /usr/local/cuda, or the ptxas in PATH.
  MlirStringRef toolkit;
} LpgemmCompileOptions;

/// The outcome of a compilation. Owned by the caller; all strings and
/// diagnostics that it gives live as long as it does.
typedef struct LpgemmCompileResult {
  void *ptr;
} LpgemmCompileResult;

/// A diagnostic of a compilation.
typedef struct LpgemmDiagnostic {
  const void *ptr;
} LpgemmDiagnostic;

/// Compiles a module at any stage, text or bytecode.
MLIR_CAPI_EXPORTED LpgemmCompileResult
lpgemmCompile(MlirStringRef source, LpgemmCompileOptions options);

MLIR_CAPI_EXPORTED void lpgemmCompileResultDestroy(LpgemmCompileResult result);

/// Whether there is an artifact.
MLIR_CAPI_EXPORTED MlirLogicalResult
lpgemmCompileResultGetStatus(LpgemmCompileResult result);

/// The bytes; none after a failure.
MLIR_CAPI_EXPORTED MlirStringRef
lpgemmCompileResultGetArtifact(LpgemmCompileResult result);

/// What a program needs to launch the kernels: the JSON text that
/// docs/manifest.md describes; empty after a failure.
MLIR_CAPI_EXPORTED MlirStringRef
lpgemmCompileResultGetManifest(LpgemmCompileResult result);

/// Why the compilation failed, in one line; empty after a success. What has a
/// place in the source is a diagnostic, and this line sums it up.
MLIR_CAPI_EXPORTED MlirStringRef
lpgemmCompileResultGetError(LpgemmCompileResult result);

/// The number of diagnostics; after a success they are warnings and remarks.
MLIR_CAPI_EXPORTED intptr_t
lpgemmCompileResultGetNumDiagnostics(LpgemmCompileResult result);

/// The diagnostic at a position less than their number.
MLIR_CAPI_EXPORTED LpgemmDiagnostic
lpgemmCompileResultGetDiagnostic(LpgemmCompileResult result, intptr_t pos);

MLIR_CAPI_EXPORTED MlirDiagnosticSeverity
lpgemmDiagnosticGetSeverity(LpgemmDiagnostic diagnostic);

/// The file of the place that it is about; empty if there is no such place.
MLIR_CAPI_EXPORTED MlirStringRef
lpgemmDiagnosticGetFile(LpgemmDiagnostic diagnostic);

/// The line, from 1; 0 if there is no place.
MLIR_CAPI_EXPORTED unsigned
lpgemmDiagnosticGetLine(LpgemmDiagnostic diagnostic);

/// The column, from 1; 0 if there is no place.
MLIR_CAPI_EXPORTED unsigned
lpgemmDiagnosticGetColumn(LpgemmDiagnostic diagnostic);

MLIR_CAPI_EXPORTED MlirStringRef
lpgemmDiagnosticGetMessage(LpgemmDiagnostic diagnostic);

/// The number of notes, which are diagnostics without notes of their own.
MLIR_CAPI_EXPORTED intptr_t
lpgemmDiagnosticGetNumNotes(LpgemmDiagnostic diagnostic);

/// The note at a position less than their number.
MLIR_CAPI_EXPORTED LpgemmDiagnostic
lpgemmDiagnosticGetNote(LpgemmDiagnostic diagnostic, intptr_t pos);

#ifdef __cplusplus
}
#endif

#endif // LPGEMM_C_COMPILE_H
