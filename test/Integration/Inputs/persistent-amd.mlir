func.func @product(%lhs: tensor<?x?xf8E4M3FN>, %rhs: tensor<?x?xf8E4M3FN>,
                   %lhs_scale: tensor<?x?xf8E8M0FNU>, %rhs_scale: tensor<?x?xf8E8M0FNU>,
                   %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%lhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%rhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%init : tensor<?x?xf32>) transpose_b SCHEDULE -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
