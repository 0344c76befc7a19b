// RUN: lpgemm-opt %s --lpgemm-select-schedule | FileCheck %s

// What the model chooses for each kind of shape, and for each kind of scales.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {

// The matrix cores bind, and halves of the waves take turns.

// CHECK-LABEL: func @large
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, strategy = ping_pong, epilogue = staged>)
func.func @large(%a: tensor<8192x8192xf8E4M3FN>, %b: tensor<8192x8192xf8E4M3FN>,
    %d: tensor<8192x8192xbf16>,
    %sa: tensor<8192x256xf8E8M0FNU>,
    %sb: tensor<8192x256xf8E8M0FNU>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FN>, tensor<8192x8192xf8E4M3FN>)
      lhs_scale(%sa : tensor<8192x256xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8192x256xf8E8M0FNU>, <mx>)
      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// Lower tiles, two of them for each compute unit.

// CHECK-LABEL: func @medium
// CHECK: schedule(<tile = [64, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 3, epilogue = staged>)
func.func @medium(%a: tensor<2048x512xf8E4M3FN>, %b: tensor<2048x512xf8E4M3FN>,
    %d: tensor<2048x2048xbf16>,
    %sa: tensor<2048x16xf8E8M0FNU>,
    %sb: tensor<2048x16xf8E8M0FNU>) -> tensor<2048x2048xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<2048x512xf8E4M3FN>, tensor<2048x512xf8E4M3FN>)
      lhs_scale(%sa : tensor<2048x16xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<2048x16xf8E8M0FNU>, <mx>)
      outs(%d : tensor<2048x2048xbf16>) transpose_b -> tensor<2048x2048xbf16>
  return %0 : tensor<2048x2048xbf16>
}

// One K tile, of one instruction.

// CHECK-LABEL: func @small_k
// CHECK: schedule(<tile = [128, 256, 64], waves = [1, 4], instr = mfma_scale_f32_32x32x64_f8f6f4, home = <a = shared, b = shared>, stages = 1, epilogue = staged>)
func.func @small_k(%a: tensor<8192x64xf8E4M3FN>, %b: tensor<8192x64xf8E4M3FN>,
    %d: tensor<8192x8192xbf16>,
    %sa: tensor<8192x2xf8E8M0FNU>,
    %sb: tensor<8192x2xf8E8M0FNU>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x64xf8E4M3FN>, tensor<8192x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<8192x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8192x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// Latency binds: as many K tiles as possible are under way.

// CHECK-LABEL: func @small_m
// CHECK: schedule(<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 4, epilogue = staged>)
func.func @small_m(%a: tensor<16x4096xf8E4M3FN>, %b: tensor<4096x4096xf8E4M3FN>,
    %d: tensor<16x4096xbf16>,
    %sa: tensor<16x128xf8E8M0FNU>,
    %sb: tensor<4096x128xf8E8M0FNU>) -> tensor<16x4096xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x4096xf8E4M3FN>, tensor<4096x4096xf8E4M3FN>)
      lhs_scale(%sa : tensor<16x128xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4096x128xf8E8M0FNU>, <mx>)
      outs(%d : tensor<16x4096xbf16>) transpose_b -> tensor<16x4096xbf16>
  return %0 : tensor<16x4096xbf16>
}

// CHECK-LABEL: func @one_row
// CHECK: schedule(<tile = [16, 16, 256], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 4, epilogue = staged>)
func.func @one_row(%a: tensor<1x4096xf8E4M3FN>, %b: tensor<4096x4096xf8E4M3FN>,
    %d: tensor<1x4096xbf16>,
    %sa: tensor<1x128xf8E8M0FNU>,
    %sb: tensor<4096x128xf8E8M0FNU>) -> tensor<1x4096xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<1x4096xf8E4M3FN>, tensor<4096x4096xf8E4M3FN>)
      lhs_scale(%sa : tensor<1x128xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4096x128xf8E8M0FNU>, <mx>)
      outs(%d : tensor<1x4096xbf16>) transpose_b -> tensor<1x4096xbf16>
  return %0 : tensor<1x4096xbf16>
}

// CHECK-LABEL: func @skinny_n
// CHECK: schedule(<tile = [16, 32, 256], waves = [1, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 4, epilogue = staged>)
func.func @skinny_n(%a: tensor<4096x4096xf8E4M3FN>, %b: tensor<24x4096xf8E4M3FN>,
    %d: tensor<4096x24xbf16>,
    %sa: tensor<4096x128xf8E8M0FNU>,
    %sb: tensor<24x128xf8E8M0FNU>) -> tensor<4096x24xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4096x4096xf8E4M3FN>, tensor<24x4096xf8E4M3FN>)
      lhs_scale(%sa : tensor<4096x128xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<24x128xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4096x24xbf16>) transpose_b -> tensor<4096x24xbf16>
  return %0 : tensor<4096x24xbf16>
}

// Scales of a tensor, of blocks, and none.

// CHECK-LABEL: func @tensor_scale
// CHECK: schedule(<tile = [256, 256, 128], waves = [2, 4], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, strategy = ping_pong, epilogue = staged>)
func.func @tensor_scale(%a: tensor<8192x8192xf8E4M3FN>, %b: tensor<8192x8192xf8E4M3FN>,
    %d: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FN>, tensor<8192x8192xf8E4M3FN>)

      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// CHECK-LABEL: func @blocks
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, epilogue = staged>)
func.func @blocks(%a: tensor<8192x8192xf8E4M3FN>, %b: tensor<8192x8192xf8E4M3FN>,
    %d: tensor<8192x8192xbf16>,
    %sa: tensor<8192x64xf32>,
    %sb: tensor<64x64xf32>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xf8E4M3FN>, tensor<8192x8192xf8E4M3FN>)
      lhs_scale(%sa : tensor<8192x64xf32>, <1x128>)
      rhs_scale(%sb : tensor<64x64xf32>, <128x128>)
      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// CHECK-LABEL: func @bf16
// CHECK: schedule(<tile = [256, 256, 32], waves = [4, 2], instr = mfma_f32_16x16x16_bf16, home = <a = shared, b = shared>, stages = 2, strategy = ping_pong>)
func.func @bf16(%a: tensor<8192x8192xbf16>, %b: tensor<8192x8192xbf16>,
    %d: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8192x8192xbf16>, tensor<8192x8192xbf16>)

      outs(%d : tensor<8192x8192xbf16>) transpose_b -> tensor<8192x8192xbf16>
  return %0 : tensor<8192x8192xbf16>
}

// A cluster of one workgroup is none.

// CHECK-LABEL: func @alone
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, cluster = [1, 1]>)
func.func @alone(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                cluster = [1, 1]>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

}
