//===- Shapes.h - the shapes of arguments -----------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_LIB_TOOLS_LPGEMM_RUN_SHAPES_H
#define LPGEMM_LIB_TOOLS_LPGEMM_RUN_SHAPES_H

#include "Pieces.h"
#include "lpgemm/Support/Npy.h"

namespace mlir::lpgemm {

/// What the command line says of extents.
struct ProblemSize {
  /// Of the batch, M, N, K; empty if not given.
  Shape extents;
  /// The sizes of the groups.
  std::optional<Shape> groups;
};

/// The shapes of a function.
struct Resolution {
  /// Of each slot; empty for a scalar. Inside of the function they may be
  /// dynamic.
  SmallVector<Shape> slots;
  /// The extents of each op, dynamic where they are not known.
  SmallVector<Shape> extents;
  /// The elements of the groups operand of each op, and what they stand for.
  SmallVector<std::optional<Shape>> groups;
  SmallVector<std::optional<Ranges>> ranges;

  /// An extent of an op by its name, if it is known.
  std::optional<int64_t> getExtent(const Signature &signature, unsigned op,
                                   StringRef name) const;
  /// The extents of lhs, or of rhs, of a product.
  MatrixExtents getMatrixExtents(const Signature &signature, unsigned op,
                                 bool isLhs) const;
  MatrixShapes getShapes(const ScaledMatrix &matrix) const;
  /// The pieces of lhs, or of rhs, of a product; none if they are not known.
  std::optional<SmallVector<Piece>>
  getProductPieces(const Signature &signature, unsigned op, bool isLhs) const;
};

/// The shape of every argument. `given` has the files, or null; the other
/// arguments follow from the types, from the ops and from `size`. Whatever does
/// not fit together is an error.
llvm::Expected<Resolution> resolveShapes(const Signature &signature,
                                         ArrayRef<const NpyArray *> given,
                                         const ProblemSize &size);

/// The largest K of all products.
int64_t getLargestK(const Signature &signature, const Resolution &resolution);

/// Whether the arguments of @`name`, each of `bytes`, fit into memory.
/// UINT64_MAX stands for more than that.
llvm::Error checkBytes(StringRef name, ArrayRef<uint64_t> bytes);

} // namespace mlir::lpgemm

#endif // LPGEMM_LIB_TOOLS_LPGEMM_RUN_SHAPES_H
