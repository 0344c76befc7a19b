//===- PackedStorage.h - codes of four and six bits in bytes ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_PACKEDSTORAGE_H
#define LPGEMM_CONVERSION_PACKEDSTORAGE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::lpgemm {

/// The codes of a row along the last dimension of a memref of i8: `row` are the
/// indices of the other dimensions. A row is a little-endian stream of bits,
/// code i in bits i * bits and following: for four bits that is L-2, for six
/// bits L-3, for eight bits a byte for each code (L-1).
struct PackedRow {
  Value bytes;
  SmallVector<Value> row;
  unsigned bits;
};

/// The code with index `index` as i8.
Value loadPackedCode(ImplicitLocOpBuilder &b, const PackedRow &row,
                     Value index);

/// Replaces the code with index `index` by the i8 `code`, which must be zero
/// above its bits. The neighbours in its bytes are read and written back.
void storePackedCode(ImplicitLocOpBuilder &b, const PackedRow &row, Value index,
                     Value code);

} // namespace mlir::lpgemm

#endif // LPGEMM_CONVERSION_PACKEDSTORAGE_H
