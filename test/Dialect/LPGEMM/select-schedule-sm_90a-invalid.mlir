// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// Each field of a schedule is checked against the record of the chip.

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @instruction(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: sm_90a has no instruction mfma_f32_16x16x32_fp8}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @homes(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects home = <a = shared, b = shared> on sm_90a, where wgmma_m64k32_f32_fp8 reads both, but got <a = shared, b = reg>}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = reg>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @no_roles(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects roles on sm_90a, such as #lpgemm.roles<load_regs = 40, mma_regs = 232>}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @stages(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at least 2 stages on sm_90a, but got 1}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 1, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @strategy(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects strategy = together on sm_90a with roles, but got ping_pong}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>,
                strategy = ping_pong>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @persistent(%a: memref<?x?x?xf8E4M3FN>, %b: memref<?x?x?xf8E4M3FN>,
    %d: memref<?x?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects persistent = false for a batch, but got true}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?x?xf8E4M3FN>, memref<?x?x?xf8E4M3FN>)
      outs(%d : memref<?x?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>,
                persistent = true>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @wave_m(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the M of a wave (96) to be a multiple of 64, that of the instruction}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [192, 128, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @wave_n(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (100) to be a multiple of 8, that of the instruction}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 100, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @wide_wave(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (264) to be at most 256, that of the instruction}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 264, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @tile_k(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the K of the tile (64) to be 128, a row of 128 bytes}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 128, 64], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @tile_k_bf16(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the K of the tile (128) to be 64, a row of 128 bytes}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xbf16>, memref<?x?xbf16>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 1],
                instr = wgmma_m64k16_f32_bf16,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @cluster(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of the tile (24) to be a multiple of 16 with 2 workgroups of a cluster that copy it together}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 24, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>,
                cluster = [2, 1]>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @box(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the M of the tile (512) to be at most 256, the rows that its copies hold}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [512, 64, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @scale_columns(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>, %sb: memref<?x?xf32>, %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (72) to divide or to be a multiple of 16 with scales for blocks of columns}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<?x?xf32>, <128x128>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 72, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @threads(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 1024 threads in a workgroup of sm_90a, but got 1152}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [512, 64, 128], waves = [8, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 24, mma_regs = 56>,
                cluster = [1, 2]>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @load_regs(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects load_regs of at most 168, which a thread starts with, with 2 waves on sm_90a, but got 176}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 176, mma_regs = 168>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @mma_regs(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects mma_regs of at most 232 with 2 waves and load_regs = 40 on sm_90a, but got 240}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 240>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @registers(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>, %sb: memref<?x?xf32>, %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the tiles of a wave to take at most 232 registers of a thread, its mma_regs, but they take 296}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<?x?xf32>, <128x128>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

// (G-8) Without promote_k sums of FP8 products are promoted.

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @promoted(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the tiles of a wave to take at most 232 registers of a thread, its mma_regs, but they take 296}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @shared_memory(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 232448 bytes of shared memory in a workgroup of sm_90a, but got 245840 with 5 stages}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 5, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @persistent_split(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects persistent = false with split_k = 4, but got true}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [64, 64, 128], waves = [1, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 248>,
                persistent = true, split_k = 4>)
  return
}
}

// -----

// 9 slots of 24 KB and 16 bytes, and 32 KB for the sums of the others.
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @split_memory(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 232448 bytes of shared memory in a workgroup of sm_90a, but got 254160 with 9 stages and split_k = 2}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [64, 128, 128], waves = [1, 1],
                instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 9, roles = <load_regs = 40, mma_regs = 248>,
                split_k = 2>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @staged(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects epilogue = direct on sm_90a, whose copy engine stores results out of what shared memory is left, but got staged}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4,
                roles = <load_regs = 40, mma_regs = 232>, epilogue = staged>)
  return
}
}
