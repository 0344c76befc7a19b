//===- LPGEMMTileOps.td - ops of the tile level ------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTileBase.td"

// What stands between lpgemm.matmul and the machine, inside a gpu.func.
// Internal, but stable enough to write tests and schedules in. Positions are
// (row, column) in elements; a position that the whole workgroup shares comes
// first, the offset of the executing wave inside it after `at`.

def LPGEMM_BindOp : LPGEMM_TileOp<"bind", [Pure]> {
  let summary = "makes a global of a pointer";
  let description = [{
    `rows` and `cols` are the extents. `pitch` leads from one row to the next, in
    elements; in bytes where those are FP4 or FP6, which are packed along a row.

    Example:

    ```mlir
    %g = lpgemm.bind %ptr[%m, %k] pitch %lda
        : !llvm.ptr to !lpgemm.global<?x?xf8E4M3FN>
    ```
  }];
  let arguments = (ins AnyType:$ptr, Index:$rows, Index:$cols, I64:$pitch);
  let results = (outs LPGEMM_GlobalType:$result);
  let assemblyFormat = [{
    $ptr `[` $rows `,` $cols `]` `pitch` $pitch attr-dict
    `:` type($ptr) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_DimOp : LPGEMM_TileOp<"dim", [Pure]> {
  let summary = "extent of a global";
  let description = [{
    Example:

    ```mlir
    %m = lpgemm.dim %g, 0 : !lpgemm.global<?x?xf8E4M3FN>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $dim attr-dict `:` type($source)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def LPGEMM_SplatOp : LPGEMM_TileOp<"splat", [Pure]> {
  let summary = "register tile of one value";
  let description = [{
    Example:

    ```mlir
    %c = lpgemm.splat %zero : f32 to !lpgemm.frag<64x64xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyFloat, I32]>:$value);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $value attr-dict `:` type($value) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_LoadOp : LPGEMM_TileOp<"load",
    [MemoryEffects<[MemRead<LPGEMM_GlobalMemory>]>]> {
  let summary = "global memory to registers";
  let description = [{
    ```
    result[i, j] = source[row + waveRow + i, col + waveCol + j]
    ```

    With `transpose` the tile is the transpose of its window of the source; the
    positions, as without, are rows and columns of the source:

    ```
    result[i, j] = source[row + waveRow + j, col + waveCol + i]
    ```

    With `row_block = G` each row of the source serves G rows of the tile, and
    the positions along the rows are those of the tile:

    ```
    result[i, j] = source[(row + waveRow + i) / G, col + waveCol + j]
    result[i, j] = source[row + waveRow + j, (col + waveCol + i) / G]  transpose
    ```

    An element outside the extents of the source is +0; a scale of f8E8M0FNU
    outside is 1.0. A window of packed elements starts with a byte.

    Example:

    ```mlir
    %a = lpgemm.load %g[%m0, %k] at [%wm, %c0]
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<64x128xf8E4M3FN>
    %b = lpgemm.load %h[%k, %n0] at [%c0, %wn] transpose
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<64x128xf8E4M3FN>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source, Index:$row, Index:$col,
                       Index:$waveRow, Index:$waveCol, UnitAttr:$transpose,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$row_block);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `at` `[` $waveRow `,` $waveCol `]`
    (`transpose` $transpose^)? attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_StoreOp : LPGEMM_TileOp<"store",
    [MemoryEffects<[MemWrite<LPGEMM_GlobalMemory>]>]> {
  let summary = "registers to global memory";
  let description = [{
    Elements outside the extents are not written.

    Example:

    ```mlir
    lpgemm.store %d, %g[%m0, %n0] at [%wm, %wn]
        : !lpgemm.frag<64x64xf32> to !lpgemm.global<?x?xf32>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$value, LPGEMM_GlobalType:$dest,
                       Index:$row, Index:$col, Index:$waveRow, Index:$waveCol);
  let assemblyFormat = [{
    $value `,` $dest `[` $row `,` $col `]` `at` `[` $waveRow `,` $waveCol `]`
    attr-dict `:` type($value) `to` type($dest)
  }];
  let hasVerifier = 1;
}

def LPGEMM_AmaxOp : LPGEMM_TileOp<"amax",
    [MemoryEffects<[MemRead<LPGEMM_GlobalMemory>,
                    MemWrite<LPGEMM_GlobalMemory>]>]> {
  let summary = "largest magnitude of a matrix, tile by tile";
  let description = [{
    ```
    dest = max(dest, |value[i, j]|) over all elements inside
    ```

    `value` is the tile of a matrix with the extents of `within`, at the
    position that the matrix would be stored at; elements outside the extents
    do not count. `dest` is one f32, +0 or a magnitude before, which all waves
    of the kernel update, each atomically. NaN, as 0x7FC00000, is the largest
    magnitude (G-14 of `docs/spec.md`).

    Example:

    ```mlir
    lpgemm.amax %d, %amax within %g[%m0, %n0] at [%wm, %wn]
        : !lpgemm.frag<64x64xf32>, !lpgemm.global<f32>,
          !lpgemm.global<?x?xbf16>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$value, LPGEMM_GlobalType:$dest,
                       LPGEMM_GlobalType:$within, Index:$row, Index:$col,
                       Index:$waveRow, Index:$waveCol);
  let assemblyFormat = [{
    $value `,` $dest `within` $within `[` $row `,` $col `]`
    `at` `[` $waveRow `,` $waveCol `]` attr-dict
    `:` type($value) `,` type($dest) `,` type($within)
  }];
  let hasVerifier = 1;
}

def LPGEMM_AllocOp : LPGEMM_TileOp<"alloc",
    [MemoryEffects<[MemAlloc<LPGEMM_SharedMemory>]>]> {
  let summary = "tile in on-chip memory, for the life of the workgroup";
  let description = [{
    Its contents are not defined until something is copied into it.

    `offset`: where it starts in the shared memory of the workgroup, in bytes;
    set by `lpgemm-finalize-abi` where that is one block.

    Example:

    ```mlir
    %s = lpgemm.alloc : !lpgemm.buf<128x128xf8E4M3FN, shared>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset);
  let results = (outs LPGEMM_BufType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def LPGEMM_CopyOp : LPGEMM_TileOp<"copy",
    [MemoryEffects<[MemRead<LPGEMM_GlobalMemory>,
                    MemWrite<LPGEMM_SharedMemory>]>]> {
  let summary = "global memory to a buffer, by the whole workgroup";
  let description = [{
    ```
    dest[i, j] = source[row + i, col + j]
    dest[i, j] = source[row + j, col + i]    with transpose
    ```

    Asynchronous: a thread's own part is complete after `lpgemm.wait` of the
    token, the whole after a barrier as well. An element outside the extents of
    the source is +0, a scale outside is 1.0.

    Example:

    ```mlir
    %t0 = lpgemm.copy %g[%m0, %k] into %s0
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared>
    %t1 = lpgemm.copy %h[%k, %n0] into %s1 transpose
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source, Index:$row, Index:$col,
                       LPGEMM_BufType:$dest, UnitAttr:$transpose);
  let results = (outs LPGEMM_TokenType:$token);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `into` $dest (`transpose` $transpose^)?
    attr-dict `:` type($source) `to` type($dest)
  }];
  let hasVerifier = 1;
}

def LPGEMM_FetchOp : LPGEMM_TileOp<"fetch",
    [MemoryEffects<[MemRead<LPGEMM_GlobalMemory>]>]> {
  let summary = "first half of a copy: global memory to registers";
  let description = [{
    Loads what `lpgemm.put` stores to a buffer of type `dest`, so that the time
    that global memory takes passes between the two. Each thread of the
    workgroup holds its pieces of the tile, as many for each of them, in the
    vectors of the result.

    Example:

    ```mlir
    %f:4 = lpgemm.fetch %g[%m0, %k]
        for !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
        : !lpgemm.global<?x?xf8E4M3FN>
        to vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source, Index:$row, Index:$col,
                       TypeAttrOf<LPGEMM_BufType>:$dest, UnitAttr:$transpose);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$pieces);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `for` $dest (`transpose` $transpose^)?
    attr-dict `:` type($source) `to` type($pieces)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    BufType getDestType() { return ::llvm::cast<BufType>(getDest()); }
  }];
}

def LPGEMM_PutOp : LPGEMM_TileOp<"put",
    [MemoryEffects<[MemWrite<LPGEMM_SharedMemory>]>]> {
  let summary = "second half of a copy: registers to a buffer";
  let description = [{
    The pieces are those of an `lpgemm.fetch` for a buffer of the same type, with
    `transpose` if that has it. Asynchronous, as `lpgemm.copy` is.

    Example:

    ```mlir
    %t = lpgemm.put %f#0, %f#1, %f#2, %f#3 into %s
        : vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
        to !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
    ```
  }];
  let arguments = (ins Variadic<AnyVectorOfNonZeroRank>:$pieces,
                       LPGEMM_BufType:$dest, UnitAttr:$transpose);
  let results = (outs LPGEMM_TokenType:$token);
  let assemblyFormat = [{
    $pieces `into` $dest (`transpose` $transpose^)? attr-dict
    `:` type($pieces) `to` type($dest)
  }];
}

def LPGEMM_ReadOp : LPGEMM_TileOp<"read",
    [MemoryEffects<[MemRead<LPGEMM_SharedMemory>]>]> {
  let summary = "buffer to registers";
  let description = [{
    ```
    result[i, j] = source[row + i, col + j]
    result[i, j] = source[(row + i) / G, col + j]    with row_block = G
    ```

    With `row_block` the position is a multiple of `row_unit`.

    Example:

    ```mlir
    %a = lpgemm.read %s[%wm, %c0] : !lpgemm.buf<128x128xf8E4M3FN, shared>
        to !lpgemm.frag<64x128xf8E4M3FN>
    ```
  }];
  let arguments = (ins LPGEMM_BufType:$source, Index:$row, Index:$col,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$row_block,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$row_unit);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` attr-dict
    `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

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

// Pure, but neither speculatable nor worth a copy: no canonicalization may
// clone a matrix product.
def LPGEMM_MmaOp : LPGEMM_TileOp<"mma",
    [NoMemoryEffect, AttrSizedOperandSegments,
     AllTypesMatch<["acc", "result"]>]> {
  let summary = "matrix product of register tiles";
  let description = [{
    ```
    result[i, j] = acc[i, j] + 2^exponent * sum over k of
                     a[i, k] * sa[i, k / GA] * b[j, k] * sb[j, k / GB]
    ```

    a is M x K, b is N x K, acc M x N. A scale operand, if there is one, is
    M x (K/GA) (sa) or N x (K/GB) (sb); the longer of GA and GB is a multiple of
    the other. An exponent goes with scales.

    The accumulator is of the type of the instruction; with scales it is f32.

    Example:

    ```mlir
    %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
        sa(%sa : !lpgemm.frag<64x4xf8E8M0FNU>)
        sb(%sb : !lpgemm.frag<64x4xf8E8M0FNU>)
        : !lpgemm.frag<64x128xf8E4M3FN>, !lpgemm.frag<64x128xf8E4M3FN>,
          !lpgemm.frag<64x64xf32>
    ```
  }];
  let arguments = (ins LPGEMM_MmaAttr:$instr, LPGEMM_FragType:$a,
                       LPGEMM_FragType:$b, LPGEMM_FragType:$acc,
                       Optional<LPGEMM_FragType>:$sa,
                       Optional<LPGEMM_FragType>:$sb,
                       DefaultValuedAttr<I64Attr, "0">:$exponent);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $instr $a `,` $b `,` $acc (`sa` `(` $sa^ `:` type($sa) `)`)?
    (`sb` `(` $sb^ `:` type($sb) `)`)?
    attr-dict `:` type($a) `,` type($b) `,` type($acc)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of K that share a scale of `scales`, sa or sb.
    int64_t getScaleBlock(TypedValue<FragType> scales) {
      return getA().getType().getDimSize(1) / scales.getType().getDimSize(1);
    }
  }];
}

def LPGEMM_CastOp : LPGEMM_TileOp<"cast", [NoMemoryEffect]> {
  let summary = "register tile in another element type";
  let description = [{
    To bf16, and from f8E4M3FN and f8E5M2 to f16: the same values, all of which
    those types have (C-10). From f8E4M3FN to f8E4M3FNUZ and from f8E5M2 to
    f8E5M2FNUZ: half the values (C-17).

    Example:

    ```mlir
    %h = lpgemm.cast %a
        : !lpgemm.frag<64x128xf8E4M3FN> to !lpgemm.frag<64x128xf8E4M3FNUZ>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$source);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_SliceOp : LPGEMM_TileOp<"slice", [Pure]> {
  let summary = "some columns of a register tile";
  let description = [{
    Example:

    ```mlir
    %a1 = lpgemm.slice %a[32] : !lpgemm.frag<64x128xf8E4M3FN>
        to !lpgemm.frag<64x32xf8E4M3FN>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$source,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$col);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $source `[` $col `]` attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_ApplyOp : LPGEMM_TileOp<"apply",
    [NoMemoryEffect, SingleBlock, AttrSizedOperandSegments]> {
  let summary = "elementwise function of register tiles";
  let description = [{
    ```
    result[i, j] = body(tiles[i, j]..., rows[i]..., cols[j]...)
    ```

    The tiles have the shape of the result, M x N; an operand of `rows` is
    M x 1, one of `cols` N x 1. The body may use scalars that are defined
    above.

    Example:

    ```mlir
    %d = lpgemm.apply %acc rows(%s : !lpgemm.frag<64x1xf32>) {
      ^bb0(%t: f32, %row: f32):
        %scaled = arith.mulf %t, %row : f32
        %rounded = arith.truncf %scaled : f32 to bf16
        lpgemm.yield %rounded : bf16
    } : !lpgemm.frag<64x64xf32> -> !lpgemm.frag<64x64xbf16>
    ```
  }];
  let arguments = (ins Variadic<LPGEMM_FragType>:$tiles,
                       Variadic<LPGEMM_FragType>:$rows,
                       Variadic<LPGEMM_FragType>:$cols);
  let results = (outs LPGEMM_FragType:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $tiles (`rows` `(` $rows^ `:` type($rows) `)`)?
    (`cols` `(` $cols^ `:` type($cols) `)`)? $body attr-dict
    `:` type($tiles) `->` type($result)
  }];
  let hasRegionVerifier = 1;
}

def LPGEMM_DecodeOp : LPGEMM_TileOp<"decode", [Pure]> {
  let summary = "value of an FP8 element";
  let description = [{
    Exact (C-10 of `docs/spec.md`). For the body of `lpgemm.apply`: ops of arith
    do not convert narrow floats as this project does (C-14).

    Example:

    ```mlir
    %x = lpgemm.decode %c : f8E5M2 to f32
    ```
  }];
  let arguments = (ins AnyFloat:$source);
  let results = (outs F32:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_EncodeOp : LPGEMM_TileOp<"encode", [Pure]> {
  let summary = "FP8 element next to a value";
  let description = [{
    To nearest, ties to even. A value beyond the range gives the largest number
    with its sign (C-3 of `docs/spec.md`) or, with `nosat`, infinity in f8E5M2
    and NaN in the other types (C-4). NaN stays NaN.

    Example:

    ```mlir
    %q = lpgemm.encode %x : f32 to f8E4M3FN
    %p = lpgemm.encode %x nosat : f32 to f8E5M2
    ```
  }];
  let arguments = (ins F32:$source, UnitAttr:$nosat);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = [{
    $source (`nosat` $nosat^)? attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_PromoteOp : LPGEMM_TileOp<"promote",
    [NoMemoryEffect, AttrSizedOperandSegments,
     AllTypesMatch<["acc", "result"]>]> {
  let summary = "adds a scaled partial sum to the accumulator";
  let description = [{
    ```
    result[i, j] = acc[i, j] + 2^exponent * part[i, j] * sa[i] * sb[j]
    ```

    A part of i32 is rounded to f32 first, and so is sa[i] * sb[j]; the rest is
    rounded once (I-2 of `docs/spec.md`). Where all scales are f8E8M0FNU,
    sa[i] * sb[j] may be out of the range of f32: the exponents are added (G-4).

    Example:

    ```mlir
    %d = lpgemm.promote %p, %c
        sa(%sa : !lpgemm.frag<64x1xf32>) sb(%sb : !lpgemm.frag<64x1xf32>)
        : !lpgemm.frag<64x64xf32>, !lpgemm.frag<64x64xf32>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$part, LPGEMM_FragType:$acc,
                       Optional<LPGEMM_FragType>:$sa,
                       Optional<LPGEMM_FragType>:$sb,
                       DefaultValuedAttr<I64Attr, "0">:$exponent);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $part `,` $acc (`sa` `(` $sa^ `:` type($sa) `)`)?
    (`sb` `(` $sb^ `:` type($sb) `)`)? attr-dict `:` type($part) `,` type($acc)
  }];
  let hasVerifier = 1;
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEOPS_TD
