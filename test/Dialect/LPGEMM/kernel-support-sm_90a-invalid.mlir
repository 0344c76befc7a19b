// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// What the way to sm_90a does not cover is named, and the nearest form that it
// does.

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @i8(%a: memref<?x?xi8>, %b: memref<?x?xi8>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a for 'i8' x 'i8' yet: only for both of one of {f8E4M3FN, f8E5M2}, {bf16}, {f16}}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @fnuz(%a: memref<?x?xf8E4M3FNUZ>, %b: memref<?x?xf8E4M3FNUZ>,
    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a for 'f8E4M3FNUZ' x 'f8E4M3FNUZ' yet: only for both of one of {f8E4M3FN, f8E5M2}, {bf16}, {f16}}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FNUZ>, memref<?x?xf8E4M3FNUZ>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @transpose_a(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a with transpose_a yet: only for lhs stored M x K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_a transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @k_by_n(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a without transpose_b yet: only for rhs stored N x K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>)
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @mx(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>, %sb: memref<?x?xf8E8M0FNU>, %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a for lhs_scale of kind mx yet: only for tensor, row, column and blocks of a multiple of 128 elements of K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xbf16>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @short_blocks(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>, %sb: memref<?x?xf32>, %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a for lhs_scale of kind 1x64 yet: only for tensor, row, column and blocks of a multiple of 128 elements of K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x64>)
      rhs_scale(%sb : memref<?x?xf32>, <1x64>)
      outs(%d : memref<?x?xbf16>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @rhs_blocks(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf32>, %sb: memref<?x?xf32>, %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a for rhs_scale of kind 64x64 yet: only for tensor, row, column and blocks of a multiple of 128 elements of K}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<?x?xf32>, <64x64>)
      outs(%d : memref<?x?xbf16>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @layout(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %sa: memref<?x?xf8E8M0FNU>, %sb: memref<?x?x32x4x4xf8E8M0FNU>, %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a for rhs_scale in layout swz128x4 yet: only in row, col, mn_tma}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <1x128, layout = row>)
      rhs_scale(%sb : memref<?x?x32x4x4xf8E8M0FNU>, <1x128, layout = swz128x4>)
      outs(%d : memref<?x?xbf16>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @promote_k(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a with promote_k = 64 yet: only with multiples of 128, such as 128}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 64
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @scale_outs(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                      %d: memref<?x?xf8E4M3FN>, %ds: memref<?x?xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a with scale_outs yet}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E4M3FN>)
      scale_outs(%ds : memref<?x?xf8E8M0FNU>, <mx>, rceil) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @pairs(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
    %d: memref<?x?xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels of sm_90a with an epilogue of pairs of columns yet: only of single ones, such as that of a second product, which takes the first one}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b epilogue(%t, %u) {
        %0 = arith.mulf %t, %u : f32
        lpgemm.yield %0 : f32
      }
  return
}
}
