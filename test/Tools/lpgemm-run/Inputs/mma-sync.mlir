// Schedules by hand with instructions of a warp.

// Rows of K that are the last dimension of neither operand.
func.func @blocks(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>,
    %sa: tensor<?x?xf32>, %sb: tensor<?x?xf32>, %bias: tensor<?xf32>,
    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128>)
      rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
      bias(%bias : tensor<?xf32>, n)
      outs(%d : tensor<?x?xbf16>) transpose_a
      schedule(<tile = [64, 48, 64], waves = [2, 1], instr = mma_m16n8k32_f32_fp8,
        home = <a = shared, b = shared>, stages = 2>) -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

// Scales that no wgmma kernel takes, by a ring of four slots.
func.func @mx(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [32, 64, 64], waves = [1, 2], instr = mma_m16n8k32_f32_fp8,
        home = <a = shared, b = shared>, stages = 4, raster = 2>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Elements that no wgmma kernel takes, from registers.
func.func @bytes(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %d: tensor<?x?xi32>)
    -> tensor<?x?xi32> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%d : tensor<?x?xi32>)
      schedule(<tile = [32, 32, 32], waves = [2, 1], instr = mma_m16n8k32_i32_i8,
        home = <a = reg, b = reg>, stages = 2>) -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

func.func @half(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %d: tensor<?x?xf16>)
    -> tensor<?x?xf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>)
      outs(%d : tensor<?x?xf16>) transpose_b
      schedule(<tile = [48, 24, 32], waves = [1, 1], instr = mma_m16n8k16_f32_f16,
        home = <a = shared, b = reg>, stages = 3>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}
