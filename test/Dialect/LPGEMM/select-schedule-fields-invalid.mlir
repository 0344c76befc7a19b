// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// What the way to AMD GPUs does not know of a schedule.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @roles(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects no roles on gfx950, but got #lpgemm.roles<load_regs = 40, mma_regs = 232>}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                roles = <load_regs = 40, mma_regs = 232>>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @cluster(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects no cluster on gfx950, but got [2, 1]}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                cluster = [2, 1]>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stream_raster(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects raster = 1 with persistent = true and split_k = 2, but got 4}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                raster = 4, persistent = true, split_k = 2>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stream_n(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of the tile (96) to be a multiple of 64, that of what adds the parts of a persistent kernel}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 96, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                persistent = true, split_k = 2>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @persistent_batch(%a: memref<?x?x?xf8E4M3FN>,
    %b: memref<?x?x?xf8E4M3FN>, %d: memref<?x?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects persistent = false for a batch, but got true}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?x?xf8E4M3FN>, memref<?x?x?xf8E4M3FN>)
      outs(%d : memref<?x?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                persistent = true>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @unroll(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects unroll of at most 1 on gfx950, but got 4}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                unroll = 4>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stages(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects stages of at most 4 on gfx950, but got 5}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 5>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @ping_pong_waves(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects 2 stages and a multiple of 8 waves with strategy ping_pong, but got 2 and 4}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, strategy = ping_pong>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @ping_pong_parts(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (16) to be a multiple of 32, two of the instruction}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [256, 64, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, strategy = ping_pong>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @slots(%a: memref<?x?xf8E4M3FNUZ>, %b: memref<?x?xf8E4M3FNUZ>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 2 stages, and strategy = together, on gfx942, which does not load 16 bytes to shared memory, but got 3 and together}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FNUZ>, memref<?x?xf8E4M3FNUZ>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2],
                instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 3>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @slots_in_registers(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects operands with K in the last dimension, and home = shared for them, in copies to 3 slots}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 3>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @slots_of_few_rows(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects a multiple of 4096 bytes in each copy to shared memory, of whole rows that divide it, but got 48 rows of 128 bytes}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [48, 64, 128], waves = [1, 4],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 3>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @slots_too_many(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects at most 163840 bytes of shared memory in a workgroup of gfx950, but got 196608}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [256, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 4>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @staged_parts_of_sums(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects epilogue = direct with split_k = 2, but got staged}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, split_k = 2, epilogue = staged>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @staged_in_registers(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects a buffer of a side's K tile of at least 4096 bytes, for a row of instructions of the result, with epilogue = staged, but got 0}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1, epilogue = staged>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @blocks_of_waves(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xf8E4M3FN>, %s: memref<?x?xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (16) to be a multiple of 32, the block of scale_outs}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E4M3FN>)
      scale_outs(%s : memref<?x?xf8E8M0FNU>, <mx>, rceil) transpose_b
      schedule(<tile = [64, 32, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @blocks_of_parts_of_sums(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xf8E4M3FN>, %s: memref<?x?xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects split_k = 1 with scale_outs, but got 4}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E4M3FN>)
      scale_outs(%s : memref<?x?xf8E8M0FNU>, <mx>, rceil) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 1, split_k = 4>)
  return
}
}

// -----

// What adds the parts of sums knows single columns.
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @split_pairs(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects split_k = 1 with an epilogue of pairs, but got 2}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, split_k = 2>)
      epilogue(%t, %u) {
        %0 = arith.mulf %t, %u : f32
        lpgemm.yield %0 : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
func.func @warp_persistent(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects persistent = false on sm_89, but got true}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 64], waves = [2, 2], instr = mma_m16n8k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3, persistent = true>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
func.func @warp_strategy(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects strategy = together on sm_89, but got ping_pong}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 64], waves = [2, 2], instr = mma_m16n8k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3, strategy = ping_pong>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
func.func @warp_epilogue(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects epilogue = direct on sm_89, but got staged}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 64], waves = [2, 2], instr = mma_m16n8k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3, epilogue = staged>)
  return
}
}

// -----

// Both columns of a pair are in one block.
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @pairs_of_blocks(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xf8E4M3FN>, %s: memref<?x?xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the N of a wave (32) to be a multiple of 64, whole blocks of scale_outs}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E4M3FN>)
      scale_outs(%s : memref<?x?xf8E8M0FNU>, <mx>, rceil) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2>)
      epilogue(%t, %u) {
        %0 = arith.mulf %t, %u : f32
        lpgemm.yield %0 : f32
      }
  return
}
}
