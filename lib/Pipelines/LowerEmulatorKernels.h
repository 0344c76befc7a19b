//===- LowerEmulatorKernels.h - kernels for the emulator --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_PIPELINES_LOWEREMULATORKERNELS_H
#define LPGEMM_LIB_PIPELINES_LOWEREMULATORKERNELS_H

#include "mlir/Pass/Pass.h"

namespace mlir::lpgemm {

/// Lowers the kernels of a gpu.module to the LLVM dialect, unless they are
/// there already: a conversion merges blocks of what it converted before, of
/// which some kernels have hundreds. Kernels `byHand` may hold vectors of any
/// rank, and memrefs become pointers if all that they take are static, else
/// descriptors; kernels of this project take pointers.
std::unique_ptr<Pass> createLowerEmulatorKernelsPass(StringRef chip,
                                                     bool byHand);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_PIPELINES_LOWEREMULATORKERNELS_H
