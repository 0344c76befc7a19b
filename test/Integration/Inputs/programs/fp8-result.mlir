// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa:
            tensor<f32>, %sb: tensor<f32>, %ds: tensor<f32>, %d:
            tensor<?x?xf8E4M3FN>, %amax: tensor<f32>)
    -> (tensor<?x?xf8E4M3FN>, tensor<f32>) {
  %r:2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>)
      rhs_scale(%sb : tensor<f32>, <tensor>)
      d_scale(%ds : tensor<f32>)
      outs(%d : tensor<?x?xf8E4M3FN>)
      amax(%amax : tensor<f32>) transpose_b -> tensor<?x?xf8E4M3FN>, tensor<f32>
  return %r#0, %r#1 : tensor<?x?xf8E4M3FN>, tensor<f32>
}
