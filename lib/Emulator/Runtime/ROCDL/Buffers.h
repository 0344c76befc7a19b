//===- Buffers.h - buffer resources -----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_BUFFERS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_BUFFERS_H

#include "Machine.h"

namespace mlir::lpgemm::emulator {

/// Returns the address of an access through a buffer resource, and in `inRange`
/// how much of it may be accessed.
uintptr_t checkBufferAccess(Machine &machine, uint32_t site,
                            const void *descriptor, uint32_t bytes,
                            uint32_t voffset, uint32_t soffset, AccessKind kind,
                            uint32_t &inRange);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_ROCDL_BUFFERS_H
