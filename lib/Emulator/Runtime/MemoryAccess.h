//===- MemoryAccess.h - checks of global memory accesses --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_MEMORYACCESS_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_MEMORYACCESS_H

#include "Machine.h"

#include <algorithm>

namespace mlir::lpgemm::emulator {

/// The largest power of two that divides `bytes`, at most `limit`.
constexpr uint32_t naturalAlignment(uint32_t bytes, uint32_t limit) {
  return std::min(bytes & -bytes, limit);
}

/// Reports an address that is not a multiple of `alignment`.
void checkAlignment(Machine &machine, uint32_t site, uintptr_t address,
                    uint32_t alignment);

bool contains(const Buffer &buffer, uintptr_t address, uint64_t bytes);

/// The registered buffer that all of an access is in, or null.
const Buffer *findBuffer(Machine &machine, uintptr_t address, uint64_t bytes);

/// Ends the workgroup. `meant` is the buffer that the access was about, or the
/// one nearest to it.
[[noreturn]] void failOutOfBounds(Machine &machine, uint32_t site,
                                  uintptr_t address, uint64_t bytes,
                                  const Buffer *meant);

/// Looks for races of an access within a buffer.
void checkRaces(Machine &machine, uint32_t site, const Buffer &buffer,
                uintptr_t address, uint64_t bytes, AccessKind kind);

/// Whether `address`, of a generic pointer, is global memory.
bool isGlobal(const Machine &machine, const void *address);

/// Checks an access of global memory, also for races; does not return if it is
/// out of bounds.
void checkGlobal(Machine &machine, uint32_t site, const void *address,
                 uint64_t bytes, uint32_t alignment, AccessKind kind);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_MEMORYACCESS_H
