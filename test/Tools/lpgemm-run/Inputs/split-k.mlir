// Kernels for chips of NVIDIA in which the workgroups of a cluster share a tile.

func.func @tensor(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<f32>,
                  %sb: tensor<f32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 248>, split_k = 4>) -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// Two waves with two accumulators each; rows of a result of f32 that are no
// whole chunks.
func.func @blocks(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?xf32>,
                  %sb: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128>) rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [256, 16, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 2,
                roles = <load_regs = 40, mma_regs = 232>, unroll = 4, split_k = 2>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// What follows the sum happens once: C is added, and so is the bias.
func.func @epilogue(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<f32>,
                    %sb: tensor<f32>, %bias: tensor<?xbf16>, %c: tensor<?x?xbf16>,
                    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      bias(%bias : tensor<?xbf16>, n)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [64, 128, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 2,
                roles = <load_regs = 40, mma_regs = 248>, split_k = 8>)
      epilogue(%t, %x = %c : tensor<?x?xbf16>) {
        %x32 = arith.extf %x : bf16 to f32
        %sum = arith.addf %t, %x32 : f32
        lpgemm.yield %sum : f32
      } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// One tile after the other for each entry of a batch.
func.func @batch(%a: tensor<?x?x?xf8E4M3FN>, %b: tensor<?x?x?xf8E4M3FN>,
                 %d: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?x?xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>)
      outs(%d : tensor<?x?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 248>, split_k = 2>) -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}

// The schedule is the model's: a split in eight.
func.func @fixed(%a: tensor<16x4096xf8E4M3FN>, %b: tensor<264x4096xf8E4M3FN>,
                 %sa: tensor<f32>, %sb: tensor<f32>, %d: tensor<16x264xbf16>) -> tensor<16x264xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<16x4096xf8E4M3FN>, tensor<264x4096xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<f32>, <tensor>)
      outs(%d : tensor<16x264xbf16>) transpose_b -> tensor<16x264xbf16>
  return %r : tensor<16x264xbf16>
}

// (G-14) What is stored counts, once.
func.func @amax(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>,
                %am: tensor<f32>, %d: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %r:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf32>) amax(%am : tensor<f32>) transpose_b
      schedule(<tile = [64, 64, 64], waves = [1, 1], instr = wgmma_m64k16_f32_bf16,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 248>, split_k = 8>) -> tensor<?x?xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<?x?xf32>, tensor<f32>
}
