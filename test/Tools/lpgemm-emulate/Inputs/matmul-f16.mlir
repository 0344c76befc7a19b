func.func @matmul(%a: tensor<100x656xf8E4M3FN>, %b: tensor<72x656xf8E4M3FN>,
                  %d: tensor<100x72xf16>) -> tensor<100x72xf16> {
  %0 = lpgemm.matmul
        ins(%a, %b : tensor<100x656xf8E4M3FN>, tensor<72x656xf8E4M3FN>)
        outs(%d : tensor<100x72xf16>) transpose_b -> tensor<100x72xf16>
  return %0 : tensor<100x72xf16>
}
