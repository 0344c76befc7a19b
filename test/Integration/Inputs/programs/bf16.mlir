// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
