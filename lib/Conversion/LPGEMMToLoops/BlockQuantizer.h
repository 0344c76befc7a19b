//===- BlockQuantizer.h - codes and scales of blocks ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_LPGEMMTOLOOPS_BLOCKQUANTIZER_H
#define LPGEMM_CONVERSION_LPGEMMTOLOOPS_BLOCKQUANTIZER_H

#include "Operands.h"
#include <optional>

namespace mlir::lpgemm {

/// A part of a matrix.
struct MatrixRange {
  Value rowBegin, rowEnd, columnBegin, columnEnd;
};

/// The larger of the f32 `init` and the largest magnitude in a part of a
/// matrix, NaN if there is one (S-10, G-14). The values must be exact in f32.
Value emitAmax(ImplicitLocOpBuilder &b, NumericFunctions &functions,
               const MatrixAccess &values, const MatrixRange &range,
               Value init);

/// A matrix, or the rows of one, that is quantized in blocks along its columns.
struct BlockQuantization {
  BlockQuantization(MatrixAccess values, Value rows, Value columns,
                    MatrixAccess codes, ScaleAccess scales)
      : values(std::move(values)), rows(rows), columns(columns),
        codes(std::move(codes)), scales(std::move(scales)) {}

  /// `rows` x `columns` values of f32, bf16 or f16. Where they are part of a
  /// matrix, `codes` and `scales` have a base: rows and columns at which a
  /// block begins and, where codes are packed, a byte. The blocks are those of
  /// the kind of the scales, cut off at the last row and column (S-7).
  MatrixAccess values;
  Value rows, columns;
  MatrixAccess codes;
  ScaleAccess scales;

  /// The scales are there already, in `scales` (S-17). Otherwise they follow
  /// from the values and are stored; padding around them is the caller's, see
  /// emitScalePadding.
  bool scalesGiven = false;
  ScaleRuleMode rule = ScaleRuleMode::Amax;
  /// The largest magnitude of a block counts as at least this (S-12).
  std::optional<float> amaxFloor;
  /// An f8E4M3FN scale is at least this before it is rounded (S-16).
  std::optional<float> minScale;
  /// Below 1, of one scale for all: what part of the magnitudes it covers
  /// (S-18).
  double percentile = 1;
  /// An infinite amax gives the largest f8E8M0FNU scale, not NaN (S-13).
  bool saturateScale = false;

  /// For f8E4M3FN scales: the f32 encode factor of the tensor (S-16), see
  /// NumericFunctions::computeTensorFactor and invertTensorScale. 1 if null.
  Value tensorFactor;
  /// Multiply by f32(1 / scale) in place of a division (S-11).
  bool reciprocal = false;
  OverflowMode overflow = OverflowMode::Sat;
  /// An i64: round stochastically with the random bits of this seed (C-16). If
  /// null, to nearest.
  Value seed;
  /// The linear index, for random bits, of the first value: the others follow
  /// row by row. 0 if null.
  Value firstIndex;
};

/// Emits loops that store the codes and, unless given, the scales. A block
/// whose values are all zero, of either sign, has zero codes (S-12); the bits
/// behind the last code of a packed row are cleared.
void emitBlockQuantization(ImplicitLocOpBuilder &b, NumericFunctions &functions,
                           const BlockQuantization &quantization);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_LPGEMMTOLOOPS_BLOCKQUANTIZER_H
