// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

func.func @amax_tile(%t: !lpgemm.frag<32x32xbf16>, %a: !lpgemm.global<f32>,
                     %d: !lpgemm.global<?x?xf32>, %i: index) {
  // expected-error @+1 {{'lpgemm.amax' op expects a tile of 'f32', but got '!lpgemm.frag<32x32xbf16>'}}
  lpgemm.amax %t, %a within %d[%i, %i] at [%i, %i]
      : !lpgemm.frag<32x32xbf16>, !lpgemm.global<f32>, !lpgemm.global<?x?xf32>
  return
}

// -----

func.func @amax_dest(%t: !lpgemm.frag<32x32xf32>, %a: !lpgemm.global<?xf32>,
                     %d: !lpgemm.global<?x?xf32>, %i: index) {
  // expected-error @+1 {{'lpgemm.amax' op expects a single 'f32' to update, but got '!lpgemm.global<?xf32>'}}
  lpgemm.amax %t, %a within %d[%i, %i] at [%i, %i]
      : !lpgemm.frag<32x32xf32>, !lpgemm.global<?xf32>, !lpgemm.global<?x?xf32>
  return
}

// -----

func.func @decode(%x: f8E4M3) {
  // expected-error @+1 {{'lpgemm.decode' op expects 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ' or 'f8E5M2FNUZ', but got 'f8E4M3'}}
  %0 = lpgemm.decode %x : f8E4M3 to f32
  return
}

// -----

func.func @encode(%x: f32) {
  // expected-error @+1 {{'lpgemm.encode' op expects 'f8E4M3FN', 'f8E5M2', 'f8E4M3FNUZ' or 'f8E5M2FNUZ', but got 'bf16'}}
  %0 = lpgemm.encode %x : f32 to bf16
  return
}
