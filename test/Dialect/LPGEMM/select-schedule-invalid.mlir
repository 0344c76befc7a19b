// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

module {
func.func @no_target(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op needs a target: run lpgemm-attach-target, or set lpgemm.target on the module}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @wave_m(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the M of a wave (24) to be a multiple of 16, that of the instruction}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [48, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @wave_n(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (8) to be a multiple of 16, that of the instruction}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [128, 16, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @tile_k(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the K of the tile (64) to be a multiple of 128, that of the instruction}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [128, 128, 64], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @threads(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 1024 threads in a workgroup of gfx950, but got 2048}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [4, 8],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @shared_memory(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 163840 bytes of shared memory in a workgroup of gfx950, but got 196608}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [512, 256, 256], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @registers(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the tiles of a wave to take at most 256 registers with 8 waves on gfx950, but they take 384}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [256, 512, 128], waves = [2, 4],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

// Each lane has the scales of 4 rows and 16 columns for each of 12 blocks, and
// two registers for each.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @scales_of_sums(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the tiles of a wave and the scales of its sums to take at most 512 registers with 4 waves on gfx950, but they take 736, 480 of them for the scales of 384 elements of K}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [128, 128, 384], waves = [2, 2],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_100a">} {
func.func @no_lowering(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering for sm_100a yet; there is one for gfx942, gfx950, sm_80, sm_89, sm_90a}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}
