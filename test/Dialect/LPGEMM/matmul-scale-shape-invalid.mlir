// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c9_rank(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<1xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have rank 0, but got 'tensor<1xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<1xf32>, <tensor>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_rank_of_row(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x1xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have rank 1 (M), but got 'tensor<4x1xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x1xf32>, <row>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_rank_of_block(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have rank 2 (M, ceil(K / 32)), but got 'tensor<8xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<8xf32>, <1x32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_row(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 4, M of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<8xf32>, <row>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_column(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<4xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 0 to be 8, N of rhs, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<4xf32>, <column>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_rows(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<3x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 4, M of lhs, but got 3}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<3x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_blocks(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<1x8xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 0 to be 2, ceil(K / 32) with K = 64 of lhs, but got 1}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<1x8xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_ragged_k(%a: tensor<4x65xf8E4M3FN>,
    %b: tensor<65x8xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 1 to be 3, ceil(K / 32) with K = 65 of lhs, but got 2}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x65xf8E4M3FN>, tensor<65x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_not_transposed(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 0 to be 2, ceil(K / 32) with K = 64 of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_transposed(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<8x64xf8E4M3FN>, %sb: tensor<2x8xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 0 to be 8, N of rhs, but got 2}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      rhs_scale(%sb : tensor<2x8xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_transposed_lhs(%a: tensor<64x4xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 2, ceil(K / 32) with K = 64 of lhs, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x4xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      transpose_a -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_square(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<2x8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 1 to be 1, ceil(N / 32) with N = 8 of rhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<2x8xf32>, <32x32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_nvfp4(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 1 to be 4, ceil(K / 16) with K = 64 of lhs, but got 2}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E4M3FN>, <nvfp4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_nvfp4_2d(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x4xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 1, ceil(M / 16) with M = 4 of lhs, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x4xf8E4M3FN>, <nvfp4_2d>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_col(%a: tensor<5x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<2x5xf32>, %d: tensor<5x8xf32>) -> tensor<5x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 1 to be 8, ceil(M / 4) * 4 with M = 5 of lhs, but got 5}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<5x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x5xf32>, <1x32, layout = col>)
      outs(%d : tensor<5x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

func.func @matmul_c9_mn_tma(%a: tensor<9x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<2x8xbf16>, %d: tensor<9x8xf32>)
    -> tensor<9x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 1 to be 16, ceil(M / 8) * 8 with M = 9 of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<9x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x8xbf16>, <1x32, layout = mn_tma>)
      outs(%d : tensor<9x8xf32>) -> tensor<9x8xf32>
  return %0 : tensor<9x8xf32>
}

// -----

func.func @matmul_c9_mn_tma_ue8m0x4(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<2x4x4xf8E8M0FNU>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 1, ceil(ceil(K / 32) / 4) with K = 64 of lhs, but got 2}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x4x4xf8E8M0FNU>, <1x32, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_blk128x128(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<1x1xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale dimension 1 to be 4, ceil(ceil(K / 128) / 4) * 4 with K = 64 of lhs, but got 1}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<1x1xf32>, <128x128, layout = blk128x128>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_swz128x4(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<1x2x32x4x4xf8E8M0FNU>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 1 to be 1, ceil(ceil(K / 32) / 4) with K = 64 of lhs, but got 2}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<1x2x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_swz128x4_rank(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have rank 5 (ceil(M / 128), ceil(ceil(K / 32) / 4), 32, 4, 4), but got 'tensor<4x2xf8E8M0FNU>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_amd32x8(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<1x1x4x16x2x2xf8E8M0FNU>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 8, ceil(M / 256) * 8 with M = 4 of lhs, but got 1}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<1x1x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c9_batch(%a: tensor<2x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<3x4x2xf8E8M0FNU>,
    %d: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale dimension 0 to be 2, batch dimension 0 of init, but got 3}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<3x4x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}
