//===- AccuracyView.h - numbers of any type in memory -----------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices whose elements are read as codes and as values, without a copy: what
// the measures of Accuracy.h go over.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_NUMERICS_ACCURACYVIEW_H
#define LPGEMM_NUMERICS_ACCURACYVIEW_H

#include "lpgemm/Numerics/Formats.h"

namespace mlir::lpgemm {

/// The types of numbers that are compared, named as MLIR's types.
enum class NumberType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  F8E8M0FNU,
  I32,
  I8
};

/// What a type looks like.
struct NumberInfo {
  NumberType type;
  /// The type as MLIR spells it, such as "bf16".
  llvm::StringLiteral name;
  /// The size of an element in memory; narrower codes take a byte each.
  unsigned bytes;
  unsigned bits;
  bool isInteger;
  /// The stored bits of the significand, and the exponent of the smallest
  /// normal number. Both are zero for integers.
  unsigned mantissaBits;
  int minExponent;
  /// The format of a type of at most eight bits that is no integer.
  std::optional<ElementFormat> format;

  uint64_t getCodeMask() const { return ~uint64_t(0) >> (64 - bits); }
};

/// What `type` looks like.
const NumberInfo &getNumberInfo(NumberType type);

/// The type that MLIR spells `name`.
std::optional<NumberType> parseNumberType(llvm::StringRef name);

/// The value of a code. The result is exact.
double getNumberValue(NumberType type, uint64_t code);

/// How many codes two codes are apart. Both zeros are one place, infinity
/// is one above the largest finite value, NaN is nowhere but at NaN: from a
/// number it is 2^bits - 1 away, more than any two numbers are.
uint64_t computeUlpDistance(NumberType type, uint64_t lhs, uint64_t rhs);

/// The distance between neighbours at the magnitude of `value`, with the
/// spacing above `value` if that is a power of two; 1 for integers. Infinite
/// values have the spacing of the largest finite value.
double computeUlpSize(NumberType type, double value);

/// A matrix in memory.
struct NumberView {
  NumberType type;
  const void *data;
  int64_t rows;
  int64_t columns;
  /// In elements.
  int64_t rowStride;
  int64_t columnStride = 1;

  /// A matrix whose rows follow each other.
  static NumberView getDense(NumberType type, const void *data, int64_t rows,
                             int64_t columns) {
    return {type, data, rows, columns, columns};
  }

  uint64_t getCode(int64_t row, int64_t column) const;
  double getValue(int64_t row, int64_t column) const {
    return getNumberValue(type, getCode(row, column));
  }
};

} // namespace mlir::lpgemm

#endif // LPGEMM_NUMERICS_ACCURACYVIEW_H
