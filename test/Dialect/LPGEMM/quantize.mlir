// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --emit-bytecode | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @mx(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, rceil) <mx> -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @mx(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, rceil) <mx>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @mx_floor(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, floor) <mx> -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @mx_floor(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, floor) <mx>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @mx_ceil(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, ceil) <mx> -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @mx_ceil(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, ceil) <mx>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @mx_even(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, even) <mx> -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @mx_even(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, even) <mx>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @bf16_to_e5m2(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xbf16>) outs(%arg1 : tensor<?x?xf8E5M2>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, rceil) <mx> -> tensor<?x?xf8E5M2>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @bf16_to_e5m2(%x: tensor<?x?xbf16>, %q: tensor<?x?xf8E5M2>,
    %s: tensor<?x?xf8E8M0FNU>) -> (tensor<?x?xf8E5M2>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xbf16>) outs(%q : tensor<?x?xf8E5M2>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, rceil) <mx>
      -> tensor<?x?xf8E5M2>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E5M2>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @tensor_scale_kind(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<f32>, amax) <tensor> percentile = 0.99899999999999999 -> tensor<?x?xf8E4M3FN>, tensor<f32>{{$}}
func.func @tensor_scale_kind(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<f32>) -> (tensor<?x?xf8E4M3FN>, tensor<f32>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>) scale_outs(%s : tensor<f32>, amax)
      <tensor> percentile = 9.990000e-01 -> tensor<?x?xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<f32>
}

// CHECK-LABEL: func @row_pow2(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FNUZ>) scale_outs(%arg2 : tensor<?xf32>, pow2) <row> -> tensor<?x?xf8E4M3FNUZ>, tensor<?xf32>{{$}}
func.func @row_pow2(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FNUZ>,
    %s: tensor<?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?xf32>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FNUZ>) scale_outs(%s : tensor<?xf32>, pow2)
      <row> -> tensor<?x?xf8E4M3FNUZ>, tensor<?xf32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FNUZ>, tensor<?xf32>
}

// CHECK-LABEL: func @i8_column(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xi8>) scale_outs(%arg2 : tensor<?xbf16>, amax) <column> -> tensor<?x?xi8>, tensor<?xbf16>{{$}}
func.func @i8_column(%x: tensor<?x?xf32>, %q: tensor<?x?xi8>,
    %s: tensor<?xbf16>) -> (tensor<?x?xi8>, tensor<?xbf16>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>) outs(%q : tensor<?x?xi8>)
      scale_outs(%s : tensor<?xbf16>, amax) <column>
      -> tensor<?x?xi8>, tensor<?xbf16>
  return %0#0, %0#1 : tensor<?x?xi8>, tensor<?xbf16>
}

// CHECK-LABEL: func @group_128(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf32>, amax) <1x128> reciprocal amax_floor = 9.99999974E-5 -> tensor<?x?xf8E4M3FN>, tensor<?x?xf32>{{$}}
func.func @group_128(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>) scale_outs(%s : tensor<?x?xf32>, amax)
      <1x128> reciprocal amax_floor = 1.000000e-04
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}

// CHECK-LABEL: func @square_128(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf32>, pow2) <128x128> -> tensor<?x?xf8E4M3FN>, tensor<?x?xf32>{{$}}
func.func @square_128(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>) scale_outs(%s : tensor<?x?xf32>, pow2)
      <128x128> -> tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}

// CHECK-LABEL: func @nvfp4_two_levels(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf4E2M1FN>) scale_outs(%arg2 : tensor<?x?xf8E4M3FN>, amax) tensor_scale_outs(%arg3 : tensor<f32>) amax(%arg4 : tensor<f32>) <nvfp4> -> tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>, tensor<f32>, tensor<f32>{{$}}
func.func @nvfp4_two_levels(%x: tensor<?x?xf32>, %q: tensor<?x?xf4E2M1FN>,
    %s: tensor<?x?xf8E4M3FN>, %g: tensor<f32>, %m: tensor<f32>)
    -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>, tensor<f32>, tensor<f32>) {
  %0:4 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf4E2M1FN>)
      scale_outs(%s : tensor<?x?xf8E4M3FN>, amax)
      tensor_scale_outs(%g : tensor<f32>) amax(%m : tensor<f32>) <nvfp4>
      -> tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>, tensor<f32>, tensor<f32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>, tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func @nvfp4_given(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) tensor_scale(%arg1 : tensor<f32>) outs(%arg2 : tensor<?x?xf4E2M1FN>) scale_outs(%arg3 : tensor<?x?xf8E4M3FN>, amax) <nvfp4> min_scale = 1.562500e-02 -> tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>{{$}}
func.func @nvfp4_given(%x: tensor<?x?xf32>, %g: tensor<f32>,
    %q: tensor<?x?xf4E2M1FN>, %s: tensor<?x?xf8E4M3FN>)
    -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>) tensor_scale(%g : tensor<f32>)
      outs(%q : tensor<?x?xf4E2M1FN>)
      scale_outs(%s : tensor<?x?xf8E4M3FN>, amax) <nvfp4>
      min_scale = 1.562500e-02 -> tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>
  return %0#0, %0#1 : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>
}

// CHECK-LABEL: func @given(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) scale(%arg1 : tensor<f32>) outs(%arg2 : tensor<?x?xf8E4M3FN>) amax(%arg3 : tensor<f32>) <tensor> overflow = nosat -> tensor<?x?xf8E4M3FN>, tensor<f32>{{$}}
func.func @given(%x: tensor<?x?xf32>, %e: tensor<f32>,
    %q: tensor<?x?xf8E4M3FN>, %m: tensor<f32>)
    -> (tensor<?x?xf8E4M3FN>, tensor<f32>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>) scale(%e : tensor<f32>)
      outs(%q : tensor<?x?xf8E4M3FN>) amax(%m : tensor<f32>) <tensor>
      overflow = nosat -> tensor<?x?xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<f32>
}

// CHECK-LABEL: func @stochastic(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, rceil) <mx> round = sr seed = 7 -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @stochastic(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, rceil) <mx> round = sr seed = 7
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @saturated_scale(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, rceil) <mx> saturate_scale -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @saturated_scale(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, rceil) <mx> saturate_scale
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @transposed_input(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?xf8E8M0FNU>, rceil) <mx> transposed -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>{{$}}
func.func @transposed_input(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, rceil) <mx> transposed
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @batched(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<2x?x?xf16>) outs(%arg1 : tensor<2x?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<2x?x?xf8E8M0FNU>, rceil) <mx> -> tensor<2x?x?xf8E4M3FN>, tensor<2x?x?xf8E8M0FNU>{{$}}
func.func @batched(%x: tensor<2x?x?xf16>, %q: tensor<2x?x?xf8E4M3FN>,
    %s: tensor<2x?x?xf8E8M0FNU>)
    -> (tensor<2x?x?xf8E4M3FN>, tensor<2x?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<2x?x?xf16>)
      outs(%q : tensor<2x?x?xf8E4M3FN>)
      scale_outs(%s : tensor<2x?x?xf8E8M0FNU>, rceil) <mx>
      -> tensor<2x?x?xf8E4M3FN>, tensor<2x?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<2x?x?xf8E4M3FN>, tensor<2x?x?xf8E8M0FNU>
}

// CHECK-LABEL: func @swizzled(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<?x?xf32>) outs(%arg1 : tensor<?x?xf8E4M3FN>) scale_outs(%arg2 : tensor<?x?x32x4x4xf8E8M0FNU>, rceil) <mx, layout = swz128x4> -> tensor<?x?xf8E4M3FN>, tensor<?x?x32x4x4xf8E8M0FNU>{{$}}
func.func @swizzled(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?x32x4x4xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?x32x4x4xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?x32x4x4xf8E8M0FNU>, rceil)
      <mx, layout = swz128x4>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?x32x4x4xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?x32x4x4xf8E8M0FNU>
}

// CHECK-LABEL: func @packed_codes(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<4x64xf32>) outs(%arg1 : tensor<4x32xi8>) scale_outs(%arg2 : tensor<4x2xf8E8M0FNU>, rceil) <mx> {init_packed = f4E2M1FN} -> tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>{{$}}
func.func @packed_codes(%x: tensor<4x64xf32>, %q: tensor<4x32xi8>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x32xi8>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      {init_packed = f4E2M1FN} -> tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>
}

// CHECK-LABEL: func @quantize_memrefs(
// CHECK: lpgemm.quantize ins(%arg0 : memref<4x64xf32>) outs(%arg1 : memref<4x64xf8E4M3FN>) scale_outs(%arg2 : memref<4x2xf8E8M0FNU>, rceil) <mx>{{$}}
func.func @quantize_memrefs(%x: memref<4x64xf32>, %q: memref<4x64xf8E4M3FN>,
    %s: memref<4x2xf8E8M0FNU>) {
  lpgemm.quantize ins(%x : memref<4x64xf32>)
      outs(%q : memref<4x64xf8E4M3FN>)
      scale_outs(%s : memref<4x2xf8E8M0FNU>, rceil) <mx>
  return
}

// CHECK-LABEL: func @empty(
// CHECK: lpgemm.quantize ins(%arg0 : tensor<0x64xf32>) outs(%arg1 : tensor<0x64xf8E4M3FN>) scale_outs(%arg2 : tensor<0x2xf8E8M0FNU>, rceil) <mx> -> tensor<0x64xf8E4M3FN>, tensor<0x2xf8E8M0FNU>{{$}}
func.func @empty(%x: tensor<0x64xf32>, %q: tensor<0x64xf8E4M3FN>,
    %s: tensor<0x2xf8E8M0FNU>)
    -> (tensor<0x64xf8E4M3FN>, tensor<0x2xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<0x64xf32>)
      outs(%q : tensor<0x64xf8E4M3FN>)
      scale_outs(%s : tensor<0x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<0x64xf8E4M3FN>, tensor<0x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<0x64xf8E4M3FN>, tensor<0x2xf8E8M0FNU>
}

// CHECK-LABEL: func @back(
// CHECK: lpgemm.dequantize ins(%arg0 : tensor<4x64xf8E4M3FN>) scale(%arg1 : tensor<4x2xf8E8M0FNU>) outs(%arg2 : tensor<4x64xf32>) <mx> -> tensor<4x64xf32>{{$}}
func.func @back(%q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// CHECK-LABEL: func @back_nvfp4(
// CHECK: lpgemm.dequantize ins(%arg0 : tensor<?x?xf4E2M1FN>) scale(%arg1 : tensor<?x?xf8E4M3FN>) tensor_scale(%arg2 : tensor<f32>) outs(%arg3 : tensor<?x?xbf16>) <nvfp4> -> tensor<?x?xbf16>{{$}}
func.func @back_nvfp4(%q: tensor<?x?xf4E2M1FN>, %s: tensor<?x?xf8E4M3FN>,
    %g: tensor<f32>, %x: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.dequantize ins(%q : tensor<?x?xf4E2M1FN>)
      scale(%s : tensor<?x?xf8E4M3FN>) tensor_scale(%g : tensor<f32>)
      outs(%x : tensor<?x?xbf16>) <nvfp4> -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @back_packed(
// CHECK: lpgemm.dequantize ins(%arg0 : tensor<4x48xi8>) scale(%arg1 : tensor<4x2xf8E8M0FNU>) outs(%arg2 : tensor<4x64xf32>) <mx> {input_packed = f6E3M2FN} -> tensor<4x64xf32>{{$}}
func.func @back_packed(%q: tensor<4x48xi8>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = lpgemm.dequantize ins(%q : tensor<4x48xi8>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      {input_packed = f6E3M2FN} -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// CHECK-LABEL: func @back_transposed(
// CHECK: lpgemm.dequantize ins(%arg0 : tensor<64x4xf8E4M3FN>) scale(%arg1 : tensor<2x4xf8E8M0FNU>) outs(%arg2 : tensor<64x4xf16>) <mx> transposed -> tensor<64x4xf16>{{$}}
func.func @back_transposed(%q: tensor<64x4xf8E4M3FN>,
    %s: tensor<2x4xf8E8M0FNU>, %x: tensor<64x4xf16>) -> tensor<64x4xf16> {
  %0 = lpgemm.dequantize ins(%q : tensor<64x4xf8E4M3FN>)
      scale(%s : tensor<2x4xf8E8M0FNU>) outs(%x : tensor<64x4xf16>) <mx>
      transposed -> tensor<64x4xf16>
  return %0 : tensor<64x4xf16>
}

// CHECK-LABEL: func @dequantize_memrefs(
// CHECK: lpgemm.dequantize ins(%arg0 : memref<4x64xf8E4M3FN>) scale(%arg1 : memref<4x2xf8E8M0FNU>) outs(%arg2 : memref<4x64xf32>) <mx>{{$}}
func.func @dequantize_memrefs(%q: memref<4x64xf8E4M3FN>,
    %s: memref<4x2xf8E8M0FNU>, %x: memref<4x64xf32>) {
  lpgemm.dequantize ins(%q : memref<4x64xf8E4M3FN>)
      scale(%s : memref<4x2xf8E8M0FNU>) outs(%x : memref<4x64xf32>) <mx>
  return
}
