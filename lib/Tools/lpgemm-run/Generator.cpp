//===- Generator.cpp - random elements ------------------------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

#include <cmath>

using namespace mlir;
using namespace mlir::lpgemm;

double Generator::normal() {
  double u = (engine() >> 11) + 1.0, v = engine() >> 11;
  return std::sqrt(-2 * std::log(std::ldexp(u, -53))) *
         std::cos(2 * M_PI * std::ldexp(v, -53));
}

double Generator::power(int low, int high) {
  return std::ldexp(1, integer(low, high));
}

/// Every finite code of a format and of f16; of wider types, whose products
/// must stay finite, magnitudes from 2^-24 to 2^24 and a few subnormal ones.
uint64_t Generator::randomCode(Type type) {
  if (!isa<FloatType>(type))
    return engine() & (~uint64_t(0) >> (64 - type.getIntOrFloatBitWidth()));
  unsigned bits = type.getIntOrFloatBitWidth();
  if (std::optional<ElementFormat> format = getFormat(type)) {
    uint8_t code;
    do
      code = engine() % getFormatInfo(*format).getNumCodes();
    while (!std::isfinite(decode(*format, code)));
    return code;
  }
  NumberType number = *getNumberType(type);
  bool isSubnormal = integer(0, 31) == 0;
  while (true) {
    uint64_t code = engine() & (~uint64_t(0) >> (64 - bits));
    double value = std::fabs(getNumberValue(number, code));
    double smallest = std::ldexp(1, getNumberInfo(number).minExponent);
    if (isSubnormal)
      return encodeElement(type, smallest * (code & 0xFF) / 256);
    if (type.isF16() ? std::isfinite(value)
                     : value >= std::ldexp(1, -24) && value <= 1 << 24)
      return code;
  }
}

double Generator::value(Type type) {
  if (std::optional<ElementFormat> format = getFormat(type))
    return getFormatInfo(*format).qmax / 7 * normal();
  return (type.isInteger(8) ? 18 : 1) * normal();
}

uint64_t Generator::element(Type type) {
  switch (kind) {
  case InitKind::Normal:
    return encodeElement(type, value(type));
  case InitKind::Codes:
    return randomCode(type);
  case InitKind::Exact:
    return encodeElement(type, integer(-2, 2));
  }
  llvm_unreachable("unknown kind");
}

/// With Exact, sums over K <= 2^16 of products of at most 4 and of two scales
/// that span 2^3 each fit into the 24 bits of an f32: such a sum is exact in
/// every order (G-9).
uint64_t Generator::scale(Type type) {
  if (kind == InitKind::Exact)
    return encodeElement(type, power(-3, 0));
  if (isa<Float8E8M0FNUType>(type))
    return integer(120, 134);
  if (getFormat(type))
    return integer(1, 0x7E); // not negative, subnormals included
  return encodeElement(type, power(-7, 7) * (1 + integer(0, 255) / 256.0));
}

double Generator::factor(bool isSigned) {
  double sign = isSigned && integer(0, 1) ? -1 : 1;
  if (kind == InitKind::Exact)
    return sign * power(-1, 1);
  return sign * (0.5 + integer(0, 1 << 20) * std::ldexp(1.5, -20));
}
