// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c24_type(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_packed to be 'f6E2M3FN', 'f6E3M2FN' or 'f4E2M1FN', but got 'f8E4M3FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      outs(%d : tensor<4x8xf32>) {lhs_packed = f8E4M3FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_bytes(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects packed lhs to have element type 'i8', but got 'f4E2M1FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_rhs_i16(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x4xi16>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects packed rhs to have element type 'i8', but got 'i16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x4xi16>)
      outs(%d : tensor<4x8xf32>) {rhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_k(%a: tensor<4x32xi8>, %b: tensor<8x32xi8>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects k, because neither packed lhs nor packed rhs tells K, but got none}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x32xi8>, tensor<8x32xi8>)
      outs(%d : tensor<4x8xf32>)
      transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_k_negative(%a: tensor<4x32xi8>, %b: tensor<8x32xi8>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = arith.constant -64 : index
  // expected-error @+1 {{'lpgemm.matmul' op expects k to be at least 0, but got -64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x32xi8>, tensor<8x32xi8>) k(%k)
      outs(%d : tensor<4x8xf32>)
      transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_k_shape(%a: tensor<4x33xi8>, %b: tensor<8x32xi8>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = arith.constant 64 : index
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 32, ceil(K * 4 / 8) with K = 64 of k, but got 33}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x33xi8>, tensor<8x32xi8>) k(%k)
      outs(%d : tensor<4x8xf32>)
      transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_k_of_unpacked(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %k = arith.constant 65 : index
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 65, K of k, but got 64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      k(%k) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_fp4(%a: tensor<4x64xi8>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 32, ceil(K * 4 / 8) with K = 64 of rhs, but got 64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_fp6(%a: tensor<4x64xi8>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 48, ceil(K * 6 / 8) with K = 64 of rhs, but got 64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) {lhs_packed = f6E2M3FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_odd_k(%a: tensor<4x32xi8>, %b: tensor<65x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 33, ceil(K * 4 / 8) with K = 65 of rhs, but got 32}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x32xi8>, tensor<65x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_rhs_n(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xi8>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 4, ceil(N * 4 / 8) with N = 8 of init, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xi8>)
      outs(%d : tensor<4x8xf32>) {rhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c24_init_without_scales(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x4xi8>) -> tensor<4x4xi8> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have element type 'f32', 'bf16', 'f16' or FP8, but got 'f4E2M1FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x4xi8>) {init_packed = f4E2M1FN} -> tensor<4x4xi8>
  return %0 : tensor<4x4xi8>
}
