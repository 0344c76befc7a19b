// RUN: lpgemm-opt %s -split-input-file -verify-diagnostics --mlir-print-op-on-diagnostic=false

func.func @priority_above() {
  // expected-error @+1 {{'lpgemm.priority' op attribute 'level' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  lpgemm.priority 4
  return
}

// -----

func.func @priority_below() {
  // expected-error @+1 {{'lpgemm.priority' op attribute 'level' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  lpgemm.priority -1
  return
}

// -----

func.func @not_whole(%g: !lpgemm.global<?x?xf8E4M3FN>,
                     %s: !lpgemm.buf<64x128xf8E4M3FN, shared>, %k: index) {
  // expected-error @+1 {{'lpgemm.copy' op expects 'whole' and no 'transpose' with 'lds_dma'}}
  %t = lpgemm.copy %g[%k, %k] into %s lds_dma
      : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E4M3FN, shared>
  lpgemm.wait %t
  return
}

// -----

func.func @transposed(%g: !lpgemm.global<?x?xf8E4M3FN>,
                      %s: !lpgemm.buf<64x128xf8E4M3FN, shared>, %k: index) {
  // expected-error @+1 {{'lpgemm.copy' op expects 'whole' and no 'transpose' with 'lds_dma'}}
  %t = lpgemm.copy %g[%k, %k] into %s transpose whole(%k) lds_dma
      : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.buf<64x128xf8E4M3FN, shared>
  lpgemm.wait %t
  return
}

// -----

func.func @strategy() attributes {
    s = #lpgemm.schedule<tile = [256, 256, 128], waves = [2, 4],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2,
      // expected-error @+2 {{expected one of [together, ping_pong] for how the waves of a workgroup go through a K loop, got: pong}}
      // expected-error @+1 {{failed to parse LPGEMM_ScheduleAttr parameter 'strategy' which is to be a `::mlir::lpgemm::Strategy`}}
      strategy = pong>} {
  return
}
