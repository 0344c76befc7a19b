// lpgemm-run --init=normal:1 --size=3x5x7x300

func.func @f(%a: tensor<?x?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa:
            tensor<?x?x?xf32>, %sb: tensor<?x?xf32>, %d: tensor<?x?x?xbf16>)
    -> tensor<?x?x?xbf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?x?xf32>, <1x128>)
      rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      outs(%d : tensor<?x?x?xbf16>) transpose_b -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}
