// RUN: lpgemm-opt %s --verify-roundtrip --canonicalize --cse | FileCheck %s
// RUN: lpgemm-opt %s --lpgemm-bufferize -o /dev/null
// RUN: lpgemm-opt %s --one-shot-bufferize=bufferize-function-boundaries -o /dev/null

// Extents whose padded or packed sizes are beyond 64 bits are not computed with.

// CHECK-LABEL: func @huge(
// CHECK: lpgemm.matmul
func.func @huge(%a: tensor<9223372036854775807x64xf8E4M3FN>,
    %b: tensor<64x9223372036854775807xf8E4M3FN>,
    %sa: tensor<2x?xf32>, %sb: tensor<?x2xf8E8M0FNU>,
    %d: tensor<9223372036854775807x9223372036854775807xf32>)
    -> tensor<9223372036854775807x9223372036854775807xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<9223372036854775807x64xf8E4M3FN>,
                   tensor<64x9223372036854775807xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x?xf32>, <1x32, layout = col>)
      rhs_scale(%sb : tensor<?x2xf8E8M0FNU>,
                <4611686018427387904x4611686018427387904>)
      outs(%d : tensor<9223372036854775807x9223372036854775807xf32>)
      -> tensor<9223372036854775807x9223372036854775807xf32>
  return %0 : tensor<9223372036854775807x9223372036854775807xf32>
}

// CHECK-LABEL: func @huge_packed(
// CHECK: lpgemm.quantize
func.func @huge_packed(%x: tensor<1x9223372036854775807xf32>,
    %q: tensor<1x?xi8>, %s: tensor<f32>) -> (tensor<1x?xi8>, tensor<f32>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<1x9223372036854775807xf32>)
      outs(%q : tensor<1x?xi8>) scale_outs(%s : tensor<f32>, amax) <tensor>
      {init_packed = f6E2M3FN} -> tensor<1x?xi8>, tensor<f32>
  return %0#0, %0#1 : tensor<1x?xi8>, tensor<f32>
}

// One value may be several operands.

// CHECK-LABEL: func @square(
// CHECK: lpgemm.matmul ins(%arg0, %arg0 : {{.*}}) c(%arg0 : {{.*}}) outs(%arg0 : {{.*}}) epilogue(%{{.*}}, %{{.*}} = %arg0 :
func.func @square(%x: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %0 = lpgemm.matmul ins(%x, %x : tensor<32x32xf16>, tensor<32x32xf16>)
      c(%x : tensor<32x32xf16>) outs(%x : tensor<32x32xf16>)
      epilogue(%t, %r = %x : tensor<32x32xf16>) {
        %y = arith.extf %r : f16 to f32
        %z = arith.mulf %t, %y : f32
        lpgemm.yield %z : f32
      } -> tensor<32x32xf16>
  return %0 : tensor<32x32xf16>
}

// A zero extent makes blocks, groups and results empty.

// CHECK-LABEL: func @empty(
// CHECK: lpgemm.grouped_matmul k_grouped
func.func @empty(%a: tensor<0x0xf8E5M2>, %b: tensor<0x0xf8E5M2>,
    %g: tensor<0xi64>, %sa: tensor<0x0xf8E8M0FNU>, %d: tensor<0x0x0xbf16>)
    -> tensor<0x0x0xbf16> {
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<0x0xf8E5M2>, tensor<0x0xf8E5M2>)
      groups(%g : tensor<0xi64>)
      lhs_scale(%sa : tensor<0x0xf8E8M0FNU>, <mx>)
      outs(%d : tensor<0x0x0xbf16>) -> tensor<0x0x0xbf16>
  return %0 : tensor<0x0x0xbf16>
}
