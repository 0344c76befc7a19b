// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @grouped_gm4_square(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<1x1xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale blocks of one row in contiguous mode, such as <1x128>, because others would cross groups, but got <128x128>}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<1x1xf32>, <128x128>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm4_nvfp4_2d(%a: tensor<6x64xf4E2M1FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<1x4xf8E4M3FN>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale blocks of one row in contiguous mode, such as <1x16>, because others would cross groups, but got <nvfp4_2d>}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf4E2M1FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      lhs_scale(%sa : tensor<1x4xf8E4M3FN>, <nvfp4_2d>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm4_masked(%a: tensor<3x6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<3x1x1xf32>,
    %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale blocks of one row in masked mode, such as <1x128>, because others would cross groups, but got <128x128>}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<3x6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<3x1x1xf32>, <128x128>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm4_amd32x8(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>,
    %sa: tensor<8x1x4x16x2x2xf8E8M0FNU>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects another layout of lhs_scale in contiguous mode, such as swz128x4, but got amd32x8, which tiles across groups}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      lhs_scale(%sa : tensor<8x1x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm5_swz128x4(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>,
    %sa: tensor<1x1x32x4x4xf8E8M0FNU>, %d: tensor<3x6x8xf32>)
    -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale to have layout row, col or mn_tma in k_grouped mode, but got swz128x4}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      lhs_scale(%sa : tensor<1x1x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm5_blk128x128(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %sb: tensor<1x4xf32>,
    %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs_scale to have layout row, col or mn_tma in k_grouped mode, but got blk128x128}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      rhs_scale(%sb : tensor<1x4xf32>, <128x128, layout = blk128x128>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm5_mn_tma_ue8m0x4(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %sb: tensor<1x8x4xf8E8M0FNU>,
    %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs_scale to have layout row, col or mn_tma in k_grouped mode, but got mn_tma_ue8m0x4}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      rhs_scale(%sb : tensor<1x8x4xf8E8M0FNU>, <mx, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm7_rhs_scale_groups(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>,
    %sb: tensor<4x2x8xf8E8M0FNU>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs_scale dimension 0 to be 3, G of groups, but got 4}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      rhs_scale(%sb : tensor<4x2x8xf8E8M0FNU>, <mx>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_lhs_scale_groups(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>,
    %sa: tensor<3x6x2xf8E8M0FNU>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale to have rank 2 (M, ceil(K / 32)), but got 'tensor<3x6x2xf8E8M0FNU>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      lhs_scale(%sa : tensor<3x6x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_lhs_row(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<3x6xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale to have rank 1 (M), but got 'tensor<3x6xf32>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<3x6xf32>, <row>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_tensor_scales(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<2xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale dimension 0 to be 3, G of groups, but got 2}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<2xf32>, <tensor>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_masked_scale(%a: tensor<3x6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>,
    %sa: tensor<4x6x2xf8E8M0FNU>, %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale dimension 0 to be 3, G of groups, but got 4}}
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<3x6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      lhs_scale(%sa : tensor<4x6x2xf8E8M0FNU>, <mx>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm7_k_grouped_rows(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %sa: tensor<5x3xf8E8M0FNU>,
    %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects lhs_scale dimension 0 to be 6, M of lhs, but got 5}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) lhs_scale(%sa : tensor<5x3xf8E8M0FNU>, <mx>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm7_k_grouped_columns(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %sb: tensor<3x9xf8E8M0FNU>,
    %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs_scale dimension 1 to be 8, N of rhs, but got 9}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) rhs_scale(%sb : tensor<3x9xf8E8M0FNU>, <mx>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm7_k_grouped_rank(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<3xi32>, %sb: tensor<3x2x8xf8E8M0FNU>,
    %d: tensor<3x6x8xf32>) -> tensor<3x6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs_scale to have rank 2 (?, N), but got 'tensor<3x2x8xf8E8M0FNU>'}}
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>)
      rhs_scale(%sb : tensor<3x2x8xf8E8M0FNU>, <mx>)
      outs(%d : tensor<3x6x8xf32>) -> tensor<3x6x8xf32>
  return %0 : tensor<3x6x8xf32>
}

// -----

func.func @grouped_gm7_tensor_scale(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf4E2M1FN>, %g: tensor<3xi32>,
    %sb: tensor<3x4x8xf8E4M3FN>, %g2: tensor<2xf32>, %d: tensor<6x8xf32>)
    -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects rhs_tensor_scale dimension 0 to be 3, G of groups, but got 2}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf4E2M1FN>)
      groups(%g : tensor<3xi32>)
      rhs_scale(%sb : tensor<3x4x8xf8E4M3FN>, <nvfp4>)
      rhs_tensor_scale(%g2 : tensor<2xf32>) outs(%d : tensor<6x8xf32>)
      -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_bias(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %v: tensor<2x8xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects bias dimension 0 to be 3, G of groups, but got 2}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) bias(%v : tensor<2x8xf32>, n)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_bias_m(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %v: tensor<3x6xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects bias to have rank 1 (M), but got 'tensor<3x6xf32>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) bias(%v : tensor<3x6xf32>, m)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

func.func @grouped_gm7_c(%a: tensor<6x64xf8E4M3FN>,
    %b: tensor<3x64x8xf8E4M3FN>, %g: tensor<3xi32>, %c: tensor<3x6x8xf32>,
    %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
  // expected-error @+1 {{'lpgemm.grouped_matmul' op expects c to have rank 2 (M, N), but got 'tensor<3x6x8xf32>'}}
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<6x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      groups(%g : tensor<3xi32>) c(%c : tensor<3x6x8xf32>)
      outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
