//===- Scales.cpp - values of scales --------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Conversion/TileLowering.h"

using namespace mlir;
using namespace mlir::lpgemm;

Value lpgemm::constantF32(ImplicitLocOpBuilder &b, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), value));
}

static Value getNaN(ImplicitLocOpBuilder &b) {
  return constantF32(b, std::numeric_limits<double>::quiet_NaN());
}

static Value getByte(ImplicitLocOpBuilder &b, Value scale) {
  return arith::ExtUIOp::create(
      b, b.getI32Type(),
      b.createOrFold<arith::BitcastOp>(b.getI8Type(), scale));
}

static Value isEqual(ImplicitLocOpBuilder &b, Value value, int64_t to) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value,
                               constantI32(b, to));
}

/// Byte 255 is NaN, every other one 2^(byte - 127), byte 0 included (OCP
/// Microscaling Formats 1.0, E8M0).
PowerOfTwo lpgemm::decodePowerOfTwo(ImplicitLocOpBuilder &b, Value scale) {
  Value byte = getByte(b, scale);
  Value unit = arith::SelectOp::create(b, isEqual(b, byte, 255), getNaN(b),
                                       constantF32(b, 1.0));
  return {addI32(b, byte, constantI32(b, -127)), unit};
}

/// The exponent field of f32 has the bias of E8M0; byte 0 is a subnormal.
static Value decodeE8M0(ImplicitLocOpBuilder &b, Value scale) {
  Value byte = getByte(b, scale);
  Value bits = arith::ShLIOp::create(b, byte, constantI32(b, 23));
  bits = arith::SelectOp::create(b, isEqual(b, byte, 0),
                                 constantI32(b, 1 << 22), bits);
  Value value = arith::BitcastOp::create(b, b.getF32Type(), bits);
  return arith::SelectOp::create(b, isEqual(b, byte, 255), getNaN(b), value);
}

/// (S-8) Without a sign. As the upper bits of an f32 a magnitude is 2^(127 - 7)
/// times too small, also where it is subnormal.
static Value decodeE4M3(ImplicitLocOpBuilder &b, Value scale) {
  Value magnitude =
      arith::AndIOp::create(b, getByte(b, scale), constantI32(b, 0x7F));
  Value bits = arith::ShLIOp::create(b, magnitude, constantI32(b, 20));
  Value value = arith::MulFOp::create(
      b, arith::BitcastOp::create(b, b.getF32Type(), bits),
      constantF32(b, 0x1p120));
  return arith::SelectOp::create(b, isEqual(b, magnitude, 0x7F), getNaN(b),
                                 value);
}

Value lpgemm::decodeScale(ImplicitLocOpBuilder &b, Value scale) {
  Type type = scale.getType();
  if (isa<Float8E8M0FNUType>(type))
    return decodeE8M0(b, scale);
  if (isa<Float8E4M3FNType>(type))
    return decodeE4M3(b, scale);
  return type.isF32() ? scale : arith::ExtFOp::create(b, b.getF32Type(), scale);
}

bool lpgemm::isDecodableScale(Type type) {
  return type.isF32() || type.isBF16() ||
         isa<Float8E8M0FNUType, Float8E4M3FNType>(type);
}
