// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @quantize_q9_codes(%x: tensor<4x64xf32>, %q: tensor<4x32xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x32xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init dimension 1 to be 64, K of input, but got 32}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x32xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x32xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x32xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_rank(%x: tensor<4x64xf32>, %q: tensor<1x4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<1x4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to have rank 2 (R, K), but got 'tensor<1x4x64xf8E4M3FN>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<1x4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<1x4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<1x4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_rows(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<3x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<3x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs dimension 0 to be 4, R of input, but got 3}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<3x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<3x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<3x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_blocks(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x3xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x3xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs dimension 1 to be 2, ceil(K / 32) with K = 64 of input, but got 3}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x3xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x3xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x3xf8E8M0FNU>
}

// -----

func.func @quantize_q9_transposed(%x: tensor<64x4xf32>,
    %q: tensor<64x4xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<64x4xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs dimension 0 to be 2, ceil(K / 32) with K = 64 of input, but got 4}}
  %0:2 = lpgemm.quantize ins(%x : tensor<64x4xf32>)
      outs(%q : tensor<64x4xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> transposed
      -> tensor<64x4xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<64x4xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_batch(%x: tensor<2x4x64xf32>,
    %q: tensor<3x4x64xf8E4M3FN>, %s: tensor<2x4x2xf8E8M0FNU>)
    -> (tensor<3x4x64xf8E4M3FN>, tensor<2x4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init dimension 0 to be 2, batch dimension 0 of input, but got 3}}
  %0:2 = lpgemm.quantize ins(%x : tensor<2x4x64xf32>)
      outs(%q : tensor<3x4x64xf8E4M3FN>)
      scale_outs(%s : tensor<2x4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<3x4x64xf8E4M3FN>, tensor<2x4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<3x4x64xf8E4M3FN>, tensor<2x4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_batch_scale(%x: tensor<2x4x64xf32>,
    %q: tensor<2x4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<2x4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs to have rank 3 (batch dimension 0, R, ceil(K / 32)), but got 'tensor<4x2xf8E8M0FNU>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<2x4x64xf32>)
      outs(%q : tensor<2x4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<2x4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<2x4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_packed(%x: tensor<4x64xf32>, %q: tensor<4x64xi8>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init dimension 1 to be 32, ceil(K * 4 / 8) with K = 64 of input, but got 64}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x64xi8>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      {init_packed = f4E2M1FN} -> tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q9_layout(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs to have rank 5 (ceil(R / 128), ceil(ceil(K / 32) / 4), 32, 4, 4), but got 'tensor<4x2xf8E8M0FNU>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx, layout = swz128x4>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_c1(%x: memref<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to be a memref like input, but got 'tensor<4x64xf8E4M3FN>'}}
  %0:2 = lpgemm.quantize ins(%x : memref<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_c10(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.quantize' op expects 2 results with a tensor init, but got 1}}
  %0 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>
  return %0 : tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_c10_order(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x2xf8E8M0FNU>, tensor<4x64xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects the type of result 0 to be that of init, 'tensor<4x64xf8E4M3FN>', but got 'tensor<4x2xf8E8M0FNU>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x2xf8E8M0FNU>, tensor<4x64xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x2xf8E8M0FNU>, tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_c11_memref_of_f4(%x: memref<4x64xf32>,
    %q: memref<4x64xf4E2M1FN>, %s: memref<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to hold its 'f4E2M1FN' elements as packed bytes, but got 'memref<4x64xf4E2M1FN>': run lpgemm-materialize-storage before bufferization}}
  lpgemm.quantize ins(%x : memref<4x64xf32>)
      outs(%q : memref<4x64xf4E2M1FN>)
      scale_outs(%s : memref<4x2xf8E8M0FNU>, rceil) <mx>
  return
}

// -----

func.func @quantize_c11_encoding(%x: tensor<4x64xf32, "packed">,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects input to have no encoding, but got "packed"}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32, "packed">)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_two_inits(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects one init, but got 2}}
  %0:2 = "lpgemm.quantize"(%x, %q, %s) <{kind = #lpgemm.scale<mx>, operandSegmentSizes = array<i32: 1, 0, 0, 2, 0, 0, 0>}> : (tensor<4x64xf32>, tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>)
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @dequantize_q1_type(%q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %x: tensor<4x64xf64>) -> tensor<4x64xf64> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects init to have element type 'f32', 'bf16' or 'f16', but got 'f64'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf64>) <mx>
      -> tensor<4x64xf64>
  return %0 : tensor<4x64xf64>
}

// -----

func.func @dequantize_q1_fp8(%q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %x: tensor<4x64xf8E5M2>)
    -> tensor<4x64xf8E5M2> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects init to have element type 'f32', 'bf16' or 'f16', but got 'f8E5M2'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf8E5M2>) <mx>
      -> tensor<4x64xf8E5M2>
  return %0 : tensor<4x64xf8E5M2>
}

// -----

func.func @dequantize_q1_rank(%q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %x: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects init to have at least rank 2, but got 'tensor<64xf32>'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<64xf32>) <mx>
      -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

func.func @dequantize_q2_type(%q: tensor<4x64xi4>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input to have an FP8, FP6 or FP4 element type or 'i8', but got 'i4'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xi4>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q2_e2(%q: tensor<4x64xf8E3M4>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input to have an FP8, FP6 or FP4 element type or 'i8', but got 'f8E3M4'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E3M4>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q2_packed(%q: tensor<4x32xi8>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input_packed to be 'f6E2M3FN', 'f6E3M2FN' or 'f4E2M1FN', but got 'i4'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x32xi8>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      {input_packed = i4} -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q3(%q: tensor<4x64xi8>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input of element type 'i8' to have a scale of kind tensor, row, column, 1xG or GxG, but got mx}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xi8>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q4(%q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf32>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects scale of kind mx to have element type 'f8E8M0FNU', but got 'f32'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf32>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q5(%q: tensor<4x64xf8E4M3FN>, %s: tensor<f32>,
    %g: tensor<f32>, %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects tensor_scale with a scale with blocks along K only, such as <nvfp4>, but got <tensor>}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<f32>) tensor_scale(%g : tensor<f32>)
      outs(%x : tensor<4x64xf32>) <tensor> -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q9_codes(%q: tensor<4x65xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input dimension 1 to be 64, K of init, but got 65}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x65xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q9_scales(%q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x1xf8E8M0FNU>, %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects scale dimension 1 to be 2, ceil(K / 32) with K = 64 of init, but got 1}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x1xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_q9_packed(%q: tensor<4x33xi8>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects input dimension 1 to be 32, ceil(K * 4 / 8) with K = 64 of init, but got 33}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x33xi8>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      {input_packed = f4E2M1FN} -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_c1(%q: tensor<4x64xf8E4M3FN>, %s: memref<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects scale to be a tensor like input, but got 'memref<4x2xf8E8M0FNU>'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : memref<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @dequantize_c10(%q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>,
    %x: tensor<4x64xf32>) {
  // expected-error @+1 {{'lpgemm.dequantize' op expects 1 result with a tensor init, but got 0}}
  lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
  return
}

// -----

func.func @dequantize_c10_type(%q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %x: tensor<4x64xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.dequantize' op expects the type of result 0 to be that of init, 'tensor<4x64xf32>', but got 'tensor<?x?xf32>'}}
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      scale(%s : tensor<4x2xf8E8M0FNU>) outs(%x : tensor<4x64xf32>) <mx>
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @dequantize_no_scale(%q: tensor<4x64xf8E4M3FN>, %x: tensor<4x64xf32>)
    -> tensor<4x64xf32> {
  %0 = lpgemm.dequantize ins(%q : tensor<4x64xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.dequantize' expected 'scale'}}
      outs(%x : tensor<4x64xf32>) <mx> -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
