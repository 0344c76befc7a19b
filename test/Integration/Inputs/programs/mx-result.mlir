// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa:
            tensor<f32>, %sb: tensor<f32>, %d: tensor<?x?xf8E4M3FN>, %ds:
            tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %r:2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>)
      rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<?x?xf8E4M3FN>)
      scale_outs(%ds : tensor<?x?xf8E8M0FNU>, <mx>, rceil) transpose_b -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %r#0, %r#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
