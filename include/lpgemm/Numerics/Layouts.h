//===- Layouts.h - Memory layouts of scales ---------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where libraries and matrix instructions expect the scales of an operand. The
// outer index r is a row of the left operand or a column of the right one,
// however that is stored (L-6); b is the block along K.
//
// Sources: cuBLAS documentation 3.1.4 (col, blk128x128, swz128x4), DeepGEMM
// (mn_tma, mn_tma_ue8m0x4), AITER (amd32x8).
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_LAYOUTS_H
#define LPGEMM_NUMERICS_LAYOUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::lpgemm {

/// The layouts SL-0 to SL-6.
enum class BufferLayout : uint8_t {
  /// The blocks of a row in sequence.
  Row,
  /// The rows of a block in sequence.
  Col,
  /// As Col, with columns padded to 16 bytes as TMA asks for.
  MnTma,
  /// As MnTma, with four consecutive blocks of a row in a word.
  MnTmaUE8M0x4,
  /// One scale for 128 rows, in sequence along K.
  Blk128x128,
  /// Atoms of 128 rows and 4 blocks whose rows are swizzled.
  Swz128x4,
  /// Tiles of 32 rows and 8 blocks in the order of the lanes of an MFMA.
  Amd32x8
};

/// What a layout looks like.
struct BufferLayoutInfo {
  BufferLayout layout;
  llvm::StringLiteral name;
  /// The bytes of a scale; zero for any number.
  unsigned scaleBytes;
  /// How many rows of the operand share a scale.
  unsigned rowsPerScale;
  /// Of what the numbers of scale rows and of blocks are multiples in memory.
  unsigned rowMultiple;
  unsigned blockMultiple;
  /// What the bytes in between hold (L-7).
  uint8_t padding;
};

/// All layouts in the order of BufferLayout.
llvm::ArrayRef<BufferLayoutInfo> getBufferLayoutInfos();
const BufferLayoutInfo &getBufferLayoutInfo(BufferLayout layout);

/// The layout called `name`, such as "swz128x4".
std::optional<BufferLayout> parseBufferLayout(llvm::StringRef name);

/// The scales of an operand.
struct ScaleExtents {
  /// The rows of the left operand or columns of the right one.
  int64_t outer;
  /// The number of blocks along K.
  int64_t blocks;
  /// The bytes of a scale.
  unsigned scaleBytes;
};

/// Whether the scales can have the layout. The error is one line.
llvm::Error checkBufferLayout(BufferLayout layout, const ScaleExtents &extents);

/// The offset in bytes of the scale of row `r` and block `b`.
int64_t getScaleOffset(BufferLayout layout, int64_t r, int64_t b,
                       const ScaleExtents &extents);

/// The bytes of all scales and of the padding between and behind them.
int64_t getScaleBufferSize(BufferLayout layout, const ScaleExtents &extents);

/// Brings scales from row-major order into a layout and back. Row-major they
/// are [ceil(outer / rowsPerScale)][blocks].
std::vector<uint8_t> packScales(BufferLayout layout,
                                llvm::ArrayRef<uint8_t> scales,
                                const ScaleExtents &extents);
std::vector<uint8_t> unpackScales(BufferLayout layout,
                                  llvm::ArrayRef<uint8_t> buffer,
                                  const ScaleExtents &extents);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_LAYOUTS_H
