// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c18_row_blocks(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs to have blocks of one row, such as <mx>, but got <128x128>}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf32>, <128x128>, amax)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
}

// -----

func.func @matmul_c18_tensor(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<4x8xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs to have blocks of one row, such as <mx>, but got <tensor>}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<f32>, <tensor>, amax)
      -> tensor<4x8xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<f32>
}

// -----

func.func @matmul_c18_column(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>, %s: tensor<8xf32>)
    -> (tensor<4x8xf8E4M3FN>, tensor<8xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs to have kind row, but got column}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<8xf32>, <column>, amax)
      -> tensor<4x8xf8E4M3FN>, tensor<8xf32>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<8xf32>
}

// -----

func.func @matmul_c18_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs of kind mx to have element type 'f8E8M0FNU', but got 'f32'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf32>, <mx>, rceil)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
}

// -----

func.func @matmul_c18_nvfp4_of_fp8(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<4x1xf8E4M3FN>) -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects init of element type 'f8E4M3FN' to have a scale of kind tensor, row, 1xG, GxG or mx, but got scale_outs of kind nvfp4}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf8E4M3FN>, <nvfp4>, amax)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf8E4M3FN>
}

// -----

func.func @matmul_c18_nvfp4_2d(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf4E2M1FN>,
    %s: tensor<1x1xf8E4M3FN>) -> (tensor<4x8xf4E2M1FN>, tensor<1x1xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs to have blocks of one row, such as <mx>, but got <nvfp4_2d>}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf4E2M1FN>)
      scale_outs(%s : tensor<1x1xf8E4M3FN>, <nvfp4_2d>, amax)
      -> tensor<4x8xf4E2M1FN>, tensor<1x1xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x8xf4E2M1FN>, tensor<1x1xf8E4M3FN>
}

// -----

func.func @matmul_c18_shape(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs dimension 1 to be 1, ceil(N / 32) with N = 8 of rhs, but got 2}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, <mx>, rceil)
      -> tensor<4x8xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @matmul_c18_layout(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<1x2x32x4x4xf8E8M0FNU>)
    -> (tensor<4x8xf8E4M3FN>, tensor<1x2x32x4x4xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale_outs dimension 1 to be 1, ceil(ceil(N / 32) / 4) with N = 8 of rhs, but got 2}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<1x2x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>, rceil)
      -> tensor<4x8xf8E4M3FN>, tensor<1x2x32x4x4xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<1x2x32x4x4xf8E8M0FNU>
}

// -----

func.func @matmul_c21_amax_of_e8m0(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale rule rceil, floor, ceil or even with scales of type 'f8E8M0FNU', but got amax}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, amax)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
}

// -----

func.func @matmul_c21_pow2_of_e8m0(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale rule rceil, floor, ceil or even with scales of type 'f8E8M0FNU', but got pow2}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, pow2)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
}

// -----

func.func @matmul_c21_rceil_of_f32(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xf32>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale rule amax or pow2 with scales of type 'f32', but got rceil}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xf32>, <1x32>, rceil)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf32>
}

// -----

func.func @matmul_c21_even_of_bf16(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>, %s: tensor<4x1xbf16>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xbf16>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale rule amax or pow2 with scales of type 'bf16', but got even}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      scale_outs(%s : tensor<4x1xbf16>, <1x32>, even)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xbf16>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xbf16>
}

// -----

func.func @matmul_c21_pow2_of_e4m3(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf4E2M1FN>,
    %s: tensor<4x1xf8E4M3FN>) -> (tensor<4x8xf4E2M1FN>, tensor<4x1xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale rule amax with scales of type 'f8E4M3FN', but got pow2}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf4E2M1FN>)
      scale_outs(%s : tensor<4x1xf8E4M3FN>, <nvfp4>, pow2)
      -> tensor<4x8xf4E2M1FN>, tensor<4x1xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x8xf4E2M1FN>, tensor<4x1xf8E4M3FN>
}

// -----

func.func @matmul_c21_floor_of_e4m3(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf4E2M1FN>,
    %s: tensor<4x1xf8E4M3FN>) -> (tensor<4x8xf4E2M1FN>, tensor<4x1xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects scale rule amax with scales of type 'f8E4M3FN', but got floor}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf4E2M1FN>)
      scale_outs(%s : tensor<4x1xf8E4M3FN>, <nvfp4>, floor)
      -> tensor<4x8xf4E2M1FN>, tensor<4x1xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x8xf4E2M1FN>, tensor<4x1xf8E4M3FN>
}

// -----

func.func @matmul_c21_unknown(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf8E4M3FN>,
    %s: tensor<4x1xf8E8M0FNU>)
    -> (tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf8E4M3FN>)
      // expected-error @+2 {{custom op 'lpgemm.matmul' failed to parse LPGEMM_ScaleRuleAttr parameter 'value' which is to be a `::mlir::lpgemm::ScaleRuleMode`}}
      // expected-error @+1 {{custom op 'lpgemm.matmul' expected one of [amax, rceil, floor, ceil, even, pow2] for how a decode scale follows from the largest magnitude of a block, got: nearest}}
      scale_outs(%s : tensor<4x1xf8E8M0FNU>, <mx>, nearest)
      -> tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x8xf8E4M3FN>, tensor<4x1xf8E8M0FNU>
}
