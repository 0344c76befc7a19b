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
func.func @amd(%a: memref<64x256xf8E4M3FN>, %b: memref<16x256xf8E4M3FN>,
                    %d: memref<64x16xf32>) {
  // expected-remark @+11 {{schedule: taken: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>: 1968 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1120 (matrix 16, vector 2, shared memory 0, load 256, L2 4, Infinity Cache 4 for 32768 bytes, chain 1120), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+10 {{schedule: candidate 1 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>: 1968 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1120 (matrix 16, vector 2, shared memory 0, load 256, L2 4, Infinity Cache 4 for 32768 bytes, chain 1120), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+9 {{schedule: candidate 2 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 1>: 2000 cycles; 4 tiles, 1.00 of a compute unit, 20 at once; a K tile 1152 (matrix 16, vector 2, shared memory 96, load 128, L2 4, Infinity Cache 4 for 32768 bytes, chain 1152), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+8 {{schedule: candidate 3 of 516: #lpgemm.schedule<tile = [16, 16, 64], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 4>: 2000 cycles; 4 tiles, 1.00 of a compute unit, 20 at once; a K tile 288 (matrix 8, vector 2, shared memory 24, load 64, L2 2, Infinity Cache 1 for 8192 bytes, chain 288), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+7 {{schedule: candidate 4 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 1>: 2016 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1168 (matrix 16, vector 2, shared memory 48, load 192, L2 4, Infinity Cache 4 for 32768 bytes, chain 1168), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+6 {{schedule: candidate 5 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = shared>, stages = 1>: 2016 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1168 (matrix 16, vector 2, shared memory 48, load 192, L2 4, Infinity Cache 4 for 32768 bytes, chain 1168), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+5 {{schedule: candidate 6 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>: 2032 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1184 (matrix 32, vector 8, shared memory 0, load 256, L2 4, Infinity Cache 4 for 32768 bytes, chain 1184), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+4 {{schedule: candidate 7 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 1>: 2064 cycles; 4 tiles, 1.00 of a compute unit, 20 at once; a K tile 1216 (matrix 32, vector 8, shared memory 96, load 128, L2 4, Infinity Cache 4 for 32768 bytes, chain 1216), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+3 {{schedule: candidate 8 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = reg>, stages = 1>: 2080 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1232 (matrix 32, vector 8, shared memory 48, load 192, L2 4, Infinity Cache 4 for 32768 bytes, chain 1232), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+2 {{schedule: candidate 9 of 516: #lpgemm.schedule<tile = [16, 16, 256], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = shared>, stages = 1>: 2080 cycles; 4 tiles, 1.00 of a compute unit, 32 at once; a K tile 1232 (matrix 32, vector 8, shared memory 48, load 192, L2 4, Infinity Cache 4 for 32768 bytes, chain 1232), turn 520, epilogue 48; exchange 0; device memory 7}}
  // expected-remark @+1 {{schedule: candidate 10 of 516: #lpgemm.schedule<tile = [32, 16, 64], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 4>: 2091 cycles; 2 tiles, 1.00 of a compute unit, 13 at once; a K tile 299 (matrix 16, vector 4, shared memory 36, load 96, L2 3, Infinity Cache 1 for 6144 bytes, chain 299), turn 520, epilogue 96; exchange 0; device memory 7}}
  lpgemm.matmul
      ins(%a, %b : memref<64x256xf8E4M3FN>, memref<16x256xf8E4M3FN>)
      outs(%d : memref<64x16xf32>) transpose_b
  return
}
}

// -----

// Without a model it is the default of the record, or what is written by hand.

module attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
func.func @no_model(%a: memref<64x256xf8E4M3FN>, %b: memref<16x256xf8E4M3FN>,
                    %d: memref<64x16xf32>) {
  // expected-remark @+1 {{schedule: taken: #lpgemm.schedule<tile = [128, 128, 64], waves = [2, 4], instr = mma_m16n8k32_f32_fp8, home = <a = shared, b = shared>, stages = 3>: sm_89 has no model for mma_m16n8k32_f32_fp8}}
  lpgemm.matmul
      ins(%a, %b : memref<64x256xf8E4M3FN>, memref<16x256xf8E4M3FN>)
      outs(%d : memref<64x16xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @no_model_by_hand(%a: memref<64x256xf8E4M3FN>, %b: memref<16x256xf8E4M3FN>,
                            %d: memref<64x16xf32>) {
  // expected-remark @+1 {{schedule: taken: #lpgemm.schedule<tile = [32, 16, 64], waves = [1, 1], instr = mma_m16n8k32_f32_fp8, home = <a = shared, b = shared>, stages = 2>: sm_90a has no model for mma_m16n8k32_f32_fp8}}
  lpgemm.matmul
      ins(%a, %b : memref<64x256xf8E4M3FN>, memref<16x256xf8E4M3FN>)
      outs(%d : memref<64x16xf32>) transpose_b
      schedule(<tile = [32, 16, 64], waves = [1, 1], instr = mma_m16n8k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 2>)
  return
}
}
