//===- LPGEMMQuantizeOps.td - quantization and packing -----*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMQUANTIZEOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMQUANTIZEOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMDestinationOps.td"

def LPGEMM_QuantizeOp : LPGEMM_TileableOp<"quantize",
    [AttrSizedOperandSegments]> {
  let summary = "low-precision codes and decode scales of a matrix";
  let description = [{
    ```
    amax = max |x| over a block
    s    = the decode scale that `rule` gives for amax
    q    = cvt(x / s)
    ```

    `input` is R x K, with `transposed` stored K x R (as the rhs of a product
    without `transpose_b`, or the lhs with `transpose_a`); leading batch
    dimensions are quantized each on its own. Blocks run along K.

    | clause                 | meaning                                             | type                     |
    |------------------------|-----------------------------------------------------|--------------------------|
    | `ins`                  | x                                                   | f32, bf16, f16           |
    | `scale`                | decode scales given from outside (delayed scaling)  | of the kind              |
    | `tensor_scale`         | gA of NVFP4 given from outside                      | f32, rank 0              |
    | `outs`                 | q                                                   | FP8, FP6, FP4, i8        |
    | `scale_outs`           | the scales found, and the rule that finds them      | of the kind              |
    | `tensor_scale_outs`    | gA of NVFP4, from the largest magnitude of all      | f32, rank 0              |
    | `amax`                 | the largest magnitude of all                        | f32, rank 0              |

    | `rule`  | scale                                                          | scale types    |
    |---------|----------------------------------------------------------------|----------------|
    | `amax`  | amax / qmax                                                    | f32, bf16, f8E4M3FN |
    | `pow2`  | amax / qmax, up to a power of two                              | f32, bf16      |
    | `rceil` | the same                                                       | f8E8M0FNU      |
    | `floor` | amax, down to a power of two, / 2^emax                         | f8E8M0FNU      |
    | `ceil`  | amax, up to a power of two, / 2^emax                           | f8E8M0FNU      |
    | `even`  | amax, rounded half up to the format's mantissa, down to a power of two, / 2^emax | f8E8M0FNU |

    | attribute    | meaning                                                                   | rule  |
    |--------------|---------------------------------------------------------------------------|-------|
    | `overflow`   | `sat` (default) or `nosat`, of FP8                                        | C-3, C-4 |
    | `round`      | `rne` (default), or `sr` with a `seed`: stochastic                        | C-16  |
    | `reciprocal` | x * f32(1 / s) instead of x / s                                           | S-11  |
    | `amax_floor` | amax is at least this                                                     | S-12  |
    | `min_scale`  | an f8E4M3FN scale is at least this                                        | S-16  |
    | `percentile` | of |x| in place of amax; kind `tensor` only                               | S-18  |
    | `saturate_scale` | an infinite amax gives the largest E8M0 scale instead of NaN          | S-13  |

    Example:

    ```mlir
    %q, %s = lpgemm.quantize ins(%x : tensor<?x?xf32>)
        outs(%q0 : tensor<?x?xf8E4M3FN>)
        scale_outs(%s0 : tensor<?x?xf8E8M0FNU>, rceil) <mx>
        -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
    ```
  }];
  let arguments = (ins
    LPGEMM_MatrixOperand:$input,
    Optional<LPGEMM_MatrixOperand>:$scale,
    Optional<LPGEMM_MatrixOperand>:$tensor_scale,
    LPGEMM_MatrixOperand:$init,
    Optional<LPGEMM_MatrixOperand>:$scale_init,
    Optional<LPGEMM_MatrixOperand>:$tensor_scale_init,
    Optional<LPGEMM_MatrixOperand>:$amax,
    LPGEMM_ScaleAttr:$kind,
    OptionalAttr<LPGEMM_ScaleRuleAttr>:$rule,
    UnitAttr:$transposed,
    DefaultValuedAttr<LPGEMM_OverflowAttr,
      "::mlir::lpgemm::OverflowMode::Sat">:$overflow,
    DefaultValuedAttr<LPGEMM_RoundingAttr,
      "::mlir::lpgemm::RoundingMode::RNE">:$round,
    OptionalAttr<I64Attr>:$seed,
    UnitAttr:$reciprocal,
    OptionalAttr<F32Attr>:$amax_floor,
    OptionalAttr<F32Attr>:$min_scale,
    OptionalAttr<F64Attr>:$percentile,
    UnitAttr:$saturate_scale,
    OptionalAttr<TypeAttr>:$init_packed);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)`
    (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`tensor_scale` `(` $tensor_scale^ `:` type($tensor_scale) `)`)?
    `outs` `(` $init `:` type($init) `)`
    (`scale_outs` `(` $scale_init^ `:` type($scale_init) `,` `` $rule `)`)?
    (`tensor_scale_outs` `(` $tensor_scale_init^ `:` type($tensor_scale_init)
      `)`)?
    (`amax` `(` $amax^ `:` type($amax) `)`)?
    $kind (`transposed` $transposed^)? (`overflow` `=` `` $overflow^)?
    (`round` `=` `` $round^)? (`seed` `=` $seed^)?
    (`reciprocal` $reciprocal^)? (`amax_floor` `=` $amax_floor^)?
    (`min_scale` `=` $min_scale^)? (`percentile` `=` $percentile^)?
    (`saturate_scale` $saturate_scale^)?
    attr-dict (`->` type($results)^)?
  }];
}

def LPGEMM_DequantizeOp : LPGEMM_TileableOp<"dequantize"> {
  let summary = "values of low-precision codes and their scales";
  let description = [{
    `init[r, k] = cvt(tensor_scale * scale[r, k's block] * dec(input[r, k]))`,
    rounded once. Shapes are those of `lpgemm.quantize`; init is f32, bf16 or
    f16.

    Example:

    ```mlir
    %x = lpgemm.dequantize ins(%q : tensor<?x?xf8E4M3FN>)
        scale(%s : tensor<?x?xf8E8M0FNU>) outs(%x0 : tensor<?x?xf32>) <mx>
        -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins
    LPGEMM_MatrixOperand:$input,
    LPGEMM_MatrixOperand:$scale,
    Optional<LPGEMM_MatrixOperand>:$tensor_scale,
    LPGEMM_MatrixOperand:$init,
    LPGEMM_ScaleAttr:$kind,
    UnitAttr:$transposed,
    OptionalAttr<TypeAttr>:$input_packed);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `scale` `(` $scale `:` type($scale)
    `)` (`tensor_scale` `(` $tensor_scale^ `:` type($tensor_scale) `)`)?
    `outs` `(` $init `:` type($init) `)`
    $kind (`transposed` $transposed^)? attr-dict (`->` type($results)^)?
  }];
}

/// Moves scales between layout row and another one.
class LPGEMM_ScalePackingOp<string mnemonic>
    : LPGEMM_DestinationOp<mnemonic> {
  let arguments = (ins
    LPGEMM_MatrixOperand:$input,
    LPGEMM_MatrixOperand:$init,
    LPGEMM_ScaleAttr:$kind,
    UnitAttr:$transposed);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    $kind (`transposed` $transposed^)? attr-dict (`->` type($results)^)?
  }];
}

def LPGEMM_PackScalesOp : LPGEMM_ScalePackingOp<"pack_scales"> {
  let summary = "scales from layout row to another layout";
  let description = [{
    `input` has layout `row` (`transposed`: stored with K first), `init` that of
    the attribute. Padding is filled as rule L-7 says.

    Example:

    ```mlir
    %p = lpgemm.pack_scales ins(%s : tensor<?x?xf8E8M0FNU>)
        outs(%p0 : tensor<?x?x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
        -> tensor<?x?x32x4x4xf8E8M0FNU>
    ```
  }];
}

def LPGEMM_UnpackScalesOp : LPGEMM_ScalePackingOp<"unpack_scales"> {
  let summary = "scales from another layout to layout row";
  let hasCanonicalizer = 1;
  let description = [{
    The inverse of `lpgemm.pack_scales`: `input` has the layout of the
    attribute.

    Example:

    ```mlir
    %s = lpgemm.unpack_scales ins(%p : tensor<?x?x32x4x4xf8E8M0FNU>)
        outs(%s0 : tensor<?x?xf8E8M0FNU>) <mx, layout = swz128x4>
        -> tensor<?x?xf8E8M0FNU>
    ```
  }];
}

/// Moves weights between rows and the tiles of a matrix instruction.
class LPGEMM_WeightPackingOp<string mnemonic>
    : LPGEMM_DestinationOp<mnemonic> {
  let hasCanonicalizer = 1;
  let arguments = (ins
    LPGEMM_MatrixOperand:$input,
    LPGEMM_MatrixOperand:$init,
    LPGEMM_WeightLayoutAttr:$layout,
    OptionalAttr<TypeAttr>:$packed);
  let assemblyFormat = [{
    `` $layout `ins` `(` $input `:` type($input) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict (`->` type($results)^)?
  }];
}

def LPGEMM_PackWeightsOp : LPGEMM_WeightPackingOp<"pack_weights"> {
  let summary = "weights from rows to the tiles of a matrix instruction";
  let description = [{
    `input` is N x K (K contiguous). With c elements in 16 bytes (16 of FP8 and
    i8, 32 of FP4), `w16x16` stores element (n, k) at [n / 16, k / c, n % 16,
    k % c] (L-9): a lane of a matrix instruction reads 16 contiguous bytes. N
    must be a multiple of 16 and K of 2 c.

    Example:

    ```mlir
    %p = lpgemm.pack_weights w16x16 ins(%w : tensor<256x512xf8E4M3FN>)
        outs(%p0 : tensor<16x32x16x16xf8E4M3FN>)
        -> tensor<16x32x16x16xf8E4M3FN>
    ```
  }];
}

def LPGEMM_UnpackWeightsOp : LPGEMM_WeightPackingOp<"unpack_weights"> {
  let summary = "weights from the tiles of a matrix instruction to rows";
  let description = [{
    The inverse of `lpgemm.pack_weights`.

    Example:

    ```mlir
    %w = lpgemm.unpack_weights w16x16 ins(%p : tensor<16x32x16x16xf8E4M3FN>)
        outs(%w0 : tensor<256x512xf8E4M3FN>) -> tensor<256x512xf8E4M3FN>
    ```
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMQUANTIZEOPS_TD
