//===- MmaSync.h - matrix instructions of one NVIDIA warp -------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The register fragments of mma.sync, ldmatrix and stmatrix as closed formulas,
// and what mma.sync computes. Sources: PTX ISA, "Warp Level Matrix
// Multiply-Accumulate Instructions" (9.7.14), of it "Matrix Fragments for
// mma.m16n8k4" to "mma.m16n8k32" (9.7.14.5.5 to 9.7.14.5.10), "ldmatrix"
// (9.7.14.5.15) and "stmatrix" (9.7.14.5.16). All fragments of m16n8 are one
// rule: a 32-bit register holds consecutive elements of K, four lanes cover
// 16 bytes of it, and further registers take the other eight rows of A first,
// the next 16 bytes of K then.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_MMASYNC_H
#define LPGEMM_EMULATOR_MMASYNC_H

#include "lpgemm/Emulator/TensorCore.h"

namespace mlir::lpgemm::emulator::mmasync {

using tensorcore::Accumulator;
using tensorcore::Arithmetic;
using tensorcore::Element;
using tensorcore::kGroup;

/// An mma.sync of shape m16n8k`k`, with A in rows and B in columns.
struct Instruction {
  unsigned k;
  Element a;
  Element b;
  Accumulator d;
};

/// Whether PTX has the shape for the type.
constexpr bool isShape(unsigned k, Element element) {
  unsigned bytes = k * tensorcore::byteWidth(element);
  return bytes == 16 || bytes == 32;
}

/// Elements in one 32-bit register.
constexpr unsigned perRegister(Element element) {
  return 4 / tensorcore::byteWidth(element);
}

/// Elements of A in one lane. Of B, it is half as many.
constexpr unsigned elementsOfA(unsigned k) { return k / 2; }
constexpr unsigned elementsOfB(unsigned k) { return k / 4; }

constexpr unsigned rowOfA(Element element, unsigned lane, unsigned i) {
  return lane / 4 + kGroup * (i / perRegister(element) % 2);
}

/// The K index that element `i` of register `r` of B, or of the registers 2r
/// and 2r + 1 of A, has.
constexpr unsigned fragmentK(Element element, unsigned lane, unsigned r,
                             unsigned i) {
  return perRegister(element) * (lane % 4 + 4 * r) + i;
}

constexpr unsigned kOfA(Element element, unsigned lane, unsigned i) {
  unsigned e = perRegister(element);
  return fragmentK(element, lane, i / e / 2, i % e);
}

constexpr unsigned kOfB(Element element, unsigned lane, unsigned i) {
  unsigned e = perRegister(element);
  return fragmentK(element, lane, i / e, i % e);
}

constexpr unsigned columnOfB(unsigned lane) { return lane / 4; }

/// What one lane gives to the instruction, and where its results go.
struct LaneOperands {
  void *d;
  const void *a;
  const void *b;
  const void *c;
};

/// D = A * B + C for a warp: `lanes` has 32 entries.
void execute(const Instruction &instruction, const LaneOperands *lanes,
             const Arithmetic &arithmetic);

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

/// A matrix has eight rows of 16 bytes.
constexpr unsigned kMatrixRowBytes = 16;

/// The lane that gives the address of a row of a matrix.
constexpr unsigned addressLane(unsigned matrix, unsigned row) {
  return kGroup * matrix + row;
}

/// The row and column of a matrix of 16-bit elements that half `i` (0 or 1) of
/// a lane's register for it holds. Register m belongs to matrix m.
constexpr unsigned matrixRow(bool isTransposed, unsigned lane, unsigned i) {
  return isTransposed ? 2 * (lane % 4) + i : lane / 4;
}

constexpr unsigned matrixCol(bool isTransposed, unsigned lane, unsigned i) {
  return matrixRow(!isTransposed, lane, i);
}

/// Moves `num` matrices (1, 2 or 4) to the registers of a warp. `rows` has the
/// addresses of 8 * num rows, `registers` for each lane its `num` registers.
void loadMatrices(unsigned num, bool isTransposed, const uint8_t *const *rows,
                  uint32_t *const *registers);

/// The reverse.
void storeMatrices(unsigned num, bool isTransposed, uint8_t *const *rows,
                   const uint32_t *const *registers);

} // namespace mlir::lpgemm::emulator::mmasync

#endif // LPGEMM_EMULATOR_MMASYNC_H
