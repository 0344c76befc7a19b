// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa:
            tensor<?xf32>, %sb: tensor<?xf32>, %d: tensor<?x?xbf16>)
    -> tensor<?x?xbf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?xf32>, <row>)
      rhs_scale(%sb : tensor<?xf32>, <column>)
      outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
