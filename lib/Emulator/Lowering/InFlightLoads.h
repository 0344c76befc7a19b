//===- InFlightLoads.h - LDS loads across barriers --------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_LOWERING_INFLIGHTLOADS_H
#define LPGEMM_LIB_EMULATOR_LOWERING_INFLIGHTLOADS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lpgemm::emulator {

/// The loads from LDS from which a path leads to an `rocdl.s.barrier` without a
/// use of what they load. The back end waits for a load where it is used first;
/// unless the kernel itself waits before the barrier, which is seen when it
/// runs, these may still be in flight after it.
llvm::DenseSet<Operation *> findLoadsAcrossBarriers(LLVM::LLVMFuncOp function);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_LOWERING_INFLIGHTLOADS_H
