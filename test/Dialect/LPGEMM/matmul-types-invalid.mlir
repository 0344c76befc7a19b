// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c5_f8e4m3(%a: tensor<4x64xf8E4M3>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'f8E4M3'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_f8e3m4(%a: tensor<4x64xf8E3M4>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'f8E3M4'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E3M4>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_f8e4m3b11fnuz(%a: tensor<4x64xf8E4M3B11FNUZ>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'f8E4M3B11FNUZ'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3B11FNUZ>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_f8e8m0fnu(%a: tensor<4x64xf8E8M0FNU>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'f8E8M0FNU'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E8M0FNU>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_i4(%a: tensor<4x64xi4>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'i4'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi4>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_ui8(%a: tensor<4x64xui8>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'ui8'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xui8>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_si8(%a: tensor<4x64xsi8>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'si8'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xsi8>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_f32(%a: tensor<4x64xf32>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf32>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_i32(%a: tensor<4x64xi32>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'i32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi32>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_tf32(%a: tensor<4x64xtf32>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'tf32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xtf32>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_index(%a: tensor<4x64xindex>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'index'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xindex>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_complex(%a: tensor<4x64xcomplex<f32>>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'complex<f32>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xcomplex<f32>>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_quant(%a: tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got '!quant.uniform<i8:f32, 5.000000e-01:3>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_rhs(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xi16>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'i16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xi16>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_i8_mixed(%a: tensor<4x64xi8>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs to have the same element type, because 'i8' is not mixed with others, but got 'i8' and 'f8E4M3FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_bf16_mixed(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xbf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs to have the same element type, because 'bf16' is not mixed with others, but got 'f8E4M3FN' and 'bf16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xbf16>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_f16_and_bf16(%a: tensor<4x64xf16>, %b: tensor<64x8xbf16>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs and rhs to have the same element type, because 'f16' is not mixed with others, but got 'f16' and 'bf16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf16>, tensor<64x8xbf16>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c5_memref_of_index(%a: memref<4x64xindex>,
    %b: memref<64x8xf8E4M3FN>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have element type 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ', 'f8E5M2FNUZ', 'f6E2M3FN', 'f6E3M2FN', 'f4E2M1FN', 'i8', 'bf16' or 'f16', but got 'index'}}
  lpgemm.matmul ins(%a, %b : memref<4x64xindex>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @matmul_c6(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf64>) -> tensor<4x8xf64> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, but got 'f64'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %0 : tensor<4x8xf64>
}

// -----

func.func @matmul_c6_e2(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf8E4M3>) -> tensor<4x8xf8E4M3> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, but got 'f8E4M3'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3>) -> tensor<4x8xf8E4M3>
  return %0 : tensor<4x8xf8E4M3>
}

// -----

func.func @matmul_c6_i8(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %d: tensor<4x8xi8>) -> tensor<4x8xi8> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, but got 'i8'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      outs(%d : tensor<4x8xi8>) -> tensor<4x8xi8>
  return %0 : tensor<4x8xi8>
}

// -----

func.func @matmul_c6_fp4_without_scales(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf4E2M1FN>)
    -> tensor<4x8xf4E2M1FN> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, but got 'f4E2M1FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf4E2M1FN>) -> tensor<4x8xf4E2M1FN>
  return %0 : tensor<4x8xf4E2M1FN>
}

// -----

func.func @matmul_c6_i32_of_floats(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, because 'i32' takes the plain sum of i8 products only, but got 'i32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @matmul_c6_i32_scaled(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %sa: tensor<f32>, %d: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, because 'i32' takes the plain sum of i8 products only, but got 'i32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      lhs_scale(%sa : tensor<f32>, <tensor>) outs(%d : tensor<4x8xi32>)
      -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @matmul_c6_i32_alpha(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %d: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, because 'i32' takes the plain sum of i8 products only, but got 'i32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>) alpha(2.0)
      outs(%d : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @matmul_c6_i32_bias(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %v: tensor<8xf32>, %d: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, because 'i32' takes the plain sum of i8 products only, but got 'i32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      bias(%v : tensor<8xf32>, n) outs(%d : tensor<4x8xi32>)
      -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

func.func @matmul_c6_i32_amax(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %d: tensor<4x8xi32>, %m: tensor<f32>) -> (tensor<4x8xi32>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, because 'i32' takes the plain sum of i8 products only, but got 'i32'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      outs(%d : tensor<4x8xi32>) amax(%m : tensor<f32>)
      -> tensor<4x8xi32>, tensor<f32>
  return %0#0, %0#1 : tensor<4x8xi32>, tensor<f32>
}

// -----

func.func @matmul_c6_scale_outs_f32(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %s: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x8xf32>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type FP8, FP6 or FP4 with scale_outs, but got 'f32'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, rceil)
      -> tensor<4x8xf32>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x1xf8E8M0FNU>
}
