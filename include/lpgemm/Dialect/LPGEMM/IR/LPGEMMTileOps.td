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

def LPGEMM_ReachOp : LPGEMM_TileOp<"reach", [Pure]> {
  let summary = "how far a 32-bit offset reaches in a matrix";
  let description = [{
    In steps of so many rows and columns: a power of two of them spans less than
    2^30 bytes. 0 if not even one does, or if the matrix cannot be accessed in
    pieces of `piece` bytes: its base or, where it has more rows than one, its
    pitch is not a multiple of `alignment` bytes, or a row has a length that is
    not a multiple of `piece`. With `piece = 1` the length does not matter.

    Example:

    ```mlir
    %n = lpgemm.reach %g step [0, 128] {alignment = 4 : i64}
        : !lpgemm.global<?x?xf8E4M3FN>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source,
                       DenseI64ArrayAttr:$step,
                       ConfinedAttr<I64Attr, [IntPositive]>:$alignment,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$piece);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `step` $step attr-dict `:` type($source)";
  let hasVerifier = 1;
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

// Of ops with `transpose`, that a K loop has.
defvar LPGEMM_KPosition = [{
    /// The position along K.
    ::mlir::OpOperand &getKPositionMutable() {
      return getTranspose() ? getRowMutable() : getColMutable();
    }
  }];

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

    `whole` says that all of the window is inside along K, its columns or, with
    `transpose`, its rows. Its operand is where a window of the same kind was or
    will be, not further behind than `lpgemm.reach` says: addresses are made
    there, and only their distance is added here. What is outside along the
    other dimension is then any number.

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
                                         "1">:$row_block,
                       Optional<Index>:$whole);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `at` `[` $waveRow `,` $waveCol `]`
    (`transpose` $transpose^)? (`whole` `(` $whole^ `)`)? attr-dict
    `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = LPGEMM_KPosition;
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

def LPGEMM_SlotOp : LPGEMM_TileOp<"slot", [Pure]> {
  let summary = "one of the slots of a buffer";
  let description = [{
    Example:

    ```mlir
    %s1 = lpgemm.slot %s[%i] : !lpgemm.buf<2x128x128xf8E4M3FN, shared>
        to !lpgemm.buf<128x128xf8E4M3FN, shared>
    ```
  }];
  let arguments = (ins LPGEMM_BufType:$source, Index:$index);
  let results = (outs LPGEMM_BufType:$result);
  let assemblyFormat = [{
    $source `[` $index `]` attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
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
    the source is +0, a scale outside is 1.0. `whole` is that of `lpgemm.load`.

    With `lds_dma` an engine of the chip makes the copy, and data do not pass
    through registers. It moves pieces of a row in the source to where the layout
    of the buffer wants them, so the layout has no padding. Goes with `whole`;
    elements outside along the other dimension are +0.

    Example:

    ```mlir
    %t0 = lpgemm.copy %g[%m0, %k] into %s0
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared>
    %t1 = lpgemm.copy %h[%k, %n0] into %s1 transpose
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<128x128xf8E4M3FN, shared>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source, Index:$row, Index:$col,
                       LPGEMM_BufType:$dest, UnitAttr:$transpose,
                       Optional<Index>:$whole, UnitAttr:$lds_dma);
  let results = (outs LPGEMM_TokenType:$token);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `into` $dest (`transpose` $transpose^)?
    (`whole` `(` $whole^ `)`)? (`lds_dma` $lds_dma^)? attr-dict
    `:` type($source) `to` type($dest)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = LPGEMM_KPosition;
}

def LPGEMM_FetchOp : LPGEMM_TileOp<"fetch",
    [MemoryEffects<[MemRead<LPGEMM_GlobalMemory>]>]> {
  let summary = "first half of a copy: global memory to registers";
  let description = [{
    Loads what `lpgemm.put` stores to a buffer of type `dest`, so that the time
    that global memory takes passes between the two. Each thread of the
    workgroup holds its pieces of the tile, as many for each of them, in the
    vectors of the result. `whole` is that of `lpgemm.load`.

    Example:

    ```mlir
    %f:4 = lpgemm.fetch %g[%m0, %k]
        for !lpgemm.buf<128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
        : !lpgemm.global<?x?xf8E4M3FN>
        to vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
    ```
  }];
  let arguments = (ins LPGEMM_GlobalType:$source, Index:$row, Index:$col,
                       TypeAttrOf<LPGEMM_BufType>:$dest, UnitAttr:$transpose,
                       Optional<Index>:$whole);
  let results = (outs Variadic<AnyVectorOfNonZeroRank>:$pieces);
  let assemblyFormat = [{
    $source `[` $row `,` $col `]` `for` $dest (`transpose` $transpose^)?
    (`whole` `(` $whole^ `)`)? attr-dict `:` type($source) `to` type($pieces)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = LPGEMM_KPosition # [{
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

def LPGEMM_ReuseOp : LPGEMM_TileOp<"reuse", [Pure]> {
  let summary = "the bytes of a buffer as another tile";
  let description = [{
    From the start of the buffer on. What is in it is not defined for the other
    tile.

    Example:

    ```mlir
    %t = lpgemm.reuse %s : !lpgemm.buf<2x128x128xf8E4M3FN, shared>
        to !lpgemm.buf<128x128xbf16, shared>
    ```
  }];
  let arguments = (ins LPGEMM_BufType:$source);
  let results = (outs LPGEMM_BufType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `to` type($result)
  }];
}

def LPGEMM_WriteOp : LPGEMM_TileOp<"write",
    [MemoryEffects<[MemWrite<LPGEMM_SharedMemory>]>]> {
  let summary = "registers to buffer";
  let description = [{
    ```
    dest[row + i, col + j] = value[i, j]
    ```

    Asynchronous, as `lpgemm.put` is: other threads may read it behind
    `lpgemm.wait` of the token and a barrier.

    Example:

    ```mlir
    %t = lpgemm.write %d, %s[%wm, %wn] : !lpgemm.frag<64x64xbf16>
        to !lpgemm.buf<128x128xbf16, shared>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$value, LPGEMM_BufType:$dest, Index:$row,
                       Index:$col);
  let results = (outs LPGEMM_TokenType:$token);
  let assemblyFormat = [{
    $value `,` $dest `[` $row `,` $col `]` attr-dict
    `:` type($value) `to` type($dest)
  }];
  let hasVerifier = 1;
}

def LPGEMM_CopyOutOp : LPGEMM_TileOp<"copy_out",
    [MemoryEffects<[MemRead<LPGEMM_SharedMemory>,
                    MemWrite<LPGEMM_GlobalMemory>]>]> {
  let summary = "buffer to global memory, by the whole workgroup";
  let description = [{
    ```
    dest[row + i, col + j] = source[i, j]
    ```

    in pieces of rows of up to 16 bytes, of which neighbouring threads take
    neighbouring ones. Elements outside the extents are not written. The buffer
    may be written again behind a wait without tokens and a barrier.

    Example:

    ```mlir
    lpgemm.copy_out %s, %g[%m0, %n0] : !lpgemm.buf<128x128xbf16, shared>
        to !lpgemm.global<?x?xbf16>
    ```
  }];
  let arguments = (ins LPGEMM_BufType:$source, LPGEMM_GlobalType:$dest,
                       Index:$row, Index:$col);
  let assemblyFormat = [{
    $source `,` $dest `[` $row `,` $col `]` attr-dict
    `:` type($source) `to` type($dest)
  }];
  let hasVerifier = 1;
}

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMRegisterOps.td"

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEOPS_TD
