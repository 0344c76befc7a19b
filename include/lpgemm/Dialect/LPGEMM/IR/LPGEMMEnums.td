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
    I32EnumCase<"MX", 0, "mx">]>;

def LPGEMM_ScaleLayout : LPGEMM_I32Enum<"ScaleLayout",
    "memory layout of a scale tensor", [
    I32EnumCase<"Row", 0, "row">]>;

def LPGEMM_MmaInstr : LPGEMM_I32Enum<"MmaInstr",
    "matrix instruction, by its name in the vendor's instruction set", [
    I32EnumCase<"MfmaScaleF32_16x16x128_F8F6F4", 0,
                "mfma_scale_f32_16x16x128_f8f6f4">,
    I32EnumCase<"MfmaF32_16x16x32_FP8_FP8", 1, "mfma_f32_16x16x32_fp8_fp8">]>;

def LPGEMM_MmaRole : LPGEMM_I32Enum<"MmaRole",
    "what a register tile is to a matrix instruction", [
    I32EnumCase<"A", 0, "a">, I32EnumCase<"B", 1, "b">,
    I32EnumCase<"C", 2, "c">, I32EnumCase<"SA", 3, "sa">,
    I32EnumCase<"SB", 4, "sb">, I32EnumCase<"CRow", 5, "c_row">,
    I32EnumCase<"CCol", 6, "c_col">]>;

def LPGEMM_MemorySpace : LPGEMM_I32Enum<"MemorySpace",
    "on-chip memory that holds a buffer", [
    I32EnumCase<"Shared", 0, "shared">]>;

def LPGEMM_Home : LPGEMM_I32Enum<"Home",
    "where an operand of a matrix instruction is kept", [
    I32EnumCase<"Reg", 0, "reg">, I32EnumCase<"Shared", 1, "shared">]>;

def LPGEMM_Counter : LPGEMM_I32Enum<"Counter",
    "in-order queue of one wave, by its counter", [
    I32EnumCase<"Load", 0, "load">, I32EnumCase<"DS", 1, "ds">]>;

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMENUMS_TD
