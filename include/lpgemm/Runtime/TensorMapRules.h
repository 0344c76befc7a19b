//===- TensorMapRules.h - what a tensor map can describe --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_RUNTIME_TENSORMAPRULES_H
#define LPGEMM_RUNTIME_TENSORMAPRULES_H

#include <cstdint>

namespace mlir::lpgemm {

/// CUDA driver API, cuTensorMapEncodeTiled: addresses and strides are multiples
/// of 16 bytes, extents at most 2^32, strides below 2^40 bytes.
constexpr int64_t kTensorMapUnit = 16;
constexpr int64_t kMaxTensorMapExtent = int64_t(1) << 32;
constexpr int64_t kMaxTensorMapStride = int64_t(1) << 40;

/// The stride that the map of a matrix gets: its pitch, or of a single row,
/// whose pitch may be anything, the length of the row.
constexpr int64_t getTensorMapStride(int64_t cols, int64_t rows,
                                     int64_t pitchBytes, int64_t elementBytes) {
  int64_t units = (cols * elementBytes + kTensorMapUnit - 1) / kTensorMapUnit;
  return rows == 1 ? units * kTensorMapUnit : pitchBytes;
}

/// Whether there is a map of a matrix. The kernel makes the same test.
constexpr bool hasTensorMap(uintptr_t base, int64_t cols, int64_t rows,
                            int64_t strideBytes) {
  return base % kTensorMapUnit == 0 && strideBytes % kTensorMapUnit == 0 &&
         cols > 0 && cols <= kMaxTensorMapExtent && rows > 0 &&
         rows <= kMaxTensorMapExtent && strideBytes >= 0 &&
         strideBytes < kMaxTensorMapStride;
}

/// Whether there is one of a batch of such matrices, which start `entryBytes`
/// apart.
constexpr bool hasTensorMapEntries(int64_t entries, int64_t entryBytes) {
  return entries > 0 && entries <= kMaxTensorMapExtent &&
         entryBytes % kTensorMapUnit == 0 && entryBytes >= 0 &&
         entryBytes < kMaxTensorMapStride;
}

} // namespace mlir::lpgemm

#endif // LPGEMM_RUNTIME_TENSORMAPRULES_H
