// RUN: lpgemm-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @dim(
// CHECK-NEXT: return %arg1, %arg2 : index, index{{$}}
func.func @dim(%p: !llvm.ptr, %m: index, %k: index, %pitch: i64)
    -> (index, index) {
  %g = lpgemm.bind %p[%m, %k] pitch %pitch
      : !llvm.ptr to !lpgemm.global<?x?xf32>
  %0 = lpgemm.dim %g, 0 : !lpgemm.global<?x?xf32>
  %1 = lpgemm.dim %g, 1 : !lpgemm.global<?x?xf32>
  return %0, %1 : index, index
}

// Factors: those that are constants become attributes, and 1 goes away. Zero as a
// value is arithmetic, as an attribute it is not; so it stays what it is.

// CHECK-LABEL: func @unit_constants(
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) c(%arg2 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<4x8xf32>{{$}}
func.func @unit_constants(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      alpha(1.0) beta(1.0) c(%c : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @unit_values(
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) c(%arg2 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<4x8xf32>{{$}}
func.func @unit_values(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %x = arith.constant 1.0 : f32
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      alpha(%x) beta(%x) c(%c : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @values(
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) alpha(2.000000e+00) beta(0x7FC00000) c(%arg2 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<4x8xf32>{{$}}
func.func @values(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %x = arith.constant 2.0 : f32
  %y = arith.constant 0x7FC00000 : f32
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      alpha(%x) beta(%y) c(%c : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @zero_values(
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32{{$}}
// CHECK-NEXT: %cst_0 = arith.constant -0.000000e+00 : f32{{$}}
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) alpha(%cst) beta(%cst_0) c(%arg2 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<4x8xf32>{{$}}
func.func @zero_values(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %x = arith.constant 0.0 : f32
  %y = arith.constant -0.0 : f32
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      alpha(%x) beta(%y) c(%c : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @host_values(
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) alpha(%arg4) beta(%arg4) c(%arg2 : tensor<4x8xf32>) outs(%arg3 : tensor<4x8xf32>) -> tensor<4x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<4x8xf32>{{$}}
func.func @host_values(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %d: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      alpha(%x) beta(%x) c(%c : tensor<4x8xf32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @grouped_values(
// CHECK-NEXT: %0 = lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>) groups(%arg2 : tensor<3xi32>) beta(2.000000e+00) c(%arg3 : tensor<6x8xf32>) outs(%arg4 : tensor<6x8xf32>) -> tensor<6x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<6x8xf32>{{$}}
func.func @grouped_values(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %c: tensor<6x8xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) alpha(%x) beta(%y) c(%c : tensor<6x8xf32>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// C behind a constant zero is dropped, with its scale; lhs and rhs stay.

// CHECK-LABEL: func @unread_c(
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) alpha(0.000000e+00) outs(%arg4 : tensor<4x8xf32>) -> tensor<4x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<4x8xf32>{{$}}
func.func @unread_c(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %c: tensor<4x8xf32>, %e: tensor<f32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      alpha(0.0) beta(0.0) c(%c : tensor<4x8xf32>) c_scale(%e : tensor<f32>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @unread_c_memref(
// CHECK-NEXT: lpgemm.matmul ins(%arg0, %arg1 : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) outs(%arg3 : memref<4x8xf32>){{$}}
// CHECK-NEXT: return{{$}}
func.func @unread_c_memref(%a: memref<4x64xf8E4M3FN>,
    %b: memref<64x8xf8E4M3FN>, %c: memref<4x8xf32>, %d: memref<4x8xf32>) {
  lpgemm.matmul ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      beta(-0.0) c(%c : memref<4x8xf32>) outs(%d : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @grouped_unread_c(
// CHECK-NEXT: %0 = lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>) groups(%arg2 : tensor<3xi32>) outs(%arg4 : tensor<6x8xf32>) -> tensor<6x8xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<6x8xf32>{{$}}
func.func @grouped_unread_c(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %c: tensor<6x8xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) beta(0.0) c(%c : tensor<6x8xf32>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// Casts go away from operands, and behind the results where they are of inits.

// CHECK-LABEL: func @casts(
// CHECK-NEXT: %0:2 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<4x8xf32>) amax(%arg3 : tensor<f32>) -> tensor<4x8xf32>, tensor<f32>{{$}}
// CHECK-NEXT: %cast = tensor.cast %0#0 : tensor<4x8xf32> to tensor<?x?xf32>{{$}}
// CHECK-NEXT: return %cast, %0#1 : tensor<?x?xf32>, tensor<f32>{{$}}
func.func @casts(%a: tensor<4x64xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<4x8xf32>, %m: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %a0 = tensor.cast %a : tensor<4x64xf8E4M3FN> to tensor<?x?xf8E4M3FN>
  %d0 = tensor.cast %d : tensor<4x8xf32> to tensor<?x?xf32>
  %0:2 = lpgemm.matmul
      ins(%a0, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d0 : tensor<?x?xf32>) amax(%m : tensor<f32>)
      -> tensor<?x?xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<f32>
}

// CHECK-LABEL: func @casts_with_epilogue(
// CHECK-NEXT: %0 = lpgemm.matmul ins(%arg0, %arg1 : tensor<4x64xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg3 : tensor<?x?xf32>) epilogue(%arg4, %arg5 = %arg2 : tensor<4x8xbf16>) {
// CHECK-NEXT: lpgemm.yield %arg4 : f32{{$}}
// CHECK-NEXT: } -> tensor<?x?xf32>{{$}}
// CHECK-NEXT: return %0 : tensor<?x?xf32>{{$}}
func.func @casts_with_epilogue(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %r: tensor<4x8xbf16>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %a0 = tensor.cast %a : tensor<4x64xf8E4M3FN> to tensor<?x?xf8E4M3FN>
  %r0 = tensor.cast %r : tensor<4x8xbf16> to tensor<?x?xbf16>
  %0 = lpgemm.matmul
      ins(%a0, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>)
      epilogue(%t, %u = %r0 : tensor<?x?xbf16>) {
        lpgemm.yield %t : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @casts_of_groups(
// CHECK-NEXT: %0 = lpgemm.grouped_matmul contiguous ins(%arg0, %arg1 : tensor<?x64xf8E4M3FN>, tensor<8x64x?xf8E4M3FN>) groups(%arg2 : tensor<8xi32>) outs(%arg3 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
// CHECK-NEXT: return %0 : tensor<?x?xbf16>{{$}}
func.func @casts_of_groups(%a: tensor<?x64xf8E4M3FN>, %b: tensor<8x64x?xf8E4M3FN>,
    %g: tensor<8xi32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %b0 = tensor.cast %b : tensor<8x64x?xf8E4M3FN> to tensor<?x?x?xf8E4M3FN>
  %g0 = tensor.cast %g : tensor<8xi32> to tensor<?xi32>
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b0 : tensor<?x64xf8E4M3FN>, tensor<?x?x?xf8E4M3FN>)
      groups(%g0 : tensor<?xi32>) outs(%d : tensor<?x?xbf16>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @casts_of_quantize(
// CHECK-NEXT: %0:2 = lpgemm.quantize ins(%arg0 : tensor<4x64xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<4x2xf8E8M0FNU>, rceil) <mx> -> tensor<?x?xf8E4M3FN>, tensor<4x2xf8E8M0FNU>{{$}}
// CHECK-NEXT: %cast = tensor.cast %0#1 : tensor<4x2xf8E8M0FNU> to tensor<?x?xf8E8M0FNU>{{$}}
// CHECK-NEXT: return %0#0, %cast : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @casts_of_quantize(%x: tensor<4x64xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %x0 = tensor.cast %x : tensor<4x64xf32> to tensor<?x?xf32>
  %s0 = tensor.cast %s : tensor<4x2xf8E8M0FNU> to tensor<?x?xf8E8M0FNU>
  %0:2 = lpgemm.quantize ins(%x0 : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s0 : tensor<?x?xf8E8M0FNU>, rceil) <mx>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// Unpacking undoes packing where the shape is certain to come back: 5 rows and 6
// are packed into the same shape.

// CHECK-LABEL: func @unpack_packed(
// CHECK-NEXT: return %arg0 : tensor<5x6xf8E8M0FNU>{{$}}
func.func @unpack_packed(%s: tensor<5x6xf8E8M0FNU>, %p: tensor<1x2x32x4x4xf8E8M0FNU>,
    %t: tensor<5x6xf8E8M0FNU>) -> tensor<5x6xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x6xf8E8M0FNU>)
      outs(%p : tensor<1x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>
  %1 = lpgemm.unpack_scales ins(%0 : tensor<1x2x32x4x4xf8E8M0FNU>)
      outs(%t : tensor<5x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<5x6xf8E8M0FNU>
  return %1 : tensor<5x6xf8E8M0FNU>
}

// CHECK-LABEL: func @unpack_packed_dynamic(
// CHECK-NEXT: %0 = lpgemm.pack_scales ins(%arg0 : tensor<?x?xf8E8M0FNU>) outs(%arg1 : tensor<?x?x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<?x?x32x4x4xf8E8M0FNU>{{$}}
// CHECK-NEXT: %1 = lpgemm.unpack_scales ins(%0 : tensor<?x?x32x4x4xf8E8M0FNU>) outs(%arg2 : tensor<?x?xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<?x?xf8E8M0FNU>{{$}}
// CHECK-NEXT: return %1 : tensor<?x?xf8E8M0FNU>{{$}}
func.func @unpack_packed_dynamic(%s: tensor<?x?xf8E8M0FNU>, %p: tensor<?x?x32x4x4xf8E8M0FNU>,
    %t: tensor<?x?xf8E8M0FNU>) -> tensor<?x?xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<?x?xf8E8M0FNU>)
      outs(%p : tensor<?x?x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<?x?x32x4x4xf8E8M0FNU>
  %1 = lpgemm.unpack_scales ins(%0 : tensor<?x?x32x4x4xf8E8M0FNU>)
      outs(%t : tensor<?x?xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<?x?xf8E8M0FNU>
  return %1 : tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @unpack_packed_same_dynamic(
// CHECK-NEXT: return %arg0 : tensor<?x6xf8E8M0FNU>{{$}}
func.func @unpack_packed_same_dynamic(%s: tensor<?x6xf8E8M0FNU>, %p: tensor<?x2x32x4x4xf8E8M0FNU>)
    -> tensor<?x6xf8E8M0FNU> {
  %c0 = arith.constant 0 : index
  %r = tensor.dim %s, %c0 : tensor<?x6xf8E8M0FNU>
  %t = tensor.empty(%r) : tensor<?x6xf8E8M0FNU>
  %0 = lpgemm.pack_scales ins(%s : tensor<?x6xf8E8M0FNU>)
      outs(%p : tensor<?x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<?x2x32x4x4xf8E8M0FNU>
  %1 = lpgemm.unpack_scales ins(%0 : tensor<?x2x32x4x4xf8E8M0FNU>)
      outs(%t : tensor<?x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<?x6xf8E8M0FNU>
  return %1 : tensor<?x6xf8E8M0FNU>
}

// CHECK-LABEL: func @unpack_packed_other_shape(
// CHECK-NEXT: %0 = lpgemm.pack_scales ins(%arg0 : tensor<5x6xf8E8M0FNU>) outs(%arg1 : tensor<1x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>{{$}}
// CHECK-NEXT: %1 = lpgemm.unpack_scales ins(%0 : tensor<1x2x32x4x4xf8E8M0FNU>) outs(%arg2 : tensor<6x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<6x6xf8E8M0FNU>{{$}}
// CHECK-NEXT: return %1 : tensor<6x6xf8E8M0FNU>{{$}}
func.func @unpack_packed_other_shape(%s: tensor<5x6xf8E8M0FNU>, %p: tensor<1x2x32x4x4xf8E8M0FNU>,
    %t: tensor<6x6xf8E8M0FNU>) -> tensor<6x6xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x6xf8E8M0FNU>)
      outs(%p : tensor<1x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>
  %1 = lpgemm.unpack_scales ins(%0 : tensor<1x2x32x4x4xf8E8M0FNU>)
      outs(%t : tensor<6x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<6x6xf8E8M0FNU>
  return %1 : tensor<6x6xf8E8M0FNU>
}

// CHECK-LABEL: func @unpack_packed_other_kind(
// CHECK-NEXT: %0 = lpgemm.pack_scales ins(%arg0 : tensor<5x6xf8E8M0FNU>) outs(%arg1 : tensor<1x2x32x4x4xf8E8M0FNU>) <1x64, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>{{$}}
// CHECK-NEXT: %1 = lpgemm.unpack_scales ins(%0 : tensor<1x2x32x4x4xf8E8M0FNU>) outs(%arg2 : tensor<5x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<5x6xf8E8M0FNU>{{$}}
// CHECK-NEXT: return %1 : tensor<5x6xf8E8M0FNU>{{$}}
func.func @unpack_packed_other_kind(%s: tensor<5x6xf8E8M0FNU>, %p: tensor<1x2x32x4x4xf8E8M0FNU>,
    %t: tensor<5x6xf8E8M0FNU>) -> tensor<5x6xf8E8M0FNU> {
  %0 = lpgemm.pack_scales ins(%s : tensor<5x6xf8E8M0FNU>)
      outs(%p : tensor<1x2x32x4x4xf8E8M0FNU>) <1x64, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>
  %1 = lpgemm.unpack_scales ins(%0 : tensor<1x2x32x4x4xf8E8M0FNU>)
      outs(%t : tensor<5x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<5x6xf8E8M0FNU>
  return %1 : tensor<5x6xf8E8M0FNU>
}

// Packing unpacked scales would keep what the padding holds.

// CHECK-LABEL: func @pack_unpacked(
// CHECK-NEXT: %0 = lpgemm.unpack_scales ins(%arg0 : tensor<1x2x32x4x4xf8E8M0FNU>) outs(%arg1 : tensor<5x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<5x6xf8E8M0FNU>{{$}}
// CHECK-NEXT: %1 = lpgemm.pack_scales ins(%0 : tensor<5x6xf8E8M0FNU>) outs(%arg2 : tensor<1x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>{{$}}
// CHECK-NEXT: return %1 : tensor<1x2x32x4x4xf8E8M0FNU>{{$}}
func.func @pack_unpacked(%s: tensor<1x2x32x4x4xf8E8M0FNU>, %p: tensor<5x6xf8E8M0FNU>,
    %t: tensor<1x2x32x4x4xf8E8M0FNU>) -> tensor<1x2x32x4x4xf8E8M0FNU> {
  %0 = lpgemm.unpack_scales ins(%s : tensor<1x2x32x4x4xf8E8M0FNU>)
      outs(%p : tensor<5x6xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<5x6xf8E8M0FNU>
  %1 = lpgemm.pack_scales ins(%0 : tensor<5x6xf8E8M0FNU>)
      outs(%t : tensor<1x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4> -> tensor<1x2x32x4x4xf8E8M0FNU>
  return %1 : tensor<1x2x32x4x4xf8E8M0FNU>
}

// Weights have no padding.

// CHECK-LABEL: func @unpack_packed_weights(
// CHECK-NEXT: return %arg0 : tensor<32x64xf8E4M3FN>{{$}}
func.func @unpack_packed_weights(%s: tensor<32x64xf8E4M3FN>, %p: tensor<2x4x16x16xf8E4M3FN>,
    %t: tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN> {
  %0 = lpgemm.pack_weights w16x16 ins(%s : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>
  %1 = lpgemm.unpack_weights w16x16 ins(%0 : tensor<2x4x16x16xf8E4M3FN>)
      outs(%t : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  return %1 : tensor<32x64xf8E4M3FN>
}

// CHECK-LABEL: func @pack_unpacked_weights(
// CHECK-NEXT: return %arg0 : tensor<2x4x16x16xi8>{{$}}
func.func @pack_unpacked_weights(%s: tensor<2x4x16x16xi8>, %p: tensor<32x64xi8>,
    %t: tensor<2x4x16x16xi8>) -> tensor<2x4x16x16xi8> {
  %0 = lpgemm.unpack_weights w16x16 ins(%s : tensor<2x4x16x16xi8>)
      outs(%p : tensor<32x64xi8>) -> tensor<32x64xi8>
  %1 = lpgemm.pack_weights w16x16 ins(%0 : tensor<32x64xi8>)
      outs(%t : tensor<2x4x16x16xi8>) -> tensor<2x4x16x16xi8>
  return %1 : tensor<2x4x16x16xi8>
}
