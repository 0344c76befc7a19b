// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// What has no lowering to kernels is named, and the nearest form that has one.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @scale_outs(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                      %d: memref<?x?xf8E4M3FN>, %ds: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels with scale_outs of kind 1x128 in layout row yet: only of kind mx in layout row}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E4M3FN>)
      scale_outs(%ds : memref<?x?xf32>, <1x128>, amax) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @scale_outs_layout(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                      %d: memref<?x?xf8E4M3FN>, %ds: memref<?x?xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels with scale_outs of kind mx in layout col yet: only of kind mx in layout row}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E4M3FN>)
      scale_outs(%ds : memref<?x?xf8E8M0FNU>, <mx, layout = col>, rceil) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @grouped(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?x?xf8E4M3FN>,
                   %groups: memref<?xi32>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op has no lowering to kernels yet: only lpgemm.matmul has}}
  lpgemm.grouped_matmul contiguous
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?x?xf8E4M3FN>)
      groups(%groups : memref<?xi32>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// A row is not contiguous where the batch is the last dimension.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @batch_last(%a: memref<?x?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                      %u: memref<?x?x?xf32>, %d: memref<?x?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for the map of epilogue operand 0, affine_map<(d0, d1, d2) -> (d1, d2, d0)>, yet: only for a row and a column, each at most once, and behind both no batch dimension}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?x?xf32>) transpose_b
      epilogue(%t, %v = %u : memref<?x?x?xf32>
                   by affine_map<(b, m, n) -> (m, n, b)>) {
        %0 = arith.mulf %t, %v : f32
        lpgemm.yield %0 : f32
      }
  return
}
}

// -----

// Positions in kernels have 32 bits.
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @blocks(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                  %s: memref<?x?xf32>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op lhs_scale: expects blocks of at most 2147483647 elements for a kernel, but got 4294967296}}
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%s : memref<?x?xf32>, <1x4294967296>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

// Positions in kernels have 32 bits.
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @blocks(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                  %s: memref<?x?xf32>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op lhs_scale: expects blocks of at most 2147483647 elements for a kernel, but got 4294967296}}
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%s : memref<?x?xf32>, <1x4294967296>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @pairs_of_fp6(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf6E2M3FN>, %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for init of 'f6E2M3FN' behind an epilogue of pairs yet: only for 'f32', 'bf16', 'f16', FP8 and FP4}}
  %0:2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf6E2M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, rceil) transpose_b
      epilogue(%t, %u) {
        %0 = arith.mulf %t, %u : f32
        lpgemm.yield %0 : f32
      } -> tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>
}
}
