//===- InitAll.h - registration of everything in LPGEMM ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools that want all of LPGEMM. A host that wants less includes the
// headers of the parts it uses. The dialects that a pass creates are loaded by
// the pass itself.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_INITALL_H
#define LPGEMM_INITALL_H

#include "lpgemm/Conversion/Passes.h"
#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Dialect/LPGEMM/Transforms/Passes.h"
#include "lpgemm/Emulator/Passes.h"
#include "lpgemm/Pipelines/Pipelines.h"

namespace mlir::lpgemm {

/// Adds the lpgemm dialect, and what the pipelines need to know of the dialects
/// around it, to `registry`.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<LPGEMMDialect>();
  registerPipelineInterfaces(registry);
}

/// Registers every pass of LPGEMM by its flag.
inline void registerAllPasses() {
  registerEmulatorPasses();
  registerLPGEMMConversionPasses();
  registerLPGEMMTransformsPasses();
}

/// Registers every pipeline of LPGEMM by its flag.
inline void registerAllPipelines() { registerPipelines(); }

} // namespace mlir::lpgemm

#endif // LPGEMM_INITALL_H
