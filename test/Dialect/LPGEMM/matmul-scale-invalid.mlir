// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c7_no_kind(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale with its kind, such as <mx>, but got only the scale}}
  %0 = "lpgemm.matmul"(%a, %b, %sa, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c7_no_scale(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale with its kind, such as <mx>, but got only the kind}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>, rhs_scale_kind = #lpgemm.scale<mx>}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c7_column_on_lhs(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have kind row, but got column}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4xf32>, <column>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c7_row_on_rhs(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale to have kind column, but got row}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<8xf32>, <row>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_tensor(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<bf16>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind tensor to have element type 'f32', but got 'bf16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<bf16>, <tensor>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_row(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<4xf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind row to have element type 'f32' or 'bf16', but got 'f16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4xf16>, <row>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_column(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<8xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale of kind column to have element type 'f32' or 'bf16', but got 'f8E8M0FNU'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<8xf8E8M0FNU>, <column>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_block(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind 1x32 to have element type 'f32', 'bf16' or 'f8E8M0FNU', but got 'f8E4M3FN'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E4M3FN>, <1x32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_square(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<2x1xf16>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale of kind 32x32 to have element type 'f32', 'bf16' or 'f8E8M0FNU', but got 'f16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<2x1xf16>, <32x32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_mx(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<4x2xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind mx to have element type 'f8E8M0FNU', but got 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf32>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_nvfp4(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x4xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind nvfp4 to have element type 'f8E4M3FN', but got 'f8E8M0FNU'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x4xf8E8M0FNU>, <nvfp4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_nvfp4_2d(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf4E2M1FN>, %sb: tensor<4x1xf8E5M2>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale of kind nvfp4_2d to have element type 'f8E4M3FN', but got 'f8E5M2'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf4E2M1FN>)
      rhs_scale(%sb : tensor<4x1xf8E5M2>, <nvfp4_2d>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_index(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2xindex>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind 1x32 to have element type 'f32', 'bf16' or 'f8E8M0FNU', but got 'index'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xindex>, <1x32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c8_quant(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x2x!quant.uniform<i8:f32, 0.5:3>>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of kind 1x32 to have element type 'f32', 'bf16' or 'f8E8M0FNU', but got '!quant.uniform<i8:f32, 5.000000e-01:3>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2x!quant.uniform<i8:f32, 0.5:3>>, <1x32>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_mx_of_i8(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %sa: tensor<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs of element type 'i8' to have a scale of kind tensor, row, 1xG or GxG, but got lhs_scale of kind mx}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_mx_of_fnuz(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E5M2FNUZ>, %sb: tensor<2x8xf8E8M0FNU>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs of element type 'f8E5M2FNUZ' to have a scale of kind tensor, column, 1xG or GxG, but got rhs_scale of kind mx}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E5M2FNUZ>)
      rhs_scale(%sb : tensor<2x8xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_nvfp4_of_fp8(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x4xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs of element type 'f8E4M3FN' to have a scale of kind tensor, row, 1xG, GxG or mx, but got lhs_scale of kind nvfp4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x4xf8E4M3FN>, <nvfp4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_nvfp4_2d_of_fp6(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf6E3M2FN>, %sb: tensor<4x1xf8E4M3FN>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs of element type 'f6E3M2FN' to have a scale of kind tensor, column, 1xG, GxG or mx, but got rhs_scale of kind nvfp4_2d}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf6E3M2FN>)
      rhs_scale(%sb : tensor<4x1xf8E4M3FN>, <nvfp4_2d>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_bf16(%a: tensor<4x64xbf16>, %b: tensor<64x8xbf16>,
    %sa: tensor<f32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs of element type 'bf16' to have no scale, but got lhs_scale of kind tensor}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xbf16>, tensor<64x8xbf16>)
      lhs_scale(%sa : tensor<f32>, <tensor>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_f16(%a: tensor<4x64xf16>, %b: tensor<64x8xf16>,
    %sb: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs of element type 'f16' to have no scale, but got rhs_scale of kind column}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf16>, tensor<64x8xf16>)
      rhs_scale(%sb : tensor<8xf32>, <column>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c16(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<4x2xf32>, %sb: tensor<2x8xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the K blocks of one scale to be a multiple of those of the other, but got 48 of lhs_scale and 32 of rhs_scale}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf32>, <1x48>)
      rhs_scale(%sb : tensor<2x8xf32>, <1x32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c16_square(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x1xf32>, %sb: tensor<1x1xf32>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the K blocks of one scale to be a multiple of those of the other, but got 96 of lhs_scale and 128 of rhs_scale}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x1xf32>, <1x96>)
      rhs_scale(%sb : tensor<1x1xf32>, <128x128>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c16_nvfp4(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x4xf8E4M3FN>, %sb: tensor<3x8xf32>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the K blocks of one scale to be a multiple of those of the other, but got 16 of lhs_scale and 24 of rhs_scale}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x4xf8E4M3FN>, <nvfp4>)
      rhs_scale(%sb : tensor<3x8xf32>, <1x24>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c17_mn_tma(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<2x16xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale in layout mn_tma to have element type 'f32' or 'bf16', but got 'f8E8M0FNU'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x16xf8E8M0FNU>, <1x32, layout = mn_tma>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c17_mn_tma_ue8m0x4(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<1x4x4xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale in layout mn_tma_ue8m0x4 to have element type 'f8E8M0FNU', but got 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<1x4x4xf32>, <1x32, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c17_blk128x128(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sb: tensor<1x4xbf16>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_scale in layout blk128x128 to have element type 'f32', but got 'bf16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<1x4xbf16>, <128x128, layout = blk128x128>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c17_swz128x4(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<1x1x32x4x4xf32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale in layout swz128x4 to have element type 'f8E8M0FNU' or 'f8E4M3FN', but got 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<1x1x32x4x4xf32>, <1x32, layout = swz128x4>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c17_amd32x8(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<8x1x4x16x2x2xf32>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale in layout amd32x8 to have element type 'f8E8M0FNU', but got 'f32'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<8x1x4x16x2x2xf32>, <1x32, layout = amd32x8>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c15_no_scale(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %g: tensor<f32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_tensor_scale above a scale with blocks along K only, such as <nvfp4>, but got no such scale}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_tensor_scale(%g : tensor<f32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c15_rhs(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sb: tensor<8xf32>, %g: tensor<f32>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects rhs_tensor_scale above a scale with blocks along K only, such as <nvfp4>, but got <column>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      rhs_scale(%sb : tensor<8xf32>, <column>)
      rhs_tensor_scale(%g : tensor<f32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c15_type(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x4xf8E4M3FN>, %g: tensor<bf16>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_tensor_scale to have element type 'f32', but got 'bf16'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x4xf8E4M3FN>, <nvfp4>)
      lhs_tensor_scale(%g : tensor<bf16>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c15_rank(%a: tensor<4x64xf4E2M1FN>,
    %b: tensor<64x8xf8E4M3FN>, %sa: tensor<4x4xf8E4M3FN>, %g: tensor<4xf32>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_tensor_scale to have rank 0, but got 'tensor<4xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf4E2M1FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x4xf8E4M3FN>, <nvfp4>)
      lhs_tensor_scale(%g : tensor<4xf32>) outs(%d : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c14_mxint8(%a: tensor<4x64xi8>, %b: tensor<64x8xi8>,
    %sa: tensor<4x2xf8E8M0FNU>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale of 'i8' elements to have element type 'f32' or 'bf16', but got 'f8E8M0FNU'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xi8>, tensor<64x8xi8>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <1x32>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
