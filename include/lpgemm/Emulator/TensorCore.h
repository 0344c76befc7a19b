//===- TensorCore.h - types and sums of NVIDIA tensor cores -----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What wgmma and mma.sync have in common: the types of their elements and how
// the device forms a sum.
//
// The device does not round after each addition. It takes all terms of a sum,
// C among them, aligns them to the largest exponent of any term, cuts off what
// is below a fixed number of fraction bits, and adds the rest exactly. The
// exponent of a product is the sum of the exponents of its factors. Source of
// the numbers: MMA-Sim (arXiv 2511.10909).
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_TENSORCORE_H
#define LPGEMM_EMULATOR_TENSORCORE_H

#include "lpgemm/Emulator/Numerics.h"

#include <cstdint>

namespace mlir::lpgemm::emulator::tensorcore {

/// The types of A and B.
enum class Element { F16, Bf16, Tf32, E4m3, E5m2, S8, U8 };

/// The types of C and D.
enum class Accumulator { F32, F16, S32 };

/// The architectures whose tensor cores round differently.
enum class Generation { Ampere, Ada, Hopper };

constexpr unsigned kWarpSize = 32;
/// Rows of D that one warp holds, both of mma.sync and of wgmma.
constexpr unsigned kRows = 16;
/// Rows and columns come in groups of eight: a core matrix of wgmma, the
/// columns of mma.sync, a matrix of ldmatrix.
constexpr unsigned kGroup = 8;

constexpr unsigned byteWidth(Element element) {
  constexpr unsigned kWidths[] = {2, 2, 4, 1, 1, 1, 1};
  return kWidths[static_cast<unsigned>(element)];
}

constexpr unsigned byteWidth(Accumulator accumulator) {
  return accumulator == Accumulator::F16 ? 2 : 4;
}

constexpr bool isInteger(Element element) {
  return element == Element::S8 || element == Element::U8;
}

constexpr bool isFloat8(Element element) {
  return element == Element::E4m3 || element == Element::E5m2;
}

//===----------------------------------------------------------------------===//
// The accumulator in the lanes of a warp
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix Fragments for mma.m16n8k16" (9.7.14.5.8) and the like for
// mma.sync, "Register Fragments" (9.7.15.5.1.1) for wgmma: a warp of both holds
// 16 rows in the same order.

/// The row, within the 16 of the warp, of element `i` of `lane`.
constexpr unsigned resultRow(unsigned lane, unsigned i) {
  return lane / 4 + kGroup * (i / 2 % 2);
}

/// The column of element `i` of `lane`.
constexpr unsigned resultCol(unsigned lane, unsigned i) {
  return kGroup * (i / 4) + 2 * (lane % 4) + i % 2;
}

/// Elements of D in one lane, for `n` columns.
constexpr unsigned resultsPerLane(unsigned n) { return n / 2; }

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// How Numerics::Hw sums.
struct SumModel {
  /// Fraction bits that a term keeps, counted from the largest exponent.
  unsigned alignedBits;
  /// Fraction bits that an f32 result keeps, the rest is cut off. An f16 result
  /// is rounded to the nearest.
  unsigned resultBits;
  /// Bytes of K that are one sum. The next sum starts from the result.
  unsigned partBytes;
  /// There is no such instruction. The elements are converted to f16, which is
  /// summed from zero on in two parts: of every four elements of K, first those
  /// with the numbers 0 and 1, then 2 and 3. C is added at the end, rounded to
  /// the nearest.
  bool convertsToF16 = false;
};

constexpr SumModel sumModel(Generation generation, bool isWgmma,
                            Element element) {
  switch (generation) {
  case Generation::Ampere:
    return {24, 23, 16};
  case Generation::Ada:
    return isFloat8(element) ? SumModel{13, 13, 16} : SumModel{24, 23, 16};
  case Generation::Hopper:
    break;
  }
  if (!isFloat8(element))
    return {25, 23, 32};
  return isWgmma ? SumModel{13, 13, 32} : SumModel{25, 23, 32, true};
}

/// The arithmetic of one instruction.
struct Arithmetic {
  Numerics numerics = Numerics::Exact;
  Generation generation = Generation::Hopper;
  /// Clamp a sum of integers to 32 bits instead of wrapping.
  bool saturates = false;
};

} // namespace mlir::lpgemm::emulator::tensorcore

#endif // LPGEMM_EMULATOR_TENSORCORE_H
