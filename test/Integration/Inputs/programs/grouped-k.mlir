// lpgemm-run --init=normal:1 --size=5x7x300 --groups=160,0,140

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %groups:
            tensor<?xi32>, %sa: tensor<?x?xf32>, %sb: tensor<?x?xf32>, %d:
            tensor<?x?x?xf32>)
    -> tensor<?x?x?xf32> {
  %r = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      groups(%groups : tensor<?xi32>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128>)
      rhs_scale(%sb : tensor<?x?xf32>, <1x128>)
      outs(%d : tensor<?x?x?xf32>) transpose_b -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
