// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics | FileCheck %s

// The first instruction of the chip that takes the operands, and whose K divides
// the blocks of all scales that it does not apply itself. A tile ends where a
// block does.

// CHECK-LABEL: func @ocp_942(
// CHECK: schedule(<tile = [128, 256, 64], waves = [2, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 1, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @ocp_942(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @fnuz_942(
// CHECK: schedule(<tile = [128, 256, 64], waves = [1, 4], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = reg>, stages = 2, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @fnuz_942(
    %a: memref<?x?xf8E4M3FNUZ>,
    %b: memref<?x?xf8E5M2FNUZ>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FNUZ>, memref<?x?xf8E5M2FNUZ>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @mixed_942(
// CHECK: schedule(<tile = [256, 128, 64], waves = [4, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @mixed_942(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2FNUZ>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2FNUZ>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @mx_942(
// CHECK: schedule(<tile = [128, 128, 64], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 1, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @mx_942(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @ocp_950(
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4, strategy = ping_pong>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @ocp_950(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @fnuz_950(
// CHECK: schedule(<tile = [128, 256, 32], waves = [2, 2], instr = mfma_f32_32x32x8_bf16, home = <a = shared, b = shared>, stages = 2, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @fnuz_950(
    %a: memref<?x?xf8E4M3FNUZ>,
    %b: memref<?x?xf8E4M3FNUZ>,
    %d: memref<?x?xf32>) {
  // expected-remark @+1 {{multiplies 'f8E4M3FNUZ' as 'bf16' on gfx950, which has no instruction for these operands and scales}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FNUZ>, memref<?x?xf8E4M3FNUZ>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @i8_942(
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_i32_16x16x32_i8, home = <a = shared, b = shared>, stages = 1, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @i8_942(
    %a: memref<?x?xi8>,
    %b: memref<?x?xi8>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @i8_950(
// CHECK: schedule(<tile = [256, 256, 64], waves = [2, 4], instr = mfma_i32_16x16x32_i8, home = <a = shared, b = shared>, stages = 2, raster = 4, strategy = ping_pong>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @i8_950(
    %a: memref<?x?xi8>,
    %b: memref<?x?xi8>,
    %sb: memref<?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>)
      rhs_scale(%sb : memref<?xf32>, <column>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @mx_one_side(
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4, strategy = ping_pong>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @mx_one_side(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @mx_by_f32(
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @mx_by_f32(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf32>, <1x128>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @mx_by_row(
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4, strategy = ping_pong>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @mx_by_row(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?xf32>, <column>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_128(
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block_128(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %sb: memref<?x?xbf16>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<?x?xbf16>, <1x256>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_128_942(
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 1, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @block_128_942(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %sb: memref<?x?xbf16>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<?x?xbf16>, <1x256>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_64(
// CHECK: schedule(<tile = [256, 64, 128], waves = [2, 2], instr = mfma_scale_f32_32x32x64_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 2, epilogue = staged>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block_64(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %sb: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x64>)
      rhs_scale(%sb : memref<?x?xf32>, <1x128>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_32(
// CHECK: schedule(<tile = [128, 128, 64], waves = [2, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 3, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block_32(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x32>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_16(
// CHECK: schedule(<tile = [128, 128, 32], waves = [2, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 3, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block_16(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2>)
      lhs_scale(%sa : memref<?x?xf32>, <1x16>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_16_942(
// CHECK: schedule(<tile = [256, 64, 32], waves = [2, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @block_16_942(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2>,
    %sb: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2>)
      rhs_scale(%sb : memref<?x?xf32>, <1x16>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_8(
// CHECK: schedule(<tile = [128, 128, 16], waves = [2, 2], instr = mfma_f32_32x32x8_bf16, home = <a = shared, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block_8(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  // expected-remark @+1 {{multiplies 'f8E4M3FN' as 'bf16' on gfx950, which has no instruction for these operands and scales}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2>)
      lhs_scale(%sa : memref<?x?xf32>, <1x8>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_48(
// CHECK: schedule(<tile = [128, 128, 96], waves = [2, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block_48(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x48>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// CHECK-LABEL: func @block_192(
// CHECK: schedule(<tile = [128, 128, 96], waves = [2, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 1, raster = 8>)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @block_192(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x192>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// (G-8) The accumulators of these chips are f32.

// CHECK-LABEL: func @promote_k_950
// CHECK: promote_k = 64 schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4, strategy = ping_pong>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @promote_k_950(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b promote_k = 64
  return
}
}
