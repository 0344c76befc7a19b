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

def PinSumsPass : Pass<"lpgemm-pin-sums", "::mlir::gpu::GPUModuleOp"> {
  let summary = "keep large sums of matrix instructions in their registers";
  let description = [{
    Sums that take more than 128 registers of a lane stay in the accumulation
    registers from the first matrix instruction to the epilogue. LLVM would move
    them to vector registers and back, around loops and in them. What says so is
    an empty `llvm.inline_asm` behind each loop, which is no instruction, and an
    attribute of the function. Runs behind `convert-lpgemm-to-amdgpu`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertLPGEMMToNVVMPass
    : Pass<"convert-lpgemm-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower the tile level to nvvm ops";
  let description = [{
    Every register tile becomes the registers of a lane, every buffer and pipe
    an offset in the dynamic shared memory of the module, every global a pointer
    with its extents and pitch. Which lane holds which element comes from the
    instruction table alone. A slot is its number and the parity of its round.

    `lpgemm.roles` becomes branches on the number of the warpgroup, the same in
    all lanes of a warp, with the registers of each role; a pipe becomes two
    mbarriers for each slot: the slot is full, with one arrival, and the slot is
    empty, with one of each warp that reads it.

    An instruction of a warp, `nvvm.mma.sync`, needs no roles. Its operands come
    from global memory, or from a buffer by `nvvm.ldmatrix` where a lane holds
    four bytes of a row of 16 and the layout keeps these together; what is not
    whole and aligned is read element by element.

    `lpgemm.commit` and `lpgemm.wait` stay, for `lpgemm-insert-waits`. Needs
    lanes on every register tile, a layout and an offset on every buffer, an
    offset on every pipe, `lpgemm.target`, and `known_block_size` with the
    threads of all roles along x.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def FinalizeNVVMKernelsPass
    : Pass<"lpgemm-finalize-nvvm-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "set what ptxas has to know of kernels";
  let description = [{
    On each llvm.func with `nvvm.kernel` and `lpgemm.schedule`: at least one
    workgroup for each multiprocessor, without which ptxas does not let roles
    change their registers. A wait that reads and writes registers gets values
    of its own: no folding may come between this pass and
    `convert-nvvm-to-llvm`. Calls of libdevice that are one instruction become
    intrinsics of LLVM.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def PreparePTXPass : Pass<"lpgemm-prepare-ptx", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make kernels with wgmma quick to translate to PTX";
  let description = [{
    `nvvm.wgmma.mma_async` ops, each of which goes on with the sums of the one
    before, become one `llvm.inline_asm` with the PTX of all of them: each by
    itself would have LLVM copy up to 128 registers into a statement and out of
    it. The function is told not to be vectorized, which for these chips finds
    nothing. The instructions of PTX and their order stay.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
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

    Sums of the limited accumulator of a product with a `schedule` for wgmma are
    formed in the order of the kernel that it becomes.
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
    instructions, those of the chip of `lpgemm.target`, of AMD GPUs without one;
    types of 16 bits are computed in f32. The error, in units of the last place
    of the exact result, is at most that of the table, as found at millions of
    numbers of all exponents with instructions, log and, for AMD, exp that are
    rounded once:

    | op | expansion | error |
    |---|---|---|
    | `math.exp2` | instruction, scaled next to subnormals where it does not know them | that of the instruction |
    | `math.log2` | the same; on NVIDIA GPUs a polynomial | that of the instruction; 2 |
    | `math.exp` | on NVIDIA GPUs by exp2, corrected | 1.1 |
    | `math.log` | on NVIDIA GPUs a polynomial | 1 |
    | `math.log10` | by log | 2.1 |
    | `math.rsqrt` | 1 / sqrt(x) | 1.5 |
    | `math.tanh` | rational function | 5 |
    | `math.erf` | polynomials; +0 of -0 | 5 |
    | `math.expm1` | by exp and log, a polynomial next to 0 | 5 |
    | `math.log1p` | by log | 3 |

    Flags choose shorter forms, whose error is that of the instructions:

    | op | with | becomes |
    |---|---|---|
    | `math.exp`, `math.exp2` | `afn` | the instruction, which on AMD GPUs gives 0 in place of subnormals |
    | `math.tanh` | `afn` | 1 - 2 / (exp(2x) + 1): an error of 2^-23 next to 0 as well |
    | `arith.divf` | `arcp` | x * `rocdl.rcp`(y) or x * `nvvm.rcp.approx.ftz.f`(y), which give 0 for a y of at least 2^126, the latter infinity for a subnormal y |

    On NVIDIA GPUs `math.exp2`, and what else is one instruction, stays as it is:
    `lpgemm-finalize-nvvm-kernels` replaces the calls that upstream makes of it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::ROCDL::ROCDLDialect",
    "::mlir::vector::VectorDialect"];
}

def CallLibmPass : Pass<"lpgemm-call-libm", "::mlir::ModuleOp"> {
  let summary = "call the C library for functions that LLVM has not";
  let description = [{
    `math.expm1` and `math.log1p` of the host become calls of the C library, those of
    16 bits in f32. `convert-math-to-llvm` would make exp(x) - 1 and log(1 + x) of
    them, which are wrong next to zero: of an x of 1e-5 in three digits, of one below
    2^-24 in all. Other functions are left to it, and then to
    `convert-math-to-libm`, which fails at what the C library has not.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::vector::VectorDialect"];
}

#endif // LPGEMM_CONVERSION_PASSES_TD
