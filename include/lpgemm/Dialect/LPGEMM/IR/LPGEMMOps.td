//===- LPGEMMOps.td - matrix products ----------------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMDestinationOps.td"

/// A scaled product. Its operands, attributes and syntax are shared by all.
class LPGEMM_ProductOp<string mnemonic, list<Trait> traits = []>
    : LPGEMM_TileableOp<mnemonic, !listconcat(traits, [
    AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<LPGEMM_ProductInterface>])> {
  dag productArguments = (ins
    LPGEMM_MatrixOperand:$lhs,
    LPGEMM_MatrixOperand:$rhs,
    Optional<LPGEMM_MatrixOperand>:$lhs_scale,
    Optional<LPGEMM_MatrixOperand>:$rhs_scale,
    Optional<LPGEMM_MatrixOperand>:$lhs_tensor_scale,
    Optional<LPGEMM_MatrixOperand>:$rhs_tensor_scale,
    Optional<F32>:$alpha,
    Optional<F32>:$beta,
    Optional<LPGEMM_MatrixOperand>:$c,
    Optional<LPGEMM_MatrixOperand>:$c_scale,
    Optional<LPGEMM_MatrixOperand>:$bias,
    Optional<LPGEMM_MatrixOperand>:$d_scale,
    Optional<Index>:$k,
    Variadic<LPGEMM_MatrixOperand>:$epilogue_operands,
    LPGEMM_MatrixOperand:$init,
    Optional<LPGEMM_MatrixOperand>:$init_scale,
    Optional<LPGEMM_MatrixOperand>:$amax,
    OptionalAttr<LPGEMM_ScaleAttr>:$lhs_scale_kind,
    OptionalAttr<LPGEMM_ScaleAttr>:$rhs_scale_kind,
    OptionalAttr<F32Attr>:$static_alpha,
    OptionalAttr<F32Attr>:$static_beta,
    OptionalAttr<LPGEMM_AxisAttr>:$bias_axis,
    OptionalAttr<LPGEMM_ScaleAttr>:$init_scale_kind,
    OptionalAttr<LPGEMM_ScaleRuleAttr>:$init_scale_rule,
    OptionalAttr<AffineMapArrayAttr>:$epilogue_maps,
    UnitAttr:$pairs,
    UnitAttr:$transpose_a,
    UnitAttr:$transpose_b,
    DefaultValuedAttr<LPGEMM_OverflowAttr,
      "::mlir::lpgemm::OverflowMode::Sat">:$overflow,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$promote_k,
    UnitAttr:$deterministic,
    UnitAttr:$assume_finite,
    OptionalAttr<TypeAttr>:$lhs_packed,
    OptionalAttr<TypeAttr>:$rhs_packed,
    OptionalAttr<TypeAttr>:$init_packed,
    OptionalAttr<LPGEMM_ScheduleAttr>:$schedule);
  let regions = (region AnyRegion:$epilogue);
  let hasCanonicalizer = 1;
  string inputsFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
  }];
  string productFormat = [{
    (`k` `(` $k^ `)`)?
    (`lhs_scale` `(` $lhs_scale^ `:` type($lhs_scale) `,` $lhs_scale_kind `)`)?
    (`rhs_scale` `(` $rhs_scale^ `:` type($rhs_scale) `,` $rhs_scale_kind `)`)?
    (`lhs_tensor_scale` `(` $lhs_tensor_scale^ `:` type($lhs_tensor_scale) `)`)?
    (`rhs_tensor_scale` `(` $rhs_tensor_scale^ `:` type($rhs_tensor_scale) `)`)?
    (`alpha` `(` custom<Factor>($alpha, $static_alpha)^ `)`)?
    (`beta` `(` custom<Factor>($beta, $static_beta)^ `)`)?
    (`c` `(` $c^ `:` type($c) `)`)?
    (`c_scale` `(` $c_scale^ `:` type($c_scale) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `,` `` $bias_axis `)`)?
    (`d_scale` `(` $d_scale^ `:` type($d_scale) `)`)?
    `outs` `(` $init `:` type($init) `)`
    (`scale_outs` `(` $init_scale^ `:` type($init_scale) `,` $init_scale_kind
      `,` `` $init_scale_rule `)`)?
    (`amax` `(` $amax^ `:` type($amax) `)`)?
    (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)?
    (`overflow` `=` `` $overflow^)? (`promote_k` `=` $promote_k^)?
    (`deterministic` $deterministic^)? (`assume_finite` $assume_finite^)?
    (`schedule` `(` $schedule^ `)`)?
    (`epilogue` `` custom<Epilogue>($epilogue_operands, type($epilogue_operands),
      $epilogue_maps, $pairs, $epilogue)^)?
    attr-dict (`->` type($results)^)?
  }];
  code productDeclarations = destinationDeclarations # [{
    /// Dimensions, behind the batch, of `rhs` that are K and N.
    unsigned getRhsKDim() { return getTransposeB() ? 1 : 0; }
    unsigned getRhsNDim() { return getTransposeB() ? 0 : 1; }
  }];
}

def LPGEMM_MatmulOp : LPGEMM_ProductOp<"matmul", [
    DeclareOpInterfaceMethods<PartialReductionOpInterface,
      ["generateInitialTensorForPartialReduction", "tileToPartialReduction",
       "mergeReductions", "getPartialResultTilePosition"]>]> {
  let summary = "scaled matrix product";
  let description = [{
    ```
    P[kb, m, n] = sum over k in block kb of dec(A[m, k]) * dec(B[k, n])
    Acc[m, n]   = sum over kb of sA[m, kb] * sB[kb, n] * P[kb, m, n]
    T[m, n]     = alpha * gA * gB * Acc[m, n] + beta * sC * C[m, n] + bias
    D_temp      = epilogue(T[m, n], ...)
    amax        = max |D_temp|
    D[m, n]     = cvt(d_scale * D_temp)
    ```

    `lhs` is A (M x K), with `transpose_a` stored K x M; `rhs` is B (K x N),
    with `transpose_b` stored N x K. `init` is the destination D (M x N); its
    previous contents are not read. All may have the same leading batch
    dimensions; lhs, rhs, C, bias and what belongs to them may leave leading
    ones out, or give 1, to be broadcast. Every extent may be dynamic; 0 is a
    legal extent, and with K = 0 Acc is 0. Bytes outside the operands, such as
    the padding of a row, never reach the result.

    | lhs, rhs                                    | mixed         | scales                                            |
    |---------------------------------------------|---------------|---------------------------------------------------|
    | f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN | each its own | none, tensor, row / column, 1xG, GxG, mx; nvfp4 with f4E2M1FN |
    | f8E4M3FNUZ, f8E5M2FNUZ                      | with all of the above | none, tensor, row / column, 1xG, GxG      |
    | i8                                          | both i8       | none, tensor, row / column, 1xG, GxG              |
    | bf16, f16                                   | both the same | none                                              |

    | clause                     | meaning                                                | type                       |
    |----------------------------|--------------------------------------------------------|----------------------------|
    | `lhs_scale`, `rhs_scale`   | decode scales and their `#lpgemm.scale`                | see there                  |
    | `lhs_tensor_scale`, `rhs_tensor_scale` | gA, gB: a second level, above block scales | f32, rank 0                |
    | `alpha`, `beta`            | factors, a constant or a value of the host             | f32                        |
    | `c`, `c_scale`             | C, M x N, and its decode scale                         | f32, bf16, f16, FP8; f32, rank 0 |
    | `bias`                     | of length N (axis `n`) or M (axis `m`)                 | f32, bf16, f16             |
    | `epilogue`                 | scalar function of T in f32, or of T in a pair of columns, and of elements of further operands, which affine maps of (batch, m, n) pick |  |
    | `d_scale`                  | factor in front of the conversion to an FP8 or block-scaled D | f32, rank 0         |
    | `outs`                     | D                                                      | f32, bf16, f16, FP8; i32 for i8 without epilogue; FP8, FP6, FP4 with `scale_outs` |
    | `scale_outs`               | the decode scales of D, quantized in blocks along N    | see `#lpgemm.scale`        |
    | `amax`                     | the largest magnitude of D_temp                        | f32, rank 0                |
    | `overflow`                 | of an FP8 D: `sat` (default) or `nosat`                |                            |
    | `promote_k`                | sums of at most so many elements of K stay in a limited accumulator; 0: no limit |  |
    | `deterministic`            | two runs give the same bits                            |                            |
    | `assume_finite`            | no element or scale is NaN or infinite                 |                            |

    An element or scale that is NaN makes every result that uses it NaN. A
    constant `alpha` of 0 means that lhs and rhs are not read, a constant `beta`
    of 0 that C is not. Products of i8 are summed in i32; the sum is converted
    once to f32. FP6 and FP4 tensors have their own element types; memrefs hold
    them as bytes: `lpgemm-materialize-storage` packs them, and records the
    type in `lhs_packed`, `rhs_packed`, `init_packed` and the extent in `k`.
    An epilogue of two elements of T (`pairs`) makes one column of D out of two
    of T: D[m, j] of T[m, 2j] and T[m, 2j + 1], and D, with all that goes with it
    from the epilogue on, is M x N/2. SwiGLU is of this kind, where rows of the
    weights of gate and up follow each other in turn.

    The order of the sum is not specified. The constraints that the verifier
    checks are numbered in `docs/spec.md`.

    Example:

    ```mlir
    %0 = lpgemm.matmul
        ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
        lhs_scale(%sa : tensor<?x?xf32>, <1x128>)
        rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
        bias(%bias : tensor<?xbf16>, n)
        outs(%d : tensor<?x?xbf16>) transpose_b
        epilogue(%t, %r = %residual : tensor<?x?xbf16>) {
          %r32 = arith.extf %r : bf16 to f32
          %sum = arith.addf %t, %r32 : f32
          lpgemm.yield %sum : f32
        } -> tensor<?x?xbf16>
    %1 = lpgemm.matmul
        ins(%a, %w : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
        outs(%e : tensor<?x?xbf16>) transpose_b
        epilogue(%gate, %up) {
          %one = arith.constant 1.0 : f32
          %minus = arith.negf %gate : f32
          %exp = math.exp %minus fastmath<afn> : f32
          %sum = arith.addf %exp, %one : f32
          %silu = arith.divf %gate, %sum fastmath<arcp> : f32
          %product = arith.mulf %silu, %up : f32
          lpgemm.yield %product : f32
        } -> tensor<?x?xbf16>
    ```
  }];
  let arguments = productArguments;
  let assemblyFormat = inputsFormat # productFormat;
  let extraClassDeclaration = productDeclarations;
}

def LPGEMM_GroupedMatmulOp : LPGEMM_ProductOp<"grouped_matmul"> {
  let summary = "scaled matrix products of groups of rows, or of K";
  let description = [{
    As `lpgemm.matmul`, for G groups. `groups` (i32 or i64, length G):

    | mode         | groups       | lhs              | rhs       | D         | group g                              |
    |--------------|--------------|------------------|-----------|-----------|--------------------------------------|
    | `contiguous` | end offsets  | M x K            | G x K x N | M x N     | rows start(g) .. groups[g] - 1 of lhs and D, with rhs[g] |
    | `masked`     | counts       | G x M x K        | G x K x N | G x M x N | rows 0 .. groups[g] - 1 of lhs[g] and D[g]               |
    | `k_grouped`  | end offsets  | M x K            | K x N     | G x M x N | D[g] = the product over k in start(g) .. groups[g] - 1   |

    start(g) is groups[g - 1], 0 for the first, rounded up to a multiple of
    `group_align`. Offsets never decrease and are at most M (K); counts are
    from 0 to M. A group may be empty: in `k_grouped` mode its Acc is 0. Rows
    that no group covers are not specified (`uncovered = undef`, the default),
    zero (`zero`) or stay as they were in init (`keep`).

    Scales follow their operand: in `contiguous` mode a block of rhs scales for
    each group; a `tensor` scale of lhs is one, or one for each group. Blocks of
    more than one row never cross groups: `contiguous` and `masked`
    lhs take block heights of 1. In `k_grouped` mode blocks do not cross groups
    along K: group g has ceil(size(g) / G) of them, behind those of the groups
    before it.

    Example:

    ```mlir
    %0 = lpgemm.grouped_matmul contiguous
        ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
        groups(%ends : tensor<8xi32>) uncovered = zero
        lhs_scale(%sa : tensor<?x?xf32>, <1x128>)
        rhs_scale(%sb : tensor<8x?x?xf32>, <128x128>)
        outs(%d : tensor<?x?xbf16>) transpose_b
        -> tensor<?x?xbf16>
    ```
  }];
  let arguments = !con((ins LPGEMM_MatrixOperand:$groups), productArguments,
    (ins LPGEMM_GroupModeAttr:$mode,
     DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$group_align,
     DefaultValuedAttr<LPGEMM_UncoveredAttr,
       "::mlir::lpgemm::Uncovered::Undef">:$uncovered));
  let assemblyFormat = [{ `` $mode }] # inputsFormat # [{
    `groups` `(` $groups `:` type($groups) `)`
    (`group_align` `=` $group_align^)? (`uncovered` `=` `` $uncovered^)?
  }] # productFormat;
  let extraClassDeclaration = productDeclarations;
}

def LPGEMM_YieldOp : LPGEMM_Op<"yield", [Pure, Terminator,
    ParentOneOf<["ApplyOp", "GroupedMatmulOp", "MatmulOp"]>]> {
  let summary = "result of an epilogue, or of lpgemm.apply";
  let description = [{
    Example:

    ```mlir
    lpgemm.yield %y : f32
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD
