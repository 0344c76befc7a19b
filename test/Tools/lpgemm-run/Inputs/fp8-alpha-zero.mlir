// (G-12) Neither lhs nor rhs is read. PTX has no dot in a name.
func.func @alpha.zero(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                      %c: tensor<?x?xf32>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(0.0) beta(0.5) c(%c : tensor<?x?xf32>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
