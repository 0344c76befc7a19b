//===- Registration.h - registers all of LPGEMM -------------------*- C -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_C_REGISTRATION_H
#define LPGEMM_C_REGISTRATION_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the lpgemm dialect, and what the pipelines need to know of the dialects
/// around it, to the registry.
MLIR_CAPI_EXPORTED void lpgemmRegisterAllDialects(MlirDialectRegistry registry);

/// Registers every pass of LPGEMM by its flag, for the whole process. Calling
/// it again has no effect.
MLIR_CAPI_EXPORTED void lpgemmRegisterAllPasses(void);

/// Registers every pipeline of LPGEMM by its flag, for the whole process, such
/// as lpgemm-lower-to-rocdl. Calling it again has no effect.
MLIR_CAPI_EXPORTED void lpgemmRegisterAllPipelines(void);

#ifdef __cplusplus
}
#endif

#endif // LPGEMM_C_REGISTRATION_H
