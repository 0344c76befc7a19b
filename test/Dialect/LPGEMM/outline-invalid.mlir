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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
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
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
module attributes {lpgemm.target = #lpgemm.target<"sm_100a">} {
func.func @no_lowering(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<4x1xf8E8M0FNU>, %sb: memref<4x1xf8E8M0FNU>,
    %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering for sm_100a yet; there is one for gfx942, gfx950, sm_80, sm_89, sm_90a}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 16, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @layout_of_scales(
    %a: memref<4x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %sa: memref<1x1x32x4x4xf8E8M0FNU, strided<[512, 512, 16, 8, 1]>>,
    %sb: memref<4x1xf8E8M0FNU>, %d: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to be contiguous in layout swz128x4, with stride 4 in dimension 3, but got 'memref<1x1x32x4x4xf8E8M0FNU, strided<[512, 512, 16, 8, 1]>>'}}
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      lhs_scale(%sa : memref<1x1x32x4x4xf8E8M0FNU, strided<[512, 512, 16, 8, 1]>>, <mx, layout = swz128x4>)
      rhs_scale(%sb : memref<4x1xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

// The limits of a kernel, where they are static. One less is taken.
#schedule = #lpgemm.schedule<tile = [16, 16, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @rows(
    %a: memref<2147418112x32xf8E4M3FN>, %b: memref<4x32xf8E4M3FN>,
    %d: memref<2147418112x4xf32>, %e: memref<2147418113x32xf8E4M3FN>,
    %f: memref<2147418113x4xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<2147418112x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      outs(%d : memref<2147418112x4xf32>) transpose_b schedule(#schedule)
  // expected-error @+1 {{'lpgemm.matmul' op expects M to be at most 2147418112, but lhs has 2147418113}}
  lpgemm.matmul
      ins(%e, %b : memref<2147418113x32xf8E4M3FN>, memref<4x32xf8E4M3FN>)
      outs(%f : memref<2147418113x4xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

#schedule = #lpgemm.schedule<tile = [16, 16, 32], waves = [1, 1],
  instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @pitch(
    %a: memref<4x32xf8E4M3FN, strided<[134213632, 1]>>,
    %b: memref<1x32xf8E4M3FN, strided<[134213633, 1]>>,
    %c: memref<4x32xf8E4M3FN, strided<[134213633, 1]>>,
    %d: memref<4x1xf32, strided<[33553408, 1]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<4x32xf8E4M3FN, strided<[134213632, 1]>>, memref<1x32xf8E4M3FN, strided<[134213633, 1]>>)
      outs(%d : memref<4x1xf32, strided<[33553408, 1]>>) transpose_b schedule(#schedule)
  // expected-error @+1 {{'lpgemm.matmul' op expects the row pitch of lhs to be at most 134213632 under this schedule, but got 'memref<4x32xf8E4M3FN, strided<[134213633, 1]>>'}}
  lpgemm.matmul
      ins(%c, %b : memref<4x32xf8E4M3FN, strided<[134213633, 1]>>, memref<1x32xf8E4M3FN, strided<[134213633, 1]>>)
      outs(%d : memref<4x1xf32, strided<[33553408, 1]>>) transpose_b schedule(#schedule)
  return
}
}

// -----

// A device does not reach the stack of the host; nor its constants.

#schedule = #lpgemm.schedule<tile = [16, 16, 128], waves = [1, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>,
  stages = 1>
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
memref.global "private" constant @scale : memref<f32> = dense<2.0>
func.func @host_memory(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                       %d: memref<?x?xf32>) {
  %s = memref.get_global @scale : memref<f32>
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale in memory that the device reaches, but it is a constant or on the stack of the host: copy it to a tensor of bufferization.alloc_tensor, or pass it as an argument}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%s : memref<f32>, <tensor>)
      outs(%d : memref<?x?xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

// The entry of the batch is that of the workgroup, not of a tile.
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4,
  persistent = true>
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @persistent_batch(%a: memref<?x?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                            %d: memref<?x?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op schedule: expects no persistent workgroups with batch dimensions, of which a workgroup has one entry}}
  lpgemm.matmul ins(%a, %b : memref<?x?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?x?xbf16>) transpose_b schedule(#schedule)
  return
}
}
