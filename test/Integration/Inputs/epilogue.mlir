func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>,
             %sa: tensor<?xbf16>, %sb: tensor<?xf32>, %alpha: f32, %beta: f32,
             %c: tensor<?x?xf16>, %sc: tensor<f32>, %bias: tensor<?xbf16>,
             %x: tensor<?x?xbf16>, %y: tensor<?x?xf32>, %u: tensor<?xf16>,
             %v: tensor<?xf32>, %w: tensor<f32>, %d: tensor<?x?xf16>)
    -> tensor<?x?xf16> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>)
      lhs_scale(%sa : tensor<?xbf16>, <row>)
      rhs_scale(%sb : tensor<?xf32>, <column>)
      alpha(%alpha) beta(%beta) c(%c : tensor<?x?xf16>)
      c_scale(%sc : tensor<f32>) bias(%bias : tensor<?xbf16>, m)
      outs(%d : tensor<?x?xf16>) transpose_b
      epilogue(%t, %x0 = %x : tensor<?x?xbf16>,
               %y0 = %y : tensor<?x?xf32> by affine_map<(m, n) -> (n, m)>,
               %u0 = %u : tensor<?xf16> by affine_map<(m, n) -> (m)>,
               %v0 = %v : tensor<?xf32> by affine_map<(m, n) -> (n)>,
               %w0 = %w : tensor<f32> by affine_map<(m, n) -> ()>) {
        %x1 = arith.extf %x0 : bf16 to f32
        %u1 = arith.extf %u0 : f16 to f32
        %0 = math.absf %u1 : f32
        %1 = math.fma %t, %v0, %x1 : f32
        %2 = arith.mulf %y0, %0 : f32
        %3 = arith.addf %1, %2 : f32
        %4 = arith.subf %3, %w0 : f32
        lpgemm.yield %4 : f32
      } -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}
