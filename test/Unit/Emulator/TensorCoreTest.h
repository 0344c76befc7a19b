//===- TensorCoreTest.h - elements of tensor cores in tests -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_UNIT_EMULATOR_TENSORCORETEST_H
#define LPGEMM_UNIT_EMULATOR_TENSORCORETEST_H

#include "lpgemm/Emulator/TensorCore.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace mlir::lpgemm::emulator::tensorcore {

/// A float format by its definition.
struct FloatLayout {
  int exponentBits, mantissaBits, bias;
};

/// binary16, bfloat16, TF32 (in 32 bits), OCP E4M3 and E5M2.
inline FloatLayout layoutOf(Element element) {
  constexpr FloatLayout kLayouts[] = {
      {5, 10, 15}, {8, 7, 127}, {8, 23, 127}, {4, 3, 7}, {5, 2, 15}};
  return kLayouts[static_cast<int>(element)];
}

inline double decodeFloat(const FloatLayout &layout, uint32_t code) {
  int exponent = code >> layout.mantissaBits & ((1 << layout.exponentBits) - 1);
  double fraction = (code & ((1u << layout.mantissaBits) - 1)) /
                    static_cast<double>(1 << layout.mantissaBits);
  double value = exponent ? std::ldexp(1 + fraction, exponent - layout.bias)
                          : std::ldexp(fraction, 1 - layout.bias);
  bool isNegative = code >> (layout.exponentBits + layout.mantissaBits) & 1;
  return isNegative ? -value : value;
}

/// A code as a number, which it must be.
inline double valueOf(Element element, uint32_t code) {
  if (element == Element::S8)
    return static_cast<int8_t>(code);
  if (element == Element::U8)
    return static_cast<uint8_t>(code);
  return decodeFloat(layoutOf(element), code);
}

/// A code of a number of ordinary size: no product of two is far from another.
inline uint32_t randomCode(Element element, std::mt19937 &random) {
  if (isInteger(element))
    return random() & 255;
  FloatLayout layout = layoutOf(element);
  uint32_t exponent = layout.bias - 4 + random() % 8;
  uint32_t mantissa = random() & ((1u << layout.mantissaBits) - 1);
  if (element == Element::Tf32)
    mantissa &= ~0x1fffu;
  uint32_t sign = random() & 1;
  return (sign << layout.exponentBits | exponent) << layout.mantissaBits |
         mantissa;
}

/// An operand by its codes.
struct Matrix {
  Matrix(Element element, unsigned rows, unsigned k, unsigned seed)
      : element(element), k(k), codes(rows * k) {
    std::mt19937 random(seed);
    for (uint32_t &code : codes)
      code = randomCode(element, random);
  }

  double value(unsigned row, unsigned i) const {
    return valueOf(element, codes[row * k + i]);
  }

  Element element;
  unsigned k;
  std::vector<uint32_t> codes;
};

/// A row of A times a row of B (a column of the product).
inline double dot(const Matrix &a, unsigned row, const Matrix &b,
                  unsigned col) {
  double sum = 0;
  for (unsigned i = 0; i < a.k; ++i)
    sum += a.value(row, i) * b.value(col, i);
  return sum;
}

/// The accumulators of a warp with `count` elements in each lane.
template <typename T>
struct Lanes {
  explicit Lanes(unsigned count) : values(kWarpSize * count) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      pointers[lane] = values.data() + lane * count;
  }

  T &at(unsigned lane, unsigned i) {
    return static_cast<T *>(pointers[lane])[i];
  }

  std::vector<T> values;
  void *pointers[kWarpSize];
};

} // namespace mlir::lpgemm::emulator::tensorcore

#endif // LPGEMM_UNIT_EMULATOR_TENSORCORETEST_H
