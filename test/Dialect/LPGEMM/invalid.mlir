// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c1_forms(%a: memref<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to be a memref like lhs, but got 'tensor<8x64xf8E4M3FN>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c2_rank(%a: tensor<1x4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have rank 2, but got 'tensor<1x4x64xf8E4M3FN>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<1x4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c3_k(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 (K) to be 64, K of lhs, but got 32}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x32xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c3_k_not_transposed(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 0 (K) to be 64, K of lhs, but got 8}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c4_m(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<5x8xf32>) -> tensor<5x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 0 (M) to be 4, M of lhs, but got 5}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<5x8xf32>) transpose_b -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

func.func @matmul_c4_n(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x9xf32>) -> tensor<4x9xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 1 (N) to be 8, N of rhs, but got 9}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x9xf32>) transpose_b -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

func.func @matmul_c5_lhs(%a: tensor<4x64xf8E4M3>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN' or 'f8E5M2', but got 'f8E4M3'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_rhs(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E5M2FNUZ>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to have element type 'f8E4M3FN' or 'f8E5M2', but got 'f8E5M2FNUZ'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E5M2FNUZ>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c6(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', but got 'bf16'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xbf16>) transpose_b -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// -----

func.func @matmul_c7_lhs(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale with its kind, such as <mx>, but got none}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c7_rhs(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale with its kind, such as <mx>, but got none}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf32>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind mx to have element type 'f8E8M0FNU', but got 'f32'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf32>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_rows(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<3x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 (rows) to be 4, that of lhs, but got 3}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<3x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_blocks(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x1xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 1 (K blocks) to be 2, ceil(K / 32) of rhs, but got 1}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x1xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_blocks_of_ragged_k(%a: tensor<4x65xf8E4M3FN>, %b: tensor<8x65xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x3xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 1 (K blocks) to be 3, ceil(K / 32) of lhs, but got 2}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x65xf8E4M3FN>, tensor<8x65xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x3xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_not_transposed(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 1 (columns) to be 8, that of rhs, but got 2}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c10_none(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects a result with a tensor init, but got none}}
  lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b
  return
}

// -----

func.func @matmul_c10_type(%a: tensor<4x64xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the result type to be that of init, 'tensor<4x8xf32>', but got 'tensor<?x?xf32>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @matmul_c10_memref(%a: memref<4x64xf8E4M3FN>, %b: memref<8x64xf8E4M3FN>, %sa: memref<4x2xf8E8M0FNU>, %sb: memref<8x2xf8E8M0FNU>, %d: memref<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects no result with a memref init, but got 'tensor<4x8xf32>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<8x64xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c11_encoding(%a: tensor<4x64xf8E4M3FN, "packed">, %b: tensor<8x64xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have no encoding, but got "packed"}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN, "packed">, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c11_space(%a: memref<4x64xf8E4M3FN>, %b: memref<8x64xf8E4M3FN, #gpu.address_space<workgroup>>, %sa: memref<4x2xf8E8M0FNU>, %sb: memref<8x2xf8E8M0FNU>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to be in the default memory space, but got #gpu.address_space<workgroup>}}
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<8x64xf8E4M3FN, #gpu.address_space<workgroup>>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>) transpose_b
  return
}

// -----

func.func @matmul_c11_layout(%a: memref<4x64xf8E4M3FN, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, %b: memref<8x64xf8E4M3FN>, %sa: memref<4x2xf8E8M0FNU>, %sb: memref<8x2xf8E8M0FNU>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have a strided layout, but got 'memref<4x64xf8E4M3FN, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, memref<8x64xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<8x2xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>) transpose_b
  return
}

// -----

// expected-error @+1 {{unknown chip 'gfx000', expected one of gfx950}}
module attributes {lpgemm.target = #lpgemm.target<"gfx000">} {
}

// -----

// expected-error @+1 {{expects attribute 'lpgemm.target' to be a #lpgemm.target, but got "gfx950"}}
module attributes {lpgemm.target = "gfx950"} {
}

// -----

// expected-error @+1 {{expects tile to be three positive extents M, N, K}}
#schedule = #lpgemm.schedule<tile = [128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>>

// -----

// expected-error @+1 {{expects waves to be two positive counts along M, N}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 0], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>>

// -----

// expected-error @+1 {{expects the tile's N (128) to be a multiple of the waves along it (3)}}
#schedule = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 3], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>>

// -----

// expected-error @+1 {{expects mask to be a power of two less 1, but got 6}}
#smem = #lpgemm.smem<pad = 0, unit = 16, mask = 6, shift = 0>

// -----

// expected-error @+1 {{expects unit to be a power of two, but got 12}}
#smem = #lpgemm.smem<pad = 0, unit = 12, mask = 7, shift = 0>

// -----

// expected-error @+1 {{expects extents of tile and waves of at most 65536, but got 4611686018427387904}}
#schedule = #lpgemm.schedule<tile = [128, 128, 4611686018427387904], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>>
