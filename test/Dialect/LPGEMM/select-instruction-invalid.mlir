// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// No instruction: the chip has none for blocks so short.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @fp8(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no matrix instruction on gfx950 for 'f8E4M3FN' x 'f8E4M3FN' with these scales: expects their blocks to be multiples of 8 elements of K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x4>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @fp8_20(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E5M2FNUZ>,
    %sb: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no matrix instruction on gfx942 for 'f8E4M3FN' x 'f8E5M2FNUZ' with these scales: expects their blocks to be multiples of 8 elements of K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E5M2FNUZ>)
      rhs_scale(%sb : memref<?x?xf32>, <1x20>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @i8(
    %a: memref<?x?xi8>,
    %b: memref<?x?xi8>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no matrix instruction on gfx942 for 'i8' x 'i8' with these scales: expects their blocks to be multiples of 16 elements of K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>)
      lhs_scale(%sa : memref<?x?xf32>, <1x8>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// A schedule by hand must suit the chip, the operands and their scales.

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @chip(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: gfx942 has no instruction mfma_scale_f32_16x16x128_f8f6f4}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @operands(
    %a: memref<?x?xf8E4M3FNUZ>,
    %b: memref<?x?xf8E4M3FNUZ>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: mfma_f32_16x16x32_fp8 does not take 'f8E4M3FNUZ' x 'f8E4M3FNUZ'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FNUZ>, memref<?x?xf8E4M3FNUZ>)
      outs(%d : memref<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [1, 1], instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @i8_as_fp8(
    %a: memref<?x?xi8>,
    %b: memref<?x?xi8>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: mfma_f32_16x16x32_fp8 does not take 'i8' x 'i8'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>)
      outs(%d : memref<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [1, 1], instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @block(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects a scale block (32) that is a multiple of the K of mfma_scale_f32_16x16x128_f8f6f4 (128), which has no scales of that block}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x32>)
      outs(%d : memref<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @tile_k(
    %a: memref<?x?xf8E4M3FN>,
    %b: memref<?x?xf8E4M3FN>,
    %sb: memref<?x?xf32>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects the K of the tile (96) to be a multiple of the scale block (64) or to divide it}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      rhs_scale(%sb : memref<?x?xf32>, <1x64>)
      outs(%d : memref<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 96], waves = [1, 1], instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = reg>, stages = 1>)
  return
}
}
