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

using K = ElementKind;

// Sources.
//  - Instructions of CDNA3, and the accumulator of every instruction here:
//    ROCm/amd_matrix_instruction_calculator.
//  - f8f6f4 with 8-bit operands: a lane holds two chunks of 16 elements, half
//  of
//    K apart (ROCm/composable_kernel test/mx_mfma_op/mx_mfma_op.hpp;
//    triton-lang/triton chooseScaledMfmaScaleLayout and kWidth = 16 in the AMD
//    back end; "Matrix Core Programming on AMD CDNA3 and CDNA4 architecture",
//    rocm.blogs.amd.com).
//  - f8f6f4 with FP4: 32 consecutive elements (the same). With FP6 as well, of
//    which there is one public source only (ROCm/rocm-systems, rocjitsu).
//  - their scales: lane dim * kb + row holds the scale of (row, block kb)
//    (composable_kernel, as above).

static constexpr LaneLayout kNone = {0, 0, 0, 1, 0, 0, 0, {0}};

// MFMA: B is the first operand, A the second one. So a lane holds elements that
// follow each other in a row of the result, and one scale of a row, not four.
// Of four columns it has two pairs.
static constexpr MmaLayouts k16x16 = {{16, 16, 1, 16, 4, 4, 1, {0}},
                                      {16, 1, 1, 16, 0, 1, 1, {0}},
                                      {16, 1, 0, 16, 4, 4, 1, {0}},
                                      {16, 8, 1, 16, 2, 2, 1, {0}},
                                      {8, 1, 0, 16, 2, 2, 1, {0}}};
static constexpr MmaLayouts k32x32 = {{32, 32, 1, 32, 4, 4, 4, {0, 8, 16, 24}},
                                      {32, 1, 1, 32, 0, 1, 1, {0}},
                                      {32, 1, 0, 32, 4, 4, 4, {0, 8, 16, 24}},
                                      {32, 16, 1, 32, 2, 2, 4, {0, 4, 8, 12}},
                                      {16, 1, 0, 32, 2, 2, 4, {0, 4, 8, 12}}};

// PTX ISA 9.0, "Register Fragments and Shared Memory Matrix Layouts" of wgmma,
// D: an atom is 8 columns, so that a tile of N columns is N / 8 of them.
static constexpr MmaLayouts kM64N8 = {{64, 8, 1, 8, 2, 2, 2, {0, 8}, 4, 16},
                                      {64, 1, 1, 8, 0, 1, 2, {0, 8}, 4, 16},
                                      {8, 1, 0, 1, 2, 2, 1, {0}, 4, 0},
                                      kNone,
                                      kNone};

// PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16" and "mma.m16n8k32": a
// register has 4 bytes of K, four lanes have 16; the eight rows below come
// first in A, then the next 16 bytes. D is that of one warp of wgmma.
static constexpr MmaLayouts kM16N8 = {{16, 8, 1, 8, 2, 2, 2, {0, 8}, 4, 0},
                                      {16, 1, 1, 8, 0, 1, 2, {0, 8}, 4, 0},
                                      {8, 1, 0, 1, 2, 2, 1, {0}, 4, 0},
                                      kNone,
                                      kNone};
static constexpr LaneLayout kSyncA16 = {16, 16,           1, 8, 2,           2,
                                        4,  {0, 8, 0, 8}, 4, 0, {0, 0, 8, 8}};
static constexpr LaneLayout kSyncB16 = {8, 16,     1, 8, 2,     2,
                                        2, {0, 0}, 4, 0, {0, 8}};
static constexpr LaneLayout kSyncA32 = {
    16, 32, 1, 8, 4, 4, 4, {0, 8, 0, 8}, 4, 0, {0, 0, 16, 16}};
static constexpr LaneLayout kSyncB32 = {8, 32,     1, 8, 4,      4,
                                        2, {0, 0}, 4, 0, {0, 16}};

static constexpr LaneLayout kA16x128 = {16, 128, 1, 16, 16, 16, 2, {0, 64}};
static constexpr LaneLayout kA16x128Narrow = {16, 128, 1, 16, 32, 32, 1, {0}};
static constexpr LaneLayout kA32x64 = {32, 64, 1, 32, 16, 16, 2, {0, 32}};
static constexpr LaneLayout kA32x64Narrow = {32, 64, 1, 32, 32, 32, 1, {0}};
static constexpr LaneLayout kS16x4 = {16, 4, 1, 16, 1, 1, 1, {0}};
static constexpr LaneLayout kS32x2 = {32, 2, 1, 32, 1, 1, 1, {0}};
static constexpr LaneLayout kA16x32 = {16, 32, 1, 16, 8, 8, 1, {0}};
static constexpr LaneLayout kA32x16 = {32, 16, 1, 32, 8, 8, 1, {0}};
static constexpr LaneLayout kA16x16 = {16, 16, 1, 16, 4, 4, 1, {0}};
static constexpr LaneLayout kA32x8 = {32, 8, 1, 32, 4, 4, 1, {0}};

/// In every mix (LLVM AMDGPUUsage, cbsz and blgp).
static constexpr K kF8F6F4[] = {K::F8E4M3FN, K::F8E5M2, K::F6E2M3FN,
                                K::F6E3M2FN, K::F4E2M1FN};
/// The chip decides which of OCP and FNUZ it has.
static constexpr K kFP8[] = {K::F8E4M3FN, K::F8E5M2, K::F8E4M3FNUZ,
                             K::F8E5M2FNUZ};
static constexpr K kOCPFP8[] = {K::F8E4M3FN, K::F8E5M2};
static constexpr K kI8[] = {K::I8};
static constexpr K kBF16[] = {K::BF16};
static constexpr K kF16[] = {K::F16};

// By MmaInstr.
static constexpr MmaInfo kInstructions[] = {
    {MmaInstr::MfmaScaleF32_16x16x128_F8F6F4, 16, 16, 128, 32, kF8F6F4,
     kA16x128, kA16x128Narrow, k16x16, kS16x4},
    {MmaInstr::MfmaF32_16x16x32_FP8, 16, 16, 32, 0, kFP8, kA16x32, kA16x32,
     k16x16, kNone},
    {MmaInstr::MfmaScaleF32_32x32x64_F8F6F4, 32, 32, 64, 32, kF8F6F4, kA32x64,
     kA32x64Narrow, k32x32, kS32x2},
    {MmaInstr::MfmaF32_32x32x16_FP8, 32, 32, 16, 0, kFP8, kA32x16, kA32x16,
     k32x32, kNone},
    {MmaInstr::MfmaI32_16x16x32_I8, 16, 16, 32, 0, kI8, kA16x32, kA16x32,
     k16x16, kNone},
    {MmaInstr::MfmaI32_32x32x16_I8, 32, 32, 16, 0, kI8, kA32x16, kA32x16,
     k32x32, kNone},
    {MmaInstr::MfmaF32_16x16x16_BF16, 16, 16, 16, 0, kBF16, kA16x16, kA16x16,
     k16x16, kNone},
    {MmaInstr::MfmaF32_32x32x8_BF16, 32, 32, 8, 0, kBF16, kA32x8, kA32x8,
     k32x32, kNone},
    {MmaInstr::MfmaF32_16x16x16_F16, 16, 16, 16, 0, kF16, kA16x16, kA16x16,
     k16x16, kNone},
    {MmaInstr::MfmaF32_32x32x8_F16, 32, 32, 8, 0, kF16, kA32x8, kA32x8, k32x32,
     kNone},
    // PTX ISA 9.0, "wgmma.mma_async": M = 64, N = 8 to 256 in steps of 8.
    {MmaInstr::Wgmma_m64k32_F32_FP8, 64, 8, 32, 0, kOCPFP8, kNone, kNone,
     kM64N8, kNone, 256},
    {MmaInstr::Wgmma_m64k16_F32_BF16, 64, 8, 16, 0, kBF16, kNone, kNone, kM64N8,
     kNone, 256},
    {MmaInstr::Wgmma_m64k16_F32_F16, 64, 8, 16, 0, kF16, kNone, kNone, kM64N8,
     kNone, 256},
    // PTX ISA 9.0, "mma".
    {MmaInstr::Mma_m16n8k32_F32_FP8, 16, 8, 32, 0, kOCPFP8, kSyncA32, kSyncA32,
     kM16N8, kNone, 0, kSyncB32},
    {MmaInstr::Mma_m16n8k32_I32_I8, 16, 8, 32, 0, kI8, kSyncA32, kSyncA32,
     kM16N8, kNone, 0, kSyncB32},
    {MmaInstr::Mma_m16n8k16_F32_BF16, 16, 8, 16, 0, kBF16, kSyncA16, kSyncA16,
     kM16N8, kNone, 0, kSyncB16},
    {MmaInstr::Mma_m16n8k16_F32_F16, 16, 8, 16, 0, kF16, kSyncA16, kSyncA16,
     kM16N8, kNone, 0, kSyncB16},
};

std::pair<int64_t, int64_t> LaneLayout::position(int64_t lane,
                                                 int64_t e) const {
  if (innerLanes != 0) {
    int64_t along = alongStart[e / chunkLen] +
                    (lane % innerLanes) * laneStride + e % chunkLen;
    int64_t across = chunkStart[e / chunkLen] +
                     (lane / innerLanes) % outerLanes +
                     (lane / 32) * warpStride;
    return vectorDim == 0 ? std::pair(along, across) : std::pair(across, along);
  }
  int64_t along = chunkStart[e / chunkLen] + (lane / outerLanes) * laneStride +
                  e % chunkLen;
  int64_t across = (lane % outerLanes) % (vectorDim == 0 ? cols : rows);
  return vectorDim == 0 ? std::pair(along, across) : std::pair(across, along);
}

const LaneLayout &MmaInfo::layout(MmaRole role, Type elementType) const {
  switch (role) {
  case MmaRole::B:
    if (rhs.rows != 0)
      return rhs;
    [[fallthrough]];
  case MmaRole::A:
    return elementType.getIntOrFloatBitWidth() < 8 ? narrowOperand : operand;
  case MmaRole::C:
    return result.c;
  case MmaRole::SA:
  case MmaRole::SB:
    return scale;
  case MmaRole::CRow:
    return result.row;
  case MmaRole::CCol:
    return result.col;
  case MmaRole::CPair:
    return result.pair;
  case MmaRole::CPairCol:
    return result.pairCol;
  }
  llvm_unreachable("unknown role");
}

bool MmaInfo::acceptsElementKinds(ElementKind a, ElementKind b) const {
  return llvm::is_contained(operands, a) && llvm::is_contained(operands, b);
}

bool MmaInfo::acceptsElementTypes(Type a, Type b) const {
  std::optional<ElementKind> kindA = getElementKind(a),
                             kindB = getElementKind(b);
  return kindA && kindB && acceptsElementKinds(*kindA, *kindB);
}

/// Lane 0 stands for all: their positions differ by the same for both.
static int64_t findElement(const LaneLayout &vector, int64_t position) {
  int64_t e = 0;
  while (vector.position(/*lane=*/0, e).first != position)
    ++e;
  return e;
}

int64_t MmaInfo::getRowElement(int64_t e) const {
  return findElement(result.row, result.c.position(/*lane=*/0, e).first);
}

int64_t MmaInfo::getColElement(int64_t e) const {
  return findElement(result.col, result.c.position(/*lane=*/0, e).second);
}

Type MmaInfo::getAccumulatorType(MLIRContext *context) const {
  if (llvm::is_contained(operands, ElementKind::I8))
    return IntegerType::get(context, 32);
  return Float32Type::get(context);
}

const MmaInfo &lpgemm::getMmaInfo(MmaInstr instr) {
  const MmaInfo &info = kInstructions[llvm::to_underlying(instr)];
  assert(info.instr == instr && "the table is in the order of the enumeration");
  return info;
}
