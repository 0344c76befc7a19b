// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// Packed operands, in every transposition: bytes along the last dimension, and
// where M, N and K are found when they are not to be seen there (L-11).

func.func @lhs_along_k(%a: tensor<4x3xi8>, %b: tensor<8x5xf8E4M3FN>, %d: tensor<4x8xf32>) {
  %k = arith.constant 5 : index
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x3xi8>, tensor<8x5xf8E4M3FN>) k(%k) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @lhs_along_k_without_k(%a: tensor<4x3xi8>, %b: tensor<8x6xf8E4M3FN>, %d: tensor<4x8xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x3xi8>, tensor<8x6xf8E4M3FN>) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @lhs_along_k_bytes(%a: tensor<4x4xi8>, %b: tensor<8x5xf8E4M3FN>, %d: tensor<4x8xf32>) {
  %k = arith.constant 5 : index
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 3, ceil(K * 4 / 8) with K = 5 of k, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x4xi8>, tensor<8x5xf8E4M3FN>) k(%k) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @lhs_along_k_of_rhs(%a: tensor<4x4xi8>, %b: tensor<8x5xf8E4M3FN>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 3, ceil(K * 4 / 8) with K = 5 of rhs, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x4xi8>, tensor<8x5xf8E4M3FN>) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @k_is_not_that_of_rhs(%a: tensor<4x3xi8>, %b: tensor<8x6xf8E4M3FN>, %d: tensor<4x8xf32>) {
  %k = arith.constant 5 : index
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 5, K of k, but got 6}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x3xi8>, tensor<8x6xf8E4M3FN>) k(%k) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @lhs_along_m(%a: tensor<64x4xi8>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<5x8xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x4xi8>, tensor<64x8xf8E4M3FN>) outs(%d : tensor<5x8xf32>) transpose_a {lhs_packed = f6E3M2FN} -> tensor<5x8xf32>
  return
}

// -----

func.func @lhs_along_m_bytes(%a: tensor<64x3xi8>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<5x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 4, ceil(M * 6 / 8) with M = 5 of init, but got 3}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x3xi8>, tensor<64x8xf8E4M3FN>) outs(%d : tensor<5x8xf32>) transpose_a {lhs_packed = f6E3M2FN} -> tensor<5x8xf32>
  return
}

// -----

func.func @lhs_along_m_k(%a: tensor<63x4xi8>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<5x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 0 to be 63, K of lhs, but got 64}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<63x4xi8>, tensor<64x8xf8E4M3FN>) outs(%d : tensor<5x8xf32>) transpose_a {lhs_packed = f6E3M2FN} -> tensor<5x8xf32>
  return
}

// -----

func.func @rhs_along_n(%a: tensor<4x64xf8E5M2>, %b: tensor<64x3xi8>, %d: tensor<4x5xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x3xi8>) outs(%d : tensor<4x5xf32>) {rhs_packed = f4E2M1FN} -> tensor<4x5xf32>
  return
}

// -----

func.func @rhs_along_n_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x5xi8>, %d: tensor<4x5xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 3, ceil(N * 4 / 8) with N = 5 of init, but got 5}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x5xi8>) outs(%d : tensor<4x5xf32>) {rhs_packed = f4E2M1FN} -> tensor<4x5xf32>
  return
}

// -----

func.func @rhs_along_k(%a: tensor<4x5xf8E5M2>, %b: tensor<8x4xi8>, %d: tensor<4x8xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x5xf8E5M2>, tensor<8x4xi8>) outs(%d : tensor<4x8xf32>) transpose_b {rhs_packed = f6E2M3FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @rhs_along_k_bytes(%a: tensor<4x5xf8E5M2>, %b: tensor<8x3xi8>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 4, ceil(K * 6 / 8) with K = 5 of lhs, but got 3}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x5xf8E5M2>, tensor<8x3xi8>) outs(%d : tensor<4x8xf32>) transpose_b {rhs_packed = f6E2M3FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @both_along_k(%a: tensor<4x3xi8>, %b: tensor<8x3xi8>, %d: tensor<4x8xf32>, %k: index) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x3xi8>, tensor<8x3xi8>) k(%k) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @both_along_k_without_k(%a: tensor<4x3xi8>, %b: tensor<8x3xi8>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects k, because neither packed lhs nor packed rhs tells K, but got none}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x3xi8>, tensor<8x3xi8>) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @both_along_k_bytes(%a: tensor<4x3xi8>, %b: tensor<8x4xi8>, %d: tensor<4x8xf32>) {
  %k = arith.constant 6 : index
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 3, ceil(K * 4 / 8) with K = 6 of k, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x3xi8>, tensor<8x4xi8>) k(%k) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @neither_along_k(%a: tensor<64x3xi8>, %b: tensor<64x4xi8>, %d: tensor<5x7xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x3xi8>, tensor<64x4xi8>) outs(%d : tensor<5x7xf32>) transpose_a {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<5x7xf32>
  return
}

// -----

func.func @lhs_along_k_rhs_along_n(%a: tensor<4x32xi8>, %b: tensor<64x4xi8>, %d: tensor<4x7xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x32xi8>, tensor<64x4xi8>) outs(%d : tensor<4x7xf32>) {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<4x7xf32>
  return
}

// -----

func.func @lhs_along_k_rhs_along_n_bytes(%a: tensor<4x33xi8>, %b: tensor<64x4xi8>, %d: tensor<4x7xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs dimension 1 to be 32, ceil(K * 4 / 8) with K = 64 of rhs, but got 33}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x33xi8>, tensor<64x4xi8>) outs(%d : tensor<4x7xf32>) {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<4x7xf32>
  return
}

// -----

func.func @lhs_along_m_rhs_along_k(%a: tensor<64x3xi8>, %b: tensor<7x32xi8>, %d: tensor<5x7xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x3xi8>, tensor<7x32xi8>) outs(%d : tensor<5x7xf32>) transpose_a transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<5x7xf32>
  return
}

// -----

func.func @init_along_n(%a: tensor<4x64xf8E5M2>, %b: tensor<64x5xf8E5M2>, %d: tensor<4x3xi8>, %so: tensor<4x1xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x5xf8E5M2>) outs(%d : tensor<4x3xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN} -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @init_along_n_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x5xf8E5M2>, %d: tensor<4x5xi8>, %so: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 1 to be 3, ceil(N * 4 / 8) with N = 5 of rhs, but got 5}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x5xf8E5M2>) outs(%d : tensor<4x5xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN} -> tensor<4x5xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_c(%a: tensor<4x64xf8E5M2>, %b: tensor<64x4xi8>, %d: tensor<4x3xi8>, %c: tensor<4x5xbf16>, %so: tensor<4x1xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x4xi8>) c(%c : tensor<4x5xbf16>) outs(%d : tensor<4x3xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_c_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x4xi8>, %d: tensor<4x2xi8>, %c: tensor<4x5xbf16>, %so: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 1 to be 3, ceil(N * 4 / 8) with N = 5 of c, but got 2}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x4xi8>) c(%c : tensor<4x5xbf16>) outs(%d : tensor<4x2xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x2xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_bias_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x3xi8>, %d: tensor<4x3xi8>, %c: tensor<5xbf16>, %so: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 4, ceil(N * 6 / 8) with N = 5 of bias, but got 3}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x3xi8>) bias(%c : tensor<5xbf16>, n) outs(%d : tensor<4x3xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_rhs_scale_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x3xi8>, %d: tensor<4x3xi8>, %s: tensor<2x5xf8E8M0FNU>, %so: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 4, ceil(N * 6 / 8) with N = 5 of rhs_scale, but got 3}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x3xi8>) rhs_scale(%s : tensor<2x5xf8E8M0FNU>, <mx>) outs(%d : tensor<4x3xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_column_scale_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x3xi8>, %d: tensor<4x3xi8>, %s: tensor<5xf32>, %so: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs dimension 1 to be 4, ceil(N * 6 / 8) with N = 5 of rhs_scale, but got 3}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x3xi8>) rhs_scale(%s : tensor<5xf32>, <column>) outs(%d : tensor<4x3xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x3xi8>, %d: tensor<4x2xi8>, %c: tensor<4xbf16>, %so: tensor<4x1xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x3xi8>) bias(%c : tensor<4xbf16>, m) outs(%d : tensor<4x2xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x2xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @n_of_bytes_bytes(%a: tensor<4x64xf8E5M2>, %b: tensor<64x3xi8>, %d: tensor<4x3xi8>, %so: tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 1 to be 2, ceil(floor(bytes of N * 8 / 6) * 4 / 8) with bytes of N = 3 of rhs, but got 3}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E5M2>, tensor<64x3xi8>) outs(%d : tensor<4x3xi8>) scale_outs(%so : tensor<4x1xf8E8M0FNU>, <mx>, rceil) {init_packed = f4E2M1FN, rhs_packed = f6E2M3FN} -> tensor<4x3xi8>, tensor<4x1xf8E8M0FNU>
  return
}

// -----

func.func @packed_type(%a: tensor<4x64xi8>, %b: tensor<8x64xf8E4M3FN>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_packed to be 'f6E2M3FN', 'f6E3M2FN' or 'f4E2M1FN', but got 'f8E4M3FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<8x64xf8E4M3FN>) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f8E4M3FN} -> tensor<4x8xf32>
  return
}

// -----

func.func @packed_bytes(%a: tensor<4x64xf4E2M1FN>, %b: tensor<8x64xf8E4M3FN>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects packed lhs to have element type 'i8', but got 'f4E2M1FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<8x64xf8E4M3FN>) outs(%d : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN} -> tensor<4x8xf32>
  return
}

// -----

// A memref holds bytes.

func.func @memref(%a: memref<4x64xf4E2M1FN>, %b: memref<8x64xf8E4M3FN>, %d: memref<4x8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs to hold its 'f4E2M1FN' elements as packed bytes, but got 'memref<4x64xf4E2M1FN>': run lpgemm-materialize-storage before bufferization}}
  lpgemm.matmul ins(%a, %b : memref<4x64xf4E2M1FN>, memref<8x64xf8E4M3FN>) outs(%d : memref<4x8xf32>) transpose_b
  return
}

// -----

func.func @memref_quantize(%x: memref<4x64xf32>, %q: memref<4x64xf6E3M2FN>, %s: memref<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to hold its 'f6E3M2FN' elements as packed bytes, but got 'memref<4x64xf6E3M2FN>': run lpgemm-materialize-storage before bufferization}}
  lpgemm.quantize ins(%x : memref<4x64xf32>) outs(%q : memref<4x64xf6E3M2FN>) scale_outs(%s : memref<4x2xf8E8M0FNU>, rceil) <mx>
  return
}

// -----

// Integers of less than a byte, and index, are not packed.

func.func @memref_mask(%a: memref<4x64xf8E4M3FN>, %b: memref<8x64xf8E4M3FN>, %m: memref<4x8xi1>, %i: memref<4x8xindex>, %d: memref<4x8xf32>) {
  lpgemm.matmul ins(%a, %b : memref<4x64xf8E4M3FN>, memref<8x64xf8E4M3FN>) outs(%d : memref<4x8xf32>) transpose_b
      epilogue(%t, %c = %m : memref<4x8xi1>, %j = %i : memref<4x8xindex>) {
        %n = arith.negf %t : f32
        %0 = arith.select %c, %t, %n : f32
        lpgemm.yield %0 : f32
      }
  return
}

// -----

// The codes of quantize and dequantize.

func.func @quantize(%x: tensor<5x3xf32>, %q: tensor<5x2xi8>, %qt: tensor<5x2xi8>, %s: tensor<5x1xf8E8M0FNU>, %st: tensor<1x3xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<5x3xf32>) outs(%q : tensor<5x2xi8>) scale_outs(%s : tensor<5x1xf8E8M0FNU>, rceil) <mx> {init_packed = f4E2M1FN} -> tensor<5x2xi8>, tensor<5x1xf8E8M0FNU>
  %1:2 = lpgemm.quantize ins(%x : tensor<5x3xf32>) outs(%qt : tensor<5x2xi8>) scale_outs(%st : tensor<1x3xf8E8M0FNU>, rceil) <mx> transposed {init_packed = f4E2M1FN} -> tensor<5x2xi8>, tensor<1x3xf8E8M0FNU>
  return
}

// -----

func.func @dequantize_bytes(%x: tensor<5x3xf32>, %q: tensor<5x2xi8>, %s: tensor<5x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input dimension 1 to be 3, ceil(K * 6 / 8) with K = 3 of init, but got 2}}
  %0 = lpgemm.dequantize ins(%q : tensor<5x2xi8>) scale(%s : tensor<5x1xf8E8M0FNU>) outs(%x : tensor<5x3xf32>) <mx> {input_packed = f6E2M3FN} -> tensor<5x3xf32>
  return
}

// -----

// w16x16: 16 bytes of a lane, whatever is in them.

func.func @weights_tile(%w: tensor<16x64xi8>, %p: tensor<1x4x16x32xi8>) {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects init dimension 3 to be 16, but got 32}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<16x64xi8>) outs(%p : tensor<1x4x16x32xi8>) {packed = f4E2M1FN} -> tensor<1x4x16x32xi8>
  return
}

// -----

func.func @weights_k(%w: tensor<16x48xi8>, %p: tensor<1x3x16x16xi8>) {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects bytes of K of input to be a multiple of 32 for w16x16, but got 48}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<16x48xi8>) outs(%p : tensor<1x3x16x16xi8>) {packed = f4E2M1FN} -> tensor<1x3x16x16xi8>
  return
}
