// Operands with all, some and no dimensions of the batch, and one broadcast.

func.func @batch(%a: tensor<?x?x?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                 %sa: tensor<1x?x?x?xf8E8M0FNU>, %sb: tensor<?x?x?xf8E8M0FNU>,
                 %c: tensor<?x1x?x?xf32>, %bias: tensor<?x?xbf16>,
                 %d: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = lpgemm.matmul
        ins(%a, %b : tensor<?x?x?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
        lhs_scale(%sa : tensor<1x?x?x?xf8E8M0FNU>, <mx>)
        rhs_scale(%sb : tensor<?x?x?xf8E8M0FNU>, <mx>)
        c(%c : tensor<?x1x?x?xf32>) bias(%bias : tensor<?x?xbf16>, n)
        outs(%d : tensor<?x?x?x?xf32>) transpose_b -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}
