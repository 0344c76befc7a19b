//===- SharedRows.h - rows that copy engines move ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_SHAREDROWS_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_SHAREDROWS_H

#include <cstdint>

namespace mlir::lpgemm {

/// Bytes of a row of a K tile in shared memory, of which all pieces are
/// exchanged, and rows after which that repeats (PTX ISA 9.0, "Swizzling
/// modes", 128B).
inline constexpr int64_t kSwizzleBytes = 128, kSwizzleRows = 8;

/// Rows of the result that a warp has together, and a wave.
inline constexpr int64_t kChunkRows = 16, kWaveRows = 64;

/// Rows of a chunk that one copy stores: those of all warps of a wave, unless
/// each of them is in another workgroup of a cluster that splits K.
inline int64_t getStoredRows(bool splitsK) {
  return splitsK ? kChunkRows : kWaveRows;
}

/// Bytes of a row of the chunks in which a warp stores `columns` columns
/// through shared memory, or 0 where it stores them from registers: a swizzled
/// row, if that gives whole chunks. Else an odd number of sectors of memory, in
/// order: then no more than two of eight rows lie in the same banks.
int64_t getChunkBytes(int64_t columns, int64_t elementBits);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_SHAREDROWS_H
