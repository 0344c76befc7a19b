// A product whose kernel is launched in clusters, and one whose kernel is not.

func.func @products(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                    %sa: tensor<f32>, %sb: tensor<f32>, %d: tensor<?x?xbf16>,
                    %e: tensor<?x?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>)
    attributes {llvm.emit_c_interface} {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1],
                persistent = true>) -> tensor<?x?xbf16>
  %1 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%e : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4,
                roles = <load_regs = 40, mma_regs = 232>>) -> tensor<?x?xbf16>
  return %0, %1 : tensor<?x?xbf16>, tensor<?x?xbf16>
}
