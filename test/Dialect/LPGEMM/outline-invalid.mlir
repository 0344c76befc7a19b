// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-outline

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @no_schedule(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects a schedule and memref operands: run lpgemm-bufferize and lpgemm-select-schedule first}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @tensors(
    %a: tensor<4x32xf8E4M3FN>, %b: tensor<4x32xf8E4M3FN>,
    %sa: tensor<4x1xf8E8M0FNU>, %sb: tensor<4x1xf8E8M0FNU>,
    %d: tensor<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects a schedule and memref operands: run lpgemm-bufferize and lpgemm-select-schedule first}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x32xf8E4M3FN>,
                   tensor<4x32xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4x1xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x4xf32>) transpose_b schedule(#schedule) -> tensor<4x4xf32>
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module {
func.func @no_target(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op needs a target: run lpgemm-attach-target first}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stride_lhs(
    %a: memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have innermost stride 1, but got 'memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>'; bufferize with lpgemm-bufferize, or one-shot-bufferize with function-boundary-type-conversion=identity-layout-map}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stride_rhs(
    %a: memref<4x32xf8E4M3FN>, %b: memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to have innermost stride 1, but got 'memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>'; bufferize with lpgemm-bufferize, or one-shot-bufferize with function-boundary-type-conversion=identity-layout-map}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>,
                   memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stride_lhs_scale(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU, strided<[?, ?], offset: ?>>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have innermost stride 1, but got 'memref<?x?xf8E8M0FNU, strided<[?, ?], offset: ?>>'; bufferize with lpgemm-bufferize, or one-shot-bufferize with function-boundary-type-conversion=identity-layout-map}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU, strided<[?, ?], offset: ?>>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stride_rhs_scale(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<?x?xf8E8M0FNU, strided<[?, ?], offset: ?>>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale to have innermost stride 1, but got 'memref<?x?xf8E8M0FNU, strided<[?, ?], offset: ?>>'; bufferize with lpgemm-bufferize, or one-shot-bufferize with function-boundary-type-conversion=identity-layout-map}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU, strided<[?, ?], offset: ?>>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stride_init(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32, strided<[1, 4]>>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have innermost stride 1, but got 'memref<4x4xf32, strided<[1, 4]>>'; bufferize with lpgemm-bufferize, or one-shot-bufferize with function-boundary-type-conversion=identity-layout-map}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32, strided<[1, 4]>>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @layout(
    %a: memref<4x32xf8E4M3FN, affine_map<(d0, d1) -> (d0, d1 floordiv 2, d1 mod 2)>>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have a strided layout, but got 'memref<4x32xf8E4M3FN, affine_map<(d0, d1) -> (d0, d1 floordiv 2, d1 mod 2)>>'}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN, affine_map<(d0, d1) -> (d0, d1 floordiv 2, d1 mod 2)>>,
                   memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
%a = memref.alloc() : memref<4x32xf8E4M3FN>
%s = memref.alloc() : memref<4x1xf8E8M0FNU>
%d = memref.alloc() : memref<4x4xf32>
// expected-error @+1 {{'lpgemm.matmul' op expects to be in a function}}
lpgemm.matmul
    ins(%a, %a : memref<4x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
    lhs_scale(%s : memref<4x1xf8E8M0FNU>, <mx>)
    rhs_scale(%s : memref<4x1xf8E8M0FNU>, <mx>)
    outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 32, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8_fp8, home = <a = reg, b = reg>>
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @no_lowering(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering for gfx942 yet; lpgemm-lower-to-rocdl knows gfx950}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}
