//===- Mfma.h - AMD matrix instructions and register layouts ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The register layouts of AMD matrix instructions as closed formulas. They are
// the emulator's own description, on purpose independent of the tables that
// the lowering uses; a test compares the two.
//
// Sources: for the instructions of gfx942 and for D, the AMD matrix instruction
// calculator (github.com/ROCm/amd_matrix_instruction_calculator): lane
// dim * (k / e) + i holds the elements k of row i, e of them in order. For the
// 16-bit and 8-bit integer instructions that gfx950 adds, which do the same
// with twice the elements, Composable Kernel (xdlops_gemm.hpp, k_per_blk). For
// the operands of f8f6f4, Composable Kernel's test/mx_mfma_op/mx_mfma_op.hpp
// and the comment at chooseScaledMfmaScaleLayout in Triton. For 6-bit types
// only one public source (rocjitsu) gives an order.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_MFMA_H
#define LPGEMM_EMULATOR_MFMA_H

#include <cstdint>

namespace mlir::lpgemm::emulator::mfma {

/// The element formats. The first five are numbered as the cbsz and blgp
/// operands of f8f6f4 number them.
enum class Format {
  Fp8 = 0,
  Bf8 = 1,
  Fp6 = 2,
  Bf6 = 3,
  Fp4 = 4,
  Fp8Fnuz,
  Bf8Fnuz,
  F16,
  Bf16,
  I8,
};

/// A matrix instruction of one wave of 64 lanes: dim x dim x k.
struct Shape {
  unsigned dim;
  unsigned k;
};

constexpr Shape k16x16x16{16, 16};
constexpr Shape k32x32x8{32, 8};
constexpr Shape k16x16x32{16, 32};
constexpr Shape k32x32x16{32, 16};
constexpr Shape k16x16x64{16, 64};
constexpr Shape k32x32x32{32, 32};
constexpr Shape k16x16x128{16, 128};
constexpr Shape k32x32x64{32, 64};

constexpr unsigned kWaveSize = 64;
/// Elements of K that share one scale.
constexpr unsigned kScaleBlock = 32;

/// The lanes that hold one row of A, or one column of B.
constexpr unsigned numGroups(Shape shape) { return kWaveSize / shape.dim; }

/// Elements of A (or B) in one lane.
constexpr unsigned elementsPerLane(Shape shape) {
  return shape.k / numGroups(shape);
}

/// Elements of D in one lane.
constexpr unsigned resultsPerLane(Shape shape) {
  return shape.dim * shape.dim / kWaveSize;
}

constexpr unsigned bitWidth(Format format) {
  constexpr unsigned kWidths[] = {8, 8, 6, 6, 4, 8, 8, 16, 16, 8};
  return kWidths[static_cast<unsigned>(format)];
}

/// Elements of one lane that are consecutive in K: all, except that 8-bit
/// elements are in runs of 16.
constexpr unsigned chunkSize(Shape shape, Format format) {
  unsigned elements = elementsPerLane(shape);
  return bitWidth(format) == 8 && elements > 16 ? 16 : elements;
}

/// The row of A (the column of B) that `lane` holds.
constexpr unsigned operandRow(Shape shape, unsigned lane) {
  return lane % shape.dim;
}

/// The K index of element `e` of `lane`, for A and for B.
constexpr unsigned operandK(Shape shape, Format format, unsigned lane,
                            unsigned e) {
  unsigned chunk = chunkSize(shape, format);
  unsigned group = lane / shape.dim;
  return e / chunk * chunk * numGroups(shape) + group * chunk + e % chunk;
}

/// The lane whose scale operand holds the scale of (`row`, `block`).
constexpr unsigned scaleLane(Shape shape, unsigned row, unsigned block) {
  return row + shape.dim * block;
}

/// The row of D that register `i` of `lane` holds.
constexpr unsigned resultRow(Shape shape, unsigned lane, unsigned i) {
  return i / 4 * 4 * numGroups(shape) + 4 * (lane / shape.dim) + i % 4;
}

/// The column of D that `lane` holds.
constexpr unsigned resultCol(Shape shape, unsigned lane) {
  return lane % shape.dim;
}

/// What one lane gives to the instruction, and where its results go.
struct LaneOperands {
  /// resultsPerLane() f32, or i32 for integer operands.
  void *d;
  const uint8_t *a;
  const uint8_t *b;
  const void *c;
  /// E8M0 codes, if the instruction is scaled.
  uint8_t scaleA;
  uint8_t scaleB;
};

/// D = A * B + C for a wave: `lanes` has 64 entries. A sum of floats is formed
/// in double precision and rounded once, a sum of integers wraps at 32 bits.
void execute(Shape shape, Format formatA, Format formatB, bool isScaled,
             const LaneOperands *lanes);

} // namespace mlir::lpgemm::emulator::mfma

#endif // LPGEMM_EMULATOR_MFMA_H
