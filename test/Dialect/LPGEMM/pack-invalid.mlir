// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @pack_p1_tensor(%s: tensor<f32>, %p: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects scales with blocks along K, such as <mx>, but got <tensor>}}
  %0 = lpgemm.pack_scales ins(%s : tensor<f32>) outs(%p : tensor<f32>) <tensor>
      -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @pack_p1_row(%s: tensor<8xf32>, %p: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects scales with blocks along K, such as <mx>, but got <row>}}
  %0 = lpgemm.pack_scales ins(%s : tensor<8xf32>) outs(%p : tensor<8xf32>)
      <row> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @pack_p1_rank(%s: tensor<200xf8E8M0FNU>,
    %p: tensor<2x2x32x4x4xf8E8M0FNU>) -> tensor<2x2x32x4x4xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects scales in layout row to have at least rank 2, but got 'tensor<200xf8E8M0FNU>'}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200xf8E8M0FNU>)
      outs(%p : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<2x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<2x2x32x4x4xf8E8M0FNU>
}

// -----

func.func @unpack_p1_rank(%s: tensor<2x2x32x4x4xf8E8M0FNU>,
    %p: tensor<200xf8E8M0FNU>) -> tensor<200xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.unpack_scales' op expects scales in layout row to have at least rank 2, but got 'tensor<200xf8E8M0FNU>'}}
  %0 = lpgemm.unpack_scales ins(%s : tensor<2x2x32x4x4xf8E8M0FNU>)
      outs(%p : tensor<200xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<200xf8E8M0FNU>
  return %0 : tensor<200xf8E8M0FNU>
}

// -----

func.func @pack_p2_types(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<2x2x32x4x4xf8E4M3FN>) -> tensor<2x2x32x4x4xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init to have the element type of input, 'f8E8M0FNU', but got 'f8E4M3FN'}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<2x2x32x4x4xf8E4M3FN>) <mx, layout = swz128x4>
      -> tensor<2x2x32x4x4xf8E4M3FN>
  return %0 : tensor<2x2x32x4x4xf8E4M3FN>
}

// -----

func.func @pack_p3_kind(%s: tensor<200x6xf32>, %p: tensor<2x2x32x4x4xf32>)
    -> tensor<2x2x32x4x4xf32> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects scales of kind mx to have element type 'f8E8M0FNU', and in layout swz128x4 'f8E8M0FNU' or 'f8E4M3FN', but got 'f32'}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf32>)
      outs(%p : tensor<2x2x32x4x4xf32>) <mx, layout = swz128x4>
      -> tensor<2x2x32x4x4xf32>
  return %0 : tensor<2x2x32x4x4xf32>
}

// -----

func.func @pack_p3_layout(%s: tensor<200x6xf32>, %p: tensor<2x2x32x4x4xf32>)
    -> tensor<2x2x32x4x4xf32> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects scales of kind 1x32 to have element type 'f32', 'bf16' or 'f8E8M0FNU', and in layout swz128x4 'f8E8M0FNU' or 'f8E4M3FN', but got 'f32'}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf32>)
      outs(%p : tensor<2x2x32x4x4xf32>) <1x32, layout = swz128x4>
      -> tensor<2x2x32x4x4xf32>
  return %0 : tensor<2x2x32x4x4xf32>
}

// -----

func.func @pack_p4_rows(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<3x2x32x4x4xf8E8M0FNU>) -> tensor<3x2x32x4x4xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 0 to be 2, ceil(rows / 128) with rows = 200 of input, but got 3}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<3x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<3x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<3x2x32x4x4xf8E8M0FNU>
}

// -----

func.func @pack_p4_blocks(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<2x6x32x4x4xf8E8M0FNU>) -> tensor<2x6x32x4x4xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 1 to be 2, ceil(K blocks / 4) with K blocks = 6 of input, but got 6}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<2x6x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<2x6x32x4x4xf8E8M0FNU>
  return %0 : tensor<2x6x32x4x4xf8E8M0FNU>
}

// -----

func.func @pack_p4_rank(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<200x6xf8E8M0FNU>) -> tensor<200x6xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init to have rank 5 (ceil(rows / 128), ceil(K blocks / 4), 32, 4, 4), but got 'tensor<200x6xf8E8M0FNU>'}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<200x6xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<200x6xf8E8M0FNU>
  return %0 : tensor<200x6xf8E8M0FNU>
}

// -----

func.func @pack_p4_tile(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<2x2x4x32x4xf8E8M0FNU>) -> tensor<2x2x4x32x4xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 2 to be 32, but got 4}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<2x2x4x32x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<2x2x4x32x4xf8E8M0FNU>
  return %0 : tensor<2x2x4x32x4xf8E8M0FNU>
}

// -----

func.func @pack_p4_transposed(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<2x2x32x4x4xf8E8M0FNU>) -> tensor<2x2x32x4x4xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 0 to be 1, ceil(rows / 128) with rows = 6 of input, but got 2}}
  %0 = lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      transposed -> tensor<2x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<2x2x32x4x4xf8E8M0FNU>
}

// -----

func.func @pack_p4_batch(%s: tensor<3x200x6xf8E8M0FNU>,
    %p: tensor<2x2x2x32x4x4xf8E8M0FNU>) -> tensor<2x2x2x32x4x4xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 0 to be 3, batch dimension 0 of input, but got 2}}
  %0 = lpgemm.pack_scales ins(%s : tensor<3x200x6xf8E8M0FNU>)
      outs(%p : tensor<2x2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<2x2x2x32x4x4xf8E8M0FNU>
  return %0 : tensor<2x2x2x32x4x4xf8E8M0FNU>
}

// -----

func.func @unpack_p4_rows(%s: tensor<2x2x32x4x4xf8E8M0FNU>,
    %p: tensor<300x6xf8E8M0FNU>) -> tensor<300x6xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.unpack_scales' op expects input dimension 0 to be 3, ceil(rows / 128) with rows = 300 of init, but got 2}}
  %0 = lpgemm.unpack_scales ins(%s : tensor<2x2x32x4x4xf8E8M0FNU>)
      outs(%p : tensor<300x6xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<300x6xf8E8M0FNU>
  return %0 : tensor<300x6xf8E8M0FNU>
}

// -----

func.func @pack_p4_col(%s: tensor<5x2xf32>, %p: tensor<2x5xf32>)
    -> tensor<2x5xf32> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 1 to be 8, ceil(rows / 4) * 4 with rows = 5 of input, but got 5}}
  %0 = lpgemm.pack_scales ins(%s : tensor<5x2xf32>) outs(%p : tensor<2x5xf32>)
      <1x128, layout = col> -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @pack_p4_mn_tma(%s: tensor<5x2xbf16>, %p: tensor<2x5xbf16>)
    -> tensor<2x5xbf16> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 1 to be 8, ceil(rows / 8) * 8 with rows = 5 of input, but got 5}}
  %0 = lpgemm.pack_scales ins(%s : tensor<5x2xbf16>)
      outs(%p : tensor<2x5xbf16>) <1x128, layout = mn_tma> -> tensor<2x5xbf16>
  return %0 : tensor<2x5xbf16>
}

// -----

func.func @pack_p4_ue8m0x4(%s: tensor<5x6xf8E8M0FNU>,
    %p: tensor<6x8x1xf8E8M0FNU>) -> tensor<6x8x1xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 0 to be 2, ceil(K blocks / 4) with K blocks = 6 of input, but got 6}}
  %0 = lpgemm.pack_scales ins(%s : tensor<5x6xf8E8M0FNU>)
      outs(%p : tensor<6x8x1xf8E8M0FNU>) <1x128, layout = mn_tma_ue8m0x4>
      -> tensor<6x8x1xf8E8M0FNU>
  return %0 : tensor<6x8x1xf8E8M0FNU>
}

// -----

func.func @pack_p4_blk128x128(%s: tensor<3x5xf32>, %p: tensor<3x5xf32>)
    -> tensor<3x5xf32> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 1 to be 8, ceil(K blocks / 4) * 4 with K blocks = 5 of input, but got 5}}
  %0 = lpgemm.pack_scales ins(%s : tensor<3x5xf32>) outs(%p : tensor<3x5xf32>)
      <128x128, layout = blk128x128> -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @pack_p4_amd32x8(%s: tensor<32x8xf8E8M0FNU>,
    %p: tensor<1x1x4x16x2x2xf8E8M0FNU>) -> tensor<1x1x4x16x2x2xf8E8M0FNU> {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init dimension 0 to be 8, ceil(rows / 256) * 8 with rows = 32 of input, but got 1}}
  %0 = lpgemm.pack_scales ins(%s : tensor<32x8xf8E8M0FNU>)
      outs(%p : tensor<1x1x4x16x2x2xf8E8M0FNU>) <mx, layout = amd32x8>
      -> tensor<1x1x4x16x2x2xf8E8M0FNU>
  return %0 : tensor<1x1x4x16x2x2xf8E8M0FNU>
}

// -----

func.func @pack_c1(%s: tensor<200x6xf8E8M0FNU>,
    %p: memref<2x2x32x4x4xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects init to be a tensor like input, but got 'memref<2x2x32x4x4xf8E8M0FNU>'}}
  lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : memref<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
  return
}

// -----

func.func @pack_c10(%s: tensor<200x6xf8E8M0FNU>,
    %p: tensor<2x2x32x4x4xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects 1 result with a tensor init, but got 0}}
  lpgemm.pack_scales ins(%s : tensor<200x6xf8E8M0FNU>)
      outs(%p : tensor<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
  return
}

// -----

func.func @pack_c11(%s: memref<200x6xf8E8M0FNU, 3>,
    %p: memref<2x2x32x4x4xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.pack_scales' op expects input to be in the default memory space, but got 3 : i64}}
  lpgemm.pack_scales ins(%s : memref<200x6xf8E8M0FNU, 3>)
      outs(%p : memref<2x2x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
  return
}

// -----

func.func @pack_weights_p5_type(%w: tensor<32x64xbf16>,
    %p: tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects weights of FP8, 'f4E2M1FN' or 'i8', but got 'bf16'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xbf16>)
      outs(%p : tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
  return %0 : tensor<2x4x16x16xbf16>
}

// -----

func.func @pack_weights_p5_fp6(%w: tensor<32x64xf6E2M3FN>,
    %p: tensor<2x4x16x16xf6E2M3FN>) -> tensor<2x4x16x16xf6E2M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects weights of FP8, 'f4E2M1FN' or 'i8', but got 'f6E2M3FN'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf6E2M3FN>)
      outs(%p : tensor<2x4x16x16xf6E2M3FN>) -> tensor<2x4x16x16xf6E2M3FN>
  return %0 : tensor<2x4x16x16xf6E2M3FN>
}

// -----

func.func @pack_weights_p5_i4(%w: tensor<32x64xi4>, %p: tensor<2x2x16x32xi4>)
    -> tensor<2x2x16x32xi4> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects weights of FP8, 'f4E2M1FN' or 'i8', but got 'i4'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xi4>)
      outs(%p : tensor<2x2x16x32xi4>) -> tensor<2x2x16x32xi4>
  return %0 : tensor<2x2x16x32xi4>
}

// -----

func.func @pack_weights_p5_types(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E5M2>) -> tensor<2x4x16x16xf8E5M2> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects input and init to have the same element type, but got 'f8E4M3FN' and 'f8E5M2'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E5M2>) -> tensor<2x4x16x16xf8E5M2>
  return %0 : tensor<2x4x16x16xf8E5M2>
}

// -----

func.func @pack_weights_p5_rank(%w: tensor<64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects input to have at least rank 2, but got 'tensor<64xf8E4M3FN>'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>
  return %0 : tensor<2x4x16x16xf8E4M3FN>
}

// -----

func.func @unpack_weights_p5_rank(%w: tensor<2x4x16x16xf8E4M3FN>,
    %p: tensor<64xf8E4M3FN>) -> tensor<64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.unpack_weights' op expects init to have at least rank 2, but got 'tensor<64xf8E4M3FN>'}}
  %0 = lpgemm.unpack_weights w16x16 ins(%w : tensor<2x4x16x16xf8E4M3FN>)
      outs(%p : tensor<64xf8E4M3FN>) -> tensor<64xf8E4M3FN>
  return %0 : tensor<64xf8E4M3FN>
}

// -----

func.func @pack_weights_p5_packed_type(%w: tensor<32x64xi8>,
    %p: tensor<2x4x16x16xi8>) -> tensor<2x4x16x16xi8> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects packed weights to be 'f4E2M1FN' in 'i8', but got 'f6E2M3FN' in 'i8'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xi8>)
      outs(%p : tensor<2x4x16x16xi8>) {packed = f6E2M3FN}
      -> tensor<2x4x16x16xi8>
  return %0 : tensor<2x4x16x16xi8>
}

// -----

func.func @pack_weights_p5_packed_bytes(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects packed weights to be 'f4E2M1FN' in 'i8', but got 'f4E2M1FN' in 'f8E4M3FN'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) {packed = f4E2M1FN}
      -> tensor<2x4x16x16xf8E4M3FN>
  return %0 : tensor<2x4x16x16xf8E4M3FN>
}

// -----

func.func @pack_weights_p6_n(%w: tensor<33x64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects N of input to be a multiple of 16 for w16x16, but got 33}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<33x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>
  return %0 : tensor<2x4x16x16xf8E4M3FN>
}

// -----

func.func @pack_weights_p6_k(%w: tensor<32x48xf8E4M3FN>,
    %p: tensor<2x3x16x16xf8E4M3FN>) -> tensor<2x3x16x16xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects K of input to be a multiple of 32 for w16x16, but got 48}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x48xf8E4M3FN>)
      outs(%p : tensor<2x3x16x16xf8E4M3FN>) -> tensor<2x3x16x16xf8E4M3FN>
  return %0 : tensor<2x3x16x16xf8E4M3FN>
}

// -----

func.func @pack_weights_p6_fp4(%w: tensor<32x96xf4E2M1FN>,
    %p: tensor<2x3x16x32xf4E2M1FN>) -> tensor<2x3x16x32xf4E2M1FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects K of input to be a multiple of 64 for w16x16, but got 96}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x96xf4E2M1FN>)
      outs(%p : tensor<2x3x16x32xf4E2M1FN>) -> tensor<2x3x16x32xf4E2M1FN>
  return %0 : tensor<2x3x16x32xf4E2M1FN>
}

// -----

func.func @pack_weights_p6_packed(%w: tensor<32x48xi8>,
    %p: tensor<2x3x16x16xi8>) -> tensor<2x3x16x16xi8> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects bytes of K of input to be a multiple of 32 for w16x16, but got 48}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x48xi8>)
      outs(%p : tensor<2x3x16x16xi8>) {packed = f4E2M1FN}
      -> tensor<2x3x16x16xi8>
  return %0 : tensor<2x3x16x16xi8>
}

// -----

func.func @pack_weights_p7_n(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<3x4x16x16xf8E4M3FN>) -> tensor<3x4x16x16xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects init dimension 0 to be 2, floor(N / 16) with N = 32 of input, but got 3}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<3x4x16x16xf8E4M3FN>) -> tensor<3x4x16x16xf8E4M3FN>
  return %0 : tensor<3x4x16x16xf8E4M3FN>
}

// -----

func.func @pack_weights_p7_k(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x2x16x16xf8E4M3FN>) -> tensor<2x2x16x16xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects init dimension 1 to be 4, floor(K / 16) with K = 64 of input, but got 2}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x2x16x16xf8E4M3FN>) -> tensor<2x2x16x16xf8E4M3FN>
  return %0 : tensor<2x2x16x16xf8E4M3FN>
}

// -----

func.func @pack_weights_p7_tile(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x4x16x32xf8E4M3FN>) -> tensor<2x4x16x32xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects init dimension 3 to be 16, but got 32}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x32xf8E4M3FN>) -> tensor<2x4x16x32xf8E4M3FN>
  return %0 : tensor<2x4x16x32xf8E4M3FN>
}

// -----

func.func @pack_weights_p7_rank(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects init to have rank 4 (floor(N / 16), floor(K / 16), 16, 16), but got 'tensor<32x64xf8E4M3FN>'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  return %0 : tensor<32x64xf8E4M3FN>
}

// -----

func.func @unpack_weights_p7(%w: tensor<2x4x16x16xf8E4M3FN>,
    %p: tensor<48x64xf8E4M3FN>) -> tensor<48x64xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.unpack_weights' op expects input dimension 0 to be 3, floor(N / 16) with N = 48 of init, but got 2}}
  %0 = lpgemm.unpack_weights w16x16 ins(%w : tensor<2x4x16x16xf8E4M3FN>)
      outs(%p : tensor<48x64xf8E4M3FN>) -> tensor<48x64xf8E4M3FN>
  return %0 : tensor<48x64xf8E4M3FN>
}

// -----

func.func @pack_weights_layout(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN> {
  // expected-error @+2 {{custom op 'lpgemm.pack_weights' failed to parse LPGEMM_WeightLayoutAttr parameter 'value' which is to be a `::mlir::lpgemm::WeightLayout`}}
  // expected-error @+1 {{custom op 'lpgemm.pack_weights' expected one of [w16x16] for memory layout of pre-shuffled weights, got: w32x32}}
  %0 = lpgemm.pack_weights w32x32 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<2x4x16x16xf8E4M3FN>
  return %0 : tensor<2x4x16x16xf8E4M3FN>
}

// -----

func.func @pack_weights_c1(%w: tensor<32x64xf8E4M3FN>,
    %p: memref<2x4x16x16xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects init to be a tensor like input, but got 'memref<2x4x16x16xf8E4M3FN>'}}
  lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : memref<2x4x16x16xf8E4M3FN>)
  return
}

// -----

func.func @pack_weights_c10(%w: tensor<32x64xf8E4M3FN>,
    %p: tensor<2x4x16x16xf8E4M3FN>) -> tensor<?x?x?x?xf8E4M3FN> {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects the type of result 0 to be that of init, 'tensor<2x4x16x16xf8E4M3FN>', but got 'tensor<?x?x?x?xf8E4M3FN>'}}
  %0 = lpgemm.pack_weights w16x16 ins(%w : tensor<32x64xf8E4M3FN>)
      outs(%p : tensor<2x4x16x16xf8E4M3FN>) -> tensor<?x?x?x?xf8E4M3FN>
  return %0 : tensor<?x?x?x?xf8E4M3FN>
}

// -----

func.func @pack_weights_c11(%w: memref<32x64xf4E2M1FN>,
    %p: memref<2x2x16x32xf4E2M1FN>) {
  // expected-error @+1 {{'lpgemm.pack_weights' op expects input to hold its 'f4E2M1FN' elements as packed bytes, but got 'memref<32x64xf4E2M1FN>': run lpgemm-materialize-storage before bufferization}}
  lpgemm.pack_weights w16x16 ins(%w : memref<32x64xf4E2M1FN>)
      outs(%p : memref<2x2x16x32xf4E2M1FN>)
  return
}
