// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %d:
            tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) transpose_b promote_k = 0 -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
