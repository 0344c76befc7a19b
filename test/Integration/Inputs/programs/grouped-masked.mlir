// lpgemm-run --init=normal:1 --size=9x7x300 --groups=4,0,5

func.func @f(%a: tensor<?x?x?xf8E4M3FN>, %b: tensor<?x?x?xf8E4M3FN>, %groups:
            tensor<?xi32>, %sa: tensor<?x?x?xf32>, %sb: tensor<?x?x?xf32>, %d:
            tensor<?x?x?xbf16>)
    -> tensor<?x?x?xbf16> {
  %r = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>)
      groups(%groups : tensor<?xi32>)
      uncovered = zero
      lhs_scale(%sa : tensor<?x?x?xf32>, <1x128>)
      rhs_scale(%sb : tensor<?x?x?xf32>, <128x128>)
      outs(%d : tensor<?x?x?xbf16>) transpose_b -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}
