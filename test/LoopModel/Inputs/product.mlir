func.func @product(%lhs: tensor<?x?xf8E4M3FN>, %rhs: tensor<?x?xf8E4M3FN>,
                   %lhs_scale: tensor<?x?xf8E8M0FNU>, %rhs_scale: tensor<?x?xf8E8M0FNU>,
                   %init: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%lhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%rhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%init : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
