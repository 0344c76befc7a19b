//===- PackedStorage.cpp - codes of four and six bits in bytes ------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/PackedStorage.h"

#include "ScalarExpr.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lpgemm;

namespace {

/// Where a code lies: from bit `shift` of byte `low` on, up to a bit of byte
/// `high`. The two are one where a code does not cross into another byte, so
/// that no byte behind the row is touched.
class Place {
public:
  Place(ImplicitLocOpBuilder &b, const PackedRow &row, ScalarExpr index);

  /// The bytes `low` and `high` as the lower 16 bits of an i32.
  ScalarExpr load();
  void store(ScalarExpr word);

  ScalarExpr shift;

private:
  ScalarExpr loadByte(ScalarExpr index);
  void storeByte(ScalarExpr index, ScalarExpr word);

  ImplicitLocOpBuilder &b;
  const PackedRow &row;
  ScalarExpr low, high, crosses;
};

} // namespace

Place::Place(ImplicitLocOpBuilder &b, const PackedRow &row, ScalarExpr index)
    : shift(index * row.bits), b(b), row(row), low(shift >> 3), high(low),
      crosses(low) {
  shift = shift & 7;
  crosses = shift > 8 - row.bits;
  high = {b, arith::AddIOp::create(b, low,
                                   arith::IndexCastUIOp::create(
                                       b, b.getIndexType(), Value(crosses)))};
  shift = {b, arith::IndexCastUIOp::create(b, b.getI32Type(), Value(shift))};
}

ScalarExpr Place::loadByte(ScalarExpr index) {
  SmallVector<Value> indices(row.row);
  indices.push_back(index);
  return ScalarExpr(b, memref::LoadOp::create(b, row.bytes, indices))
      .extendUnsigned(b.getI32Type());
}

void Place::storeByte(ScalarExpr index, ScalarExpr word) {
  SmallVector<Value> indices(row.row);
  indices.push_back(index);
  memref::StoreOp::create(b, word.truncate(b.getI8Type()), row.bytes, indices);
}

ScalarExpr Place::load() { return loadByte(low) | (loadByte(high) << 8); }

void Place::store(ScalarExpr word) {
  storeByte(low, word);
  storeByte(high, crosses.select(word >> 8, word));
}

Value mlir::lpgemm::loadPackedCode(ImplicitLocOpBuilder &b,
                                   const PackedRow &row, Value index) {
  Place place(b, row, {b, index});
  ScalarExpr code = (place.load() >> place.shift) & ((1 << row.bits) - 1);
  return code.truncate(b.getI8Type());
}

void mlir::lpgemm::storePackedCode(ImplicitLocOpBuilder &b,
                                   const PackedRow &row, Value index,
                                   Value code) {
  Place place(b, row, {b, index});
  ScalarExpr bits = ScalarExpr(b, code).extendUnsigned(b.getI32Type());
  ScalarExpr mask = bits.constant((1 << row.bits) - 1) << place.shift;
  ScalarExpr others = place.load() & (mask ^ mask.constant(-1));
  place.store(others | (bits << place.shift));
}
