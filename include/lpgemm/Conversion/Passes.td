//===- Passes.td - conversion passes -----------------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_CONVERSION_PASSES_TD
#define LPGEMM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLPGEMMToAMDGPUPass
    : Pass<"convert-lpgemm-to-amdgpu", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower the tile level to amdgpu and rocdl ops";
  let description = [{
    Every register tile becomes one vector for each atom of its instruction,
    every buffer a workgroup attribution of bytes, every global a pointer with
    its extents and pitch. Which lane holds which element comes from the
    instruction table alone.

    Global memory is accessed through a buffer resource that covers just the
    tile at hand, cut at the extents of the matrix: what lies outside is
    neither read nor written. Whole rows that are 4-byte aligned are read 8 or
    16 bytes at a time, anything else element by element.

    `lpgemm.commit` and `lpgemm.wait` stay, for `lpgemm-insert-waits`. Needs
    lanes on every register tile, a layout on every buffer, `lpgemm.target`,
    and `known_block_size` with threads along x only.
  }];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def ConvertLPGEMMToLoopsPass
    : Pass<"convert-lpgemm-to-loops", "::mlir::ModuleOp"> {
  let summary = "lower lpgemm ops on memrefs to scalar loops, their meaning";
  let description = [{
    The executable meaning of the ops, independent of every other lowering; the
    formulas are in `docs/spec.md`. A product decodes its operands once, into
    panels, and multiplies those. Codes are decoded by tables and encoded by
    functions on bits, all private to the module: `arith.extf` and
    `arith.truncf` are not used on narrow types, because their lowerings in MLIR
    22 decode byte 0 of f8E8M0FNU as 0 and drop signs.

    The memrefs may have any strides and any extents; the code asserts that the
    extents fit each other. An op on tensors is an error; an op on globals,
    which is code of a device, stays as it is.
  }];
  let options = [
    Option<"accumulate", "accumulate", "::mlir::lpgemm::Accumulation",
      "::mlir::lpgemm::Accumulation::F64",
      "the numbers in which sums are formed", [{::llvm::cl::values(
        clEnumValN(::mlir::lpgemm::Accumulation::F64, "f64", "f64"),
        clEnumValN(::mlir::lpgemm::Accumulation::F32, "f32",
          "f32, in the order of k"),
        clEnumValN(::mlir::lpgemm::Accumulation::Hopper, "hopper",
          "the limited accumulator of Hopper FP8 tensor cores"))}]>];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ExpandMathPass : Pass<"lpgemm-expand-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "expand mathematical functions in kernels";
  let description = [{
    What would be a call of a library of device functions becomes arithmetic and
    instructions; types of 16 bits are computed in f32. The error, in units of
    the last place of the exact result, is at most that of the table, as found
    at a million numbers of all exponents with exp, log and sqrt that are
    rounded once:

    | op | expansion | error |
    |---|---|---|
    | `math.exp2`, `math.log2` | instruction, scaled next to subnormals | that of the instruction |
    | `math.log10` | by log | 2 |
    | `math.rsqrt` | 1 / sqrt(x) | 1.5 |
    | `math.tanh` | rational function | 5 |
    | `math.erf` | polynomials; +0 of -0 | 4 |
    | `math.expm1` | by exp and log, a polynomial next to 0 | 5 |
    | `math.log1p` | by log | 3 |

    Flags choose shorter forms, whose error is that of the instructions:

    | op | with | becomes |
    |---|---|---|
    | `math.exp`, `math.exp2` | `afn` | `rocdl.exp2`, which gives 0 in place of subnormals |
    | `math.tanh` | `afn` | 1 - 2 / (exp(2x) + 1): an error of 2^-23 next to 0 as well |
    | `arith.divf` | `arcp` | x * `rocdl.rcp`(y), which gives 0 for a y of at least 2^126 |
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::vector::VectorDialect"];
}

#endif // LPGEMM_CONVERSION_PASSES_TD
