!d = tensor<?x?xf8E4M3FN>

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>,
             %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
             %ga: tensor<f32>, %gb: tensor<f32>, %alpha: f32, %beta: f32,
             %c: tensor<?x?xf8E5M2>, %sc: tensor<f32>, %bias: tensor<?xf16>,
             %ds: tensor<f32>, %x: tensor<?x1xf32>, %y: tensor<1x?xbf16>,
             %z: tensor<1x1xf32>, %u: tensor<1xf16>, %d: !d) -> !d {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      lhs_tensor_scale(%ga : tensor<f32>) rhs_tensor_scale(%gb : tensor<f32>)
      alpha(%alpha) beta(%beta) c(%c : tensor<?x?xf8E5M2>)
      c_scale(%sc : tensor<f32>) bias(%bias : tensor<?xf16>, n)
      d_scale(%ds : tensor<f32>) outs(%d : !d) transpose_b
      epilogue(%t, %x0 = %x : tensor<?x1xf32> by affine_map<(m, n) -> (m, 0)>,
               %y0 = %y : tensor<1x?xbf16> by affine_map<(m, n) -> (0, n)>,
               %z0 = %z : tensor<1x1xf32> by affine_map<(m, n) -> (0, 0)>,
               %u0 = %u : tensor<1xf16> by affine_map<(m, n) -> (0)>) {
        %one = arith.constant 1.0 : f32
        %0 = arith.negf %t : f32
        %1 = math.exp %0 fastmath<afn> : f32
        %2 = arith.addf %1, %one : f32
        %3 = arith.divf %t, %2 fastmath<arcp> : f32
        %y1 = arith.extf %y0 : bf16 to f32
        %u1 = arith.extf %u0 : f16 to f32
        %4 = math.fma %3, %x0, %y1 : f32
        %5 = math.fma %4, %z0, %u1 : f32
        lpgemm.yield %5 : f32
      } -> !d
  return %0 : !d
}
