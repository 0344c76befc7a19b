// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @quantize_q1_type(%x: tensor<4x64xf64>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects input to have element type 'f32', 'bf16' or 'f16', but got 'f64'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf64>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q1_i32(%x: tensor<4x64xi32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects input to have element type 'f32', 'bf16' or 'f16', but got 'i32'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xi32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q1_fp8(%x: tensor<4x64xf8E4M3FN>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects input to have element type 'f32', 'bf16' or 'f16', but got 'f8E4M3FN'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf8E4M3FN>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q1_rank(%x: tensor<64xf32>, %q: tensor<64xf8E4M3FN>,
    %s: tensor<2xf8E8M0FNU>) -> (tensor<64xf8E4M3FN>, tensor<2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects input to have at least rank 2, but got 'tensor<64xf32>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<64xf32>) outs(%q : tensor<64xf8E4M3FN>)
      scale_outs(%s : tensor<2xf8E8M0FNU>, rceil) <mx>
      -> tensor<64xf8E4M3FN>, tensor<2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<64xf8E4M3FN>, tensor<2xf8E8M0FNU>
}

// -----

func.func @quantize_q1_unranked(%x: tensor<*xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op operand #0 must be tensor, memref or global matrix, but got 'tensor<*xf32>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<*xf32>) outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q2_e2(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to have an FP8, FP6 or FP4 element type or 'i8', but got 'f8E4M3'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q2_i4(%x: tensor<4x64xf32>, %q: tensor<4x64xi4>,
    %s: tensor<f32>) -> (tensor<4x64xi4>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to have an FP8, FP6 or FP4 element type or 'i8', but got 'i4'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x64xi4>)
      scale_outs(%s : tensor<f32>, amax) <tensor>
      -> tensor<4x64xi4>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xi4>, tensor<f32>
}

// -----

func.func @quantize_q2_bf16(%x: tensor<4x64xf32>, %q: tensor<4x64xbf16>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xbf16>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to have an FP8, FP6 or FP4 element type or 'i8', but got 'bf16'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x64xbf16>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xbf16>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xbf16>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q2_ui8(%x: tensor<4x64xf32>, %q: tensor<4x64xui8>,
    %s: tensor<f32>) -> (tensor<4x64xui8>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to have an FP8, FP6 or FP4 element type or 'i8', but got 'ui8'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x64xui8>)
      scale_outs(%s : tensor<f32>, amax) <tensor>
      -> tensor<4x64xui8>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xui8>, tensor<f32>
}

// -----

func.func @quantize_q2_quant(%x: tensor<4x64xf32>,
    %q: tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>, %s: tensor<f32>)
    -> (tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init to have an FP8, FP6 or FP4 element type or 'i8', but got '!quant.uniform<i8:f32, 5.000000e-01:3>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>)
      scale_outs(%s : tensor<f32>, amax) <tensor>
      -> tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64x!quant.uniform<i8:f32, 0.5:3>>, tensor<f32>
}

// -----

func.func @quantize_q2_packed_type(%x: tensor<4x64xf32>, %q: tensor<4x32xi8>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init_packed to be 'f6E2M3FN', 'f6E3M2FN' or 'f4E2M1FN', but got 'f8E5M2'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x32xi8>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      {init_packed = f8E5M2} -> tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x32xi8>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q2_packed_bytes(%x: tensor<4x64xf32>, %q: tensor<4x32xi16>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x32xi16>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects packed init to have element type 'i8', but got 'i16'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x32xi16>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      {init_packed = f4E2M1FN} -> tensor<4x32xi16>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x32xi16>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q3_mxint8(%x: tensor<4x64xf32>, %q: tensor<4x64xi8>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init of element type 'i8' to have a scale of kind tensor, row, column, 1xG or GxG, but got mx}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x64xi8>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q4_mxint8(%x: tensor<4x64xf32>, %q: tensor<4x64xi8>,
    %s: tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs of 'i8' codes to have element type 'f32' or 'bf16', but got 'f8E8M0FNU'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>) outs(%q : tensor<4x64xi8>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <1x32>
      -> tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xi8>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q3_mx_of_fnuz(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FNUZ>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FNUZ>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init of element type 'f8E4M3FNUZ' to have a scale of kind tensor, row, column, 1xG or GxG, but got mx}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FNUZ>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FNUZ>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FNUZ>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q3_nvfp4_of_fp8(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x4xf8E4M3FN>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x4xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects init of element type 'f8E4M3FN' to have a scale of kind tensor, row, column, 1xG, GxG or mx, but got nvfp4}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, amax) <nvfp4>
      -> tensor<4x64xf8E4M3FN>, tensor<4x4xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x4xf8E4M3FN>
}

// -----

func.func @quantize_q4_type(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf32>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs of kind mx to have element type 'f8E8M0FNU', but got 'f32'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<4x2xf32>, rceil)
      <mx> -> tensor<4x64xf8E4M3FN>, tensor<4x2xf32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf32>
}

// -----

func.func @quantize_q4_f16(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf16>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf16>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs of kind 1x32 to have element type 'f32', 'bf16' or 'f8E8M0FNU', but got 'f16'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<4x2xf16>, amax)
      <1x32> -> tensor<4x64xf8E4M3FN>, tensor<4x2xf16>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf16>
}

// -----

func.func @quantize_q4_layout(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<1x1x32x4x4xf32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<1x1x32x4x4xf32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs in layout swz128x4 to have element type 'f8E8M0FNU' or 'f8E4M3FN', but got 'f32'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<1x1x32x4x4xf32>, amax) <1x32, layout = swz128x4>
      -> tensor<4x64xf8E4M3FN>, tensor<1x1x32x4x4xf32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<1x1x32x4x4xf32>
}

// -----

func.func @quantize_q5_kind(%x: tensor<4x64xf32>, %q: tensor<4x64xf4E2M1FN>,
    %s: tensor<4xf8E4M3FN>, %g: tensor<f32>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs of kind row to have element type 'f32' or 'bf16', but got 'f8E4M3FN'}}
  %0:3 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4xf8E4M3FN>, amax)
      tensor_scale_outs(%g : tensor<f32>) <row>
      -> tensor<4x64xf4E2M1FN>, tensor<4xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1, %0#2 : tensor<4x64xf4E2M1FN>, tensor<4xf8E4M3FN>, tensor<f32>
}

// -----

func.func @quantize_q5_given_kind(%x: tensor<4x64xf32>, %e: tensor<f32>,
    %g: tensor<f32>, %q: tensor<4x64xf8E4M3FN>) -> tensor<4x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.quantize' op expects tensor_scale with a scale with blocks along K only, such as <nvfp4>, but got <tensor>}}
  %0 = lpgemm.quantize ins(%x : tensor<4x64xf32>) scale(%e : tensor<f32>)
      tensor_scale(%g : tensor<f32>) outs(%q : tensor<4x64xf8E4M3FN>) <tensor>
      -> tensor<4x64xf8E4M3FN>
  return %0 : tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_q5_type(%x: tensor<4x64xf32>, %q: tensor<4x64xf4E2M1FN>,
    %s: tensor<4x4xf8E4M3FN>, %g: tensor<bf16>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>, tensor<bf16>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects tensor_scale_outs to be one 'f32', but got 'tensor<bf16>'}}
  %0:3 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, amax)
      tensor_scale_outs(%g : tensor<bf16>) <nvfp4>
      -> tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>, tensor<bf16>
  return %0#0, %0#1, %0#2 : tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>, tensor<bf16>
}

// -----

func.func @quantize_q5_rank(%x: tensor<4x64xf32>, %g: tensor<4xf32>,
    %q: tensor<4x64xf4E2M1FN>, %s: tensor<4x4xf8E4M3FN>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects tensor_scale to be one 'f32', but got 'tensor<4xf32>'}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      tensor_scale(%g : tensor<4xf32>) outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, amax) <nvfp4>
      -> tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
}

// -----

func.func @quantize_q8_type(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %m: tensor<bf16>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<bf16>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects amax to have element type 'f32', but got 'bf16'}}
  %0:3 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) amax(%m : tensor<bf16>)
      <mx> -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<bf16>
  return %0#0, %0#1, %0#2 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<bf16>
}

// -----

func.func @quantize_q8_shape(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>, %m: tensor<4xf32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<4xf32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects amax to have rank 0, but got 'tensor<4xf32>'}}
  %0:3 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) amax(%m : tensor<4xf32>)
      <mx> -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<4xf32>
  return %0#0, %0#1, %0#2 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<4xf32>
}
