// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

!f8 = memref<64x64xf8E4M3FN>

func.func @matmul_c25_lhs(%a: !f8, %b: !f8) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to be memory that nothing else is read from or written to, but got that of lhs}}
  lpgemm.matmul ins(%a, %b : !f8, !f8) outs(%a : !f8)
  return
}

// -----

!f8 = memref<64x64xf8E4M3FN>

func.func @matmul_c25_rhs(%a: !f8, %b: !f8) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to be memory that nothing else is read from or written to, but got that of rhs}}
  lpgemm.matmul ins(%a, %b : !f8, !f8) outs(%b : !f8)
  return
}

// -----

!f8 = memref<64x64xf8E4M3FN>

func.func @matmul_c25_lhs_scale(%a: !f8, %b: !f8, %s: memref<64x1xf32>,
    %d: !f8) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs to be memory that nothing else is read from or written to, but got that of lhs_scale}}
  lpgemm.matmul ins(%a, %b : !f8, !f8) lhs_scale(%s : memref<64x1xf32>, <1x128>)
      outs(%d : !f8) scale_outs(%s : memref<64x1xf32>, <1x128>, amax) transpose_b
  return
}

// -----

!f8 = memref<64x64xf8E4M3FN>

func.func @matmul_c25_amax(%a: !f8, %b: !f8, %d: !f8, %s: memref<f32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects amax to be memory that nothing else is read from or written to, but got that of d_scale}}
  lpgemm.matmul ins(%a, %b : !f8, !f8) d_scale(%s : memref<f32>) outs(%d : !f8)
      amax(%s : memref<f32>)
  return
}

// -----

!f8 = memref<64x64xf8E4M3FN>
!f32 = memref<64x64xf32>

func.func @matmul_c25_transposed(%a: !f8, %b: !f8, %d: !f32) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to be memory that nothing else is read from or written to, but got that of an epilogue operand}}
  lpgemm.matmul ins(%a, %b : !f8, !f8) outs(%d : !f32)
      epilogue(%t, %x = %d : !f32 by affine_map<(m, n) -> (n, m)>) {
        lpgemm.yield %x : f32
      }
  return
}

// -----

// Rows that no group covers are zero before C is read.

func.func @grouped_matmul_c25_c(%a: memref<64x64xf8E4M3FN>,
    %b: memref<2x64x64xf8E4M3FN>, %g: memref<2xi32>, %d: memref<64x64xf32>) {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects init to be memory that nothing else is read from or written to, but got that of c}}
  lpgemm.grouped_matmul contiguous
      ins(%a, %b : memref<64x64xf8E4M3FN>, memref<2x64x64xf8E4M3FN>)
      groups(%g : memref<2xi32>) c(%d : memref<64x64xf32>)
      outs(%d : memref<64x64xf32>)
  return
}

// -----

func.func @quantize_c25_amax(%x: memref<64x64xf32>, %q: memref<64x64xf8E4M3FN>,
    %s: memref<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects amax to be memory that nothing else is read from or written to, but got that of scale}}
  lpgemm.quantize ins(%x : memref<64x64xf32>) scale(%s : memref<f32>)
      outs(%q : memref<64x64xf8E4M3FN>) amax(%s : memref<f32>) <tensor>
  return
}

// -----

// In the layout of columns scales may have the type that they had in that of rows.

func.func @pack_scales_c25(%s: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init to be memory that nothing else is read from or written to, but got that of input}}
  lpgemm.pack_scales ins(%s : memref<4x4xf32>) outs(%s : memref<4x4xf32>) <1x128, layout = col>
  return
}

// -----

func.func @unpack_scales_c25(%s: memref<4x4xf32>) {
  // expected-error @+1 {{'lpgemm.unpack_scales' op expects init to be memory that nothing else is read from or written to, but got that of input}}
  lpgemm.unpack_scales ins(%s : memref<4x4xf32>) outs(%s : memref<4x4xf32>) <1x128, layout = col>
  return
}

// -----

// What is read just for the element that takes its place may be overwritten, and
// tensors are values.

!f8 = memref<64x64xf8E4M3FN>
!f32 = memref<64x64xf32>

func.func @in_place(%a: !f8, %b: !f8, %d: !f32) {
  lpgemm.matmul ins(%a, %b : !f8, !f8) c(%d : !f32) outs(%d : !f32)
      epilogue(%t, %x = %d : !f32) {
        lpgemm.yield %x : f32
      }
  return
}

func.func @tensors(%a: tensor<64x64xf8E4M3FN>) -> tensor<64x64xf8E4M3FN> {
  %0 = lpgemm.matmul ins(%a, %a : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>)
      outs(%a : tensor<64x64xf8E4M3FN>) -> tensor<64x64xf8E4M3FN>
  return %0 : tensor<64x64xf8E4M3FN>
}
