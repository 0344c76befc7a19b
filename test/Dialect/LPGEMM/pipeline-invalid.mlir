// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-expand-pipeline))"

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!sb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#s2 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2>

gpu.module @m {
// expected-error @+1 {{'gpu.func' op expects 'known_block_size' with threads along x only}}
gpu.func @block_size(%a: !g8, %buf: !buf, %x: !a, %b: !b, %init: !c, %k: index)
    kernel attributes {lpgemm.schedule = #s2} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %a[%c0, %kk] into %buf : !g8 to !buf
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc : !a, !b, !c
    scf.yield %p : !c
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!sb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#s2 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2>

gpu.module @m {
gpu.func @position(%s: !gs, %x: !a, %b: !b, %sb: !sb, %init: !c, %k: index)
    kernel attributes {lpgemm.schedule = #s2} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %r:2 = scf.for %kk = %c0 to %k step %c128
      iter_args(%acc = %init, %kb = %c0) -> (!c, index) {
    // expected-error @+1 {{'lpgemm.load' op expects positions that can be computed an iteration ahead}}
    %sa = lpgemm.load %s[%c0, %kb] at [%c0, %c0] : !gs to !sa
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc
        sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
    %next = arith.addi %kb, %c4 : index
    scf.yield %p, %next : !c, index
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!sb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>

gpu.module @m {
gpu.func @no_stage(%x: !a, %b: !b, %init: !c, %k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    lpgemm.barrier {lpgemm.stage = 1 : i32, lpgemm.cluster = 0 : i32}
    // expected-error @+1 {{'lpgemm.mma' op expects integers as attributes 'lpgemm.stage' and 'lpgemm.cluster', as the other ops of its loop}}
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc
        {lpgemm.stage = 1 : i32} : !a, !b, !c
    scf.yield %p : !c
  }
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @stage(%k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.for %kk = %c0 to %k step %c128 {
    // expected-error @+1 {{'lpgemm.barrier' op expects attribute 'lpgemm.stage' to be from 0 to 2, but got 3}}
    lpgemm.barrier {lpgemm.stage = 3 : i32, lpgemm.cluster = 0 : i32}
  }
  gpu.return
}
}

// -----

gpu.module @m {
gpu.func @ahead(%k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.for %kk = %c0 to %k step %c128 {
    // expected-error @+1 {{'lpgemm.barrier' op expects to be in stage 1: only what reads global memory, or fills a slot of a buffer, may run ahead}}
    lpgemm.barrier {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32}
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!sa = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
!sb = !lpgemm.frag<16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>

gpu.module @m {
gpu.func @order(%s: !gs, %x: !a, %b: !b, %sb: !sb, %init: !c, %k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %sa = lpgemm.load %s[%c0, %kk] at [%c0, %c0]
        {lpgemm.stage = 1 : i32, lpgemm.cluster = 1 : i32} : !gs to !sa
    // expected-error @+1 {{'lpgemm.mma' op expects to be behind 'lpgemm.load', which it needs: in a later stage, or a later cluster of its stage}}
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc
        sa(%sa : !sa) sb(%sb : !sb)
        {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32} : !a, !b, !c
    scf.yield %p : !c
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared>
!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
#s2 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2>
gpu.module @m {
gpu.func @layout(%a: !g8, %buf: !buf, %x: !a, %init: !c, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s2} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    // expected-error @+1 {{'lpgemm.copy' op expects a buffer with a layout, but got '!lpgemm.buf<32x128xf8E4M3FN, shared>': run lpgemm-assign-layouts first}}
    %t = lpgemm.copy %a[%c0, %kk] into %buf : !g8 to !buf
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %x, %acc : !a, !a, !c
    scf.yield %p : !c
  }
  gpu.return
}
}
