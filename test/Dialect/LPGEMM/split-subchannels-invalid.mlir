// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-split-subchannels

!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!s = !lpgemm.frag<16x8xf8E8M0FNU>
gpu.module @m {
gpu.func @unscaled(%a: !a, %c: !c, %s: !s) {
  // expected-error @+1 {{'lpgemm.mma' op expects a scale block (16) that is a multiple of the instruction's K (32)}}
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %a, %c
      sa(%s : !s) sb(%s : !s) : !a, !a, !c
  gpu.return
}
}

// -----

!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!s = !lpgemm.frag<16x2xf8E8M0FNU>
gpu.module @m {
gpu.func @scaled(%a: !a, %c: !c, %s: !s) {
  // expected-error @+1 {{'lpgemm.mma' op expects a scale block (64) that is a multiple of the instruction's K (128)}}
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %a, %c
      sa(%s : !s) sb(%s : !s) : !a, !a, !c
  gpu.return
}
}
