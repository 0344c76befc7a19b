// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>, %sa:
            tensor<?x?xf8E4M3FN>, %sb: tensor<?x?xf8E4M3FN>, %ga: tensor<f32>,
            %gb: tensor<f32>, %d: tensor<?x?xbf16>)
    -> tensor<?x?xbf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?xf8E4M3FN>, <nvfp4>)
      rhs_scale(%sb : tensor<?x?xf8E4M3FN>, <nvfp4>)
      lhs_tensor_scale(%ga : tensor<f32>)
      rhs_tensor_scale(%gb : tensor<f32>)
      outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
