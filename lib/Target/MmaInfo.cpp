//===- MmaInfo.cpp - matrix instructions and their layouts ----------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Target/MmaInfo.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::lpgemm;

// Sources.
//  - 16x16x32 FP8, and the 16x16 accumulator of every instruction here:
//    ROCm/amd_matrix_instruction_calculator, v_mfma_f32_16x16x32_fp8_fp8.
//  - 16x16x128 f8f6f4 with 8-bit operands: a lane holds two chunks of 16
//    elements, 64 apart (ROCm/composable_kernel
//    test/mx_mfma_op/mx_mfma_op.hpp; triton-lang/triton
//    chooseScaledMfmaScaleLayout and kWidth = 16 in the AMD back end).
//  - its scales: lane 16 * kb + row holds the scale of (row, block kb) (same).

static constexpr LaneLayout kA16x16x128 = {16, 128, 1, 16, 16, 16, 2, {0, 64}};
static constexpr LaneLayout kScale16x4 = {16, 4, 1, 16, 1, 1, 1, {0}};
static constexpr LaneLayout kA16x16x32 = {16, 32, 1, 16, 8, 8, 1, {0}};
static constexpr LaneLayout kC16x16 = {16, 16, 0, 16, 4, 4, 1, {0}};
static constexpr LaneLayout kNone = {0, 0, 0, 1, 0, 0, 0, {0}};

/// The 8-bit types of f8f6f4, in every mix (LLVM AMDGPUUsage, cbsz and blgp);
/// the layouts below are theirs.
static bool isFP8OrBF8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}
static bool isFP8(Type type) { return isa<Float8E4M3FNType>(type); }

static constexpr MmaInfo kInstructions[] = {
    {MmaInstr::MfmaScaleF32_16x16x128_F8F6F4, 16, 16, 128, /*scaleBlock=*/32,
     isFP8OrBF8, kA16x16x128, kA16x16x128, kC16x16, kScale16x4, kScale16x4},
    {MmaInstr::MfmaF32_16x16x32_FP8_FP8, 16, 16, 32, /*scaleBlock=*/0, isFP8,
     kA16x16x32, kA16x16x32, kC16x16, kNone, kNone},
};

// A column vector that follows the rows of the 16x16 accumulator (the scale of
// a row of A), and one that follows its columns (of a row of B).
static constexpr LaneLayout kCRow16 = {16, 1, 0, 16, 4, 4, 1, {0}};
static constexpr LaneLayout kCCol16 = {16, 1, 1, 16, 0, 1, 1, {0}};

std::pair<int64_t, int64_t> LaneLayout::position(int64_t lane,
                                                 int64_t e) const {
  int64_t along = chunkStart[e / chunkLen] + (lane / outerLanes) * laneStride +
                  e % chunkLen;
  int64_t across = (lane % outerLanes) % (vectorDim == 0 ? cols : rows);
  return vectorDim == 0 ? std::pair(along, across) : std::pair(across, along);
}

const LaneLayout &MmaInfo::layout(MmaRole role) const {
  switch (role) {
  case MmaRole::A:
    return a;
  case MmaRole::B:
    return b;
  case MmaRole::C:
    return c;
  case MmaRole::SA:
    return sa;
  case MmaRole::SB:
    return sb;
  case MmaRole::CRow:
    return kCRow16;
  case MmaRole::CCol:
    return kCCol16;
  }
  llvm_unreachable("unknown role");
}

const MmaInfo &lpgemm::getMmaInfo(MmaInstr instr) {
  const MmaInfo *info = llvm::find_if(
      kInstructions, [&](const MmaInfo &i) { return i.instr == instr; });
  return *info;
}
