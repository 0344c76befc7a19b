//===- MmaSync.cpp - matrix instructions of one NVIDIA warp ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Emulator/MmaSync.h"

#include "NVVM/Product.h"

#include <cstring>

using namespace mlir::lpgemm::emulator;
using namespace mlir::lpgemm::emulator::tensorcore;
using namespace mlir::lpgemm::emulator::mmasync;

void mlir::lpgemm::emulator::mmasync::execute(const Instruction &instruction,
                                              const LaneOperands *lanes,
                                              const Arithmetic &arithmetic) {
  constexpr unsigned kMaxK = 32;
  alignas(64) double a[kRows * kMaxK], b[kGroup * kMaxK];
  const void *c[kWarpSize];
  void *d[kWarpSize];
  unsigned k = instruction.k;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    const LaneOperands &operands = lanes[lane];
    c[lane] = operands.c;
    d[lane] = operands.d;
    // Register by register: its elements are consecutive in K.
    auto *registers = static_cast<const uint8_t *>(operands.a);
    unsigned count = perRegister(instruction.a);
    for (unsigned i = 0; i < elementsOfA(k); i += count)
      decode(instruction.a, registers + i / count * 4, count,
             a + rowOfA(instruction.a, lane, i) * k +
                 kOfA(instruction.a, lane, i),
             /*step=*/1);
    registers = static_cast<const uint8_t *>(operands.b);
    for (unsigned i = 0; i < elementsOfB(k); i += count)
      decode(instruction.b, registers + i / count * 4, count,
             b + kOfB(instruction.b, lane, i) * kGroup + columnOfB(lane),
             /*step=*/kGroup);
  }
  multiply({/*n=*/kGroup, k, a, b, instruction.a, instruction.b, instruction.d,
            /*isWgmma=*/false},
           c, d, arithmetic);
}

/// Calls fn(matrix, lane, half, row, byte) for every element of `num` matrices.
template <typename Fn>
static void forEachElement(unsigned num, bool isTransposed, Fn &&fn) {
  for (unsigned matrix = 0; matrix < num; ++matrix)
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
      for (unsigned half = 0; half < 2; ++half)
        fn(matrix, lane, half,
           addressLane(matrix, matrixRow(isTransposed, lane, half)),
           2 * matrixCol(isTransposed, lane, half));
}

void mlir::lpgemm::emulator::mmasync::loadMatrices(unsigned num,
                                                   bool isTransposed,
                                                   const uint8_t *const *rows,
                                                   uint32_t *const *registers) {
  forEachElement(num, isTransposed,
                 [&](unsigned matrix, unsigned lane, unsigned half,
                     unsigned row, unsigned byte) {
                   uint16_t value;
                   std::memcpy(&value, rows[row] + byte, sizeof(value));
                   uint32_t &target = registers[lane][matrix];
                   uint32_t kept = half ? target & 0xffff : 0;
                   target = kept | static_cast<uint32_t>(value) << 16 * half;
                 });
}

void mlir::lpgemm::emulator::mmasync::storeMatrices(
    unsigned num, bool isTransposed, uint8_t *const *rows,
    const uint32_t *const *registers) {
  forEachElement(num, isTransposed,
                 [&](unsigned matrix, unsigned lane, unsigned half,
                     unsigned row, unsigned byte) {
                   uint16_t value = registers[lane][matrix] >> 16 * half;
                   std::memcpy(rows[row] + byte, &value, sizeof(value));
                 });
}
