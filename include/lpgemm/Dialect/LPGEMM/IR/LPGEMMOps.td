//===- LPGEMMOps.td - ops on tensors and memrefs -----------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTypes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LPGEMM_MatrixOperand
    : AnyTypeOf<[AnyRankedTensor, AnyMemRef, LPGEMM_GlobalType],
                "tensor, memref or global matrix">;

class LPGEMM_Op<string mnemonic, list<Trait> traits = []>
    : Op<LPGEMM_Dialect, mnemonic, traits>;

def LPGEMM_MatmulOp : LPGEMM_Op<"matmul", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface,
      ["bufferizesToMemoryRead", "bufferizesToMemoryWrite",
       "getAliasingValues", "bufferize"]>]> {
  let summary = "scaled matrix product";
  let description = [{
    ```
    D[m, n] = f32( sum over k of dec(A[m, k]) * sA[m, k / 32]
                               * dec(B[k, n]) * sB[k / 32, n] )
    ```

    `lhs` is A (M x K). `rhs` is B (K x N), or with `transpose_b` its transpose
    (N x K); then its scales are stored transposed as well. `init` is the
    destination D (M x N): its previous contents are not read. Every extent may
    be dynamic; 0 is a legal extent, and K = 0 gives zeros. Bytes outside the
    operands, such as the padding of a row, never reach the result.

    | lhs, rhs, each its own | scales                   | init |
    |------------------------|--------------------------|------|
    | f8E4M3FN, f8E5M2       | `mx` (f8E8M0FNU) on both | f32  |

    An element or scale that is NaN makes every result that uses it NaN. The
    order of the sum is not specified. The constraints that the verifier checks
    are numbered in `docs/spec.md`.

    Example:

    ```mlir
    %0 = lpgemm.matmul
        ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
        lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
        rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
        outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins
    LPGEMM_MatrixOperand:$lhs,
    LPGEMM_MatrixOperand:$rhs,
    Optional<LPGEMM_MatrixOperand>:$lhs_scale,
    Optional<LPGEMM_MatrixOperand>:$rhs_scale,
    LPGEMM_MatrixOperand:$init,
    OptionalAttr<LPGEMM_ScaleAttr>:$lhs_scale_kind,
    OptionalAttr<LPGEMM_ScaleAttr>:$rhs_scale_kind,
    UnitAttr:$transpose_b,
    OptionalAttr<LPGEMM_ScheduleAttr>:$schedule);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    (`lhs_scale` `(` $lhs_scale^ `:` type($lhs_scale) `,` $lhs_scale_kind `)`)?
    (`rhs_scale` `(` $rhs_scale^ `:` type($rhs_scale) `,` $rhs_scale_kind `)`)?
    `outs` `(` $init `:` type($init) `)`
    (`transpose_b` $transpose_b^)? (`schedule` `(` $schedule^ `)`)?
    attr-dict (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// None for globals: the interface knows tensors and memrefs only.
    ::mlir::MutableOperandRange getDpsInitsMutable();
    /// The operands that are read: lhs, rhs and the scales.
    ::llvm::SmallVector<::mlir::Value> getInputs();
    /// Dimension of `rhs` that is K, and the one that is N.
    unsigned getRhsKDim() { return getTransposeB() ? 1 : 0; }
    unsigned getRhsNDim() { return getTransposeB() ? 0 : 1; }
  }];
}

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMOPS_TD
