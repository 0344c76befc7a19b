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

def CheckArithPass : Pass<"lpgemm-check-arith"> {
  let summary = "Refuse arithmetic in floats of less than 16 bits";
  let description = [{
    An op of arith or math, other than arith.constant, arith.bitcast and
    arith.select, that takes or gives a float of less than 16 bits is an error:
    MLIR 22 has no lowering for most of them, and folds a conversion of infinity
    to FP4 or FP6 to zero (C-14). A pipeline runs this in front of passes that
    fold.
  }];
}

def AttachTargetPass : Pass<"lpgemm-attach-target", "::mlir::ModuleOp"> {
  let summary = "Say which chip the module is compiled for";
  let description = [{
    Sets the module's `lpgemm.target`. A module that names another chip is an
    error, and so is a product of element types that the chip does not multiply,
    not even after a conversion (docs/targets.md).
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Name of the chip, such as gfx950">];
  let dependentDialects = ["::mlir::lpgemm::LPGEMMDialect"];
}

def MaterializeStoragePass
    : Pass<"lpgemm-materialize-storage", "::mlir::ModuleOp"> {
  let summary = "Pack the elements of FP4 and FP6 tensors into bytes";
  let description = [{
    A tensor of f4E2M1FN, f6E2M3FN or f6E3M2FN becomes one of i8: the bits of a
    row in order, the first element in the low bits, zeros up to a whole byte at
    its end (L-2, L-5). The lpgemm ops keep the element type as an attribute,
    and products the extent K, which bytes alone do not tell, as an operand
    (L-11). Comes before bufferization, because in MLIR a memref of such
    elements gives each of them a byte.

    func, scf.for, scf.if and scf.while pass such tensors on. Any other op
    that cannot work on packed bytes is an error, and then nothing is changed.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def SplitEpiloguePass : Pass<"lpgemm-split-epilogue"> {
  let summary = "Split a matrix product into the plain sum and the rest";
  let description = [{
    Each `lpgemm.matmul` on tensors that does more than sum becomes one with a
    result in f32, whose K can be tiled, or in i32 for i8 without blocks along
    K, and the rest: alpha, C, bias, epilogue and the scales of such an i8 in
    f32 as `linalg.generic`, with one rounding for each operation; a conversion
    to bf16 or f16 as another one; a conversion to FP8, or with `scale_outs`, as
    `lpgemm.quantize`; amax as a reduction (G-14). What has no exact counterpart
    is an error.

    | clause               | becomes                                             |
    |----------------------|-----------------------------------------------------|
    | FP8 init             | `lpgemm.quantize` with the given tensor scale 1, which divides exactly |
    | `d_scale`            | d_scale * D_temp rounded to odd, so that the conversion that follows rounds as if it were the only one (C-8) |
    | `d_scale` with `scale_outs` | an error: the quantization would round twice |
    | FP8 C, `c_scale`     | `lpgemm.dequantize`                                 |
    | constant `alpha` of 0 | an error: lhs and rhs are not read (G-12)          |
    | constant `beta` of 0 | nothing: C is not read (G-12)                       |
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def BufferizePass : Pass<"lpgemm-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize, with a row pitch at function boundaries";
  let description = [{
    One-shot bufferization in which a tensor argument of a function becomes a
    memref whose last stride is 1 and whose other strides are dynamic, so that
    a caller may pass rows with padding. Copies are `linalg.copy`; a loop may
    allocate what it carries.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def SelectSchedulePass : Pass<"lpgemm-select-schedule", "::mlir::ModuleOp"> {
  let summary = "Choose how each matrix product is laid out on the chip";
  let description = [{
    Gives each `lpgemm.matmul` without a schedule one (`docs/schedules.md`): what a
    model of costs ranks first on AMD GPUs and for wgmma, and the default of the
    target's record where instructions are those of a warp. Checks that every
    field of a schedule, chosen or written by hand, is legal for the record. A
    chip without a lowering is an error, as is what its lowering does not cover.
  }];
  let options = [
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Remark on the schedules that were looked at, the best one first, "
           "with the figures of the model: all of them for NVIDIA GPUs, ten "
           "for AMD GPUs; and on the one that was taken, also where there is "
           "no model">];
}

def OutlinePass : Pass<"lpgemm-outline", "::mlir::ModuleOp"> {
  let summary = "Move each matrix product into a kernel of its own";
  let description = [{
    Each scheduled `lpgemm.matmul` on memrefs becomes a gpu.func in a
    gpu.module and a guarded gpu.launch_func: nothing is launched for M = 0,
    N = 0 or an empty batch. The kernel takes pointers, extents (i32), row
    pitches and the strides of the batch (i64, in elements); the host code
    asserts what the kernel relies on. A kernel of one thread in front of it
    sets amax to 0, always.

    There are whole clusters of workgroups. Of persistent ones, which go on with
    another tile, no more are launched than the device holds at once; a kernel for
    an AMD GPU takes their number as an argument (i32).

    On AMD GPUs a kernel with `split_k` takes the address of a workspace, where it
    stores the parts of the sum, and a second one, whose name ends in `_sum`, adds
    them and does what follows the sum. The host code allocates the workspace in
    front of the first launch (`gpu.alloc`) and frees it behind the second one.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def TilePass : Pass<"lpgemm-tile", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Tile the matrix product of each kernel";
  let description = [{
    Each workgroup computes one tile of the result, each wave a part of it:
    a loop along K over register tiles loaded from global memory. A persistent
    workgroup goes on with other tiles. With a raster, tiles that follow each
    other go to one die of an AMD GPU, whose workgroups share an L2 cache.

    | `split_k` | workgroups of one tile                                      |
    |-----------|-------------------------------------------------------------|
    | on AMD GPUs | each has a part of K, and a part of the workspace to store its sum in |
    | there, persistent | stream-K: each has as many K tiles as the others, the end of one tile of the result and the beginning of the next |
    | on NVIDIA GPUs | the cluster; sums meet in `lpgemm.cluster_reduce`      |
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
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
    workgroup, in a single buffer, and read from there. On NVIDIA GPUs a schedule
    of more than two stages has a ring of as many slots (`lpgemm.slot`)
    instead: one barrier for each K tile, as the slot that is filled next was
    read before it.
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

def SplitLoopsPass : Pass<"lpgemm-split-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Split K loops into a fast one and one for the rest";
  let description = [{
    For schedules without roles. A loop with an `lpgemm.mma` becomes

    1. a loop over the K tiles that are whole, if the operands are aligned, whose
       loads and copies have `whole`: addresses are made in front of it, and
       nothing is checked in it. Around it is one over the parts of K that
       addresses reach (`lpgemm.reach`), of which there is one unless K or a
       pitch is huge;
    2. the loop as it was, with attribute `lpgemm.rest`, for what is left: the
       last K tile, or all of them.

    Accumulators go from one to the other. Scales in a layout of tiles, and
    what is accessed element by element down a column, stay as they were in both.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def AssignPipelinePass
    : Pass<"lpgemm-assign-pipeline", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Decide in which stage of a pipeline each op of a K loop is";
  let description = [{
    For a schedule of two stages or more. Splits each `lpgemm.copy` of the loop into
    `lpgemm.fetch` and `lpgemm.put`, and gives every op of the loop two
    attributes: `lpgemm.stage`, 0 for what reads global memory and what that
    needs, 1 for the rest; and `lpgemm.cluster`, its place in the pipelined
    loop, where ops of a cluster keep their order:

    | cluster | ops                                                    | stage |
    |---------|--------------------------------------------------------|-------|
    | 0       | buffers of this K tile: all up to the first barrier    | 1     |
    | 1       | global memory of the next K tile                       | 0     |
    | 2       | the rest: reads, products, the barrier behind them     | 1     |

    Where shared memory has room for two slots of each buffer
    (`lpgemm.slot`), tiles fill them in turn, and the second barrier goes behind
    the loop. A tile is in registers two iterations before its products, and in
    its slot one:

    | cluster      | ops                                               | stage |
    |--------------|---------------------------------------------------|-------|
    | 0            | the wait for this K tile, and the barrier         | 2     |
    | 1            | its reads                                         | 2     |
    | 4, 6, ..     | each put of the next K tile; in 4 also its loads  | 1     |
    | 5, 7, ..     | the fetch into the registers of that put          | 0     |
    | the last one | the rest                                          | 2     |

    So the next tile is on its way while this one is multiplied. A loop all of
    whose ops have the attributes already is left alone, and so is one with
    attribute `lpgemm.rest` (`lpgemm-split-loops`).

    Copies to the slots of a ring are not split. Of S slots, they are in stage 0,
    other reads of global memory in stage S - 2, and the rest in stage S - 1.

    On AMD GPUs with three stages or more, or strategy `ping_pong`, an engine makes
    the copies that are `whole` (`lds_dma`), which are not split either. With S
    stages they are in stage 0, other reads of global memory in stage S - 2, and
    the rest in stage S - 1. With `ping_pong` the reads are dealt out to the
    products that need them first, each between barriers, which half of the waves
    reach while the other one multiplies; products are in stage 2, and copies behind
    the reads of their slot: in stage 0, or in stage 1 where these come last. There
    each buffer has one read, and the loop nothing but copies, reads and products.
    Loops whose copies are not whole stay as they are.

    For a schedule with roles: what fills the slots of a ring gets `lpgemm.role`,
    "load"; and where each sum goes from one product to the next, the wait for
    it, and the release of its slot, get `lpgemm.stage`, 1.
  }];
}

def ExpandPipelinePass
    : Pass<"lpgemm-expand-pipeline", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Realise the stages of K loops";
  let description = [{
    Rewrites a loop whose ops have `lpgemm.stage` and `lpgemm.cluster`, so that each
    stage works on the tile behind that of the next stage, by
    `scf::pipelineForLoop`. What stage 0 does one K tile beyond the end is
    harmless: there are no elements, and nothing is read; what is `whole` reads
    the tile again from which it counts. No attribute is left. Copies of tiles
    that no product waits for are waited for behind the loop.

    Where an engine makes the copies (`lds_dma`), each buffer becomes as many as the
    schedule has stages, one for each slot, and the loop has so many tiles in an
    iteration; those that are left, fewer than that, come behind it. Beyond the
    end the last tile is copied again. With `ping_pong` half of the waves has a
    barrier more in front of the loop, and the other half behind it.

    For a schedule with roles: the ops of role "load", and the loops around them,
    go to a role of their own, where one thread drives the copy engine if that
    can address all operands (`lpgemm.has_map`), and all threads copy otherwise.
    What is in stage 1 runs an iteration late, the first iteration on its own;
    other loops are unrolled as the schedule says. What the next product needs,
    its slot of the ring and what is read of it, is then moved in front of the
    wait for the product in flight.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect"];
}

def StageResultsPass : Pass<"lpgemm-stage-results", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Store tiles of the result by way of shared memory";
  let description = [{
    For schedules with `epilogue = staged`: a lane has a few elements of each row
    of its tile, and neighbouring lanes have other rows. An `lpgemm.store`
    becomes an `lpgemm.write` of each wave's part to the largest buffer of the K
    loop, behind a barrier, and an `lpgemm.copy_out` of whole rows, 16 bytes for
    each thread. Where the buffer has no room for all rows of the tile, the waves
    take turns in parts of theirs.

    The layout of the buffer is the first of these with the fewest bank conflicts
    of what is written and read: in place; pieces of 16 bytes, of 8, or of 4,
    exchanged within a row. Scales of a result, which are few, are stored as they
    are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PinAccumulatorsPass
    : Pass<"lpgemm-pin-accumulators", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Give partial sums the registers of those before them";
  let description = [{
    An `lpgemm.async_mma` whose accumulator is zero gets `zero` and, as the
    accumulator that names its registers, the sum of such a product before it,
    also of the iteration before. Without a name each of them would get registers
    of its own.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FinalizeABIPass : Pass<"lpgemm-finalize-abi", "::mlir::ModuleOp"> {
  let summary = "Decide what a kernel takes, and what its launches pass";
  let description = [{
    Of each gpu.func for an NVIDIA chip with buffers:

    - Each tensor map that an `lpgemm.pipe_copy` by the copy engine or an
      `lpgemm.staged_store` needs, by operand, box and swizzle, becomes an
      argument; launches encode it by a call of the host runtime. The map of an
      operand with one dimension of the batch has it as a third one, where ops
      name their `entry`, and `lpgemm.has_map` is also about its stride. One
      with several has no map: `lpgemm.has_map` is false there.
    - `lpgemm.alloc` and `lpgemm.pipe` get their offsets in one block of dynamic
      shared memory, whose size the launches pass.

    | attribute of the kernel        | meaning                                 |
    |--------------------------------|-----------------------------------------|
    | `lpgemm.kernel`                | its arguments, with the maps            |
    | `lpgemm.tensor_maps`           | the numbers of the arguments that are maps |
    | `lpgemm.dynamic_shared_memory` | bytes                                   |

    More shared memory than the chip has, and a copy that no map describes, is
    an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"];
}

def FinalizeLaunchesPass
    : Pass<"lpgemm-finalize-launches", "::mlir::ModuleOp"> {
  let summary = "Pass tensor maps by value, and check launches";
  let description = [{
    For kernels that are an llvm.func: the arguments in `lpgemm.tensor_maps`
    become parameters by value of 128 bytes, `llvm.byval` and
    `nvvm.grid_constant`, and launches pass what is at the address that they
    passed before, as `!llvm.array<128 x i8>`. Then a launch whose operands are
    not what the kernel takes is an error.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def InsertWaitsPass : Pass<"lpgemm-insert-waits"> {
  let summary = "Turn tokens into counted waits";
  let description = [{
    Replaces `lpgemm.commit` and `lpgemm.wait` by
    `amdgpu.memory_counter_wait`, or by `nvvm.wgmma.commit.group.sync.aligned`
    and the wait for groups, on a gpu.module or gpu.func whose tile ops are
    lowered. No count is given: for a token of counter `load` it is the least
    number of vector-memory operations issued between the commit and the wait,
    over all paths. Only operations that are sure to stay one instruction are
    counted. For `ds`, and for a wait without tokens, it is 0, because scalar
    loads use the same counter and return out of order. For `wgmma` it is the
    least number of groups committed in between; the wait reads and writes the
    registers of its values. For `cp_async` it is the least number of groups of
    `nvvm.cp.async.shared.global` committed in between. Other memory operations
    of a thread need no wait on NVIDIA GPUs: registers are tracked, and a barrier
    orders the rest.

    A token that is not waited for on every path is an error, as is a token
    that goes through anything but scf.for and scf.if.
  }];
  let options = [
    Option<"conservative", "conservative", "bool", /*default=*/"false",
           "Make every count 0, and on AMD GPUs have each wait be for global "
           "memory and shared memory both">];
  let dependentDialects = [
    "::mlir::amdgpu::AMDGPUDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // LPGEMM_DIALECT_LPGEMM_TRANSFORMS_PASSES_TD
