// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule | FileCheck %s
// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --lpgemm-select-schedule | FileCheck %s

// CHECK-LABEL: func @default
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4, strategy = ping_pong>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @default(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                   %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                   %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

// CHECK-LABEL: func @by_hand
// CHECK: schedule(<tile = [32, 64, 64], waves = [1, 2], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = shared>, stages = 1>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @by_hand(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                   %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                   %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [32, 64, 64], waves = [1, 2],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = reg, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}

// -----

// No engine copies rhs stored K x N: it comes through registers.

// CHECK-LABEL: func @k_by_n
// CHECK: outs(%{{.*}} : tensor<?x?xf32>) schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 4>)
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @k_by_n(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}
