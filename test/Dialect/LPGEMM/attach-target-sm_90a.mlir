// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics \
// RUN:   --mlir-very-unsafe-disable-verifier-on-parsing \
// RUN:   --lpgemm-attach-target=chip=sm_90a

// What the chip does not multiply is refused whatever the verifier of the op
// takes, which therefore is kept out of it.

func.func @lhs(%a: tensor<?x?xf6E2M3FN>, %b: tensor<?x?xf8E4M3FN>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs of element types that sm_90a multiplies, both of one of {f16}, {bf16}, {i8}, {f8E4M3FN, f8E5M2}, but got 'f6E2M3FN' x 'f8E4M3FN'; 'f8E4M3FN' goes with f8E4M3FN, f8E5M2}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf6E2M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @rhs(%a: tensor<?x?xf8E5M2>, %b: tensor<?x?xf4E2M1FN>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs of element types that sm_90a multiplies, both of one of {f16}, {bf16}, {i8}, {f8E4M3FN, f8E5M2}, but got 'f8E5M2' x 'f4E2M1FN'; 'f8E5M2' goes with f8E4M3FN, f8E5M2}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @both(%a: tensor<?x?xf8E4M3FNUZ>, %b: tensor<?x?xf4E2M1FN>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs of element types that sm_90a multiplies, both of one of {f16}, {bf16}, {i8}, {f8E4M3FN, f8E5M2}, but got 'f8E4M3FNUZ' x 'f4E2M1FN'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
