//===- SharedRows.cpp - rows that copy engines move -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Dialect/LPGEMM/Utils/SharedRows.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::lpgemm;

// What the L2 cache and device memory read and write as a whole. Eight columns
// of any element are in one.
static constexpr int64_t kSectorBytes = 32;
// Fewer are not worth a copy.
static constexpr int64_t kMinSectors = 3;

int64_t lpgemm::getChunkBytes(int64_t columns, int64_t elementBits) {
  int64_t rowBytes = columns * elementBits / 8;
  if (rowBytes % kSwizzleBytes == 0)
    return kSwizzleBytes;
  if (rowBytes % kSectorBytes != 0)
    return 0;
  int64_t sectors = rowBytes / kSectorBytes;
  sectors >>= llvm::countr_zero(static_cast<uint64_t>(sectors));
  return sectors < kMinSectors ? 0 : sectors * kSectorBytes;
}
