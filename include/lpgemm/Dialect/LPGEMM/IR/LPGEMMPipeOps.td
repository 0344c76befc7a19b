//===- LPGEMMPipeOps.td - roles, rings and copy engines ----*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMPIPEOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMPIPEOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTileBase.td"

def LPGEMM_CommitOp : LPGEMM_TileOp<"commit", LPGEMM_SyncEffects> {
  let summary = "token of the memory operations issued so far";
  let description = [{
    Complete when every operation that this thread issued before it and that
    `counter` counts is complete. Conversions leave it behind the leaf
    operations of an asynchronous op.

    Example:

    ```mlir
    %t = lpgemm.commit ds
    ```
  }];
  let arguments = (ins EnumProp<LPGEMM_Counter>:$counter);
  let results = (outs LPGEMM_TokenType:$token);
  let assemblyFormat = "$counter attr-dict";
}

def LPGEMM_WaitOp : LPGEMM_TileOp<"wait",
    !listconcat(LPGEMM_SyncEffects,
                [AttrSizedOperandSegments,
                 AllTypesMatch<["values", "results"]>])> {
  let summary = "waits for this thread's own asynchronous work";
  let description = [{
    Without an operand: for every read of a buffer issued before it, so that
    the buffer may be overwritten behind the next barrier.

    The results are `values`, which that work makes: what uses them comes behind
    the wait.

    Example:

    ```mlir
    lpgemm.wait %t0, %t1
    %r = lpgemm.wait %t for %d : !lpgemm.frag<64x128xf32>
    ```
  }];
  let arguments = (ins Variadic<LPGEMM_TokenType>:$tokens,
                       Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    ($tokens^)? (`for` $values^ `:` type($values))? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$tokens,
                                 CArg<"::mlir::ValueRange", "{}">:$values), [{
    build($_builder, $_state, values.getTypes(), tokens, values);
  }]>];
}

def LPGEMM_BarrierOp : LPGEMM_TileOp<"barrier", LPGEMM_SyncEffects> {
  let summary = "execution barrier of the workgroup, without an implied wait";
  let description = [{
    Example:

    ```mlir
    lpgemm.barrier
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def LPGEMM_SchedFenceOp : LPGEMM_TileOp<"sched_fence", LPGEMM_SyncEffects> {
  let summary = "instructions stay on their side of it";
  let description = [{
    For the scheduler of the back end; nothing waits for anything.

    Example:

    ```mlir
    lpgemm.sched_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def LPGEMM_PriorityOp : LPGEMM_TileOp<"priority", LPGEMM_SyncEffects> {
  let summary = "priority of the executing wave among those of its SIMD";
  let description = [{
    From 0, which every wave starts with, to 3, the highest.

    Example:

    ```mlir
    lpgemm.priority 1
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<3>]>:$level);
  let assemblyFormat = "$level attr-dict";
}

// For machines whose matrix instructions read shared memory: tiles go through a
// ring of slots. Who fills a slot and who empties it may be different waves.

def LPGEMM_RolesOp : LPGEMM_TileOp<"roles",
    [RecursiveMemoryEffects, NoTerminator]> {
  let summary = "each wave executes the region of its role";
  let description = [{
    The waves of the workgroup are dealt out to the roles in order: the first
    `waves` of them to the first one, and so on. A wave here is what a matrix
    instruction takes: a warpgroup, four warps, for wgmma. With `regs`, a thread
    of the role has so many registers (a multiple of 8).

    The argument of a region is the number of the wave in its role.

    Example:

    ```mlir
    lpgemm.roles {
      role mma(%wave) waves(2) regs(232) {
        lpgemm.pipe_await %pipe[%s] : !lpgemm.pipe<4>
      }
      role load(%wave) waves(1) regs(40) {
        lpgemm.pipe_acquire %pipe[%s] : !lpgemm.pipe<4>
      }
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$names, DenseI64ArrayAttr:$waves,
                       DenseI64ArrayAttr:$regs);
  let regions = (region VariadicRegion<SizedRegion<1>>:$bodies);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The region of the role of this name; null if there is none.
    Region *lookupRole(::llvm::StringRef name);
    /// The role whose region `op` is in.
    unsigned getRole(::mlir::Operation *op);
    /// How many waves come before those of a role.
    int64_t getFirstWave(unsigned role);
  }];
}

def LPGEMM_ElectOp : LPGEMM_TileOp<"elect",
    [RecursiveMemoryEffects, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "one thread of the role executes the region";
  let description = [{
    Example:

    ```mlir
    lpgemm.elect {
      lpgemm.pipe_acquire %pipe[%s] : !lpgemm.pipe<4>
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def LPGEMM_PipeOp : LPGEMM_TileOp<"pipe",
    [MemoryEffects<[MemAlloc<LPGEMM_SharedMemory>]>]> {
  let summary = "ring of slots that are filled and emptied in turn";
  let description = [{
    Each slot is empty at first. With `cluster`, all workgroups of the cluster
    fill and empty the slots of each of them. With `exchange`, there is a slot
    for each warp that takes part in `lpgemm.cluster_reduce`.

    Example:

    ```mlir
    %pipe = lpgemm.pipe : !lpgemm.pipe<4>
    ```
  }];
  let arguments = (ins UnitAttr:$cluster, UnitAttr:$exchange,
                       OptionalAttr<I64Attr>:$offset);
  let results = (outs LPGEMM_PipeType:$result);
  let assemblyFormat = [{
    (`cluster` $cluster^)? (`exchange` $exchange^)? attr-dict
    `:` type($result)
  }];
}

def LPGEMM_PipeStartOp : LPGEMM_TileOp<"pipe_start", [Pure]> {
  let summary = "the first slot of a ring";
  let description = [{
    Example:

    ```mlir
    %s = lpgemm.pipe_start : !lpgemm.slot
    ```
  }];
  let results = (outs LPGEMM_SlotType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class LPGEMM_PipeSlotOp<string mnemonic, list<Trait> traits>
    : LPGEMM_TileOp<mnemonic, traits> {
  let arguments = (ins LPGEMM_PipeType:$pipe, LPGEMM_SlotType:$slot);
  let assemblyFormat = "$pipe `[` $slot `]` attr-dict `:` type($pipe)";
}

def LPGEMM_PipeNextOp : LPGEMM_PipeSlotOp<"pipe_next",
    [Pure, AllTypesMatch<["slot", "result"]>]> {
  let summary = "the slot behind another one; behind the last comes the first";
  let description = [{
    Example:

    ```mlir
    %next = lpgemm.pipe_next %pipe[%s] : !lpgemm.pipe<4>
    ```
  }];
  let results = (outs LPGEMM_SlotType:$result);
}

def LPGEMM_PipeAcquireOp : LPGEMM_PipeSlotOp<"pipe_acquire",
                                             LPGEMM_SyncEffects> {
  let summary = "waits until a slot is empty";
  let description = [{
    Example:

    ```mlir
    lpgemm.pipe_acquire %pipe[%s] : !lpgemm.pipe<4>
    ```
  }];
}

def LPGEMM_PipeCommitOp : LPGEMM_PipeSlotOp<"pipe_commit", LPGEMM_SyncEffects> {
  let summary = "says that all copies to a slot are issued";
  let description = [{
    The slot is full once they are complete: `lpgemm.pipe_copy` since its
    `lpgemm.pipe_acquire`, of all threads that execute this op.

    Example:

    ```mlir
    lpgemm.pipe_commit %pipe[%s] : !lpgemm.pipe<4>
    ```
  }];
}

def LPGEMM_PipeAwaitOp : LPGEMM_PipeSlotOp<"pipe_await", LPGEMM_SyncEffects> {
  let summary = "waits until a slot is full";
  let description = [{
    Example:

    ```mlir
    lpgemm.pipe_await %pipe[%s] : !lpgemm.pipe<4>
    ```
  }];
}

def LPGEMM_PipeReleaseOp : LPGEMM_PipeSlotOp<"pipe_release",
                                             LPGEMM_SyncEffects> {
  let summary = "says that the executing wave does not read a slot any more";
  let description = [{
    The slot is empty once all waves that await it have said so.

    Example:

    ```mlir
    lpgemm.pipe_release %pipe[%s] : !lpgemm.pipe<4>
    ```
  }];
}

def LPGEMM_ViewOp : LPGEMM_TileOp<"view", [Pure]> {
  let summary = "part of a slot of a buffer";
  let description = [{
    Rows from `row` on, a multiple of those after which the layout repeats, and
    columns from `col` on.

    Example:

    ```mlir
    %a = lpgemm.view %buf[%s] at [%r, 0]
        : !lpgemm.buf<4x128x128xf8E4M3FN, shared>
        to !lpgemm.buf<64x128xf8E4M3FN, shared>
    ```
  }];
  let arguments = (ins LPGEMM_BufType:$source, LPGEMM_SlotType:$slot,
                       Index:$row,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$col);
  let results = (outs LPGEMM_BufType:$result);
  let assemblyFormat = [{
    $source `[` $slot `]` `at` `[` $row `,` $col `]` attr-dict
    `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_HasMapOp : LPGEMM_TileOp<"has_map", [Pure]> {
  let summary = "whether the copy engine can address all these matrices";
  let description = [{
    That is, whether their bases and pitches are multiples of 16 bytes, and the
    pitches below 2^40 bytes (PTX ISA, "Tensors"; CUDA driver API,
    cuTensorMapEncodeTiled). Of an operand with a batch `lpgemm-finalize-abi` adds
    the matrix whose rows are the first ones of the entries: their distance is a
    pitch as well. False where there is no map, as of several dimensions of a batch.

    Example:

    ```mlir
    %ok = lpgemm.has_map %a, %b
        : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
    ```
  }];
  let arguments = (ins Variadic<LPGEMM_GlobalType>:$matrices);
  let results = (outs I1:$result);
  let assemblyFormat = "$matrices attr-dict `:` type($matrices)";
}

def LPGEMM_PipeCopyOp : LPGEMM_TileOp<"pipe_copy",
    [AttrSizedOperandSegments, MemoryEffects<[MemRead<LPGEMM_GlobalMemory>,
                    MemWrite<LPGEMM_SharedMemory>]>]> {
  let summary = "global memory to a slot of a buffer";
  let description = [{
    ```
    dest[i, j] = source[row + i, col + j]
    dest[i, j] = source[row + j, col + i]    with transpose
    ```

    Complete when the slot of the pipe is full. An element outside the extents
    of the source is +0. With `row_block = G` the rows of the source are those
    of `lpgemm.load`.

    | engine    | the copy is made by                                           |
    |-----------|---------------------------------------------------------------|
    | `tma`     | the copy engine, for one thread (`lpgemm.elect`); `map` is the matrix's tensor map, an argument of the kernel that `lpgemm-finalize-abi` adds. A map of a batch has the matrix as its `entry` |
    | `threads` | the threads that execute the op: one in `lpgemm.elect`, else all of the role |

    With `multicast`, for engine `tma`, the workgroups of a cluster that are of
    one column of the cluster (`multicast = 0`) or one row (`multicast = 1`) copy
    the same tile: each a part of its rows, to all of them.

    Example:

    ```mlir
    lpgemm.elect {
      lpgemm.pipe_copy %g[%m0, %k] into %slot tma signal %pipe[%s]
          : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared>,
            !lpgemm.pipe<4>
    }
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source, Index:$row, Index:$col,
                       LPGEMM_BufType:$dest,
                       EnumProp<LPGEMM_CopyEngine>:$engine,
                       LPGEMM_PipeType:$pipe, LPGEMM_SlotType:$slot,
                       Optional<AnyType>:$map, UnitAttr:$transpose,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$row_block,
                       OptionalAttr<I64Attr>:$multicast,
                       Optional<Index>:$entry);
  // Without a map and an entry, which lpgemm-finalize-abi adds.
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$row,
      "::mlir::Value":$col, "::mlir::Value":$dest,
      "::mlir::lpgemm::CopyEngine":$engine, "::mlir::Value":$pipe,
      "::mlir::Value":$slot, "bool":$transpose, "uint64_t":$rowBlock), [{
    build($_builder, $_state, source, row, col, dest, engine, pipe, slot,
          /*map=*/::mlir::Value(), transpose, rowBlock,
          /*multicast=*/::mlir::IntegerAttr(), /*entry=*/::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `into` $dest $engine
    `signal` $pipe `[` $slot `]`
    (`map` $map^ `:` type($map))? (`entry` $entry^)?
    (`transpose` $transpose^)? attr-dict
    `:` type($source) `to` type($dest) `,` type($pipe)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the copy engine can make this copy, if it can address the
    /// matrix: rows of whole 16 bytes, or with `transpose` a column of whole
    /// 128.
    bool fitsCopyEngine();
  }];
}

def LPGEMM_AsyncMmaOp : LPGEMM_TileOp<"async_mma",
    [MemoryEffects<[MemRead<LPGEMM_SharedMemory>]>,
     AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product of tiles in shared memory";
  let description = [{
    As `lpgemm.mma` of a (M x K) and b (N x K), without scales. The result may be
    used by other `lpgemm.async_mma`, and by anything behind `lpgemm.wait` of the
    token. With `zero` the accumulator counts as 0, and names the registers only.

    Example:

    ```mlir
    %d, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c
        : !lpgemm.buf<64x128xf8E4M3FN, shared>,
          !lpgemm.buf<256x128xf8E4M3FN, shared>, !lpgemm.frag<64x256xf32>
    ```
  }];
  let arguments = (ins LPGEMM_MmaAttr:$instr, LPGEMM_BufType:$a,
                       LPGEMM_BufType:$b, LPGEMM_FragType:$acc, UnitAttr:$zero);
  let results = (outs LPGEMM_FragType:$result, LPGEMM_TokenType:$token);
  let assemblyFormat = [{
    $instr $a `,` $b `,` $acc (`zero` $zero^)? attr-dict
    `:` type($a) `,` type($b) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def LPGEMM_StagedStoreOp : LPGEMM_TileOp<"staged_store",
    [AttrSizedOperandSegments,
     MemoryEffects<[MemWrite<LPGEMM_GlobalMemory>,
                    MemWrite<LPGEMM_SharedMemory>]>]> {
  let summary = "registers to global memory, through shared memory";
  let description = [{
    As `lpgemm.store`, by the copy engine from `stage`, in chunks of as many columns
    as that has. Each wave has its own rows of `stage`, which are room for one
    chunk of 64 rows or for several; where `split_k` has left its warps in several
    workgroups, each warp has some, for chunks of 16 rows. Complete at the end of
    the kernel. `map` and `entry` are as in `lpgemm.pipe_copy`.

    Example:

    ```mlir
    lpgemm.staged_store %d, %g[%m0, %n0] at [%wm, %wn] through %stage
        : !lpgemm.frag<64x256xbf16> to !lpgemm.global<?x?xbf16>,
          !lpgemm.buf<128x64xbf16, shared>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$value, LPGEMM_GlobalType:$dest,
                       Index:$row, Index:$col, Index:$waveRow, Index:$waveCol,
                       LPGEMM_BufType:$stage, Optional<AnyType>:$map,
                       Optional<Index>:$entry);
  // Without a map and an entry, which lpgemm-finalize-abi adds.
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$dest,
      "::mlir::Value":$row, "::mlir::Value":$col, "::mlir::Value":$waveRow,
      "::mlir::Value":$waveCol, "::mlir::Value":$stage), [{
    build($_builder, $_state, value, dest, row, col, waveRow, waveCol, stage,
          /*map=*/::mlir::Value(), /*entry=*/::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $value `,` $dest `[` $row `,` $col `]` `at` `[` $waveRow `,` $waveCol `]`
    `through` $stage (`map` $map^ `:` type($map))? (`entry` $entry^)? attr-dict
    `:` type($value) `to` type($dest) `,` type($stage)
  }];
  let hasVerifier = 1;
}

def LPGEMM_ClusterReduceOp : LPGEMM_TileOp<"cluster_reduce",
    !listconcat(LPGEMM_SyncEffects,
                [AttrSizedOperandSegments, AllTypesMatch<["tiles", "sums"]>])> {
  let summary = "sums of tiles of all workgroups of a cluster";
  let description = [{
    The same wave of each workgroup gives a tile for each sum. They are added in
    f32, in an order that depends on nothing but the warp and the number of
    workgroups.

    Each warp of a wave has its part of the sums in one workgroup of the cluster,
    where `isHere` holds for its threads. In the others it does not hold, and the
    sums are not specified.

    Tiles pass through `buffer`, which has room for those of all waves; how they
    lie in it is not specified. A slot of `pipe` for each warp says that they are
    there. A kernel executes the op once.

    Example:

    ```mlir
    %sum, %isHere = lpgemm.cluster_reduce %acc through %buf signal %exchange
        : (!lpgemm.frag<64x64xf32>), !lpgemm.buf<64x64xf32, shared>,
          !lpgemm.pipe<4>
    ```
  }];
  let arguments = (ins Variadic<LPGEMM_FragType>:$tiles,
                       Optional<LPGEMM_BufType>:$buffer,
                       Optional<LPGEMM_PipeType>:$pipe);
  let results = (outs Variadic<LPGEMM_FragType>:$sums, I1:$isHere);
  let assemblyFormat = [{
    $tiles (`through` $buffer^ `signal` $pipe)? attr-dict
    `:` `(` type($tiles) `)` (`,` type($buffer)^ `,` type($pipe))?
  }];
  let hasVerifier = 1;
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMPIPEOPS_TD
