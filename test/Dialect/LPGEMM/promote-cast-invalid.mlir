// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

func.func @promote_acc_type(%p: !lpgemm.frag<16x16xf32>, %c: !lpgemm.frag<16x16xi32>, %s: !lpgemm.frag<16x1xf32>) {
  // expected-error @+1 {{'lpgemm.promote' op expects an accumulator of 'f32' and a part of 'f32' or 'i32', but got 'i32' and 'f32'}}
  %0 = lpgemm.promote %p, %c sa(%s : !lpgemm.frag<16x1xf32>) : !lpgemm.frag<16x16xf32>, !lpgemm.frag<16x16xi32>
  return
}

// -----

func.func @promote_part_type(%p: !lpgemm.frag<16x16xbf16>, %c: !lpgemm.frag<16x16xf32>, %s: !lpgemm.frag<16x1xf32>) {
  // expected-error @+1 {{'lpgemm.promote' op expects an accumulator of 'f32' and a part of 'f32' or 'i32', but got 'f32' and 'bf16'}}
  %0 = lpgemm.promote %p, %c sb(%s : !lpgemm.frag<16x1xf32>) : !lpgemm.frag<16x16xbf16>, !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @promote_part_shape(%p: !lpgemm.frag<16x32xi32>, %c: !lpgemm.frag<16x16xf32>, %s: !lpgemm.frag<16x1xf32>) {
  // expected-error @+1 {{'lpgemm.promote' op expects part to be 16x16, but got 16x32}}
  %0 = lpgemm.promote %p, %c sb(%s : !lpgemm.frag<16x1xf32>) : !lpgemm.frag<16x32xi32>, !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @cast_pair(%a: !lpgemm.frag<16x32xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.cast' op expects FP8, FP6 or FP4 to 'bf16', 'f8E4M3FN' or 'f8E5M2' to 'f16', 'f8E4M3FN' to 'f8E4M3FNUZ', or 'f8E5M2' to 'f8E5M2FNUZ', but got 'f8E4M3FN' to 'f8E5M2FNUZ'}}
  %0 = lpgemm.cast %a : !lpgemm.frag<16x32xf8E4M3FN> to !lpgemm.frag<16x32xf8E5M2FNUZ>
  return
}

// -----

func.func @cast_back(%a: !lpgemm.frag<16x32xf8E5M2FNUZ>) {
  // expected-error @+1 {{'lpgemm.cast' op expects FP8, FP6 or FP4 to 'bf16', 'f8E4M3FN' or 'f8E5M2' to 'f16', 'f8E4M3FN' to 'f8E4M3FNUZ', or 'f8E5M2' to 'f8E5M2FNUZ', but got 'f8E5M2FNUZ' to 'f8E5M2'}}
  %0 = lpgemm.cast %a : !lpgemm.frag<16x32xf8E5M2FNUZ> to !lpgemm.frag<16x32xf8E5M2>
  return
}

// -----

func.func @cast_f16(%a: !lpgemm.frag<16x32xf16>) {
  // expected-error @+1 {{'lpgemm.cast' op expects FP8, FP6 or FP4 to 'bf16', 'f8E4M3FN' or 'f8E5M2' to 'f16', 'f8E4M3FN' to 'f8E4M3FNUZ', or 'f8E5M2' to 'f8E5M2FNUZ', but got 'f16' to 'bf16'}}
  %0 = lpgemm.cast %a : !lpgemm.frag<16x32xf16> to !lpgemm.frag<16x32xbf16>
  return
}

// -----

func.func @cast_i8(%a: !lpgemm.frag<16x32xi8>) {
  // expected-error @+1 {{'lpgemm.cast' op expects FP8, FP6 or FP4 to 'bf16', 'f8E4M3FN' or 'f8E5M2' to 'f16', 'f8E4M3FN' to 'f8E4M3FNUZ', or 'f8E5M2' to 'f8E5M2FNUZ', but got 'i8' to 'bf16'}}
  %0 = lpgemm.cast %a : !lpgemm.frag<16x32xi8> to !lpgemm.frag<16x32xbf16>
  return
}

// -----

func.func @cast_shape(%a: !lpgemm.frag<16x32xf8E5M2>) {
  // expected-error @+1 {{'lpgemm.cast' op expects shape and lanes of the source, '!lpgemm.frag<16x32xf8E5M2>', but got '!lpgemm.frag<32x16xbf16>'}}
  %0 = lpgemm.cast %a : !lpgemm.frag<16x32xf8E5M2> to !lpgemm.frag<32x16xbf16>
  return
}

// -----

func.func @cast_lanes(%a: !lpgemm.frag<16x32xf8E5M2, <mfma_f32_16x16x32_fp8, a>>) {
  // expected-error @+1 {{'lpgemm.cast' op expects shape and lanes of the source, '!lpgemm.frag<16x32xf8E5M2, <mfma_f32_16x16x32_fp8, a>>', but got '!lpgemm.frag<16x32xbf16>'}}
  %0 = lpgemm.cast %a : !lpgemm.frag<16x32xf8E5M2, <mfma_f32_16x16x32_fp8, a>> to !lpgemm.frag<16x32xbf16>
  return
}

// -----

func.func @promote_sa_columns(%p: !lpgemm.frag<16x16xf32>, %sa: !lpgemm.frag<16x4xf8E8M0FNU>, %sb: !lpgemm.frag<16x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.promote' op expects sa to be 16x1, but got 16x4}}
  %0 = lpgemm.promote %p, %p
      sa(%sa : !lpgemm.frag<16x4xf8E8M0FNU>) sb(%sb : !lpgemm.frag<16x1xf8E8M0FNU>)
      : !lpgemm.frag<16x16xf32>, !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @promote_sa_rows(%p: !lpgemm.frag<16x16xf32>, %sa: !lpgemm.frag<32x1xf8E8M0FNU>, %sb: !lpgemm.frag<16x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.promote' op expects sa to be 16x1, but got 32x1}}
  %0 = lpgemm.promote %p, %p
      sa(%sa : !lpgemm.frag<32x1xf8E8M0FNU>) sb(%sb : !lpgemm.frag<16x1xf8E8M0FNU>)
      : !lpgemm.frag<16x16xf32>, !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @promote_sb(%p: !lpgemm.frag<16x16xf32>, %sa: !lpgemm.frag<16x1xf8E8M0FNU>, %sb: !lpgemm.frag<32x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.promote' op expects sb to be 16x1, but got 32x1}}
  %0 = lpgemm.promote %p, %p
      sa(%sa : !lpgemm.frag<16x1xf8E8M0FNU>) sb(%sb : !lpgemm.frag<32x1xf8E8M0FNU>)
      : !lpgemm.frag<16x16xf32>, !lpgemm.frag<16x16xf32>
  return
}
