//===- WarpOps.h - operations of an NVIDIA warp -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_WARPOPS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_WARPOPS_H

#include "Machine.h"

namespace mlir::lpgemm::emulator {

/// The lanes that take part must name themselves (PTX ISA, "shfl.sync",
/// "vote.sync", "bar.warp.sync", ...).
void checkMember(Machine &machine, uint32_t site, uint32_t mask);

/// Those of `mask` that the warp has: the last one of a workgroup may be short.
inline uint32_t presentLanes(Machine &machine, uint32_t mask) {
  uint32_t size = machine.wave().size;
  return size == 32 ? mask : mask & ((1u << size) - 1);
}

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_WARPOPS_H
