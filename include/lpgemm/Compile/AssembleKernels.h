//===- AssembleKernels.h - kernels to objects to load -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_COMPILE_ASSEMBLEKERNELS_H
#define LPGEMM_COMPILE_ASSEMBLEKERNELS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::lpgemm {

/// Adds the passes between lowered kernels and their translation to LLVM IR,
/// for a gpu.module.
void buildPrepareTranslationPipeline(OpPassManager &kernels);

/// Adds the passes from each gpu.module of lowered kernels for a chip of NVIDIA
/// to a gpu.binary, whose object is a cubin or, where there is no ptxas, PTX,
/// which the driver compiles. `toolkit` is as in CompileOptions.
void buildAssembleKernelsPipeline(OpPassManager &pm, StringRef chip,
                                  StringRef toolkit = "");

} // namespace mlir::lpgemm

#endif // LPGEMM_COMPILE_ASSEMBLEKERNELS_H
