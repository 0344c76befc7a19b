// RUN: lpgemm-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s
// RUN: lpgemm-opt %s --lpgemm-bufferize | FileCheck %s --check-prefix=PIPE

// lpgemm-bufferize agrees on what is copied.

// PIPE-LABEL: func @keep_in_place(
// PIPE-NOT: linalg.copy
// PIPE-LABEL: func @keep_init_in_use(
// PIPE: linalg.copy
// PIPE: lpgemm.grouped_matmul
// PIPE-LABEL: func @undef_init_in_use(
// PIPE-NOT: linalg.copy

// Rows that keep what init held are written in place where that is not needed any
// more; otherwise init is copied, for it is read.

// CHECK-LABEL: func @keep_in_place(
// CHECK-NEXT: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : memref<6x64xf8E4M3FN>, memref<3x64x8xf8E4M3FN>) groups(%arg2 : memref<3xi32>) uncovered = keep outs(%arg3 : memref<6x8xf32>){{$}}
// CHECK-NEXT: return %arg3 : memref<6x8xf32>{{$}}
func.func @keep_in_place(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) uncovered = keep outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// CHECK-LABEL: func @keep_init_in_use(
// CHECK-NEXT: %alloc = memref.alloc() {alignment = 64 : i64} : memref<6x8xf32>{{$}}
// CHECK-NEXT: memref.copy %arg3, %alloc : memref<6x8xf32> to memref<6x8xf32>{{$}}
// CHECK-NEXT: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : memref<6x64xf8E4M3FN>, memref<3x64x8xf8E4M3FN>) groups(%arg2 : memref<3xi32>) uncovered = keep outs(%alloc : memref<6x8xf32>){{$}}
// CHECK-NEXT: return %alloc, %arg3 : memref<6x8xf32>, memref<6x8xf32>{{$}}
func.func @keep_init_in_use(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) uncovered = keep outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0, %d : tensor<6x8xf32>, tensor<6x8xf32>
}

// Other products do not read init: no copy.

// CHECK-LABEL: func @undef_init_in_use(
// CHECK-NEXT: %alloc = memref.alloc() {alignment = 64 : i64} : memref<6x8xf32>{{$}}
// CHECK-NEXT: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : memref<6x64xf8E4M3FN>, memref<3x64x8xf8E4M3FN>) groups(%arg2 : memref<3xi32>) outs(%alloc : memref<6x8xf32>){{$}}
// CHECK-NEXT: return %alloc, %arg3 : memref<6x8xf32>, memref<6x8xf32>{{$}}
func.func @undef_init_in_use(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0, %d : tensor<6x8xf32>, tensor<6x8xf32>
}

// CHECK-LABEL: func @zero_init_in_use(
// CHECK-NEXT: %alloc = memref.alloc() {alignment = 64 : i64} : memref<6x8xf32>{{$}}
// CHECK-NEXT: lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : memref<6x64xf8E4M3FN>, memref<3x64x8xf8E4M3FN>) groups(%arg2 : memref<3xi32>) uncovered = zero outs(%alloc : memref<6x8xf32>){{$}}
// CHECK-NEXT: return %alloc, %arg3 : memref<6x8xf32>, memref<6x8xf32>{{$}}
func.func @zero_init_in_use(%a: tensor<6x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %g: tensor<3xi32>, %d: tensor<6x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) uncovered = zero outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0, %d : tensor<6x8xf32>, tensor<6x8xf32>
}

// Several results, each in its own destination.

// CHECK-LABEL: func @results(
// CHECK-NEXT: lpgemm.matmul ins(%arg0, %arg1 : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) outs(%arg2 : memref<4x8xf8E4M3FN>) scale_outs(%arg3 : memref<4x1xf8E8M0FNU>, <mx>, rceil) amax(%arg4 : memref<f32>){{$}}
// CHECK-NEXT: return %arg2, %arg3, %arg4 : memref<4x8xf8E4M3FN>, memref<4x1xf8E8M0FNU>, memref<f32>{{$}}
func.func @results(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf8E8M0FNU>, %m: tensor<f32>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>, tensor<f32>) {
  %0:3 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, rceil)
      amax(%m : tensor<f32>)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>, tensor<f32>
  return %0#0, %0#1, %0#2
      : tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>, tensor<f32>
}

// An epilogue moves along.

// CHECK-LABEL: func @epilogue(
// CHECK-NEXT: lpgemm.matmul ins(%arg0, %arg1 : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) outs(%arg3 : memref<4x8xf32>) epilogue(%arg4, %arg5 = %arg2 : memref<4x8xf32>) {
// CHECK-NEXT: %0 = arith.addf %arg4, %arg5 : f32{{$}}
// CHECK-NEXT: lpgemm.yield %0 : f32{{$}}
// CHECK-NEXT: }{{$}}
// CHECK-NEXT: return %arg3 : memref<4x8xf32>{{$}}
func.func @epilogue(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %c : tensor<4x8xf32>) {
        %y = arith.addf %t, %r : f32
        lpgemm.yield %y : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// (C25) C that is init as well is read where D is written, and before that.

// CHECK-LABEL: func @c_is_init(
// CHECK-NEXT: lpgemm.matmul ins(%arg0, %arg1 : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) c(%arg2 : memref<4x8xf32>) outs(%arg2 : memref<4x8xf32>){{$}}
// CHECK-NEXT: return %arg2 : memref<4x8xf32>{{$}}
func.func @c_is_init(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%d : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A chain of quantization and product.

// CHECK-LABEL: func @chain(
// CHECK-NEXT: %alloc = memref.alloc() {alignment = 64 : i64} : memref<4x64xf8E4M3FN>{{$}}
// CHECK-NEXT: %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4x2xf8E8M0FNU>{{$}}
// CHECK-NEXT: %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<1x1x32x4x4xf8E8M0FNU>{{$}}
// CHECK-NEXT: lpgemm.quantize ins(%arg0 : memref<4x64xf32>) outs(%alloc : memref<4x64xf8E4M3FN>) scale_outs(%alloc_0 : memref<4x2xf8E8M0FNU>, rceil) <mx>{{$}}
// CHECK-NEXT: lpgemm.pack_scales ins(%alloc_0 : memref<4x2xf8E8M0FNU>) outs(%alloc_1 : memref<1x1x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>{{$}}
// CHECK-NEXT: lpgemm.matmul ins(%alloc, %arg1 : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) lhs_scale(%alloc_1 : memref<1x1x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>) outs(%arg2 : memref<4x8xf32>){{$}}
// CHECK-NEXT: return %arg2 : memref<4x8xf32>{{$}}
func.func @chain(%x: tensor<4x64xf32>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %q = tensor.empty() : tensor<4x64xf8E4M3FN>
  %s = tensor.empty() : tensor<4x2xf8E8M0FNU>
  %p = tensor.empty() : tensor<1x1x32x4x4xf8E8M0FNU>
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  %1 = lpgemm.pack_scales ins(%0#1 : tensor<4x2xf8E8M0FNU>)
      outs(%p : tensor<1x1x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<1x1x32x4x4xf8E8M0FNU>
  %2 = lpgemm.matmul
      ins(%0#0, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%1 : tensor<1x1x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// CHECK-LABEL: func @dequantize(
// CHECK-NEXT: lpgemm.dequantize ins(%arg0 : memref<4x64xf8E4M3FN>) scale(%arg1 : memref<4x2xf8E8M0FNU>) outs(%arg2 : memref<4x64xf32>) <mx>{{$}}
// CHECK-NEXT: return %arg2 : memref<4x64xf32>{{$}}
func.func @dequantize(%q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// CHECK-LABEL: func @unpack_scales(
// CHECK-NEXT: lpgemm.unpack_scales ins(%arg0 : memref<2x2x32x4x4xf8E8M0FNU>) outs(%arg1 : memref<200x6xf8E8M0FNU>) <mx, layout = swz128x4>{{$}}
// CHECK-NEXT: return %arg1 : memref<200x6xf8E8M0FNU>{{$}}
func.func @unpack_scales(%s: tensor<2x2x32x4x4xf8E8M0FNU>,
    %p: tensor<200x6xf8E8M0FNU>) -> tensor<200x6xf8E8M0FNU> {
  %0 = lpgemm.unpack_scales ins(%s : tensor<2x2x32x4x4xf8E8M0FNU>)
      outs(%p : tensor<200x6xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<200x6xf8E8M0FNU>
  return %0 : tensor<200x6xf8E8M0FNU>
}

// CHECK-LABEL: func @pack_weights(
// CHECK-NEXT: lpgemm.pack_weights w16x16 ins(%arg0 : memref<32x64xf8E4M3FN>) outs(%arg1 : memref<2x4x16x16xf8E4M3FN>){{$}}
// CHECK-NEXT: return %arg1 : memref<2x4x16x16xf8E4M3FN>{{$}}
func.func @pack_weights(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN> {
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>
  return %0 : tensor<2x4x16x16xf8E4M3FN>
}

// CHECK-LABEL: func @unpack_weights(
// CHECK-NEXT: lpgemm.unpack_weights w16x16 ins(%arg0 : memref<2x4x16x16xf8E4M3FN>) outs(%arg1 : memref<32x64xf8E4M3FN>){{$}}
// CHECK-NEXT: return %arg1 : memref<32x64xf8E4M3FN>{{$}}
func.func @unpack_weights(%w: tensor<2x4x16x16xf8E4M3FN>,
    %p: tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN> {
  %0 = lpgemm.unpack_weights w16x16 ins(%w : tensor<2x4x16x16xf8E4M3FN>)
      outs(%p : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  return %0 : tensor<32x64xf8E4M3FN>
}

// (C25) C is read where the result is written, so that its memory may be that of
// the result; lhs is not, and a C that is read again keeps what it holds.

// CHECK-LABEL: func @c_in_place(
// CHECK-NEXT: lpgemm.matmul ins(%arg0, %arg1 : memref<6x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) c(%arg2 : memref<6x8xf32>) outs(%arg2 : memref<6x8xf32>) epilogue(%arg3, %arg4 = %arg2 : memref<6x8xf32>)
// CHECK: return %arg2 : memref<6x8xf32>{{$}}
func.func @c_in_place(%a: tensor<6x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%d : tensor<6x8xf32>) outs(%d : tensor<6x8xf32>)
      epilogue(%t, %x = %d : tensor<6x8xf32>) {
        %sum = arith.addf %t, %x : f32
        lpgemm.yield %sum : f32
      } -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// CHECK-LABEL: func @c_in_use(
// CHECK-NEXT: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: lpgemm.matmul {{.*}} c(%arg2 : memref<6x8xf32>) outs(%[[D]] : memref<6x8xf32>)
func.func @c_in_use(%a: tensor<6x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%d : tensor<6x8xf32>) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0, %d : tensor<6x8xf32>, tensor<6x8xf32>
}

// CHECK-LABEL: func @lhs_in_use(
// CHECK-NEXT: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: lpgemm.matmul ins(%arg0, %arg1 : {{.*}}) outs(%[[D]] : memref<8x8xf8E4M3FN>)
func.func @lhs_in_use(%a: tensor<8x8xf8E4M3FN>, %b: tensor<8x8xf8E4M3FN>) -> tensor<8x8xf8E4M3FN> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<8x8xf8E4M3FN>, tensor<8x8xf8E4M3FN>)
      outs(%a : tensor<8x8xf8E4M3FN>) -> tensor<8x8xf8E4M3FN>
  return %0 : tensor<8x8xf8E4M3FN>
}

// CHECK-LABEL: func @transposed(
// CHECK-NEXT: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: lpgemm.matmul {{.*}} outs(%[[D]] : memref<8x8xf32>)
func.func @transposed(%a: tensor<8x8xf8E4M3FN>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = lpgemm.matmul ins(%a, %a : tensor<8x8xf8E4M3FN>, tensor<8x8xf8E4M3FN>)
      outs(%d : tensor<8x8xf32>)
      epilogue(%t, %x = %d : tensor<8x8xf32> by affine_map<(m, n) -> (n, m)>) {
        lpgemm.yield %x : f32
      } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
