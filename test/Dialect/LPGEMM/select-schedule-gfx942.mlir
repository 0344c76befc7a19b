// RUN: lpgemm-opt %s --lpgemm-select-schedule | FileCheck %s

// What the model chooses for each kind of shape, and for each kind of scales.

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {

// K tiles of half a line of the caches: two workgroups have two slots each.

// CHECK-LABEL: func @large
// CHECK: schedule(<tile = [128, 256, 64], waves = [1, 4], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = reg>, stages = 2, epilogue = staged>)
func.func @large(%a: tensor<8192x8192xf8E4M3FNUZ>, %b: tensor<8192x8192xf8E4M3FNUZ>,
    %d: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FNUZ>, tensor<8192x8192xf8E4M3FNUZ>)

      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// CHECK-LABEL: func @medium
// CHECK: schedule(<tile = [64, 128, 128], waves = [4, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = shared>, stages = 2, epilogue = staged>)
func.func @medium(%a: tensor<2048x512xf8E4M3FNUZ>, %b: tensor<2048x512xf8E4M3FNUZ>,
    %d: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<2048x512xf8E4M3FNUZ>, tensor<2048x512xf8E4M3FNUZ>)

      outs(%d : tensor<2048x2048xbf16>) transpose_b -> tensor<2048x2048xbf16>
  return %0 : tensor<2048x2048xbf16>
}

// CHECK-LABEL: func @small_k
// CHECK: schedule(<tile = [256, 128, 64], waves = [4, 1], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = shared>, stages = 1>)
func.func @small_k(%a: tensor<8192x64xf8E4M3FNUZ>, %b: tensor<8192x64xf8E4M3FNUZ>,
    %d: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x64xf8E4M3FNUZ>, tensor<8192x64xf8E4M3FNUZ>)

      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// Compute units without a tile take parts of K.

// CHECK-LABEL: func @small_m
// CHECK: schedule(<tile = [16, 16, 256], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 2, split_k = 4>)
func.func @small_m(%a: tensor<16x4096xf8E4M3FNUZ>, %b: tensor<4096x4096xf8E4M3FNUZ>,
    %d: tensor<16x4096xbf16>) -> tensor<16x4096xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x4096xf8E4M3FNUZ>, tensor<4096x4096xf8E4M3FNUZ>)

      outs(%d : tensor<16x4096xbf16>) transpose_b -> tensor<16x4096xbf16>
  return %0 : tensor<16x4096xbf16>
}

// CHECK-LABEL: func @one_row
// CHECK: schedule(<tile = [16, 16, 256], waves = [1, 1], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 2, split_k = 4>)
func.func @one_row(%a: tensor<1x4096xf8E4M3FNUZ>, %b: tensor<4096x4096xf8E4M3FNUZ>,
    %d: tensor<1x4096xbf16>) -> tensor<1x4096xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<1x4096xf8E4M3FNUZ>, tensor<4096x4096xf8E4M3FNUZ>)

      outs(%d : tensor<1x4096xbf16>) transpose_b -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}

// CHECK-LABEL: func @skinny_n
// CHECK: schedule(<tile = [32, 32, 512], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 2, epilogue = staged>)
func.func @skinny_n(%a: tensor<4096x4096xf8E4M3FNUZ>, %b: tensor<24x4096xf8E4M3FNUZ>,
    %d: tensor<4096x24xbf16>) -> tensor<4096x24xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4096x4096xf8E4M3FNUZ>, tensor<24x4096xf8E4M3FNUZ>)

      outs(%d : tensor<4096x24xbf16>) transpose_b -> tensor<4096x24xbf16>
  return %0 : tensor<4096x24xbf16>
}

// Sums of blocks leave no registers for a second stage and a second workgroup.

// CHECK-LABEL: func @blocks
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 1, epilogue = staged>)
func.func @blocks(%a: tensor<8192x8192xf8E4M3FNUZ>, %b: tensor<8192x8192xf8E4M3FNUZ>,
    %d: tensor<8192x8192xbf16>,
    %sa: tensor<8192x64xf32>,
    %sb: tensor<64x64xf32>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FNUZ>, tensor<8192x8192xf8E4M3FNUZ>)
      lhs_scale(%sa : tensor<8192x64xf32>, <1x128>)
      rhs_scale(%sb : tensor<64x64xf32>, <128x128>)
      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// CHECK-LABEL: func @bf16
// CHECK: schedule(<tile = [128, 256, 32], waves = [1, 4], instr = mfma_f32_16x16x16_bf16, home = <a = shared, b = reg>, stages = 2, epilogue = staged>)
func.func @bf16(%a: tensor<8192x8192xbf16>, %b: tensor<8192x8192xbf16>,
    %d: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xbf16>, tensor<8192x8192xbf16>)

      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

}
