//===- Memory.h - accesses of NVIDIA kernels --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_MEMORY_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_MEMORY_H

#include "Machine.h"

namespace mlir::lpgemm::emulator {

/// What the current lane does itself, now.
SharedAccess makeAccess(const Machine &machine, uint32_t site, Proxy proxy);

/// Whether an address of `space` is one of shared memory.
bool isSharedAccess(const Machine &machine, const void *address,
                    uint32_t space);

/// Checks that an address of shared memory is of the workgroup that `space`
/// allows: its own in address space 3, else any of the cluster. Ends the
/// workgroup if it is not. Returns its offset in the cluster.
uint64_t checkSharedAddress(Machine &machine, uint32_t site,
                            const void *address, uint32_t space);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_MEMORY_H
