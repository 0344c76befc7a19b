//===- LPGEMMRegisterOps.td - tile ops on registers --------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMREGISTEROPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMREGISTEROPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTileBase.td"

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
  let summary = "part of a register tile";
  let description = [{
    ```
    result[i, j] = source[row + i, col + j]
    ```

    Example:

    ```mlir
    %a1 = lpgemm.slice %a[32] : !lpgemm.frag<64x128xf8E4M3FN>
        to !lpgemm.frag<64x32xf8E4M3FN>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$source,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$col,
                       DefaultValuedAttr<ConfinedAttr<I64Attr,
                                                      [IntNonNegative]>,
                                         "0">:$row);
  let results = (outs LPGEMM_FragType:$result);
  let assemblyFormat = [{
    $source `[` $col `]` attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def LPGEMM_UnzipOp : LPGEMM_TileOp<"unzip",
    [Pure, AllTypesMatch<["even", "odd"]>]> {
  let summary = "even and odd columns of a result";
  let description = [{
    ```
    even[i, j] = source[i, 2 * j]
    odd[i, j]  = source[i, 2 * j + 1]
    ```

    A lane has both of a pair. Its lanes are those of `c_pair`: `c` with half of
    the columns.

    Example:

    ```mlir
    %gate, %up = lpgemm.unzip %t : !lpgemm.frag<64x64xf32>
        to !lpgemm.frag<64x32xf32>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$source);
  let results = (outs LPGEMM_FragType:$even, LPGEMM_FragType:$odd);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `to` type($even)
  }];
  let hasVerifier = 1;
}

def LPGEMM_EncodeBlocksOp : LPGEMM_TileOp<"encode_blocks", [NoMemoryEffect]> {
  let summary = "codes and scales of blocks of rows";
  let description = [{
    ```
    scales[i, b] = the scale that `rule` gives for block b of value[i, :]
    codes[i, j]  = code of value[i, j] / scales[i, j / block]
    ```

    (S-10 to S-15 of `docs/spec.md`.) `value` is the tile of a matrix with the
    extents of `within`, at the position that the matrix would be stored at,
    which is a multiple of `block` along its columns; elements outside the
    extents count as zeros (S-7). Codes are rounded as `lpgemm.encode` does, also
    with `nosat`.

    Example:

    ```mlir
    %codes, %scales = lpgemm.encode_blocks rceil %d within %g[%m0, %n0]
        at [%wm, %wn] : !lpgemm.frag<64x64xf32>, !lpgemm.global<?x?xf8E4M3FN>
        to !lpgemm.frag<64x64xf8E4M3FN>, !lpgemm.frag<64x2xf8E8M0FNU>
    ```
  }];
  let arguments = (ins LPGEMM_FragType:$value, LPGEMM_ScaleRuleAttr:$rule,
                       LPGEMM_GlobalType:$within, Index:$row, Index:$col,
                       Index:$waveRow, Index:$waveCol, UnitAttr:$nosat);
  let results = (outs LPGEMM_FragType:$codes, LPGEMM_FragType:$scales);
  let assemblyFormat = [{
    `` $rule $value (`nosat` $nosat^)? `within` $within `[` $row `,` $col `]`
    `at` `[` $waveRow `,` $waveCol `]` attr-dict
    `:` type($value) `,` type($within) `to` type($codes) `,` type($scales)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Columns that share a scale.
    int64_t getBlock() {
      return getValue().getType().getDimSize(1) /
             getScales().getType().getDimSize(1);
    }
  }];
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

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMREGISTEROPS_TD
