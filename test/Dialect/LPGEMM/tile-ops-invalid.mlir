// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

func.func @bind_type(%p: i64, %i: index, %pitch: i64) {
  // expected-error @+1 {{'lpgemm.bind' op expects a pointer of type '!llvm.ptr', but got 'i64'}}
  %0 = lpgemm.bind %p[%i, %i] pitch %pitch : i64 to !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @bind_space(%p: !llvm.ptr<3>, %i: index, %pitch: i64) {
  // expected-error @+1 {{'lpgemm.bind' op expects a pointer of type '!llvm.ptr', but got '!llvm.ptr<3>'}}
  %0 = lpgemm.bind %p[%i, %i] pitch %pitch : !llvm.ptr<3> to !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @dim(%g: !lpgemm.global<?x?xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.dim' op expects dimension 0 or 1, but got 2}}
  %0 = lpgemm.dim %g, 2 : !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @dim_negative(%g: !lpgemm.global<?x?xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.dim' op attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = lpgemm.dim %g, -1 : !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @splat(%z: f16) {
  // expected-error @+1 {{'lpgemm.splat' op expects the value to have the element type of the result, 'f32', but got 'f16'}}
  %0 = lpgemm.splat %z : f16 to !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @load(%g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.load' op expects one element type on both sides, but got 'f8E4M3FN' and 'f32'}}
  %0 = lpgemm.load %g[%i, %i] at [%i, %i] : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @load_transpose(%g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.load' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E8M0FNU'}}
  %0 = lpgemm.load %g[%i, %i] at [%i, %i] transpose : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x4xf8E8M0FNU>
  return
}

// -----

func.func @load_transpose_value(%g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{Invalid attribute `transpose` in property conversion: true}}
  %0 = "lpgemm.load"(%g, %i, %i, %i, %i) <{transpose = true}> : (!lpgemm.global<?x?xf8E4M3FN>, index, index, index, index) -> !lpgemm.frag<16x128xf8E4M3FN>
  return
}

// -----

func.func @store(%g: !lpgemm.global<?x?xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>, %i: index) {
  // expected-error @+1 {{'lpgemm.store' op expects one element type on both sides, but got 'f32' and 'f8E4M3FN'}}
  lpgemm.store %c, %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x16xf32> to !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @copy(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<16x128xf8E5M2, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.copy' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E5M2'}}
  %0 = lpgemm.copy %g[%i, %i] into %b : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<16x128xf8E5M2, shared>
  return
}

// -----

func.func @copy_transpose(%g: !lpgemm.global<?x?xf8E4M3FN>, %b: !lpgemm.buf<16x128xf8E5M2, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.copy' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E5M2'}}
  %0 = lpgemm.copy %g[%i, %i] into %b transpose : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<16x128xf8E5M2, shared>
  return
}

// -----

func.func @store_transpose(%g: !lpgemm.global<?x?xf32>, %c: !lpgemm.frag<16x16xf32>, %i: index) {
  // expected-error @+1 {{expected ':'}}
  lpgemm.store %c, %g[%i, %i] at [%i, %i] transpose : !lpgemm.frag<16x16xf32> to !lpgemm.global<?x?xf32>
  return
}

// -----

func.func @read_type(%b: !lpgemm.buf<16x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.read' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E5M2'}}
  %0 = lpgemm.read %b[%i, %i] : !lpgemm.buf<16x128xf8E4M3FN, shared> to !lpgemm.frag<16x128xf8E5M2>
  return
}

// -----

func.func @read_rows(%b: !lpgemm.buf<16x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.read' op expects dimension 0 of the result to be at most 16, that of the buffer, but got 32}}
  %0 = lpgemm.read %b[%i, %i] : !lpgemm.buf<16x128xf8E4M3FN, shared> to !lpgemm.frag<32x128xf8E4M3FN>
  return
}

// -----

func.func @read_columns(%b: !lpgemm.buf<16x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.read' op expects dimension 1 of the result to be at most 128, that of the buffer, but got 256}}
  %0 = lpgemm.read %b[%i, %i] : !lpgemm.buf<16x128xf8E4M3FN, shared> to !lpgemm.frag<16x256xf8E4M3FN>
  return
}

// -----

func.func @slice_type(%a: !lpgemm.frag<16x128xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.slice' op expects one element type on both sides, but got 'f8E4M3FN' and 'f8E5M2'}}
  %0 = lpgemm.slice %a[0] : !lpgemm.frag<16x128xf8E4M3FN> to !lpgemm.frag<16x32xf8E5M2>
  return
}

// -----

func.func @slice_rows(%a: !lpgemm.frag<16x128xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.slice' op expects rows up to 16, but got rows 0 to 32}}
  %0 = lpgemm.slice %a[0] : !lpgemm.frag<16x128xf8E4M3FN> to !lpgemm.frag<32x32xf8E4M3FN>
  return
}

// -----

func.func @slice_columns(%a: !lpgemm.frag<16x128xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.slice' op expects columns up to 128, but got columns 112 to 144}}
  %0 = lpgemm.slice %a[112] : !lpgemm.frag<16x128xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>
  return
}

// -----

func.func @slice_overflow(%a: !lpgemm.frag<16x128xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.slice' op expects columns up to 128, but got columns 9223372036854775807 to 9223372036854775839}}
  %0 = lpgemm.slice %a[9223372036854775807] : !lpgemm.frag<16x128xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>
  return
}

// -----

func.func @slice_negative(%a: !lpgemm.frag<16x128xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.slice' op attribute 'col' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = lpgemm.slice %a[-1] : !lpgemm.frag<16x128xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>
  return
}

// -----

func.func @mma_a(%a: !lpgemm.frag<32x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects a to be 16x128, but got 32x128}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<32x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_b_rows(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<32x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects b to be 16x128, but got 32x128}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<32x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_b_columns(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x256xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects b to be 16x128, but got 16x256}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x256xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_k(%a: !lpgemm.frag<16x32xf8E4M3FN>, %b: !lpgemm.frag<16x32xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects M, N, K (16, 16, 32) to be multiples of those of the instruction (16, 16, 128)}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x32xf8E4M3FN>, !lpgemm.frag<16x32xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_m(%a: !lpgemm.frag<8x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<8x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects M, N, K (8, 16, 128) to be multiples of those of the instruction (16, 16, 128)}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<8x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<8x16xf32>
  return
}

// -----

func.func @mma_n(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<24x128xf8E4M3FN>, %c: !lpgemm.frag<16x24xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects M, N, K (16, 24, 128) to be multiples of those of the instruction (16, 16, 128)}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<24x128xf8E4M3FN>,
        !lpgemm.frag<16x24xf32>
  return
}

// -----

func.func @mma_type(%a: !lpgemm.frag<16x128xf8E5M2FNUZ>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op has no form of the instruction for 'f8E5M2FNUZ' x 'f8E4M3FN' -> 'f32'}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E5M2FNUZ>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_acc_type(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf16>) {
  // expected-error @+1 {{'lpgemm.mma' op has no form of the instruction for 'f8E4M3FN' x 'f8E4M3FN' -> 'f16'}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf16>
  return
}

// -----

func.func @mma_exponent(%a: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects scales with an exponent}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %a, %c {exponent = 1 : i64} : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x16xf32>
  return
}

// -----

// i8 adds up in i32.

func.func @mma_i8_acc(%a: !lpgemm.frag<16x32xi8>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op has no form of the instruction for 'i8' x 'i8' -> 'f32'}}
  %0 = lpgemm.mma <mfma_i32_16x16x32_i8> %a, %a, %c : !lpgemm.frag<16x32xi8>, !lpgemm.frag<16x32xi8>, !lpgemm.frag<16x16xf32>
  return
}

// -----

// Behind scales, in f32.

func.func @mma_i8_scaled_acc(%a: !lpgemm.frag<16x32xi8>, %c: !lpgemm.frag<16x16xi32>, %s: !lpgemm.frag<16x1xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op has no form of the instruction for 'i8' x 'i8' -> 'i32'}}
  %0 = lpgemm.mma <mfma_i32_16x16x32_i8> %a, %a, %c sb(%s : !lpgemm.frag<16x1xf32>) : !lpgemm.frag<16x32xi8>, !lpgemm.frag<16x32xi8>, !lpgemm.frag<16x16xi32>
  return
}

// -----

func.func @mma_block_pair(%a: !lpgemm.frag<16x192xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>, %sa: !lpgemm.frag<16x3xf32>, %sb: !lpgemm.frag<16x2xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects one of the scale blocks, 64 and 96 elements of K, to be a multiple of the other}}
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %a, %c
      sa(%sa : !lpgemm.frag<16x3xf32>) sb(%sb : !lpgemm.frag<16x2xf32>)
      : !lpgemm.frag<16x192xf8E4M3FN>, !lpgemm.frag<16x192xf8E4M3FN>, !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_lanes_a(%a: !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects a in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, a>, but got #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, b>}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_lanes_b(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>, %c: !lpgemm.frag<16x16xf32>) {
  // expected-error @+1 {{'lpgemm.mma' op expects b in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, b>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, b>}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_lanes_acc(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>) {
  // expected-error @+1 {{'lpgemm.mma' op expects acc in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, c>, but got #lpgemm.lanes<mfma_f32_16x16x32_fp8, c>}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
  return
}

// -----

func.func @mma_blocks(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>,
    %sa: !lpgemm.frag<16x3xf8E8M0FNU>, %sb: !lpgemm.frag<16x3xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.mma' op expects K (128) to be a multiple of the columns of sa (3)}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !lpgemm.frag<16x3xf8E8M0FNU>) sb(%sb : !lpgemm.frag<16x3xf8E8M0FNU>)
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_sa(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>,
    %sa: !lpgemm.frag<32x4xf8E8M0FNU>, %sb: !lpgemm.frag<16x4xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.mma' op expects sa to be 16x4, but got 32x4}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !lpgemm.frag<32x4xf8E8M0FNU>) sb(%sb : !lpgemm.frag<16x4xf8E8M0FNU>)
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_sb_rows(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>,
    %sa: !lpgemm.frag<16x4xf8E8M0FNU>, %sb: !lpgemm.frag<32x4xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.mma' op expects sb to be 16x4, but got 32x4}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !lpgemm.frag<16x4xf8E8M0FNU>) sb(%sb : !lpgemm.frag<32x4xf8E8M0FNU>)
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

func.func @mma_sb_columns(%a: !lpgemm.frag<16x128xf8E4M3FN>, %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !lpgemm.frag<16x16xf32>,
    %sa: !lpgemm.frag<16x4xf8E8M0FNU>, %sb: !lpgemm.frag<16x3xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.mma' op expects K (128) to be a multiple of the columns of sb (3)}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !lpgemm.frag<16x4xf8E8M0FNU>) sb(%sb : !lpgemm.frag<16x3xf8E8M0FNU>)
      : !lpgemm.frag<16x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>,
        !lpgemm.frag<16x16xf32>
  return
}

// -----

// expected-error @+1 {{expects two dimensions, but got 1}}
func.func private @type(!lpgemm.frag<16xf32>)

// -----

// expected-error @+1 {{expects at most two dimensions, but got 3}}
func.func private @type(!lpgemm.global<?x?x?xf32>)

// -----

// expected-error @+1 {{expects two or three dimensions, but got 4}}
func.func private @type(!lpgemm.buf<2x16x16x16xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{expected static shape}}
func.func private @type(!lpgemm.frag<16x?xf32>)

// -----

// expected-error @+1 {{expected static shape}}
func.func private @type(!lpgemm.buf<?x16xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{expects positive extents, but got 16x0}}
func.func private @type(!lpgemm.frag<16x0xf32>)

// -----

// expected-error @+1 {{expects positive extents, but got 0x16}}
func.func private @type(!lpgemm.buf<0x16xf8E4M3FN, shared>)

// -----

// expected-error @+1 {{expects an integer or float element type, but got 'index'}}
func.func private @type(!lpgemm.frag<16x16xindex>)

// -----

// expected-error @+1 {{expects an element type of 4, 6, 8, 16 or 32 bits, but got 'f64'}}
func.func private @type(!lpgemm.buf<16x16xf64, shared>)

// -----

// expected-error @+1 {{expects an element type of 4, 6, 8, 16 or 32 bits, but got 'index'}}
func.func private @type(!lpgemm.buf<16x16xindex, shared>)

// -----

// expected-error @+1 {{expects a row to be of whole bytes, but got 30 elements of 'f6E2M3FN'}}
func.func private @type(!lpgemm.buf<16x30xf6E2M3FN, shared>)

// -----

// expected-error @+1 {{expects a row (24 bytes) to be a multiple of the layout's unit (16)}}
func.func private @type(!lpgemm.buf<16x48xf4E2M1FN, shared,
    <pad = 0, unit = 16, mask = 0, shift = 0>>)

// -----

// expected-error @+1 {{expects the layout's mask (3) to be less than the units of a row (3)}}
func.func private @type(!lpgemm.buf<16x64xf6E3M2FN, shared,
    <pad = 0, unit = 16, mask = 3, shift = 0>>)

// -----

// expected-error @+1 {{expects the layout's unit and pad to be multiples of an element's bytes (2), but got 1}}
func.func private @type(!lpgemm.buf<16x64xbf16, shared,
    <pad = 1, unit = 16, mask = 0, shift = 0>>)

// -----

// expected-error @+1 {{expects a row (40 bytes) to be a multiple of the layout's unit (16)}}
func.func private @type(!lpgemm.buf<16x40xf8E4M3FN, shared,
    <pad = 0, unit = 16, mask = 0, shift = 0>>)

// -----

// expected-error @+1 {{expects the layout's mask (7) to be less than the units of a row (4)}}
func.func private @type(!lpgemm.buf<16x64xf8E4M3FN, shared,
    <pad = 0, unit = 16, mask = 7, shift = 0>>)

// -----

// expected-error @+1 {{expects the tile (16x32) to be a multiple of the atom of operand 'a' of mfma_scale_f32_16x16x128_f8f6f4 (16x128)}}
func.func private @type(!lpgemm.frag<16x32xf8E4M3FN,
    <mfma_scale_f32_16x16x128_f8f6f4, a>>)

// -----

// expected-error @+1 {{expects the tile (24x32) to be a multiple of the atom of operand 'b' of mfma_f32_16x16x32_fp8 (16x32)}}
func.func private @type(!lpgemm.frag<24x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>)

// -----

// expected-error @+1 {{mfma_f32_16x16x32_fp8 has no operand 'sa'}}
func.func private @type(!lpgemm.frag<16x4xf8E8M0FNU, <mfma_f32_16x16x32_fp8, sa>>)

// -----

func.func @apply_tiles(%r: !lpgemm.frag<16x1xf32>) {
  // expected-error @+1 {{'lpgemm.apply' op expects at least one tile}}
  "lpgemm.apply"(%r) <{operandSegmentSizes = array<i32: 0, 1, 0>}> ({
    ^bb0(%t: f32):
      lpgemm.yield %t : f32
  }) : (!lpgemm.frag<16x1xf32>) -> !lpgemm.frag<16x32xf32>
  return
}

// -----

func.func @apply_tile(%f: !lpgemm.frag<16x32xf32>, %x: !lpgemm.frag<32x16xf32>) {
  // expected-error @+1 {{'lpgemm.apply' op expects a tile to be 16x32, but got 32x16}}
  %0 = lpgemm.apply %f, %x {
    ^bb0(%t: f32, %u: f32):
      lpgemm.yield %t : f32
  } : !lpgemm.frag<16x32xf32>, !lpgemm.frag<32x16xf32> -> !lpgemm.frag<16x32xf32>
  return
}

// -----

func.func @apply_rows(%f: !lpgemm.frag<16x32xf32>, %x: !lpgemm.frag<32x1xf32>) {
  // expected-error @+1 {{'lpgemm.apply' op expects an operand of rows to be 16x1, but got 32x1}}
  %0 = lpgemm.apply %f rows(%x : !lpgemm.frag<32x1xf32>) {
    ^bb0(%t: f32, %u: f32):
      lpgemm.yield %t : f32
  } : !lpgemm.frag<16x32xf32> -> !lpgemm.frag<16x32xf32>
  return
}

// -----

func.func @apply_cols(%f: !lpgemm.frag<16x32xf32>, %x: !lpgemm.frag<16x1xf32>) {
  // expected-error @+1 {{'lpgemm.apply' op expects an operand of cols to be 32x1, but got 16x1}}
  %0 = lpgemm.apply %f cols(%x : !lpgemm.frag<16x1xf32>) {
    ^bb0(%t: f32, %u: f32):
      lpgemm.yield %t : f32
  } : !lpgemm.frag<16x32xf32> -> !lpgemm.frag<16x32xf32>
  return
}

// -----

func.func @apply_arguments(%f: !lpgemm.frag<16x32xf32>) {
  // expected-error @+1 {{'lpgemm.apply' op expects arguments of types ('f32'), but got ('bf16')}}
  %0 = lpgemm.apply %f {
    ^bb0(%t: bf16):
      %y = arith.extf %t : bf16 to f32
      lpgemm.yield %y : f32
  } : !lpgemm.frag<16x32xf32> -> !lpgemm.frag<16x32xf32>
  return
}

// -----

func.func @apply_yield(%f: !lpgemm.frag<16x32xf32>) {
  // expected-error @+1 {{'lpgemm.apply' op expects lpgemm.yield of a value of type 'bf16'}}
  %0 = lpgemm.apply %f {
    ^bb0(%t: f32):
      lpgemm.yield %t : f32
  } : !lpgemm.frag<16x32xf32> -> !lpgemm.frag<16x32xbf16>
  return
}

// -----

func.func @apply_effects(%f: !lpgemm.frag<16x32xf32>, %m: memref<f32>) {
  %0 = lpgemm.apply %f {
    ^bb0(%t: f32):
      // expected-error @+1 {{'memref.store' op expects no effects in the body of lpgemm.apply}}
      memref.store %t, %m[] : memref<f32>
      lpgemm.yield %t : f32
  } : !lpgemm.frag<16x32xf32> -> !lpgemm.frag<16x32xf32>
  return
}

// -----

// expected-error @+1 {{expects a layout of scales that is no matrix, mn_tma_ue8m0x4, swz128x4 or amd32x8, but got col}}
func.func private @global_matrix_layout(!lpgemm.global<?x?xf8E8M0FNU, col>)

// -----

// expected-error @+1 {{expects two dimensions in layout swz128x4, but got 1}}
func.func private @global_layout_rank(!lpgemm.global<?xf8E8M0FNU, swz128x4>)

// -----

// expected-error @+1 {{expects an element type of 'f8E8M0FNU' in layout amd32x8, but got 'f8E4M3FN'}}
func.func private @global_layout_type(!lpgemm.global<?x?xf8E4M3FN, amd32x8>)

// -----

func.func @reach_step(%g: !lpgemm.global<?x?xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.reach' op expects a step of rows and columns, 0 or more, but got [128]}}
  %0 = lpgemm.reach %g step [128] {alignment = 4 : i64} : !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @reach_back(%g: !lpgemm.global<?x?xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.reach' op expects a step of rows and columns, 0 or more, but got [0, -1]}}
  %0 = lpgemm.reach %g step [0, -1] {alignment = 4 : i64} : !lpgemm.global<?x?xf8E4M3FN>
  return
}

// -----

func.func @slot_rank(%s: !lpgemm.buf<32x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.slot' op expects a buffer of slots, but got '!lpgemm.buf<32x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.slot %s[%i] : !lpgemm.buf<32x128xf8E4M3FN, shared> to !lpgemm.buf<32x128xf8E4M3FN, shared>
  return
}

// -----

func.func @slot_type(%s: !lpgemm.buf<2x32x128xf8E4M3FN, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.slot' op expects a result of type '!lpgemm.buf<32x128xf8E4M3FN, shared>', but got '!lpgemm.buf<16x128xf8E4M3FN, shared>'}}
  %0 = lpgemm.slot %s[%i] : !lpgemm.buf<2x32x128xf8E4M3FN, shared> to !lpgemm.buf<16x128xf8E4M3FN, shared>
  return
}
