// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @quantize_q6_neither(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>)
    -> tensor<4x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.quantize' op expects either scale or scale_outs, but got neither}}
  %0 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) <mx> -> tensor<4x64xf8E4M3FN>
  return %0 : tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_q6_both(%x: tensor<4x64xf32>, %e: tensor<4x2xf8E8M0FNU>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects either scale or scale_outs, but got both}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      scale(%e : tensor<4x2xf8E8M0FNU>) outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q6_both_tensor_scales(%x: tensor<4x64xf32>,
    %e: tensor<f32>, %q: tensor<4x64xf4E2M1FN>, %s: tensor<4x4xf8E4M3FN>,
    %g: tensor<f32>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects either tensor_scale or tensor_scale_outs, but got both}}
  %0:3 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      tensor_scale(%e : tensor<f32>) outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, amax)
      tensor_scale_outs(%g : tensor<f32>) <nvfp4>
      -> tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1, %0#2 : tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>, tensor<f32>
}

// -----

func.func @quantize_q6_tensor_scale_of_e8m0(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>, %g: tensor<f32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects tensor_scale_outs with scale_outs of type 'f8E4M3FN' only, but got 'f8E8M0FNU'}}
  %0:3 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil)
      tensor_scale_outs(%g : tensor<f32>) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<f32>
  return %0#0, %0#1, %0#2 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>, tensor<f32>
}

// -----

func.func @quantize_q6_tensor_scale_of_given(%x: tensor<4x64xf32>,
    %e: tensor<4x4xf8E4M3FN>, %q: tensor<4x64xf4E2M1FN>, %g: tensor<f32>)
    -> (tensor<4x64xf4E2M1FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects tensor_scale_outs with scale_outs of type 'f8E4M3FN' only, but got none}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      scale(%e : tensor<4x4xf8E4M3FN>) outs(%q : tensor<4x64xf4E2M1FN>)
      tensor_scale_outs(%g : tensor<f32>) <nvfp4>
      -> tensor<4x64xf4E2M1FN>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xf4E2M1FN>, tensor<f32>
}

// -----

func.func @quantize_q6_rule_amax(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale rule rceil, floor, ceil or even with scales of type 'f8E8M0FNU', but got amax}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, amax) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q6_rule_pow2(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale rule rceil, floor, ceil or even with scales of type 'f8E8M0FNU', but got pow2}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, pow2) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q6_rule_rceil_of_f32(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale rule amax or pow2 with scales of type 'f32', but got rceil}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<4x2xf32>, rceil)
      <1x32> -> tensor<4x64xf8E4M3FN>, tensor<4x2xf32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf32>
}

// -----

func.func @quantize_q6_rule_even_of_e4m3(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf4E2M1FN>, %s: tensor<4x4xf8E4M3FN>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale rule amax with scales of type 'f8E4M3FN', but got even}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, even) <nvfp4>
      -> tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
}

// -----

func.func @quantize_q6_rule_pow2_of_e4m3(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf4E2M1FN>, %s: tensor<4x4xf8E4M3FN>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale rule amax with scales of type 'f8E4M3FN', but got pow2}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, pow2) <nvfp4>
      -> tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
}

// -----

func.func @quantize_q6_unknown_rule(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      // expected-error @+2 {{custom op 'lpgemm.quantize' failed to parse LPGEMM_ScaleRuleAttr parameter 'value' which is to be a `::mlir::lpgemm::ScaleRuleMode`}}
      // expected-error @+1 {{custom op 'lpgemm.quantize' expected one of [amax, rceil, floor, ceil, even, pow2] for how a decode scale follows from the largest magnitude of a block, got: nearest}}
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, nearest) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q6_no_rule(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs with a rule, such as rceil, but got only the scales}}
  %0:2 = "lpgemm.quantize"(%x, %q, %s) <{kind = #lpgemm.scale<mx>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 1, 0, 0>}> : (tensor<4x64xf32>, tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>)
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q6_rule_of_given(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>) -> tensor<4x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.quantize' op expects scale_outs with a rule, such as rceil, but got only the rule}}
  %0 = "lpgemm.quantize"(%x, %s, %q) <{kind = #lpgemm.scale<mx>, rule = #lpgemm<scale_rule rceil>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>}> : (tensor<4x64xf32>, tensor<4x2xf8E8M0FNU>, tensor<4x64xf8E4M3FN>) -> tensor<4x64xf8E4M3FN>
  return %0 : tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_q7_nosat(%x: tensor<4x64xf32>, %q: tensor<4x64xf4E2M1FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects overflow = nosat with FP8 codes only, but got f4E2M1FN}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> overflow = nosat
      -> tensor<4x64xf4E2M1FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf4E2M1FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_seed(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects seed with round = sr only, but got round = rne}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> seed = 7
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_no_seed(%x: tensor<4x64xf32>, %q: tensor<4x64xf8E4M3FN>,
    %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects round = sr with a seed, but got none}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> round = sr
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_rounding(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.quantize' expected one of [rne, sr] for how a value between two codes is rounded, got: rtz}}
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> round = rtz
      // expected-error @+1 {{custom op 'lpgemm.quantize' failed to parse LPGEMM_RoundingAttr parameter 'value' which is to be a `::mlir::lpgemm::RoundingMode`}}
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_amax_floor(%x: tensor<4x64xf32>,
    %e: tensor<4x2xf8E8M0FNU>, %q: tensor<4x64xf8E4M3FN>)
    -> tensor<4x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.quantize' op expects amax_floor with scale_outs only, but got none}}
  %0 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      scale(%e : tensor<4x2xf8E8M0FNU>) outs(%q : tensor<4x64xf8E4M3FN>) <mx>
      amax_floor = 1.0 -> tensor<4x64xf8E4M3FN>
  return %0 : tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_q7_amax_floor_negative(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects amax_floor to be finite and at least 0, but got -1.000000e+00}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> amax_floor = -1.0
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_amax_floor_infinite(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects amax_floor to be finite and at least 0, but got INF}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      amax_floor = 0x7F800000 -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_min_scale(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects min_scale with scale_outs of type f8E4M3FN only, but got f8E8M0FNU}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> min_scale = 1.0
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_min_scale_nan(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf4E2M1FN>, %s: tensor<4x4xf8E4M3FN>)
    -> (tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects min_scale to be finite and at least 0, but got nan}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf4E2M1FN>)
      scale_outs(%s : tensor<4x4xf8E4M3FN>, amax) <nvfp4>
      min_scale = 0x7FC00000 -> tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
  return %0#0, %0#1 : tensor<4x64xf4E2M1FN>, tensor<4x4xf8E4M3FN>
}

// -----

func.func @quantize_q7_percentile(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects percentile with scale_outs of kind tensor only, but got mx}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx> percentile = 0.5
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}

// -----

func.func @quantize_q7_percentile_zero(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects percentile in (0, 1], but got 0.000000e+00}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<f32>, amax)
      <tensor> percentile = 0.0 -> tensor<4x64xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<f32>
}

// -----

func.func @quantize_q7_percentile_nan(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects percentile in (0, 1], but got nan}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<f32>, amax)
      <tensor> percentile = 0x7FF8000000000000
      -> tensor<4x64xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<f32>
}

// -----

func.func @quantize_q7_percentile_above_1(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects percentile in (0, 1], but got 1.500000e+00}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<f32>, amax)
      <tensor> percentile = 1.5 -> tensor<4x64xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<f32>
}

// -----

func.func @quantize_q7_saturate_scale(%x: tensor<4x64xf32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<4x64xf8E4M3FN>, tensor<f32>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects saturate_scale with scale_outs of type f8E8M0FNU only, but got f32}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      outs(%q : tensor<4x64xf8E4M3FN>) scale_outs(%s : tensor<f32>, amax)
      <tensor> saturate_scale -> tensor<4x64xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<f32>
}

// -----

func.func @quantize_q7_saturate_given_scale(%x: tensor<4x64xf32>,
    %e: tensor<4x2xf8E8M0FNU>, %q: tensor<4x64xf8E4M3FN>)
    -> tensor<4x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.quantize' op expects saturate_scale with scale_outs of type f8E8M0FNU only, but got none}}
  %0 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      scale(%e : tensor<4x2xf8E8M0FNU>) outs(%q : tensor<4x64xf8E4M3FN>) <mx>
      saturate_scale -> tensor<4x64xf8E4M3FN>
  return %0 : tensor<4x64xf8E4M3FN>
}

// -----

func.func @quantize_q7_tensor_scale(%x: tensor<4x64xf32>, %g: tensor<f32>,
    %q: tensor<4x64xf8E4M3FN>, %s: tensor<4x2xf8E8M0FNU>)
    -> (tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.quantize' op expects tensor_scale with scales of type f8E4M3FN only, but got f8E8M0FNU}}
  %0:2 = lpgemm.quantize ins(%x : tensor<4x64xf32>)
      tensor_scale(%g : tensor<f32>) outs(%q : tensor<4x64xf8E4M3FN>)
      scale_outs(%s : tensor<4x2xf8E8M0FNU>, rceil) <mx>
      -> tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x64xf8E4M3FN>, tensor<4x2xf8E8M0FNU>
}
