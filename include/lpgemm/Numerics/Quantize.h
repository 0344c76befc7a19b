//===- Quantize.h - Block quantization --------------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantization of a row-major matrix whose rectangular blocks share a scale.
// The scales of blocks of 1 x G, G x G, of rows, of columns and of the whole
// matrix differ only in the shape of the block.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_QUANTIZE_H
#define LPGEMM_NUMERICS_QUANTIZE_H

#include "lpgemm/Numerics/Formats.h"
#include "lpgemm/Numerics/Scales.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::lpgemm {

/// The number of consecutive elements that share an MX scale.
constexpr int64_t mxBlockSize = 32;

/// The number of consecutive elements that share an NVFP4 scale.
constexpr int64_t nvfp4BlockSize = 16;

/// The extents of the blocks that share a scale; an extent of zero is that of
/// the matrix. Blocks at the lower and right edge may be cut off: their scale
/// follows from the elements that exist (S-7).
struct BlockShape {
  int64_t rows;
  int64_t columns;

  bool isTensor() const { return rows == 0 && columns == 0; }
  bool operator==(const BlockShape &other) const {
    return rows == other.rows && columns == other.columns;
  }

  /// The number of scales along the extents of a matrix. Where a block covers
  /// a whole extent there is a scale even if the extent is zero.
  int64_t getNumBlockRows(int64_t matrixRows) const;
  int64_t getNumBlockColumns(int64_t matrixColumns) const;
};

/// How a matrix is quantized; by default to MXFP8.
struct QuantizeOptions {
  ElementFormat format = ElementFormat::F8E4M3FN;
  BlockShape block = {1, mxBlockSize};
  ScaleOptions scale;
  /// Multiply elements by the f32 reciprocal of the scale instead of dividing
  /// them by it (S-11). The same for powers of two.
  bool reciprocal = false;
  Overflow overflow = Overflow::Saturate;
  /// Round at random with the numbers of this seed (C-16), otherwise to
  /// nearest.
  std::optional<uint64_t> seed;
  /// The part of the magnitudes that the scale shall cover (S-18). Below 1 only
  /// for a scale of the whole matrix.
  double percentile = 1.0;
  /// For the rule NVFP4: the largest magnitude that the scale of the tensor is
  /// made for, if it is not that of the matrix.
  std::optional<float> tensorAmax;
  /// Scales to use instead of those that the matrix asks for, as delayed
  /// scaling does (S-17): one for each block, row by row, each a value of its
  /// type.
  std::optional<llvm::ArrayRef<float>> givenScales;
};

/// A quantized matrix.
struct QuantizedMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  /// One code in a byte, [rows][columns].
  std::vector<uint8_t> codes;
  /// [block rows][block columns].
  std::vector<float> scales;
  /// The decode scale of the tensor on top of the others: 1 unless the rule is
  /// NVFP4.
  float tensorScale = 1.0f;
  /// The largest magnitude of the matrix, NaN if there is one (S-10, S-17).
  float amax = 0.0f;
};

/// Whether quantize takes these options for a matrix of these extents. The
/// error is one line.
llvm::Error checkQuantizeOptions(const QuantizeOptions &options, int64_t rows,
                                 int64_t columns);

/// Quantizes a row-major matrix. The options must have passed the check.
///
/// An element is the conversion of the f32 quotient of value and scale. A scale
/// of zero, to which the scale of a block of tiny values may round, gives
/// elements of zero, and so does a block of zeros of either sign (S-12, S-16).
QuantizedMatrix quantize(llvm::ArrayRef<float> values, int64_t rows,
                         int64_t columns, const QuantizeOptions &options);

/// The values that codes and scales stand for. Their products are exact for
/// block scales; of the options format, block and type of the scales matter.
std::vector<double> dequantize(const QuantizedMatrix &matrix,
                               const QuantizeOptions &options);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_QUANTIZE_H
