// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf8E4M3FNUZ>, %b: tensor<?x?xf8E4M3FNUZ>, %sa:
            tensor<f32>, %sb: tensor<f32>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E4M3FNUZ>)
      lhs_scale(%sa : tensor<f32>, <tensor>)
      rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
