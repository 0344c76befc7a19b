//===- LPGEMMEnums.td - enumerations -----------------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMBase.td"
include "mlir/IR/EnumAttr.td"

class LPGEMM_I32Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::lpgemm";
}

def LPGEMM_ScaleKind : LPGEMM_I32Enum<"ScaleKind", "granularity of a scale", [
    I32EnumCase<"Tensor", 0, "tensor">, I32EnumCase<"Row", 1, "row">,
    I32EnumCase<"Column", 2, "column">, I32EnumCase<"Block", 3, "block">,
    I32EnumCase<"MX", 4, "mx">, I32EnumCase<"NVFP4", 5, "nvfp4">,
    I32EnumCase<"NVFP4_2D", 6, "nvfp4_2d">]>;

def LPGEMM_ScaleLayout : LPGEMM_I32Enum<"ScaleLayout",
    "memory layout of a scale tensor", [
    I32EnumCase<"Row", 0, "row">, I32EnumCase<"Col", 1, "col">,
    I32EnumCase<"MNTMA", 2, "mn_tma">,
    I32EnumCase<"MNTMAUE8M0x4", 3, "mn_tma_ue8m0x4">,
    I32EnumCase<"Blk128x128", 4, "blk128x128">,
    I32EnumCase<"Swz128x4", 5, "swz128x4">,
    I32EnumCase<"AMD32x8", 6, "amd32x8">]>;

def LPGEMM_ScaleRuleMode : LPGEMM_I32Enum<"ScaleRuleMode",
    "how a decode scale follows from the largest magnitude of a block", [
    I32EnumCase<"Amax", 0, "amax">, I32EnumCase<"RCeil", 1, "rceil">,
    I32EnumCase<"Floor", 2, "floor">, I32EnumCase<"Ceil", 3, "ceil">,
    I32EnumCase<"Even", 4, "even">, I32EnumCase<"Pow2", 5, "pow2">]>;

def LPGEMM_OverflowMode : LPGEMM_I32Enum<"OverflowMode",
    "what becomes of a value beyond the range of a type", [
    I32EnumCase<"Sat", 0, "sat">, I32EnumCase<"NoSat", 1, "nosat">]>;

def LPGEMM_RoundingMode : LPGEMM_I32Enum<"RoundingMode",
    "how a value between two codes is rounded", [
    I32EnumCase<"RNE", 0, "rne">, I32EnumCase<"Stochastic", 1, "sr">]>;

def LPGEMM_WeightLayout : LPGEMM_I32Enum<"WeightLayout",
    "memory layout of pre-shuffled weights", [
    I32EnumCase<"W16x16", 0, "w16x16">]>;

def LPGEMM_Axis : LPGEMM_I32Enum<"Axis", "axis of a matrix product", [
    I32EnumCase<"M", 0, "m">, I32EnumCase<"N", 1, "n">]>;

def LPGEMM_GroupMode : LPGEMM_I32Enum<"GroupMode",
    "what the groups of a grouped product partition", [
    I32EnumCase<"Contiguous", 0, "contiguous">,
    I32EnumCase<"Masked", 1, "masked">,
    I32EnumCase<"KGrouped", 2, "k_grouped">]>;

def LPGEMM_Uncovered : LPGEMM_I32Enum<"Uncovered",
    "what rows that no group covers hold", [
    I32EnumCase<"Undef", 0, "undef">, I32EnumCase<"Zero", 1, "zero">,
    I32EnumCase<"Keep", 2, "keep">]>;

def LPGEMM_MmaInstr : LPGEMM_I32Enum<"MmaInstr",
    "matrix instruction, by its name in the vendor's instruction set; fp8 "
    "stands for fp8 and bf8 in every mix", [
    I32EnumCase<"MfmaScaleF32_16x16x128_F8F6F4", 0,
                "mfma_scale_f32_16x16x128_f8f6f4">,
    I32EnumCase<"MfmaF32_16x16x32_FP8", 1, "mfma_f32_16x16x32_fp8">,
    I32EnumCase<"MfmaScaleF32_32x32x64_F8F6F4", 2,
                "mfma_scale_f32_32x32x64_f8f6f4">,
    I32EnumCase<"MfmaF32_32x32x16_FP8", 3, "mfma_f32_32x32x16_fp8">,
    I32EnumCase<"MfmaI32_16x16x32_I8", 4, "mfma_i32_16x16x32_i8">,
    I32EnumCase<"MfmaI32_32x32x16_I8", 5, "mfma_i32_32x32x16_i8">,
    I32EnumCase<"MfmaF32_16x16x16_BF16", 6, "mfma_f32_16x16x16_bf16">,
    I32EnumCase<"MfmaF32_32x32x8_BF16", 7, "mfma_f32_32x32x8_bf16">,
    I32EnumCase<"MfmaF32_16x16x16_F16", 8, "mfma_f32_16x16x16_f16">,
    I32EnumCase<"MfmaF32_32x32x8_F16", 9, "mfma_f32_32x32x8_f16">,
    I32EnumCase<"Wgmma_m64k32_F32_FP8", 10, "wgmma_m64k32_f32_fp8">,
    I32EnumCase<"Wgmma_m64k16_F32_BF16", 11, "wgmma_m64k16_f32_bf16">,
    I32EnumCase<"Wgmma_m64k16_F32_F16", 12, "wgmma_m64k16_f32_f16">,
    I32EnumCase<"Mma_m16n8k32_F32_FP8", 13, "mma_m16n8k32_f32_fp8">,
    I32EnumCase<"Mma_m16n8k32_I32_I8", 14, "mma_m16n8k32_i32_i8">,
    I32EnumCase<"Mma_m16n8k16_F32_BF16", 15, "mma_m16n8k16_f32_bf16">,
    I32EnumCase<"Mma_m16n8k16_F32_F16", 16, "mma_m16n8k16_f32_f16">]>;

def LPGEMM_MmaRole : LPGEMM_I32Enum<"MmaRole",
    "what a register tile is to a matrix instruction", [
    I32EnumCase<"A", 0, "a">, I32EnumCase<"B", 1, "b">,
    I32EnumCase<"C", 2, "c">, I32EnumCase<"SA", 3, "sa">,
    I32EnumCase<"SB", 4, "sb">, I32EnumCase<"CRow", 5, "c_row">,
    I32EnumCase<"CCol", 6, "c_col">, I32EnumCase<"CPair", 7, "c_pair">,
    I32EnumCase<"CPairCol", 8, "c_pair_col">]>;

def LPGEMM_MemorySpace : LPGEMM_I32Enum<"MemorySpace",
    "on-chip memory that holds a buffer", [
    I32EnumCase<"Shared", 0, "shared">]>;

def LPGEMM_Home : LPGEMM_I32Enum<"Home",
    "where an operand of a matrix instruction is kept", [
    I32EnumCase<"Reg", 0, "reg">, I32EnumCase<"Shared", 1, "shared">]>;

def LPGEMM_Strategy : LPGEMM_I32Enum<"Strategy",
    "how the waves of a workgroup go through a K loop", [
    I32EnumCase<"Together", 0, "together">,
    I32EnumCase<"PingPong", 1, "ping_pong">]>;

def LPGEMM_ResultPath : LPGEMM_I32Enum<"ResultPath",
    "how a tile of the result goes from registers to global memory", [
    I32EnumCase<"Direct", 0, "direct">, I32EnumCase<"Staged", 1, "staged">]>;

def LPGEMM_Counter : LPGEMM_I32Enum<"Counter",
    "in-order queue of one wave, by its counter", [
    I32EnumCase<"Load", 0, "load">, I32EnumCase<"DS", 1, "ds">,
    I32EnumCase<"Wgmma", 2, "wgmma">,
    I32EnumCase<"CpAsync", 3, "cp_async">]>;

def LPGEMM_CopyEngine : LPGEMM_I32Enum<"CopyEngine",
    "what moves a tile to shared memory", [
    I32EnumCase<"Threads", 0, "threads">, I32EnumCase<"TMA", 1, "tma">]>;

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_TD
