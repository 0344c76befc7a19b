//===- CopyPlan.h - copies to shared memory ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_COPYPLAN_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_COPYPLAN_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::lpgemm {

/// Bytes of what a position in a row of memory counts: an element, or a byte of
/// packed ones.
int64_t getUnitBytes(Type elementType);

/// Bytes of a row of a buffer, and from one row to the next; a buffer without a
/// layout has no padding.
int64_t getRowBytes(BufType type);
int64_t getPitchBytes(BufType type);
/// Of all rows, of all its slots.
int64_t getBufferBytes(BufType type);
/// What is known of the alignment of its rows, and of their pieces.
int64_t getRowAlignment(BufType type);

/// How the threads of a workgroup share the copy of a tile: in pieces of the
/// rows of the window of the source, which is transposed to the tile or not, or
/// of its columns, where packed elements have to be packed anew.
struct CopyPlan {
  CopyPlan(BufType type, bool transpose, int64_t threads);

  /// What a piece is in registers: words, or bytes where those do not fill any.
  VectorType getPieceType(MLIRContext *context) const;

  bool downColumn;
  int64_t pieceLength;  // bytes of packed rows, else elements
  int64_t piecesPerRow; // side by side in the window
  int64_t pieceBytes, numPieces, piecesPerThread;
  int64_t alignment; // of a piece in the tile, in bytes
};

/// How many of the `rows` of each wave's part of a result go through `room`
/// bytes at once: as many rows of instructions, of `unit` rows, as fit and
/// divide them, where a row of all parts has `rowBits` bits; 0 if not even one
/// fits.
int64_t getStageRows(int64_t rows, int64_t unit, int64_t rowBits, int64_t room);

/// Replaces `copy`, of a workgroup of so many threads, by its two halves, one
/// behind the other. Its buffer has a layout.
void splitCopy(RewriterBase &rewriter, CopyOp copy, int64_t threads);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_COPYPLAN_H
