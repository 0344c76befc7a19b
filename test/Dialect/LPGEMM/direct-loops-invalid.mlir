// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-expand-pipeline))" -split-input-file -verify-diagnostics --mlir-print-op-on-diagnostic=false

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared>
#s3 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
gpu.func @too_far(%g: !g8, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  // expected-error @+1 {{'scf.for' op expects stages up to 3, those of the schedule, but got 4}}
  scf.for %kk = %c0 to %k step %c128 {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) lds_dma
        {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32} : !g8 to !buf
    lpgemm.wait %t {lpgemm.stage = 4 : i32, lpgemm.cluster = 0 : i32}
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared>
#s3 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
gpu.func @without_stage(%g: !g8, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  scf.for %kk = %c0 to %k step %c128 {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) lds_dma
        {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32} : !g8 to !buf
    // expected-error @+1 {{'lpgemm.wait' op expects integers as attributes 'lpgemm.stage' and 'lpgemm.cluster', as the other ops of its loop}}
    lpgemm.wait %t
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared>
#s3 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
gpu.func @ahead_of_copy(%g: !g8, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  scf.for %kk = %c0 to %k step %c128 {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) lds_dma
        {lpgemm.stage = 1 : i32, lpgemm.cluster = 0 : i32} : !g8 to !buf
    // expected-error @+1 {{'lpgemm.wait' op expects to be behind 'lpgemm.copy', which it needs: in a later stage, or a later cluster of its stage}}
    lpgemm.wait %t {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32}
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<128x128xf8E4M3FN, shared>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#pong = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 4],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2, strategy = ping_pong>

gpu.module @m {
gpu.func @other_ops(%g: !g8, %b: !b, %init: !c, %k: index) kernel
    attributes {known_block_size = array<i32: 512, 1, 1>, lpgemm.schedule = #pong} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %s[%c0, %c0] : !buf to !a
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc : !a, !b, !c
    // expected-error @+1 {{'lpgemm.priority' op expects a loop of copies, reads and products with strategy ping_pong}}
    lpgemm.priority 1
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<128x128xf8E4M3FN, shared>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#pong = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 4],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2, strategy = ping_pong>

gpu.module @m {
gpu.func @second_read(%g: !g8, %b: !b, %init: !c, %k: index) kernel
    attributes {known_block_size = array<i32: 512, 1, 1>, lpgemm.schedule = #pong} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %s[%c0, %c0] : !buf to !a
    // expected-error @+1 {{'lpgemm.read' op expects to be the only read of its buffer with strategy ping_pong}}
    %y = lpgemm.read %s[%c0, %c0] : !buf to !b
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %y, %acc : !a, !b, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared>
#s3 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
gpu.func @one_stage(%g: !g8, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  // expected-error @+1 {{'scf.for' op expects more than one stage, but all ops are in stage 0}}
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%i = %c0) -> (index) {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) lds_dma
        {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32} : !g8 to !buf
    lpgemm.wait %t {lpgemm.stage = 0 : i32, lpgemm.cluster = 1 : i32}
    scf.yield %i : index
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared>
#s3 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
gpu.func @no_alloc(%g: !g8, %s: !buf, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  scf.for %kk = %c0 to %k step %c128 {
    // expected-error @+1 {{'lpgemm.copy' op expects to copy to an lpgemm.alloc, of which each slot gets one of its own}}
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) lds_dma
        {lpgemm.stage = 0 : i32, lpgemm.cluster = 0 : i32} : !g8 to !buf
    lpgemm.wait %t {lpgemm.stage = 1 : i32, lpgemm.cluster = 1 : i32}
  }
  gpu.return
}
}

// -----

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<128x128xf8E4M3FN, shared>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#s3 = #lpgemm.schedule<tile = [128, 128, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
gpu.func @no_barrier(%g: !g8, %b: !b, %init: !c, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  // expected-error @+1 {{'scf.for' op expects a barrier behind the wait for the copies of a K tile}}
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %g[%c0, %kk] into %s whole(%c0) : !g8 to !buf
    lpgemm.wait %t
    %x = lpgemm.read %s[%c0, %c0] : !buf to !a
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc : !a, !b, !c
    scf.yield %p : !c
  }
  gpu.return
}
}
