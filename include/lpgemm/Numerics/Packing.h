//===- Packing.h - Memory of quantized elements -----------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the codes of elements lie in memory: narrow ones without gaps, and the
// order of bytes that AMD's matrix kernels expect of weights.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_PACKING_H
#define LPGEMM_NUMERICS_PACKING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace mlir::lpgemm {

//===----------------------------------------------------------------------===//
// Narrow codes
//===----------------------------------------------------------------------===//

/// The bytes of a row of packed codes.
int64_t getPackedRowSize(int64_t columns, unsigned bits);

/// Packs codes, one in a byte, as a little-endian stream of bits: element i of
/// a row takes the bits from i * bits on, the first ones the lowest of a byte.
/// Four-bit codes lie in pairs, the even index in bits 3:0 (L-2); four codes of
/// six bits fill three bytes (L-3). Each row starts with a new byte; its last
/// one is filled up with zeros.
std::vector<uint8_t> packCodes(llvm::ArrayRef<uint8_t> codes, int64_t rows,
                               int64_t columns, unsigned bits);

/// Undoes packCodes.
std::vector<uint8_t> unpackCodes(llvm::ArrayRef<uint8_t> bytes, int64_t rows,
                                 int64_t columns, unsigned bits);

//===----------------------------------------------------------------------===//
// Shuffled weights (L-9)
//===----------------------------------------------------------------------===//

/// Where the byte `k` of row `n` of a weight of `rowBytes` for each n lies in
/// the W16x16 order: tiles of 16 rows by 16 bytes, so that each lane of a
/// matrix instruction of 16 columns loads 16 bytes.
int64_t getShuffledWeightOffset(int64_t n, int64_t k, int64_t rowBytes);

/// Whether a weight can be shuffled: rows in multiples of 16, bytes of a row in
/// multiples of 32.
llvm::Error checkShuffledWeight(int64_t rows, int64_t rowBytes);

/// Brings the bytes of a row-major weight into the W16x16 order and back.
std::vector<uint8_t> shuffleWeight(llvm::ArrayRef<uint8_t> bytes, int64_t rows,
                                   int64_t rowBytes);
std::vector<uint8_t> unshuffleWeight(llvm::ArrayRef<uint8_t> bytes,
                                     int64_t rows, int64_t rowBytes);

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_PACKING_H
