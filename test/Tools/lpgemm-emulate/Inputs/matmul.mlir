func.func @matmul(%a: tensor<32x96xf8E4M3FN>, %b: tensor<48x96xf8E4M3FN>,
                  %d: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %0 = lpgemm.matmul
        ins(%a, %b : tensor<32x96xf8E4M3FN>, tensor<48x96xf8E4M3FN>)
        outs(%d : tensor<32x48xf32>) transpose_b -> tensor<32x48xf32>
  return %0 : tensor<32x48xf32>
}
