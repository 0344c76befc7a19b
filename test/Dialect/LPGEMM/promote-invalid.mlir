// RUN: lpgemm-opt %s --verify-diagnostics --lpgemm-promote

!g = !lpgemm.global<?x?xf8E4M3FN>
!a = !lpgemm.frag<32x128xf8E4M3FN>
!b = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>
gpu.module @m {
gpu.func @position(%a: !g, %b: !g, %c: !c, %i: index, %p: memref<index>) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 1>} {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %j = memref.load %p[] : memref<index>
  // expected-error @+1 {{'lpgemm.load' op expects a position that can be computed in front of the first load of its block}}
  %tb = lpgemm.load %b[%i, %j] at [%i, %i] : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}
}
