// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c1_forms(%a: memref<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to be a memref like lhs, but got 'tensor<64x8xf8E4M3FN>'}}
  %0 = lpgemm.matmul ins(%a, %b : memref<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c1_scale(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: memref<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to be a tensor like lhs, but got 'memref<4x2xf8E8M0FNU>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c1_init(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to be a tensor like lhs, but got 'memref<4x8xf32>'}}
  lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @matmul_c1_amax(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>, %m: memref<f32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects amax to be a tensor like lhs, but got 'memref<f32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) amax(%m : memref<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c1_global(%a: !lpgemm.global<4x64xf8E4M3FN>,
    %b: !lpgemm.global<64x8xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to be a global like lhs, but got 'tensor<4x8xf32>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : !lpgemm.global<4x64xf8E4M3FN>, !lpgemm.global<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c1_unranked(%a: tensor<*xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op operand #0 must be tensor, memref or global matrix, but got 'tensor<*xf8E4M3FN>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<*xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c1_unranked_memref(%a: memref<*xf8E4M3FN>,
    %b: memref<64x8xf8E4M3FN>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op operand #0 must be tensor, memref or global matrix, but got 'memref<*xf8E4M3FN>'}}
  lpgemm.matmul ins(%a, %b : memref<*xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @matmul_c1_scalar(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %v: f32, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op operand #2 must be tensor, memref or global matrix, but got 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      bias(%v : f32, n) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c2_lhs(%a: tensor<64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have at least rank 2, but got 'tensor<64xf8E4M3FN>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c2_rhs(%a: tensor<4x64xf8E4M3FN>, %b: tensor<f8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to have at least rank 2, but got 'tensor<f8E4M3FN>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<f8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c2_init(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to have at least rank 2, but got 'tensor<8xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @matmul_c2_lhs_batch(%a: tensor<2x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have rank 2 (M, K), but got 'tensor<2x4x64xf8E4M3FN>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c2_rhs_batch(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<3x2x64x8xf8E4M3FN>, %d: tensor<2x4x8xf32>)
    -> tensor<2x4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to have rank 3 (batch dimension 0, K, N), but got 'tensor<3x2x64x8xf8E4M3FN>'}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<3x2x64x8xf8E4M3FN>)
      outs(%d : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

func.func @matmul_c2_batch_extent(%a: tensor<3x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 0 to be 2, batch dimension 0 of init, but got 3}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<3x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

func.func @matmul_c2_batch_extent_of_many(%a: tensor<2x3x4x5x6x7x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<2x3x4x5x6x8x4x8xf32>)
    -> tensor<2x3x4x5x6x8x4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 5 to be 8, a batch dimension of init, but got 7}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x3x4x5x6x7x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<2x3x4x5x6x8x4x8xf32>) -> tensor<2x3x4x5x6x8x4x8xf32>
  return %0 : tensor<2x3x4x5x6x8x4x8xf32>
}

// -----

func.func @matmul_c2_init_is_not_broadcast(%a: tensor<2x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 0 to be 1, batch dimension 0 of init, but got 2}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @matmul_c3_k(%a: tensor<4x64xf8E4M3FN>, %b: tensor<32x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 0 to be 64, K of lhs, but got 32}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<32x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c3_k_transposed(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 64, K of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c3_transpose_a(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<64x8xf32>) -> tensor<64x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 0 to be 4, K of lhs, but got 64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<64x8xf32>) transpose_a -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// -----

func.func @matmul_c4_m(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<5x8xf32>) -> tensor<5x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 0 to be 4, M of lhs, but got 5}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<5x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

func.func @matmul_c4_n(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x9xf32>) -> tensor<4x9xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 1 to be 8, N of rhs, but got 9}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x9xf32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// -----

func.func @matmul_c4_m_transposed(%a: tensor<64x4xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<64x8xf32>) -> tensor<64x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 0 to be 4, M of lhs, but got 64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x4xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<64x8xf32>) transpose_a -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// -----

func.func @matmul_c10_none(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects 1 result with a tensor init, but got 0}}
  lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
  return
}

// -----

func.func @matmul_c10_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the type of result 0 to be that of init, 'tensor<4x8xf32>', but got 'tensor<?x?xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @matmul_c10_memref(%a: memref<4x64xf8E4M3FN>,
    %b: memref<64x8xf8E4M3FN>, %d: memref<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects 0 results with a memref init, but got 1}}
  %0 = lpgemm.matmul ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c10_amax(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %m: tensor<f32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects 2 results with a tensor init, but got 1}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) amax(%m : tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c10_second_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %m: tensor<f32>)
    -> (tensor<4x8xf32>, tensor<1xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects the type of result 1 to be that of amax, 'tensor<f32>', but got 'tensor<1xf32>'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) amax(%m : tensor<f32>)
      -> tensor<4x8xf32>, tensor<1xf32>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<1xf32>
}

// -----

func.func @matmul_c11_encoding(%a: tensor<4x64xf8E4M3FN, "packed">,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have no encoding, but got "packed"}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN, "packed">, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c11_space(%a: memref<4x64xf8E4M3FN>,
    %b: memref<64x8xf8E4M3FN, #gpu.address_space<workgroup>>,
    %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs to be in the default memory space, but got #gpu.address_space<workgroup>}}
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN, #gpu.address_space<workgroup>>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @matmul_c11_layout(%a: memref<4x64xf8E4M3FN, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>,
    %b: memref<64x8xf8E4M3FN>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to have a strided layout, but got 'memref<4x64xf8E4M3FN, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>'}}
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @matmul_c11_memref_of_f4(%a: memref<4x64xf4E2M1FN>,
    %b: memref<64x8xf8E4M3FN>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to hold its 'f4E2M1FN' elements as packed bytes, but got 'memref<4x64xf4E2M1FN>': run lpgemm-materialize-storage before bufferization}}
  lpgemm.matmul ins(%a, %b : memref<4x64xf4E2M1FN>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>)
  return
}

// -----

func.func @matmul_c11_memref_of_f6(%a: memref<4x64xf8E4M3FN>,
    %b: memref<64x8xf8E4M3FN>, %d: memref<4x8xf6E2M3FN>,
    %s: memref<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init to hold its 'f6E2M3FN' elements as packed bytes, but got 'memref<4x8xf6E2M3FN>': run lpgemm-materialize-storage before bufferization}}
  lpgemm.matmul ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf6E2M3FN>)
      scale_outs(%s : memref<4x1xf8E8M0FNU>, <mx>, rceil)
  return
}
