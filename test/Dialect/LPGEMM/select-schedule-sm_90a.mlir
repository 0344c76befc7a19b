// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule | FileCheck %s
// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --lpgemm-select-schedule | FileCheck %s

// Large products in one chain.

// CHECK-LABEL: func @chain_4096_4096_4096(
// CHECK: schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 32, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_4096_4096(%a: memref<4096x4096xf8E4M3FN>, %b: memref<4096x4096xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x4096xf8E4M3FN>, memref<4096x4096xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x4096xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_8192_8192_8192(
// CHECK: schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_8192_8192_8192(%a: memref<8192x8192xf8E4M3FN>, %b: memref<8192x8192xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<8192x8192xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<8192x8192xf8E4M3FN>, memref<8192x8192xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<8192x8192xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_4096_8192(
// CHECK: schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_4096_8192(%a: memref<4096x8192xf8E4M3FN>, %b: memref<4096x8192xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x8192xf8E4M3FN>, memref<4096x8192xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x4096xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_2112_7168(
// CHECK: schedule(<tile = [128, 176, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_2112_7168(%a: memref<4096x7168xf8E4M3FN>, %b: memref<2112x7168xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x2112xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x7168xf8E4M3FN>, memref<2112x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x2112xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_24576_1536(
// CHECK: schedule(<tile = [256, 176, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_24576_1536(%a: memref<4096x1536xf8E4M3FN>, %b: memref<24576x1536xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x24576xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x1536xf8E4M3FN>, memref<24576x1536xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x24576xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_32768_512(
// CHECK: schedule(<tile = [128, 208, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1], raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_32768_512(%a: memref<4096x512xf8E4M3FN>, %b: memref<32768x512xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x32768xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x512xf8E4M3FN>, memref<32768x512xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x32768xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_7168_16384(
// CHECK: schedule(<tile = [256, 176, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, raster = 8, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_7168_16384(%a: memref<4096x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x7168xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_4096_7168(
// CHECK: schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_4096_7168(%a: memref<4096x7168xf8E4M3FN>, %b: memref<4096x7168xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x7168xf8E4M3FN>, memref<4096x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x4096xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @chain_4096_7168_2048(
// CHECK: schedule(<tile = [256, 176, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_4096_7168_2048(%a: memref<4096x2048xf8E4M3FN>, %b: memref<7168x2048xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<4096x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x2048xf8E4M3FN>, memref<7168x2048xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<4096x7168xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// The same with promotion.

// CHECK-LABEL: func @blocks_4096_4096_4096(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 16, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_4096_4096(%a: memref<4096x4096xf8E4M3FN>, %b: memref<4096x4096xf8E4M3FN>,
    %sa: memref<4096x32xf32>, %sb: memref<32x32xf32>,
    %d: memref<4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x4096xf8E4M3FN>, memref<4096x4096xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x32xf32>, <1x128>)
      rhs_scale(%sb : memref<32x32xf32>, <128x128>)
      outs(%d : memref<4096x4096xbf16>) transpose_b
  return
}
}

// -----

// Fewer rows and columns are left over with 128 x 192, but what its workgroups take
// from the L2 cache shows.

// CHECK-LABEL: func @blocks_6764_12592_11392(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 8, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_6764_12592_11392(%a: memref<6764x11392xf8E4M3FN>, %b: memref<12592x11392xf8E4M3FN>,
    %sa: memref<6764x89xf32>, %sb: memref<99x89xf32>,
    %d: memref<6764x12592xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<6764x11392xf8E4M3FN>, memref<12592x11392xf8E4M3FN>)
      lhs_scale(%sa : memref<6764x89xf32>, <1x128>)
      rhs_scale(%sb : memref<99x89xf32>, <128x128>)
      outs(%d : memref<6764x12592xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_8192_8192_8192(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 8, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_8192_8192_8192(%a: memref<8192x8192xf8E4M3FN>, %b: memref<8192x8192xf8E4M3FN>,
    %sa: memref<8192x64xf32>, %sb: memref<64x64xf32>,
    %d: memref<8192x8192xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<8192x8192xf8E4M3FN>, memref<8192x8192xf8E4M3FN>)
      lhs_scale(%sa : memref<8192x64xf32>, <1x128>)
      rhs_scale(%sb : memref<64x64xf32>, <128x128>)
      outs(%d : memref<8192x8192xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_4096_8192(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 8, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_4096_8192(%a: memref<4096x8192xf8E4M3FN>, %b: memref<4096x8192xf8E4M3FN>,
    %sa: memref<4096x64xf32>, %sb: memref<32x64xf32>,
    %d: memref<4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x8192xf8E4M3FN>, memref<4096x8192xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x64xf32>, <1x128>)
      rhs_scale(%sb : memref<32x64xf32>, <128x128>)
      outs(%d : memref<4096x4096xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_2112_7168(
// CHECK: schedule(<tile = [128, 192, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_2112_7168(%a: memref<4096x7168xf8E4M3FN>, %b: memref<2112x7168xf8E4M3FN>,
    %sa: memref<4096x56xf32>, %sb: memref<17x56xf32>,
    %d: memref<4096x2112xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x7168xf8E4M3FN>, memref<2112x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x56xf32>, <1x128>)
      rhs_scale(%sb : memref<17x56xf32>, <128x128>)
      outs(%d : memref<4096x2112xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_24576_1536(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 16, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_24576_1536(%a: memref<4096x1536xf8E4M3FN>, %b: memref<24576x1536xf8E4M3FN>,
    %sa: memref<4096x12xf32>, %sb: memref<192x12xf32>,
    %d: memref<4096x24576xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x1536xf8E4M3FN>, memref<24576x1536xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x12xf32>, <1x128>)
      rhs_scale(%sb : memref<192x12xf32>, <128x128>)
      outs(%d : memref<4096x24576xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_32768_512(
// CHECK: schedule(<tile = [128, 192, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1], raster = 16, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_32768_512(%a: memref<4096x512xf8E4M3FN>, %b: memref<32768x512xf8E4M3FN>,
    %sa: memref<4096x4xf32>, %sb: memref<256x4xf32>,
    %d: memref<4096x32768xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x512xf8E4M3FN>, memref<32768x512xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x4xf32>, <1x128>)
      rhs_scale(%sb : memref<256x4xf32>, <128x128>)
      outs(%d : memref<4096x32768xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_7168_16384(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 8, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_7168_16384(%a: memref<4096x16384xf8E4M3FN>, %b: memref<7168x16384xf8E4M3FN>,
    %sa: memref<4096x128xf32>, %sb: memref<56x128xf32>,
    %d: memref<4096x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x16384xf8E4M3FN>, memref<7168x16384xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x128xf32>, <1x128>)
      rhs_scale(%sb : memref<56x128xf32>, <128x128>)
      outs(%d : memref<4096x7168xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_4096_7168(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 8, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_4096_7168(%a: memref<4096x7168xf8E4M3FN>, %b: memref<4096x7168xf8E4M3FN>,
    %sa: memref<4096x56xf32>, %sb: memref<32x56xf32>,
    %d: memref<4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x7168xf8E4M3FN>, memref<4096x7168xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x56xf32>, <1x128>)
      rhs_scale(%sb : memref<32x56xf32>, <128x128>)
      outs(%d : memref<4096x4096xbf16>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @blocks_4096_7168_2048(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 16, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_4096_7168_2048(%a: memref<4096x2048xf8E4M3FN>, %b: memref<7168x2048xf8E4M3FN>,
    %sa: memref<4096x16xf32>, %sb: memref<56x16xf32>,
    %d: memref<4096x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<4096x2048xf8E4M3FN>, memref<7168x2048xf8E4M3FN>)
      lhs_scale(%sa : memref<4096x16xf32>, <1x128>)
      rhs_scale(%sb : memref<56x16xf32>, <128x128>)
      outs(%d : memref<4096x7168xbf16>) transpose_b
  return
}
}

// -----

// Extents that are not known count as large.

// CHECK-LABEL: func @chain_dynamic(
// CHECK: schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @chain_dynamic(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?xf32>, %sb: memref<?xf32>,
    %d: memref<?x?xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?xf32>, <row>)
      rhs_scale(%sb : memref<?xf32>, <column>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// CHECK-LABEL: func @blocks_dynamic(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 3, roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2], raster = 32, persistent = true, unroll = 4>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks_dynamic(%a: memref<?x2048xf8E4M3FN>, %b: memref<7168x2048xf8E4M3FN>,
    %sa: memref<?x16xf32>, %sb: memref<56x16xf32>,
    %d: memref<?x7168xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x2048xf8E4M3FN>, memref<7168x2048xf8E4M3FN>)
      lhs_scale(%sa : memref<?x16xf32>, <1x128>)
      rhs_scale(%sb : memref<56x16xf32>, <128x128>)
      outs(%d : memref<?x7168xbf16>) transpose_b
  return
}
}

// -----

// (G-8) Without promote_k sums of FP8 products are promoted.

// CHECK-LABEL: func @promoted(
// CHECK: schedule(<tile = [256, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 8, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @promoted(%a: memref<8192x8192xf8E4M3FN>, %b: memref<8192x8192xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<8192x8192xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<8192x8192xf8E4M3FN>, memref<8192x8192xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<8192x8192xbf16>) transpose_b
  return
}
}

// -----

// Products of wider elements are not.

// CHECK-LABEL: func @bf16(
// CHECK: schedule(<tile = [128, 256, 64], waves = [2, 1], instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @bf16(%a: memref<8192x8192xbf16>, %b: memref<8192x8192xbf16>,
    %d: memref<8192x8192xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<8192x8192xbf16>, memref<8192x8192xbf16>)
      outs(%d : memref<8192x8192xbf16>) transpose_b
  return
}
}

// -----

// Each column has a scale of its own.

// CHECK-LABEL: func @columns(
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 5, roles = <load_regs = 40, mma_regs = 232>, raster = 16, persistent = true, unroll = 8>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @columns(%a: memref<8192x8192xf8E4M3FN>, %b: memref<8192x8192xf8E4M3FN>,
    %sa: memref<8192x64xf32>, %sb: memref<8192x64xf32>,
    %d: memref<8192x8192xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<8192x8192xf8E4M3FN>, memref<8192x8192xf8E4M3FN>)
      lhs_scale(%sa : memref<8192x64xf32>, <1x128>)
      rhs_scale(%sb : memref<8192x64xf32>, <1x128>)
      outs(%d : memref<8192x8192xbf16>) transpose_b
  return
}
}

// -----

// A batch is not persistent.

// CHECK-LABEL: func @batch(
// CHECK: schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, raster = 32>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @batch(%a: memref<8x4096x4096xf8E4M3FN>, %b: memref<8x4096x4096xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<8x4096x4096xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<8x4096x4096xf8E4M3FN>, memref<8x4096x4096xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<8x4096x4096xbf16>) transpose_b promote_k = 0
  return
}
}

// -----

// An empty product takes any schedule.

// CHECK-LABEL: func @empty(
// CHECK: schedule(<tile = [64, 16, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 12, roles = <load_regs = 40, mma_regs = 248>, persistent = true>)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @empty(%a: memref<0x0xf8E4M3FN>, %b: memref<0x0xf8E4M3FN>,
    %sa: memref<f32>, %sb: memref<f32>,
    %d: memref<0x0xbf16>) {
  lpgemm.matmul
      ins(%a, %b : memref<0x0xf8E4M3FN>, memref<0x0xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, <tensor>)
      rhs_scale(%sb : memref<f32>, <tensor>)
      outs(%d : memref<0x0xbf16>) transpose_b promote_k = 0
  return
}
}
