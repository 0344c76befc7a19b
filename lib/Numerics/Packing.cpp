//===- Packing.cpp - Memory of quantized elements -------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/Packing.h"

#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

//===----------------------------------------------------------------------===//
// Narrow codes
//===----------------------------------------------------------------------===//

int64_t mlir::lpgemm::getPackedRowSize(int64_t columns, unsigned bits) {
  // Not divideCeil(columns * bits, 8), which overflows for empty matrices of
  // absurd extents.
  return columns / 8 * bits + divideCeil(columns % 8 * bits, 8);
}

std::vector<uint8_t> mlir::lpgemm::packCodes(ArrayRef<uint8_t> codes,
                                             int64_t rows, int64_t columns,
                                             unsigned bits) {
  assert(bits <= 8 && static_cast<int64_t>(codes.size()) == rows * columns &&
         "malformed matrix");
  if (codes.empty())
    return {};
  int64_t rowBytes = getPackedRowSize(columns, bits);
  std::vector<uint8_t> bytes(rows * rowBytes);
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t column = 0; column != columns; ++column) {
      int64_t bit = column * bits;
      uint8_t *target = &bytes[row * rowBytes + bit / 8];
      unsigned code = unsigned(codes[row * columns + column]) << (bit % 8);
      *target |= code;
      if (bit % 8 + bits > 8)
        target[1] |= code >> 8;
    }
  return bytes;
}

std::vector<uint8_t> mlir::lpgemm::unpackCodes(ArrayRef<uint8_t> bytes,
                                               int64_t rows, int64_t columns,
                                               unsigned bits) {
  int64_t rowBytes = getPackedRowSize(columns, bits);
  assert(bits <= 8 && static_cast<int64_t>(bytes.size()) == rows * rowBytes &&
         "malformed matrix");
  if (bytes.empty())
    return {};
  std::vector<uint8_t> codes(rows * columns);
  for (int64_t row = 0; row != rows; ++row)
    for (int64_t column = 0; column != columns; ++column) {
      int64_t bit = column * bits;
      const uint8_t *source = &bytes[row * rowBytes + bit / 8];
      unsigned code = *source;
      if (bit % 8 + bits > 8)
        code |= source[1] << 8;
      codes[row * columns + column] =
          code >> (bit % 8) & maskTrailingOnes<unsigned>(bits);
    }
  return codes;
}

//===----------------------------------------------------------------------===//
// Shuffled weights (L-9)
//===----------------------------------------------------------------------===//

int64_t mlir::lpgemm::getShuffledWeightOffset(int64_t n, int64_t k,
                                              int64_t rowBytes) {
  return (n / 16) * 16 * rowBytes + (k / 16) * 256 + (n % 16) * 16 + k % 16;
}

Error mlir::lpgemm::checkShuffledWeight(int64_t rows, int64_t rowBytes) {
  if (rows % 16 != 0)
    return createStringError("w16x16 expects a multiple of 16 rows, got " +
                             Twine(rows));
  if (rowBytes % 32 != 0)
    return createStringError(
        "w16x16 expects a multiple of 32 bytes in a row, got " +
        Twine(rowBytes));
  return Error::success();
}

std::vector<uint8_t> mlir::lpgemm::shuffleWeight(ArrayRef<uint8_t> bytes,
                                                 int64_t rows,
                                                 int64_t rowBytes) {
  assert(static_cast<int64_t>(bytes.size()) == rows * rowBytes &&
         "malformed matrix");
  std::vector<uint8_t> result(bytes.size());
  for (int64_t i = 0, e = bytes.size(); i != e; ++i)
    result[getShuffledWeightOffset(i / rowBytes, i % rowBytes, rowBytes)] =
        bytes[i];
  return result;
}

std::vector<uint8_t> mlir::lpgemm::unshuffleWeight(ArrayRef<uint8_t> bytes,
                                                   int64_t rows,
                                                   int64_t rowBytes) {
  assert(static_cast<int64_t>(bytes.size()) == rows * rowBytes &&
         "malformed matrix");
  std::vector<uint8_t> result(bytes.size());
  for (int64_t i = 0, e = bytes.size(); i != e; ++i)
    result[i] =
        bytes[getShuffledWeightOffset(i / rowBytes, i % rowBytes, rowBytes)];
  return result;
}
