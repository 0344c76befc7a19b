//===- Barriers.h - barriers of NVIDIA chips --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_BARRIERS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_BARRIERS_H

#include "Machine.h"

namespace mlir::lpgemm::emulator {

/// The current lane has exited: barriers that expect all lanes need not wait
/// for it any more.
void releaseBarriersAtExit(Machine &machine);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_BARRIERS_H
