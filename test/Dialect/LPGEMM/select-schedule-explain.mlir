// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule=explain --verify-diagnostics

// The schedule that was taken, and all candidates in their order.

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chosen(%a: memref<64x256xf8E4M3FN>, %b: memref<32x256xf8E4M3FN>,
                  %d: memref<64x32xf32>) {
  // expected-remark @+5 {{schedule: taken: #lpgemm.schedule<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>: 2396 cycles; 2 tiles in 0.02 rounds; a K tile 230 (tensor 32, shared memory 160, L2 220, turn 230), power 115, exchange 0, epilogue 1936; device memory 12}}
  // expected-remark @+4 {{schedule: candidate 1: #lpgemm.schedule<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>: 2396 cycles; 2 tiles in 0.02 rounds; a K tile 230 (tensor 32, shared memory 160, L2 220, turn 230), power 115, exchange 0, epilogue 1936; device memory 12}}
  // expected-remark @+3 {{schedule: candidate 2: #lpgemm.schedule<tile = [64, 32, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>: 2726 cycles; 1 tiles in 0.01 rounds; a K tile 264 (tensor 64, shared memory 192, L2 264, turn 230), power 164, exchange 0, epilogue 2266; device memory 12}}
  // expected-remark @+2 {{schedule: candidate 3: #lpgemm.schedule<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, split_k = 2>: 7384 cycles; 2 tiles in 0.03 rounds; a K tile 300 (tensor 32, shared memory 160, L2 220, turn 300), power 115, exchange 5148, epilogue 1936; device memory 16}}
  // expected-remark @+1 {{schedule: candidate 4: #lpgemm.schedule<tile = [64, 32, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, split_k = 2>: 8002 cycles; 1 tiles in 0.02 rounds; a K tile 300 (tensor 64, shared memory 192, L2 264, turn 300), power 164, exchange 5436, epilogue 2266; device memory 16}}
  lpgemm.matmul
      ins(%a, %b : memref<64x256xf8E4M3FN>, memref<32x256xf8E4M3FN>)
      outs(%d : memref<64x32xf32>) transpose_b promote_k = 0
  return
}
}

// -----

// By hand.

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @by_hand(%a: memref<64x256xf8E4M3FN>, %b: memref<16x256xf8E4M3FN>,
                   %d: memref<64x16xf32>) {
  // expected-remark @+3 {{schedule: taken: #lpgemm.schedule<tile = [128, 32, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2, roles = <load_regs = 40, mma_regs = 232>, unroll = 2>: 2538 cycles; 1 tiles in 0.01 rounds; a K tile 428 (tensor 428, shared memory 288, L2 264, turn 230), power 233, exchange 0, epilogue 1682; device memory 9}}
  // expected-remark @+2 {{schedule: candidate 1: #lpgemm.schedule<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>: 2396 cycles; 1 tiles in 0.01 rounds; a K tile 230 (tensor 32, shared memory 160, L2 220, turn 230), power 115, exchange 0, epilogue 1936; device memory 9}}
  // expected-remark @+1 {{schedule: candidate 2: #lpgemm.schedule<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, split_k = 2>: 7384 cycles; 1 tiles in 0.02 rounds; a K tile 300 (tensor 32, shared memory 160, L2 220, turn 300), power 115, exchange 5148, epilogue 1936; device memory 12}}
  lpgemm.matmul
      ins(%a, %b : memref<64x256xf8E4M3FN>, memref<16x256xf8E4M3FN>)
      outs(%d : memref<64x16xf32>) transpose_b promote_k = 0
      schedule(<tile = [128, 32, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 2,
                roles = <load_regs = 40, mma_regs = 232>, unroll = 2>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @no_model(%a: memref<64x256xf8E4M3FN>, %b: memref<16x256xf8E4M3FN>,
                    %d: memref<64x16xf32>) {
  // expected-remark @+1 {{schedule: gfx950 has no model; the default of its record is #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2>}}
  lpgemm.matmul
      ins(%a, %b : memref<64x256xf8E4M3FN>, memref<16x256xf8E4M3FN>)
      outs(%d : memref<64x16xf32>) transpose_b
  return
}
}
