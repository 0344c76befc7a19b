//===- TileOrder.cpp - which tile comes when ------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::lpgemm;

// A division by a number that is not known takes some hundred cycles, in which
// a workgroup multiplies nothing. By one that is the same for all of its tiles
// it is a product with the reciprocal (Granlund and Montgomery, "Division by
// Invariant Integers using Multiplication", PLDI 1994).

static Value constant(ImplicitLocOpBuilder &b, int64_t v) {
  return arith::ConstantIndexOp::create(b, v);
}

static Value toI32(ImplicitLocOpBuilder &b, Value v) {
  return arith::IndexCastUIOp::create(b, b.getI32Type(), v);
}

/// floor((2^32 - 1) / divisor), for a divisor that is not 0.
static Value buildReciprocal(ImplicitLocOpBuilder &b, Value divisor) {
  Value ones = arith::ConstantIntOp::create(b, b.getI32Type(), -1);
  return arith::DivUIOp::create(b, ones, toI32(b, divisor));
}

/// Quotient and rest. `x` is below 2^31, so that its product with the
/// reciprocal is less than x / divisor by less than a half: the quotient is
/// right, or 1 too small.
static std::pair<Value, Value> divide(ImplicitLocOpBuilder &b, Value x,
                                      Value divisor, Value reciprocal) {
  if (!reciprocal)
    return {arith::DivUIOp::create(b, x, divisor),
            arith::RemUIOp::create(b, x, divisor)};
  auto product = arith::MulUIExtendedOp::create(b, toI32(b, x), reciprocal);
  Value quotient =
      arith::IndexCastUIOp::create(b, b.getIndexType(), product.getHigh());
  Value rest =
      arith::SubIOp::create(b, x, arith::MulIOp::create(b, quotient, divisor));
  Value isSmall =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, rest, divisor);
  auto choose = [&](Value corrected, Value value) -> Value {
    return arith::SelectOp::create(b, isSmall, corrected, value);
  };
  return {choose(arith::AddIOp::create(b, quotient, constant(b, 1)), quotient),
          choose(arith::SubIOp::create(b, rest, divisor), rest)};
}

/// Without a raster there is one division. Without tiles there is no band and
/// no last one: any divisor but 0 will do.
void TileOrder::prepare(OpBuilder &builder) {
  if (raster == 1)
    return;
  ImplicitLocOpBuilder b(loc, builder);
  Value one = constant(b, 1), whole = constant(b, raster);
  Value band = arith::MulIOp::create(b, tilesN, whole);
  // A band that has more than 32 bits has all tiles, as one of 2^31 has.
  Value divisor = arith::MaxUIOp::create(b, band, one);
  divisor = arith::MinUIOp::create(b, divisor, constant(b, int64_t(1) << 31));
  bandReciprocal = buildReciprocal(b, divisor);
  Value before = arith::AddIOp::create(b, tilesM, constant(b, raster - 1));
  Value last =
      arith::AddIOp::create(b, arith::RemUIOp::create(b, before, whole), one);
  reciprocal = buildReciprocal(b, whole);
  lastReciprocal = buildReciprocal(b, last);
}

std::pair<Value, Value> TileOrder::locateInBand(OpBuilder &builder,
                                                Value inBand, Value left) {
  ImplicitLocOpBuilder b(loc, builder);
  Value whole = constant(b, raster);
  Value rows = arith::MinUIOp::create(b, left, whole);
  Value chosen;
  if (reciprocal)
    chosen = arith::SelectOp::create(
        b, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, left, whole),
        lastReciprocal, reciprocal);
  auto [col, row] = divide(b, inBand, rows, chosen);
  return {row, col};
}

std::pair<Value, Value> TileOrder::locate(OpBuilder &builder, Value tile) {
  ImplicitLocOpBuilder b(loc, builder);
  if (raster == 1)
    return divide(b, tile, tilesN, /*reciprocal=*/Value());
  Value band = arith::MulIOp::create(b, tilesN, constant(b, raster));
  auto [number, inBand] = divide(b, tile, band, bandReciprocal);
  Value first = arith::MulIOp::create(b, number, constant(b, raster));
  Value left = arith::SubIOp::create(b, tilesM, first);
  auto [row, col] = locateInBand(b, inBand, left);
  return {arith::AddIOp::create(b, first, row), col};
}
