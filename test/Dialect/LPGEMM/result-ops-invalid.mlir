// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

func.func @slice_row(%a: !lpgemm.frag<32x128xf8E4M3FN>) {
  // expected-error @+1 {{'lpgemm.slice' op expects rows up to 32, but got rows 24 to 40}}
  %0 = lpgemm.slice %a[0] {row = 24 : i64} : !lpgemm.frag<32x128xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>
  return
}

// -----

func.func @write_slots(%a: !lpgemm.frag<16x16xbf16>, %b: !lpgemm.buf<2x16x128xbf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.write' op expects a tile of two extents, but got '!lpgemm.buf<2x16x128xbf16, shared>'}}
  %0 = lpgemm.write %a, %b[%i, %i] : !lpgemm.frag<16x16xbf16> to !lpgemm.buf<2x16x128xbf16, shared>
  return
}

// -----

func.func @write_rows(%a: !lpgemm.frag<32x16xbf16>, %b: !lpgemm.buf<16x128xbf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.write' op expects dimension 0 of the value to be at most 16, that of the buffer, but got 32}}
  %0 = lpgemm.write %a, %b[%i, %i] : !lpgemm.frag<32x16xbf16> to !lpgemm.buf<16x128xbf16, shared>
  return
}

// -----

func.func @write_columns(%a: !lpgemm.frag<16x256xbf16>, %b: !lpgemm.buf<16x128xbf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.write' op expects dimension 1 of the value to be at most 128, that of the buffer, but got 256}}
  %0 = lpgemm.write %a, %b[%i, %i] : !lpgemm.frag<16x256xbf16> to !lpgemm.buf<16x128xbf16, shared>
  return
}

// -----

func.func @write_type(%a: !lpgemm.frag<16x16xbf16>, %b: !lpgemm.buf<16x128xf16, shared>, %i: index) {
  // expected-error @+1 {{'lpgemm.write' op expects one element type on both sides, but got 'bf16' and 'f16'}}
  %0 = lpgemm.write %a, %b[%i, %i] : !lpgemm.frag<16x16xbf16> to !lpgemm.buf<16x128xf16, shared>
  return
}

// -----

func.func @copy_out_slots(%b: !lpgemm.buf<2x16x128xbf16, shared>, %g: !lpgemm.global<?x?xbf16>, %i: index) {
  // expected-error @+1 {{'lpgemm.copy_out' op expects a tile of two extents, but got '!lpgemm.buf<2x16x128xbf16, shared>'}}
  lpgemm.copy_out %b, %g[%i, %i] : !lpgemm.buf<2x16x128xbf16, shared> to !lpgemm.global<?x?xbf16>
  return
}

// -----

func.func @copy_out_type(%b: !lpgemm.buf<16x128xbf16, shared>, %g: !lpgemm.global<?x?xf16>, %i: index) {
  // expected-error @+1 {{'lpgemm.copy_out' op expects one element type on both sides, but got 'bf16' and 'f16'}}
  lpgemm.copy_out %b, %g[%i, %i] : !lpgemm.buf<16x128xbf16, shared> to !lpgemm.global<?x?xf16>
  return
}

// -----

func.func @encode_blocks_tile(%a: !lpgemm.frag<16x32xbf16>, %g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.encode_blocks' op expects a tile of 'f32', but got '!lpgemm.frag<16x32xbf16>'}}
  %0:2 = lpgemm.encode_blocks rceil %a within %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x32xbf16>, !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>, !lpgemm.frag<16x1xf8E8M0FNU>
  return
}

// -----

func.func @encode_blocks_codes(%a: !lpgemm.frag<16x32xf32>, %g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.encode_blocks' op expects codes for the elements of '!lpgemm.frag<16x32xf32>', but got '!lpgemm.frag<16x64xf8E4M3FN>'}}
  %0:2 = lpgemm.encode_blocks rceil %a within %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x32xf32>, !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x64xf8E4M3FN>, !lpgemm.frag<16x1xf8E8M0FNU>
  return
}

// -----

func.func @encode_blocks_code_type(%a: !lpgemm.frag<16x32xf32>, %g: !lpgemm.global<?x?xbf16>, %i: index) {
  // expected-error @+1 {{'lpgemm.encode_blocks' op expects codes of FP8, FP6 or FP4, but got '!lpgemm.frag<16x32xbf16>'}}
  %0:2 = lpgemm.encode_blocks rceil %a within %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x32xf32>, !lpgemm.global<?x?xbf16> to !lpgemm.frag<16x32xbf16>, !lpgemm.frag<16x1xf8E8M0FNU>
  return
}

// -----

func.func @encode_blocks_scale_type(%a: !lpgemm.frag<16x32xf32>, %g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.encode_blocks' op expects scales of 'f8E8M0FNU', but got '!lpgemm.frag<16x1xf32>'}}
  %0:2 = lpgemm.encode_blocks rceil %a within %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x32xf32>, !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>, !lpgemm.frag<16x1xf32>
  return
}

// -----

func.func @encode_blocks_scales(%a: !lpgemm.frag<16x32xf32>, %g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.encode_blocks' op expects a scale for each row of 16, and columns that divide the 32 of the tile, but got '!lpgemm.frag<16x3xf8E8M0FNU>'}}
  %0:2 = lpgemm.encode_blocks rceil %a within %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x32xf32>, !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>, !lpgemm.frag<16x3xf8E8M0FNU>
  return
}

// -----

func.func @unzip_columns(%a: !lpgemm.frag<16x32xf32>) {
  // expected-error @+1 {{'lpgemm.unzip' op expects half of the columns of '!lpgemm.frag<16x32xf32>', but got '!lpgemm.frag<16x32xf32>'}}
  %0, %1 = lpgemm.unzip %a : !lpgemm.frag<16x32xf32> to !lpgemm.frag<16x32xf32>
  return
}

// -----

func.func @unzip_type(%a: !lpgemm.frag<16x32xf32>) {
  // expected-error @+1 {{'lpgemm.unzip' op expects one element type on both sides, but got 'f32' and 'bf16'}}
  %0, %1 = lpgemm.unzip %a : !lpgemm.frag<16x32xf32> to !lpgemm.frag<16x16xbf16>
  return
}

// -----

func.func @encode_blocks_rule(%a: !lpgemm.frag<16x32xf32>, %g: !lpgemm.global<?x?xf8E4M3FN>, %i: index) {
  // expected-error @+1 {{'lpgemm.encode_blocks' op expects scale rule rceil, floor, ceil or even with scales of type 'f8E8M0FNU', but got amax}}
  %0:2 = lpgemm.encode_blocks amax %a within %g[%i, %i] at [%i, %i] : !lpgemm.frag<16x32xf32>, !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>, !lpgemm.frag<16x1xf8E8M0FNU>
  return
}
