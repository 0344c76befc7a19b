//===- Passes.td - passes on the dialect -------------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_TD
#define LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

// In the order in which a pipeline runs them. After each of them the module
// is a complete program; on a module that is already past it, a pass does
// nothing.

def AttachTargetPass : Pass<"lpgemm-attach-target", "::mlir::ModuleOp"> {
  let summary = "Say which chip the module is compiled for";
  let description = [{
    Sets the module's `lpgemm.target`. A module that names another chip is an
    error.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Name of the chip, such as gfx950">];
  let dependentDialects = ["::mlir::lpgemm::LPGEMMDialect"];
}

def BufferizePass : Pass<"lpgemm-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize, with a row pitch at function boundaries";
  let description = [{
    One-shot bufferization in which a tensor argument of a function becomes a
    memref whose last stride is 1 and whose other strides are dynamic, so that
    a caller may pass rows with padding.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
}

def SelectSchedulePass : Pass<"lpgemm-select-schedule", "::mlir::ModuleOp"> {
  let summary = "Choose how each matrix product is laid out on the chip";
  let description = [{
    Gives each `lpgemm.matmul` without a schedule the default one of the
    target's record, and checks that every field of a schedule, chosen or
    written by hand, is legal for the record.
  }];
}

def OutlinePass : Pass<"lpgemm-outline", "::mlir::ModuleOp"> {
  let summary = "Move each matrix product into a kernel of its own";
  let description = [{
    Each scheduled `lpgemm.matmul` on memrefs becomes a gpu.func in a
    gpu.module and a guarded gpu.launch_func: nothing is launched for M = 0 or
    N = 0. The kernel takes pointers, extents (i32) and row pitches (i64, in
    elements); the host code asserts what the kernel relies on.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def TilePass : Pass<"lpgemm-tile", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Tile the matrix product of each kernel";
  let description = [{
    Each workgroup computes one tile of the result, each wave a part of it:
    a loop along K over register tiles loaded from global memory.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"];
}

def SplitSubchannelsPass
    : Pass<"lpgemm-split-subchannels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "One accumulation chain for each scale block";
  let description = [{
    A product whose instruction cannot apply the scales itself becomes one
    product for each scale block, from zero, and an `lpgemm.promote` that adds
    it, scaled, to the accumulator. No chain spans two scales.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PromotePass : Pass<"lpgemm-promote", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Bring operands to where the schedule wants them";
  let description = [{
    An operand whose home is `shared` is copied to shared memory by the
    workgroup, in a single buffer, and read from there.
  }];
}

def AssignLayoutsPass
    : Pass<"lpgemm-assign-layouts", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Decide lanes of register tiles and layouts of buffers";
  let description = [{
    The lanes of a register tile follow from the instructions that use it; two
    uses that want different lanes are an error. A buffer gets the first layout
    that is free of bank conflicts for its readers; a remark tells when there
    is none.
  }];
}

def InsertWaitsPass : Pass<"lpgemm-insert-waits"> {
  let summary = "Turn tokens into counted waits";
  let description = [{
    Replaces `lpgemm.commit` and `lpgemm.wait` by
    `amdgpu.memory_counter_wait`, on a gpu.module or gpu.func whose tile ops
    are lowered. No count is given: for a token of counter `load` it is the
    least number of vector-memory operations issued between the commit and the
    wait, over all paths. Only operations that are sure to stay one instruction
    are counted. For `ds`, and for a wait without tokens, it is 0, because
    scalar loads use the same counter and return out of order.

    A token that is not waited for on every path is an error, as is a token
    that goes through anything but scf.for and scf.if.
  }];
  let options = [
    Option<"conservative", "conservative", "bool", /*default=*/"false",
           "Make every count 0">];
  let dependentDialects = ["::mlir::amdgpu::AMDGPUDialect"];
}

#endif // LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_TD
