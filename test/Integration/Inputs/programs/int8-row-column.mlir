// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %sa: tensor<?xf32>, %sb:
            tensor<?xf32>, %d: tensor<?x?xf16>)
    -> tensor<?x?xf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      lhs_scale(%sa : tensor<?xf32>, <row>)
      rhs_scale(%sb : tensor<?xf32>, <column>)
      outs(%d : tensor<?x?xf16>) transpose_b -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}
