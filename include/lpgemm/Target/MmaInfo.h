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
#include "lpgemm/Target/ElementKind.h"
#include "mlir/IR/Types.h"
#include "mlir/Support/LLVM.h"

namespace mlir::lpgemm {

/// Where the lanes of a wave hold one atom of a matrix. With q a chunk, e an
/// element in it and l a lane, the lane's element lies at
///
///   vectorDim        : chunkStart[q] + (l / outerLanes) * laneStride + e
///   the other dim    : (l % outerLanes) % its extent
///
/// With `innerLanes` (wgmma, mma.sync) lanes follow each other along vectorDim
/// first, then by eighths of a warp, then by warps, and chunks follow across:
///
///   vectorDim        : alongStart[q] + (l % innerLanes) * laneStride + e
///   the other dim    : chunkStart[q] + (l / innerLanes) % outerLanes
///                      + (l / 32) * warpStride
///
/// The elements of a lane are its chunks one after another.
struct LaneLayout {
  int64_t rows, cols; // of one atom
  unsigned vectorDim; // 0: a lane runs along rows (down a column), 1: columns
  int64_t outerLanes; // lanes that differ in the other dim
  int64_t laneStride; // elements between groups of outerLanes
  int64_t chunkLen;   // elements of one chunk, contiguous along vectorDim
  int64_t numChunks;
  int64_t chunkStart[4];
  int64_t innerLanes = 0, warpStride = 0;
  int64_t alongStart[4] = {};

  int64_t numElements() const { return numChunks * chunkLen; }
  /// Row and column of element `e` of `lane`.
  std::pair<int64_t, int64_t> position(int64_t lane, int64_t e) const;
};

/// Layouts of what follows the result of an instruction: its accumulator, and
/// column vectors along its rows (a scale of a row of A) and its columns (of a
/// row of B); the same where each pair of columns has become one. Without rows
/// there is no such layout.
struct MmaLayouts {
  LaneLayout c, row, col, pair, pairCol;
};

/// One matrix instruction. Static data; see MmaInfo.cpp for the sources.
struct MmaInfo {
  MmaInstr instr;
  int64_t m, n, k;
  /// Elements of K that share one scale operand; 0: no scale operands.
  int64_t scaleBlock;
  /// What A and B, each on its own, may be of.
  ArrayRef<ElementKind> operands;
  /// A and B: of bytes and more; of less than a byte.
  LaneLayout operand, narrowOperand;
  MmaLayouts result;
  LaneLayout scale;
  /// An instruction takes as many columns of atoms at once; 0: one.
  int64_t maxN = 0;
  /// B, if it does not lie as A does; else it has no rows.
  LaneLayout rhs = {};

  /// Where a tile of `elementType` lies that has this role, or is turned into
  /// one that has it.
  const LaneLayout &layout(MmaRole role, Type elementType) const;
  bool acceptsElementKinds(ElementKind a, ElementKind b) const;
  bool acceptsElementTypes(Type a, Type b) const;
  /// A and B are tiles in shared memory, not in registers.
  bool readsSharedMemory() const { return operand.rows == 0; }
  /// Which element of a lane in the layout of rows (columns) of the result goes
  /// with element `e` of the result.
  int64_t getRowElement(int64_t e) const;
  int64_t getColElement(int64_t e) const;
  /// f32 or i32.
  Type getAccumulatorType(MLIRContext *context) const;
};

/// The record of `instr`.
const MmaInfo &getMmaInfo(MmaInstr instr);

} // namespace mlir::lpgemm

#endif // LPGEMM_TARGET_MMAINFO_H
