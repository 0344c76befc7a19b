func.func @main(%a: tensor<4x32xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>,
                %sa: tensor<4x1xf8E8M0FNU>, %sb: tensor<8x1xf8E8M0FNU>,
                %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x32xf8E4M3FN>, tensor<8x32xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x1xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
