// RUN: not lpgemm-opt %s --transform-interpreter --split-input-file \
// RUN:   --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s

// What follows these errors is MLIR's own: that the loop could not be made.

// A block of 128 columns.

func.func @n_block(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %s: tensor<4x2xf32>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of N to be multiples of 128, where rhs_scale can be cut, but got 96; the nearest is 128{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) rhs_scale(%s : tensor<4x2xf32>, <128x128>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 96] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Layouts that pack rows.

func.func @m_swz(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %s: tensor<2x4x32x4x4xf8E8M0FNU>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of M to be multiples of 128, where lhs_scale can be cut, but got 64; the nearest is 128{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>)
      lhs_scale(%s : tensor<2x4x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @m_amd(%a: tensor<512x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %s: tensor<16x2x4x16x2x2xf8E8M0FNU>, %d: tensor<512x256xf32>) -> tensor<512x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of M to be multiples of 256, where lhs_scale can be cut, but got 128; the nearest is 256{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<512x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>)
      lhs_scale(%s : tensor<16x2x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>)
      outs(%d : tensor<512x256xf32>) -> tensor<512x256xf32>
  return %0 : tensor<512x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @m_tma(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %s: tensor<4x256xbf16>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of M to be multiples of 8, where lhs_scale can be cut, but got 12; the nearest is 16{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>)
      lhs_scale(%s : tensor<4x256xbf16>, <1x128, layout = mn_tma>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [12] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// (L-2) Rows of FP4 are cut between bytes.

func.func @n_fp4(%a: tensor<256x512xf4E2M1FN>, %b: tensor<512x256xf4E2M1FN>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of N to be multiples of 2, where rhs can be cut, but got 15; the nearest is 16{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf4E2M1FN>, tensor<512x256xf4E2M1FN>) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 15] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Scales of the result.

func.func @n_scale_outs(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf8E4M3FN>, %s: tensor<256x8xf8E8M0FNU>) -> (tensor<256x256xf8E4M3FN>, tensor<256x8xf8E8M0FNU>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of N to be multiples of 32, where scale_outs can be cut, but got 48; the nearest is 64{{$}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf8E4M3FN>)
      scale_outs(%s : tensor<256x8xf8E8M0FNU>, <mx>, rceil) -> tensor<256x256xf8E4M3FN>, tensor<256x8xf8E8M0FNU>
  return %0#0, %0#1 : tensor<256x256xf8E4M3FN>, tensor<256x8xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 48] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// amax needs all of the result.

func.func @m_amax(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>, %x: tensor<f32>) -> (tensor<256x256xf32>, tensor<f32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles to span all of M (tile size 0), because amax is a reduction over it, but got 32{{$}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf32>)
      amax(%x : tensor<f32>) -> tensor<256x256xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<256x256xf32>, tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @n_amax(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>, %x: tensor<f32>) -> (tensor<256x256xf32>, tensor<f32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles to span all of N (tile size 0), because amax is a reduction over it, but got 32{{$}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf32>)
      amax(%x : tensor<f32>) -> tensor<256x256xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<256x256xf32>, tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// (C12) K in a loop that carries init.

func.func @k_full(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles to span all of K (tile size 0), because init is a reduction over it that does not start with what init holds (C12): tile it as a partial reduction, one tile after the other, but got 128{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The blocks of both sides: 128 and 4 times 32.

func.func @k_blocks(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %sa: tensor<256x4xf32>, %sb: tensor<4x256x4xf8E8M0FNU>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of K to be multiples of 128, where lhs_scale can be cut, but got 96; the nearest is 128{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>)
      lhs_scale(%sa : tensor<256x4xf32>, <1x128>)
      rhs_scale(%sb : tensor<4x256x4xf8E8M0FNU>, <1x32, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 96] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Only a plain sum goes on.

func.func @k_alpha(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got alpha{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) alpha(2.0) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_c(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %c: tensor<256x256xf32>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got c{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) c(%c : tensor<256x256xf32>) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_bias(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %c: tensor<256xf32>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got bias{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) bias(%c : tensor<256xf32>, m) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_epilogue(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got an epilogue{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf32>) epilogue(%t) {
    lpgemm.yield %t : f32
  } -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_bf16(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xbf16>) -> tensor<256x256xbf16> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got a result of type 'bf16'{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xbf16>) -> tensor<256x256xbf16>
  return %0 : tensor<256x256xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_d_scale(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %s: tensor<f32>, %d: tensor<256x256xf8E4M3FN>) -> tensor<256x256xf8E4M3FN> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got d_scale{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) d_scale(%s : tensor<f32>) outs(%d : tensor<256x256xf8E4M3FN>) -> tensor<256x256xf8E4M3FN>
  return %0 : tensor<256x256xf8E4M3FN>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_scale_outs(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf8E4M3FN>, %s: tensor<256x8xf8E8M0FNU>) -> (tensor<256x256xf8E4M3FN>, tensor<256x8xf8E8M0FNU>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got scale_outs{{$}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf8E4M3FN>)
      scale_outs(%s : tensor<256x8xf8E8M0FNU>, <mx>, rceil) -> tensor<256x256xf8E4M3FN>, tensor<256x8xf8E8M0FNU>
  return %0#0, %0#1 : tensor<256x256xf8E4M3FN>, tensor<256x8xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_amax(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>, %x: tensor<f32>) -> (tensor<256x256xf32>, tensor<f32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got amax{{$}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf32>) amax(%x : tensor<f32>) -> tensor<256x256xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<256x256xf32>, tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_i8_f32(%a: tensor<256x512xi8>, %b: tensor<512x256xi8>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects a plain sum in f32 or i32 to tile K, such as lpgemm-split-epilogue makes, but got the conversion of an i32 sum to f32{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xi8>, tensor<512x256xi8>) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_parallel(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects the tiles of K one after the other, because they share one sum, but got tiles in parallel{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_forall %0 by tile_sizes = [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Groups.

func.func @contiguous_m(%a: tensor<256x512xf8E4M3FN>, %b: tensor<4x512x256xf8E4M3FN>, %g: tensor<4xi32>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.grouped_matmul' op expects tiles to span all of M (tile size 0), because groups holds offsets of rows of all of M, but got 128{{$}}
  %0 = lpgemm.grouped_matmul contiguous ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<4x512x256xf8E4M3FN>) groups(%g : tensor<4xi32>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @contiguous_g(%a: tensor<256x512xf8E4M3FN>, %b: tensor<4x512x256xf8E4M3FN>, %g: tensor<4xi32>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.grouped_matmul' op expects tiles to span all of G (tile size 0), because a group starts where another one ends, but got 2{{$}}
  %0 = lpgemm.grouped_matmul contiguous ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<4x512x256xf8E4M3FN>) groups(%g : tensor<4xi32>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @masked_m(%a: tensor<4x256x512xf8E4M3FN>, %b: tensor<4x512x256xf8E4M3FN>, %g: tensor<4xi32>, %d: tensor<4x256x256xf32>) -> tensor<4x256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.grouped_matmul' op expects tiles to span all of M (tile size 0), because groups counts the rows of all of M, but got 128{{$}}
  %0 = lpgemm.grouped_matmul masked ins(%a, %b : tensor<4x256x512xf8E4M3FN>, tensor<4x512x256xf8E4M3FN>) groups(%g : tensor<4xi32>)
      outs(%d : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  return %0 : tensor<4x256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @k_grouped_g(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %g: tensor<4xi32>, %d: tensor<4x256x256xf32>) -> tensor<4x256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.grouped_matmul' op expects tiles to span all of G (tile size 0), because a group starts where another one ends, but got 2{{$}}
  %0 = lpgemm.grouped_matmul k_grouped ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>) groups(%g : tensor<4xi32>)
      outs(%d : tensor<4x256x256xf32>) -> tensor<4x256x256xf32>
  return %0 : tensor<4x256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @contiguous_k(%a: tensor<256x512xf8E4M3FN>, %b: tensor<4x512x256xf8E4M3FN>, %g: tensor<4xi32>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.grouped_matmul' op expects tiles to span all of K (tile size 0), because init is a reduction over it, but got 128{{$}}
  %0 = lpgemm.grouped_matmul contiguous ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<4x512x256xf8E4M3FN>) groups(%g : tensor<4xi32>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @memref(%a: memref<256x512xf8E4M3FN>, %b: memref<512x256xf8E4M3FN>, %d: memref<256x256xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tensors, because only they are tiled, but got no result: tile before bufferization{{$}}
  lpgemm.matmul ins(%a, %b : memref<256x512xf8E4M3FN>, memref<512x256xf8E4M3FN>) outs(%d : memref<256x256xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Quantization.

func.func @quantize_k(%x: tensor<256x512xf32>, %q: tensor<256x512xf8E4M3FN>, %s: tensor<256x16xf8E8M0FNU>) -> (tensor<256x512xf8E4M3FN>, tensor<256x16xf8E8M0FNU>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.quantize' op expects tiles of K to be multiples of 32, where scale_outs can be cut, but got 48; the nearest is 64{{$}}
  %0:2 = lpgemm.quantize ins(%x : tensor<256x512xf32>) outs(%q : tensor<256x512xf8E4M3FN>)
      scale_outs(%s : tensor<256x16xf8E8M0FNU>, rceil) <mx> -> tensor<256x512xf8E4M3FN>, tensor<256x16xf8E8M0FNU>
  return %0#0, %0#1 : tensor<256x512xf8E4M3FN>, tensor<256x16xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.quantize"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 48] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @quantize_row(%x: tensor<256x512xf32>, %q: tensor<256x512xf8E4M3FN>, %s: tensor<256xf32>) -> (tensor<256x512xf8E4M3FN>, tensor<256xf32>) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.quantize' op expects tiles to span all of K (tile size 0), because scale_outs is a reduction over it, but got 64{{$}}
  %0:2 = lpgemm.quantize ins(%x : tensor<256x512xf32>) outs(%q : tensor<256x512xf8E4M3FN>)
      scale_outs(%s : tensor<256xf32>, amax) <row> -> tensor<256x512xf8E4M3FN>, tensor<256xf32>
  return %0#0, %0#1 : tensor<256x512xf8E4M3FN>, tensor<256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.quantize"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @quantize_sr(%x: tensor<256x512xf32>, %q: tensor<256x512xf8E4M3FN>, %s: tensor<f32>) -> tensor<256x512xf8E4M3FN> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.quantize' op expects tiles to span all of R (tile size 0), because random bits follow the place of an element (C-16), but got 64{{$}}
  %0 = lpgemm.quantize ins(%x : tensor<256x512xf32>) scale(%s : tensor<f32>)
      outs(%q : tensor<256x512xf8E4M3FN>) <tensor> round = sr seed = 1 -> tensor<256x512xf8E4M3FN>
  return %0 : tensor<256x512xf8E4M3FN>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.quantize"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tile of a negative size would be a loop that writes nothing.

func.func @negative(%a: tensor<256x512xf8E4M3FN>, %b: tensor<512x256xf8E4M3FN>, %d: tensor<256x256xf32>) -> tensor<256x256xf32> {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: 'lpgemm.matmul' op expects tiles of M to have a size of at least 0, but got -16{{$}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<256x512xf8E4M3FN>, tensor<512x256xf8E4M3FN>)
      outs(%d : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [-16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
