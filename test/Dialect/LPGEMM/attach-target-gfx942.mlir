// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics \
// RUN:   --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --lpgemm-attach-target=chip=gfx942

// What the chip does not multiply is refused whatever the verifier of the op
// takes, which therefore is kept out of it.

func.func @rhs(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf16>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs of element types that gfx942 multiplies, both of one of {f16}, {bf16}, {i8}, {f8E4M3FNUZ, f8E5M2FNUZ} with f8E4M3FN as f8E4M3FNUZ (C-17), f8E5M2 as f8E5M2FNUZ (C-17), f8E4M3FN as bf16 (C-10), f8E5M2 as bf16 (C-10), f8E4M3FNUZ as bf16 (C-10), f8E5M2FNUZ as bf16 (C-10), f6E2M3FN as bf16 (C-10), f6E3M2FN as bf16 (C-10), f4E2M1FN as bf16 (C-10), but got 'f8E4M3FN' x 'f16'; 'f8E4M3FN' goes with bf16, f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, f6E2M3FN, f6E3M2FN, f4E2M1FN}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf16>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
