//===- BulkCopies.h - cp.async.bulk -----------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_BULKCOPIES_H
#define LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_BULKCOPIES_H

#include "Machine.h"
#include "lpgemm/Emulator/TensorMap.h"

namespace mlir::lpgemm::emulator {

/// Contiguous bytes of a copy.
struct BulkPiece {
  uint8_t *target;
  /// Null for what is filled.
  const uint8_t *source;
  uint32_t bytes;
};

/// Bytes of shared memory, from the cluster's first on.
struct SharedRange {
  uint64_t offset;
  uint64_t bytes;
};

/// A copy to shared memory of one workgroup, or of each of a mask, which
/// signals the mbarrier at the same place of each.
struct BulkLoad {
  uint32_t site;
  const void *target;
  uint32_t targetSpace;
  const void *barrier;
  uint32_t barrierSpace;
  uint32_t mask;
  /// That it counts.
  uint32_t bytes;
  std::vector<BulkPiece> pieces;
  /// What it writes.
  std::vector<SharedRange> ranges;
  /// Of a copy of a tensor, else of rank 0.
  TensorMapDesc map;
};

/// Checks the shared memory that a copy writes, and starts it.
void startBulkLoad(Machine &machine, BulkLoad load);

/// Starts a copy of the lane's groups that reads shared memory.
void startBulkStore(Machine &machine, uint32_t site,
                    const std::vector<SharedRange> &ranges,
                    std::shared_ptr<AsyncOperation> operation);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_LIB_EMULATOR_RUNTIME_NVVM_BULKCOPIES_H
