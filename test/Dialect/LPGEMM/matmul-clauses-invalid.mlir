// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c19_c_shape(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %c: tensor<8x4xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c dimension 0 to be 4, M of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%c : tensor<8x4xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_c_rank(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %c: tensor<8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c to have rank 2 (M, N), but got 'tensor<8xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%c : tensor<8xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_c_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %c: tensor<4x8xf64>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c to have element type 'f32', 'bf16', 'f16' or FP8, but got 'f64'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%c : tensor<4x8xf64>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_c_i32(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %c: tensor<4x8xi32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c to have element type 'f32', 'bf16', 'f16' or FP8, but got 'i32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%c : tensor<4x8xi32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_c_scale_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %c: tensor<4x8xf32>, %e: tensor<bf16>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c_scale to have element type 'f32', but got 'bf16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%c : tensor<4x8xf32>) c_scale(%e : tensor<bf16>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_c_scale_shape(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %c: tensor<4x8xf32>, %e: tensor<4xf32>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c_scale to have rank 0, but got 'tensor<4xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c(%c : tensor<4x8xf32>) c_scale(%e : tensor<4xf32>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_bias_n(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<4xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects bias dimension 0 to be 8, N of rhs, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      bias(%v : tensor<4xf32>, n) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_bias_m(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects bias dimension 0 to be 4, M of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      bias(%v : tensor<8xf32>, m) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_bias_rank(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<1x8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects bias to have rank 1 (N), but got 'tensor<1x8xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      bias(%v : tensor<1x8xf32>, n) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_bias_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<8xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects bias to have element type 'f32', 'bf16' or 'f16', but got 'f8E4M3FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      bias(%v : tensor<8xf8E4M3FN>, n) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_bias_batch(%a: tensor<2x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<3x8xf32>, %d: tensor<2x4x8xf32>)
    -> tensor<2x4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects bias dimension 0 to be 2, batch dimension 0 of init, but got 3}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      bias(%v : tensor<3x8xf32>, n) outs(%d : tensor<2x4x8xf32>)
      -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

func.func @matmul_c19_d_scale_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %e: tensor<f16>, %d: tensor<4x8xf8E4M3FN>)
    -> tensor<4x8xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.matmul' op expects d_scale to have element type 'f32', but got 'f16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      d_scale(%e : tensor<f16>) outs(%d : tensor<4x8xf8E4M3FN>)
      -> tensor<4x8xf8E4M3FN>
  return %0 : tensor<4x8xf8E4M3FN>
}

// -----

func.func @matmul_c19_d_scale_shape(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %e: tensor<1xf32>, %d: tensor<4x8xf8E4M3FN>)
    -> tensor<4x8xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.matmul' op expects d_scale to have rank 0, but got 'tensor<1xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      d_scale(%e : tensor<1xf32>) outs(%d : tensor<4x8xf8E4M3FN>)
      -> tensor<4x8xf8E4M3FN>
  return %0 : tensor<4x8xf8E4M3FN>
}

// -----

func.func @matmul_c19_amax_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %m: tensor<bf16>)
    -> (tensor<4x8xf32>, tensor<bf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects amax to have element type 'f32', but got 'bf16'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) amax(%m : tensor<bf16>)
      -> tensor<4x8xf32>, tensor<bf16>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<bf16>
}

// -----

func.func @matmul_c19_amax_shape(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %m: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects amax to have rank 0, but got 'tensor<4xf32>'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) amax(%m : tensor<4xf32>)
      -> tensor<4x8xf32>, tensor<4xf32>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

func.func @matmul_c19_alpha_type(%a: tensor<4x64xf8E4M3FN>,
    // expected-note @+1 {{prior use here}}
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %x: f64)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'f32' vs 'f64'}}
      alpha(%x) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c19_alpha_integer(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-note @+2 {{add a trailing dot to make the literal a float}}
      // expected-error @+1 {{unexpected decimal integer literal for a floating point value}}
      alpha(2) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_beta(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects beta with c only, but got none}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      beta(2.0) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_beta_value(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %x: f32)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects beta with c only, but got none}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      beta(%x) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_c_scale(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %e: tensor<f32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects c_scale with c only, but got none}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      c_scale(%e : tensor<f32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_d_scale(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %e: tensor<f32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects d_scale with an FP8 init without scale_outs, or with scale_outs of kind nvfp4, only, but got an init of 'f32' without scale_outs}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      d_scale(%e : tensor<f32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_d_scale_mx(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %e: tensor<f32>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects d_scale with an FP8 init without scale_outs, or with scale_outs of kind nvfp4, only, but got an init of 'f8E4M3FN' with scale_outs}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      d_scale(%e : tensor<f32>) outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, rceil)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
}

// -----

func.func @matmul_c20_nosat(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects overflow = nosat with an FP8 init only, but got an init of 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) overflow = nosat -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_nosat_fp4(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf4E2M1FN>,
    %s: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x8xf4E2M1FN>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects overflow = nosat with an FP8 init only, but got an init of 'f4E2M1FN'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf4E2M1FN>)
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, rceil) overflow = nosat
      -> tensor<4x8xf4E2M1FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf4E2M1FN>, tensor<4x1xf8E8M0FNU>
}

// -----

func.func @matmul_c20_promote_k(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op attribute 'promote_k' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) promote_k = -1 -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_zero_point(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %z: tensor<i32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.matmul' expected 'outs'}}
      lhs_zero_point(%z : tensor<i32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_order(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.matmul' expected 'outs'}}
      bias(%v : tensor<8xf32>, n) alpha(2.0) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_axis(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: tensor<8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+2 {{custom op 'lpgemm.matmul' failed to parse LPGEMM_AxisAttr parameter 'value' which is to be a `::mlir::lpgemm::Axis`}}
      // expected-error @+1 {{custom op 'lpgemm.matmul' expected one of [m, n] for axis of a matrix product, got: k}}
      bias(%v : tensor<8xf32>, k) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_overflow(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>)
    -> tensor<4x8xf8E4M3FN> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+2 {{custom op 'lpgemm.matmul' failed to parse LPGEMM_OverflowAttr parameter 'value' which is to be a `::mlir::lpgemm::OverflowMode`}}
      // expected-error @+1 {{custom op 'lpgemm.matmul' expected one of [sat, nosat] for what becomes of a value beyond the range of a type, got: clamp}}
      outs(%d : tensor<4x8xf8E4M3FN>) overflow = clamp -> tensor<4x8xf8E4M3FN>
  return %0 : tensor<4x8xf8E4M3FN>
}

// -----

func.func @matmul_c20_two_alphas(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %x: f32, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects alpha to be a value or a constant, but got both}}
  %0 = "lpgemm.matmul"(%a, %b, %x, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>, static_alpha = 2.0 : f32}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, f32, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_two_betas(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %x: f32, %c: tensor<4x8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects beta to be a value or a constant, but got both}}
  %0 = "lpgemm.matmul"(%a, %b, %x, %c, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0>, static_beta = 2.0 : f32}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, f32, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_bias_without_axis(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %v: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects bias with its axis, m or n, only, but got none}}
  %0 = "lpgemm.matmul"(%a, %b, %v, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_axis_without_bias(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects a bias axis with bias only, but got none}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>, bias_axis = #lpgemm<axis n>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_rule_without_scale_outs(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects a scale rule with scale_outs only, but got none}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>, init_scale_rule = #lpgemm<scale_rule rceil>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_segments(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op operand count (3) does not match with the total size (4) specified in attribute 'operandSegmentSizes'}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_segments_negative(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op 'operandSegmentSizes' attribute cannot have negative elements}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 1, 1, 0>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_segments_count(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{invalid properties {operandSegmentSizes = array<i32: 1, 1, 1>} for op lpgemm.matmul: size mismatch in attribute conversion: 3 vs 17}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_segments_no_init(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects one init, but got 0}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c20_segments_two_lhs(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects one lhs, but got 2}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
