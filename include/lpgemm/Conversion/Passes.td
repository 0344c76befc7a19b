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
  let summary = "lower lpgemm.matmul on memrefs to scalar loops in f64";
  let description = [{
    The executable meaning of the op, independent of every other lowering. In
    f64 and in the order of k:

    ```
    P[kb]   = sum over k of block kb of dec(A[m, k]) * dec(B[k, n])
    D[m, n] = f32( sum over kb of P[kb] * (sA[m, kb] * sB[kb, n]) )
    ```

    f64 holds the scale product, and for f8E4M3FN each P[kb], exactly. Codes are
    decoded by tables, one private constant for each format: `arith.extf` is not
    used, because its lowering decodes byte 0 of f8E8M0FNU as 0, not as 2^-127.

    The memrefs may have any strides and any extents; the code asserts that the
    extents fit each other. The op on tensors is an
    error; the op on globals, which is device code, stays as it is.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif // LPGEMM_CONVERSION_PASSES_TD
