// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule | FileCheck %s
// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --lpgemm-select-schedule | FileCheck %s

// Few rows: as many multiprocessors as there are need a tile, and many copies in
// flight.

// CHECK-LABEL: func @chain_16_7168_16384(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_16_7168_16384(%a: memref<16x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<16x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<16x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<16x7168xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_64_7168_16384(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_64_7168_16384(%a: memref<64x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<64x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<64x7168xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// 80 columns: 116 tiles in one round.

// CHECK-LABEL: func @chain_120_9216_4096(
// CHECK: schedule(<tile = [128, 80, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 7, roles = <load_regs = 40, mma_regs = 232>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_120_9216_4096(%a: memref<120x4096xf8E4M3FN>, %b: memref<9216x4096xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<120x9216xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<120x4096xf8E4M3FN>, memref<9216x4096xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<120x9216xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_128_7168_16384(
// CHECK: schedule(<tile = [64, 112, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 9, roles = <load_regs = 40, mma_regs = 248>, cluster = [2, 1], persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_128_7168_16384(%a: memref<128x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<128x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<128x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<128x7168xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_64_4096_7168(
// CHECK: schedule(<tile = [64, 48, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_64_4096_7168(%a: memref<64x7168xf8E4M3FN>, %b: memref<4096x7168xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<64x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x7168xf8E4M3FN>, memref<4096x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<64x4096xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_128_4096_7168(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, raster = 2, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_128_4096_7168(%a: memref<128x7168xf8E4M3FN>, %b: memref<4096x7168xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<128x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<128x7168xf8E4M3FN>, memref<4096x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<128x4096xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_64_24576_1536(
// CHECK: schedule(<tile = [64, 112, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 9, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_64_24576_1536(%a: memref<64x1536xf8E4M3FN>, %b: memref<24576x1536xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<64x24576xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x1536xf8E4M3FN>, memref<24576x1536xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<64x24576xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// 132 tiles of 16 columns: one for each multiprocessor, without an exchange.

// CHECK-LABEL: func @chain_64_2112_7168(
// CHECK: schedule(<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_64_2112_7168(%a: memref<64x7168xf8E4M3FN>, %b: memref<2112x7168xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<64x2112xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x7168xf8E4M3FN>, memref<2112x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<64x2112xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_64_32768_512(
// CHECK: schedule(<tile = [64, 128, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 8, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_64_32768_512(%a: memref<64x512xf8E4M3FN>, %b: memref<32768x512xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<64x32768xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x512xf8E4M3FN>, memref<32768x512xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<64x32768xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_1_7168_2048(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_1_7168_2048(%a: memref<1x2048xf8E4M3FN>, %b: memref<7168x2048xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<1x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<1x2048xf8E4M3FN>, memref<7168x2048xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<1x7168xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @blocks_16_7168_16384(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_16_7168_16384(%a: memref<16x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<16x128xf32>, %sb: memref<56x128xf32>,
    %d: memref<16x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<16x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<16x128xf32>, <1x128>)
      rhs_scale(%sb : memref<56x128xf32>, <128x128>)
      outs(%d : memref<16x7168xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_64_7168_16384(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_64_7168_16384(%a: memref<64x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<64x128xf32>, %sb: memref<56x128xf32>,
    %d: memref<64x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<64x128xf32>, <1x128>)
      rhs_scale(%sb : memref<56x128xf32>, <128x128>)
      outs(%d : memref<64x7168xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_128_7168_16384(
// CHECK: schedule(<tile = [128, 64, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 8, roles = <load_regs = 40, mma_regs = 232>, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_128_7168_16384(%a: memref<128x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<128x128xf32>, %sb: memref<56x128xf32>,
    %d: memref<128x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<128x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<128x128xf32>, <1x128>)
      rhs_scale(%sb : memref<56x128xf32>, <128x128>)
      outs(%d : memref<128x7168xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_64_4096_7168(
// CHECK: schedule(<tile = [64, 32, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_64_4096_7168(%a: memref<64x7168xf8E4M3FN>, %b: memref<4096x7168xf8E4M3FN>,
    %sa: memref<64x56xf32>, %sb: memref<32x56xf32>,
    %d: memref<64x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x7168xf8E4M3FN>, memref<4096x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<64x56xf32>, <1x128>)
      rhs_scale(%sb : memref<32x56xf32>, <128x128>)
      outs(%d : memref<64x4096xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_128_4096_7168(
// CHECK: schedule(<tile = [128, 64, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 7, roles = <load_regs = 40, mma_regs = 232>, unroll = 8, split_k = 2>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_128_4096_7168(%a: memref<128x7168xf8E4M3FN>, %b: memref<4096x7168xf8E4M3FN>,
    %sa: memref<128x56xf32>, %sb: memref<32x56xf32>,
    %d: memref<128x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<128x7168xf8E4M3FN>, memref<4096x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<128x56xf32>, <1x128>)
      rhs_scale(%sb : memref<32x56xf32>, <128x128>)
      outs(%d : memref<128x4096xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_64_24576_1536(
// CHECK: schedule(<tile = [64, 192, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 6, roles = <load_regs = 40, mma_regs = 248>, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_64_24576_1536(%a: memref<64x1536xf8E4M3FN>, %b: memref<24576x1536xf8E4M3FN>,
    %sa: memref<64x12xf32>, %sb: memref<192x12xf32>,
    %d: memref<64x24576xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x1536xf8E4M3FN>, memref<24576x1536xf8E4M3FN>)
      lhs_scale(%sa : memref<64x12xf32>, <1x128>)
      rhs_scale(%sb : memref<192x12xf32>, <128x128>)
      outs(%d : memref<64x24576xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_64_2112_7168(
// CHECK: schedule(<tile = [64, 32, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, unroll = 8, split_k = 2>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_64_2112_7168(%a: memref<64x7168xf8E4M3FN>, %b: memref<2112x7168xf8E4M3FN>,
    %sa: memref<64x56xf32>, %sb: memref<17x56xf32>,
    %d: memref<64x2112xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x7168xf8E4M3FN>, memref<2112x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<64x56xf32>, <1x128>)
      rhs_scale(%sb : memref<17x56xf32>, <128x128>)
      outs(%d : memref<64x2112xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_64_32768_512(
// CHECK: schedule(<tile = [64, 128, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 8, roles = <load_regs = 40, mma_regs = 248>, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_64_32768_512(%a: memref<64x512xf8E4M3FN>, %b: memref<32768x512xf8E4M3FN>,
    %sa: memref<64x4xf32>, %sb: memref<256x4xf32>,
    %d: memref<64x32768xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<64x512xf8E4M3FN>, memref<32768x512xf8E4M3FN>)
      lhs_scale(%sa : memref<64x4xf32>, <1x128>)
      rhs_scale(%sb : memref<256x4xf32>, <128x128>)
      outs(%d : memref<64x32768xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_1_7168_2048(
// CHECK: schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_1_7168_2048(%a: memref<1x2048xf8E4M3FN>, %b: memref<7168x2048xf8E4M3FN>,
    %sa: memref<1x16xf32>, %sb: memref<56x16xf32>,
    %d: memref<1x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<1x2048xf8E4M3FN>, memref<7168x2048xf8E4M3FN>)
      lhs_scale(%sa : memref<1x16xf32>, <1x128>)
      rhs_scale(%sb : memref<56x16xf32>, <128x128>)
      outs(%d : memref<1x7168xbf16>) transpose_b
  return
}
}
