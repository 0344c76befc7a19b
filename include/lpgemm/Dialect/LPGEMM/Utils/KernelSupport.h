//===- KernelSupport.h - what has a lowering to kernels ---------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_KERNELSUPPORT_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_KERNELSUPPORT_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "lpgemm/Target/KnownTargets.h"

namespace mlir::lpgemm {

/// Checks that the passes from here to a kernel know all that `op` asks for.
/// The error names the first clause that they do not, and what they take.
LogicalResult verifyKernelSupport(ProductInterface op);

/// The same for what the passes to kernels of an NVIDIA chip do not know.
LogicalResult verifyNVIDIASupport(MatmulOp op, const TargetRecord &record);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_KERNELSUPPORT_H
