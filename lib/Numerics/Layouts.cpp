//===- Layouts.cpp - Memory layouts of scales -----------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Layouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <cstring>

using namespace llvm;
using namespace mlir::lpgemm;

using SL = BufferLayout;

static constexpr BufferLayoutInfo layoutInfos[] = {
    // name, bytes, rows per scale, row and block multiples, padding
    {SL::Row, "row", 0, 1, 1, 1, 0x00},
    {SL::Col, "col", 0, 1, 1, 1, 0x00},
    {SL::MnTma, "mn_tma", 4, 1, 4, 1, 0x00},
    {SL::MnTmaUE8M0x4, "mn_tma_ue8m0x4", 1, 1, 4, 4, 0x00},
    {SL::Blk128x128, "blk128x128", 4, 128, 1, 4, 0x00},
    {SL::Swz128x4, "swz128x4", 1, 1, 128, 4, 0x00},
    {SL::Amd32x8, "amd32x8", 1, 1, 256, 8, 0x7F},
};

ArrayRef<BufferLayoutInfo> mlir::lpgemm::getBufferLayoutInfos() {
  return layoutInfos;
}

const BufferLayoutInfo &mlir::lpgemm::getBufferLayoutInfo(BufferLayout layout) {
  const BufferLayoutInfo &info = layoutInfos[static_cast<unsigned>(layout)];
  assert(info.layout == layout && "the table is not in the enum's order");
  return info;
}

std::optional<BufferLayout> mlir::lpgemm::parseBufferLayout(StringRef name) {
  for (const BufferLayoutInfo &info : layoutInfos)
    if (info.name == name)
      return info.layout;
  return std::nullopt;
}

/// The rows of scales without padding.
static int64_t getScaleRows(BufferLayout layout, const ScaleExtents &extents) {
  return divideCeil(extents.outer, getBufferLayoutInfo(layout).rowsPerScale);
}

Error mlir::lpgemm::checkBufferLayout(BufferLayout layout,
                                      const ScaleExtents &extents) {
  const BufferLayoutInfo &info = getBufferLayoutInfo(layout);
  if (info.scaleBytes != 0 && info.scaleBytes != extents.scaleBytes)
    return createStringError("scale layout '" + info.name +
                             "' expects scales of " + Twine(info.scaleBytes) +
                             (info.scaleBytes == 1 ? " byte" : " bytes") +
                             ", got " + Twine(extents.scaleBytes));
  if (layout == SL::Col && extents.outer % 4 != 0)
    return createStringError("scale layout 'col' expects a multiple of 4 rows, "
                             "got " +
                             Twine(extents.outer));
  return Error::success();
}

int64_t mlir::lpgemm::getScaleOffset(BufferLayout layout, int64_t r, int64_t b,
                                     const ScaleExtents &extents) {
  const int64_t rows = extents.outer, blocks = extents.blocks;
  const int64_t size = extents.scaleBytes;
  auto ceil4 = [](int64_t x) { return int64_t(alignTo(x, 4)); };
  switch (layout) {
  case SL::Row:
    return (r * blocks + b) * size;
  case SL::Col:
    return (b * rows + r) * size;
  case SL::MnTma:
    return (b * ceil4(rows) + r) * 4;
  case SL::MnTmaUE8M0x4:
    return ((b / 4) * ceil4(rows) + r) * 4 + b % 4;
  case SL::Blk128x128:
    return ((r / 128) * ceil4(blocks) + b) * 4;
  case SL::Swz128x4:
    return ((r / 128) * divideCeil(blocks, 4) + b / 4) * 512 + (r % 32) * 16 +
           ((r % 128) / 32) * 4 + b % 4;
  case SL::Amd32x8:
    return (r / 32) * (32 * int64_t(alignTo(blocks, 8))) + (b / 8) * 256 +
           (b % 4) * 64 + (r % 16) * 4 + ((b / 4) % 2) * 2 + (r / 16) % 2;
  }
  llvm_unreachable("unknown layout of scales");
}

int64_t mlir::lpgemm::getScaleBufferSize(BufferLayout layout,
                                         const ScaleExtents &extents) {
  const BufferLayoutInfo &info = getBufferLayoutInfo(layout);
  return alignTo(getScaleRows(layout, extents), info.rowMultiple) *
         alignTo(extents.blocks, info.blockMultiple) * extents.scaleBytes;
}

/// Calls `fn` with the offset of each scale in row-major order and in the
/// layout.
static void forEachScale(BufferLayout layout, const ScaleExtents &extents,
                         function_ref<void(int64_t row, int64_t packed)> fn) {
  int64_t rowsPerScale = getBufferLayoutInfo(layout).rowsPerScale;
  if (extents.blocks == 0)
    return; // the number of rows means no work, however large
  for (int64_t row = 0, e = getScaleRows(layout, extents); row != e; ++row)
    for (int64_t b = 0; b != extents.blocks; ++b)
      fn((row * extents.blocks + b) * extents.scaleBytes,
         getScaleOffset(layout, row * rowsPerScale, b, extents));
}

std::vector<uint8_t> mlir::lpgemm::packScales(BufferLayout layout,
                                              ArrayRef<uint8_t> scales,
                                              const ScaleExtents &extents) {
  assert(static_cast<int64_t>(scales.size()) == getScaleRows(layout, extents) *
                                                    extents.blocks *
                                                    extents.scaleBytes &&
         "malformed scales");
  std::vector<uint8_t> buffer(getScaleBufferSize(layout, extents),
                              getBufferLayoutInfo(layout).padding);
  forEachScale(layout, extents, [&](int64_t row, int64_t packed) {
    std::memcpy(&buffer[packed], &scales[row], extents.scaleBytes);
  });
  return buffer;
}

std::vector<uint8_t> mlir::lpgemm::unpackScales(BufferLayout layout,
                                                ArrayRef<uint8_t> buffer,
                                                const ScaleExtents &extents) {
  assert(static_cast<int64_t>(buffer.size()) ==
             getScaleBufferSize(layout, extents) &&
         "malformed buffer");
  std::vector<uint8_t> scales(getScaleRows(layout, extents) * extents.blocks *
                              extents.scaleBytes);
  forEachScale(layout, extents, [&](int64_t row, int64_t packed) {
    std::memcpy(&scales[row], &buffer[packed], extents.scaleBytes);
  });
  return scales;
}
