//===- LPGEMMToLoops.h - the reference lowering -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_LPGEMMTOLOOPS_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_LPGEMMTOLOOPS_H

#include "mlir/Pass/Pass.h"

namespace mlir::lpgemm {

#define GEN_PASS_DECL
#include "lpgemm/Conversion/LPGEMMToLoops/Passes.h.inc"

/// Registers convert-lpgemm-to-loops.
#define GEN_PASS_REGISTRATION
#include "lpgemm/Conversion/LPGEMMToLoops/Passes.h.inc"

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_LPGEMMTOLOOPS_H
