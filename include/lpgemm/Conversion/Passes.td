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
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // LPGEMM_CONVERSION_PASSES_TD
