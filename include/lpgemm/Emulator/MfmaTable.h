//===- MfmaTable.h - the matrix instructions --------------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The lowering chooses an instruction by its operation and the chip of the
// kernel, and passes its number; the runtime looks up the same table.
//
// Which chip has which instruction, and that 8-bit floats are FNUZ on gfx942
// and OCP on gfx950: "AMD Instinct MI300" (CDNA3) and "AMD Instinct MI350"
// (CDNA4) ISA, chapter "Matrix Arithmetic Instructions", and LLVM, AMDGPU.td
// and VOP3PInstructions.td.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_MFMATABLE_H
#define LPGEMM_EMULATOR_MFMATABLE_H

#include "lpgemm/Emulator/Chip.h"
#include "lpgemm/Emulator/Mfma.h"

#include <cstddef>

namespace mlir::lpgemm::emulator::mfma {

/// An operation on the chips that read its operands alike.
struct Instruction {
  const char *name;
  ChipSet chips;
  Shape shape;
  Format a;
  Format b;
  /// It has scales, and the formats are operands: `a` and `b` do not count.
  bool isScaled;
};

constexpr Instruction kInstructions[] = {
    {"rocdl.mfma.f32.16x16x32.fp8.fp8", kOnGfx942, k16x16x32, Format::Fp8Fnuz,
     Format::Fp8Fnuz, false},
    {"rocdl.mfma.f32.16x16x32.fp8.fp8", kOnGfx950, k16x16x32, Format::Fp8,
     Format::Fp8, false},
    {"rocdl.mfma.f32.16x16x32.fp8.bf8", kOnGfx942, k16x16x32, Format::Fp8Fnuz,
     Format::Bf8Fnuz, false},
    {"rocdl.mfma.f32.16x16x32.fp8.bf8", kOnGfx950, k16x16x32, Format::Fp8,
     Format::Bf8, false},
    {"rocdl.mfma.f32.16x16x32.bf8.fp8", kOnGfx942, k16x16x32, Format::Bf8Fnuz,
     Format::Fp8Fnuz, false},
    {"rocdl.mfma.f32.16x16x32.bf8.fp8", kOnGfx950, k16x16x32, Format::Bf8,
     Format::Fp8, false},
    {"rocdl.mfma.f32.16x16x32.bf8.bf8", kOnGfx942, k16x16x32, Format::Bf8Fnuz,
     Format::Bf8Fnuz, false},
    {"rocdl.mfma.f32.16x16x32.bf8.bf8", kOnGfx950, k16x16x32, Format::Bf8,
     Format::Bf8, false},
    {"rocdl.mfma.f32.32x32x16.fp8.fp8", kOnGfx942, k32x32x16, Format::Fp8Fnuz,
     Format::Fp8Fnuz, false},
    {"rocdl.mfma.f32.32x32x16.fp8.fp8", kOnGfx950, k32x32x16, Format::Fp8,
     Format::Fp8, false},
    {"rocdl.mfma.f32.32x32x16.fp8.bf8", kOnGfx942, k32x32x16, Format::Fp8Fnuz,
     Format::Bf8Fnuz, false},
    {"rocdl.mfma.f32.32x32x16.fp8.bf8", kOnGfx950, k32x32x16, Format::Fp8,
     Format::Bf8, false},
    {"rocdl.mfma.f32.32x32x16.bf8.fp8", kOnGfx942, k32x32x16, Format::Bf8Fnuz,
     Format::Fp8Fnuz, false},
    {"rocdl.mfma.f32.32x32x16.bf8.fp8", kOnGfx950, k32x32x16, Format::Bf8,
     Format::Fp8, false},
    {"rocdl.mfma.f32.32x32x16.bf8.bf8", kOnGfx942, k32x32x16, Format::Bf8Fnuz,
     Format::Bf8Fnuz, false},
    {"rocdl.mfma.f32.32x32x16.bf8.bf8", kOnGfx950, k32x32x16, Format::Bf8,
     Format::Bf8, false},
    {"rocdl.mfma.f32.16x16x16f16", kOnBoth, k16x16x16, Format::F16, Format::F16,
     false},
    {"rocdl.mfma.f32.32x32x8f16", kOnBoth, k32x32x8, Format::F16, Format::F16,
     false},
    {"rocdl.mfma.f32.16x16x16bf16.1k", kOnBoth, k16x16x16, Format::Bf16,
     Format::Bf16, false},
    {"rocdl.mfma.f32.32x32x8bf16.1k", kOnBoth, k32x32x8, Format::Bf16,
     Format::Bf16, false},
    {"rocdl.mfma.i32.16x16x32.i8", kOnBoth, k16x16x32, Format::I8, Format::I8,
     false},
    {"rocdl.mfma.i32.32x32x16.i8", kOnBoth, k32x32x16, Format::I8, Format::I8,
     false},
    {"rocdl.mfma.f32.16x16x32.f16", kOnGfx950, k16x16x32, Format::F16,
     Format::F16, false},
    {"rocdl.mfma.f32.32x32x16.f16", kOnGfx950, k32x32x16, Format::F16,
     Format::F16, false},
    {"rocdl.mfma.f32.16x16x32.bf16", kOnGfx950, k16x16x32, Format::Bf16,
     Format::Bf16, false},
    {"rocdl.mfma.f32.32x32x16.bf16", kOnGfx950, k32x32x16, Format::Bf16,
     Format::Bf16, false},
    {"rocdl.mfma.i32.16x16x64.i8", kOnGfx950, k16x16x64, Format::I8, Format::I8,
     false},
    {"rocdl.mfma.i32.32x32x32.i8", kOnGfx950, k32x32x32, Format::I8, Format::I8,
     false},
    {"rocdl.mfma.scale.f32.16x16x128.f8f6f4", kOnGfx950, k16x16x128,
     Format::Fp8, Format::Fp8, true},
    {"rocdl.mfma.scale.f32.32x32x64.f8f6f4", kOnGfx950, k32x32x64, Format::Fp8,
     Format::Fp8, true},
};

constexpr size_t kNumInstructions =
    sizeof(kInstructions) / sizeof(kInstructions[0]);

} // namespace mlir::lpgemm::emulator::mfma

#endif // LPGEMM_EMULATOR_MFMATABLE_H
