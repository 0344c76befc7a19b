// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %d: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%d : tensor<?x?xi32>) transpose_b -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}
