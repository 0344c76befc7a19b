// Two products with schedules by hand, rhs stored K x N.
#wide = #lpgemm.schedule<tile = [32, 64, 128], waves = [1, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>
#small = #lpgemm.schedule<tile = [16, 48, 256], waves = [1, 3],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>
func.func @scheduled(%a: tensor<?x?xf8E5M2>, %b: tensor<?x?xf8E4M3FN>,
                     %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                     %d: tensor<?x?xf32>, %e: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) schedule(#wide) -> tensor<?x?xf32>
  %1 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%e : tensor<?x?xf32>) schedule(#small) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
