//===- MmaInfo.h - matrix instructions and their layouts --------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_TARGET_MMAINFO_H
#define LPGEMM_TARGET_MMAINFO_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMMEnums.h"
#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"

namespace mlir::lpgemm {

/// Where the lanes of a wave hold one atom of a matrix. With q a chunk, e an
/// element in it and l a lane, the lane's element lies at
///
///   vectorDim        : chunkStart[q] + (l / outerLanes) * laneStride + e
///   the other dim    : (l % outerLanes) % its extent
///
/// The elements of a lane are its chunks one after another.
struct LaneLayout {
  int64_t rows, cols; // of one atom
  unsigned vectorDim; // 0: a lane runs along rows (down a column), 1: columns
  int64_t outerLanes; // lanes that differ in the other dim
  int64_t laneStride; // elements between groups of outerLanes
  int64_t chunkLen;   // elements of one chunk, contiguous along vectorDim
  int64_t numChunks;
  int64_t chunkStart[2];

  int64_t numElements() const { return numChunks * chunkLen; }
  /// Row and column of element `e` of `lane`.
  std::pair<int64_t, int64_t> position(int64_t lane, int64_t e) const;
};

/// One matrix instruction. Static data; see MmaInfo.cpp for the sources.
struct MmaInfo {
  MmaInstr instr;
  int64_t m, n, k;
  /// Elements of K that share one scale operand; 0: no scale operands.
  int64_t scaleBlock;
  /// Whether A and B, each on its own, may have this element type.
  bool (*takes)(Type elementType);
  LaneLayout a, b, c, sa, sb;

  const LaneLayout &layout(MmaRole role) const;
  bool acceptsElementTypes(Type a, Type b) const {
    return takes(a) && takes(b);
  }
};

/// The record of `instr`.
const MmaInfo &getMmaInfo(MmaInstr instr);

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_MMAINFO_H
