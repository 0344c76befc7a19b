//===- AccuracyView.cpp - numbers of any type in memory -------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Numerics/AccuracyView.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/SwapByteOrder.h"
#include <cassert>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace mlir::lpgemm;

static_assert(sys::IsLittleEndianHost,
              "the bytes of an element are those of its code");

using NT = NumberType;
using EF = ElementFormat;

/// Indexed by NumberType.
static constexpr NumberInfo numberInfos[] = {
    // name, bytes, bits, integer, mantissa bits, smallest exponent, format
    {NT::F64, "f64", 8, 64, false, 52, -1022, std::nullopt},
    {NT::F32, "f32", 4, 32, false, 23, -126, std::nullopt},
    {NT::F16, "f16", 2, 16, false, 10, -14, std::nullopt},
    {NT::BF16, "bf16", 2, 16, false, 7, -126, std::nullopt},
    {NT::F8E4M3FN, "f8E4M3FN", 1, 8, false, 3, -6, EF::F8E4M3FN},
    {NT::F8E5M2, "f8E5M2", 1, 8, false, 2, -14, EF::F8E5M2},
    {NT::F8E4M3FNUZ, "f8E4M3FNUZ", 1, 8, false, 3, -7, EF::F8E4M3FNUZ},
    {NT::F8E5M2FNUZ, "f8E5M2FNUZ", 1, 8, false, 2, -15, EF::F8E5M2FNUZ},
    {NT::F6E2M3FN, "f6E2M3FN", 1, 6, false, 3, 0, EF::F6E2M3FN},
    {NT::F6E3M2FN, "f6E3M2FN", 1, 6, false, 2, -2, EF::F6E3M2FN},
    {NT::F4E2M1FN, "f4E2M1FN", 1, 4, false, 1, 0, EF::F4E2M1FN},
    {NT::F8E8M0FNU, "f8E8M0FNU", 1, 8, false, 0, -127, EF::F8E8M0FNU},
    {NT::I32, "i32", 4, 32, true, 0, 0, std::nullopt},
    {NT::I8, "i8", 1, 8, true, 0, 0, std::nullopt},
};

const NumberInfo &mlir::lpgemm::getNumberInfo(NumberType type) {
  const NumberInfo &info = numberInfos[static_cast<unsigned>(type)];
  assert(info.type == type && "the table is not in the enum's order");
  return info;
}

std::optional<NumberType> mlir::lpgemm::parseNumberType(StringRef name) {
  for (const NumberInfo &info : numberInfos)
    if (info.name == name)
      return info.type;
  return std::nullopt;
}

double mlir::lpgemm::getNumberValue(NumberType type, uint64_t code) {
  switch (type) {
  case NT::F64:
    return bit_cast<double>(code);
  case NT::F32:
    return bit_cast<float>(static_cast<uint32_t>(code));
  case NT::F16:
    return APFloat(APFloat::IEEEhalf(), APInt(16, code)).convertToDouble();
  case NT::BF16:
    return bit_cast<float>(static_cast<uint32_t>(code << 16));
  case NT::I32:
    return static_cast<int32_t>(code);
  case NT::I8:
    return static_cast<int8_t>(code);
  default:
    return decode(*getNumberInfo(type).format, code);
  }
}

/// The place of a code that is no NaN in the order of the values. As unsigned,
/// since the difference of two places may not fit into int64_t.
static uint64_t getPlace(const NumberInfo &info, uint64_t code) {
  if (info.isInteger)
    return static_cast<int64_t>(getNumberValue(info.type, code));
  if (info.format && !getFormatInfo(*info.format).isSigned)
    return code;
  uint64_t sign = uint64_t(1) << (info.bits - 1);
  return code & sign ? -(code & ~sign) : code;
}

uint64_t mlir::lpgemm::computeUlpDistance(NumberType type, uint64_t lhs,
                                          uint64_t rhs) {
  const NumberInfo &info = getNumberInfo(type);
  bool lhsIsNaN = std::isnan(getNumberValue(type, lhs));
  bool rhsIsNaN = std::isnan(getNumberValue(type, rhs));
  if (lhsIsNaN || rhsIsNaN)
    return lhsIsNaN && rhsIsNaN ? 0 : info.getCodeMask();
  uint64_t x = getPlace(info, lhs), y = getPlace(info, rhs);
  return static_cast<int64_t>(x) < static_cast<int64_t>(y) ? y - x : x - y;
}

double mlir::lpgemm::computeUlpSize(NumberType type, double value) {
  const NumberInfo &info = getNumberInfo(type);
  if (info.isInteger)
    return 1;
  // The largest exponent follows from how many exponents there are; where the
  // last one holds finite numbers, they are no further apart.
  int exponentBits = info.bits - 1 - info.mantissaBits;
  int maxExponent = info.minExponent + (1 << exponentBits) - 3;
  if (info.format)
    maxExponent = getFormatInfo(*info.format).emax;
  int exponent = std::isinf(value) ? maxExponent
                 : value == 0.0    ? info.minExponent
                                   : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, info.minExponent) -
                             static_cast<int>(info.mantissaBits));
}

uint64_t NumberView::getCode(int64_t row, int64_t column) const {
  assert(row >= 0 && row < rows && column >= 0 && column < columns &&
         "outside of the matrix");
  const NumberInfo &info = getNumberInfo(type);
  uint64_t code = 0;
  std::memcpy(&code,
              static_cast<const char *>(data) +
                  (row * rowStride + column * columnStride) * info.bytes,
              info.bytes);
  return code & info.getCodeMask();
}
