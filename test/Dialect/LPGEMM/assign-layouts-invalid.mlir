// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-assign-layouts

!g = !lpgemm.global<?x?xf8E4M3FN>
!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
gpu.module @m {
gpu.func @both_operands(%g: !g, %z: f32, %i: index) {
  %zero = lpgemm.splat %z : f32 to !c
  %a = lpgemm.load %g[%i, %i] at [%i, %i] : !g to !a
  // expected-error @+1 {{'lpgemm.mma' op wants an operand in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, b> that is used in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, a> elsewhere}}
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %a, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// Two instructions on one tile, which a slice hides.

!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
gpu.module @m {
gpu.func @two_instructions(%a: !a, %b: !a, %z: f32, %i: index) {
  %zero = lpgemm.splat %z : f32 to !c
  %0 = scf.for %k = %i to %i step %i iter_args(%acc = %zero) -> (!c) {
    %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %acc
        : !a, !a, !c
    scf.yield %d : !c
  }
  %a1 = lpgemm.slice %a[0] : !a to !a
  // expected-error @+1 {{'lpgemm.mma' op wants an operand in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, a> that is used in lanes #lpgemm.lanes<mfma_scale_f32_16x16x128_f8f6f4, a> elsewhere}}
  %e = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %b, %0 : !a, !a, !c
  gpu.return
}
}

// -----

!a = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!s = !lpgemm.frag<16x1xf8E8M0FNU>
gpu.module @m {
gpu.func @one_scale_for_both(%a: !a, %b: !a, %s: !s, %z: f32) {
  %zero = lpgemm.splat %z : f32 to !c
  %p = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  // expected-error @+1 {{'lpgemm.promote' op wants an operand in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_col> that is used in lanes #lpgemm.lanes<mfma_f32_16x16x32_fp8, c_row> elsewhere}}
  %d = lpgemm.promote %p, %p sa(%s : !s) sb(%s : !s) : !c, !c
  gpu.return
}
}

// -----

// 16 columns of a slice are no atom of 32.

!g = !lpgemm.global<?x?xf8E4M3FN>
!a = !lpgemm.frag<16x32xf8E4M3FN>
!h = !lpgemm.frag<16x48xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
gpu.module @m {
gpu.func @no_atoms(%g: !g, %b: !a, %z: f32, %i: index) {
  %zero = lpgemm.splat %z : f32 to !c
  %h = lpgemm.load %g[%i, %i] at [%i, %i] : !g to !h
  %a = lpgemm.slice %h[0] : !h to !a
  // expected-error @+1 {{'lpgemm.mma' op expects the tile (16x48) to be a multiple of the atom of operand 'a' of mfma_f32_16x16x32_fp8 (16x32)}}
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

!c = !lpgemm.frag<16x16xf32>
!s = !lpgemm.frag<16x1xf8E8M0FNU>
gpu.module @m {
gpu.func @no_product(%sa: !s, %sb: !s, %z: f32) {
  %p = lpgemm.splat %z : f32 to !c
  // expected-error @+1 {{'lpgemm.promote' op expects an accumulator of a matrix product}}
  %d = lpgemm.promote %p, %p sa(%sa : !s) sb(%sb : !s) : !c, !c
  gpu.return
}
}

// -----

!g = !lpgemm.global<?x?xf8E4M3FN>
gpu.module @m {
gpu.func @unused(%g: !g, %i: index) {
  // expected-error @+1 {{'lpgemm.load' op has a register tile that no matrix product uses}}
  %a = lpgemm.load %g[%i, %i] at [%i, %i] : !g to !lpgemm.frag<16x128xf8E4M3FN>
  gpu.return
}
}

// -----

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @row() {
  // expected-error @+1 {{'lpgemm.alloc' op expects rows of a multiple of 4 bytes, but got 18}}
  %s = lpgemm.alloc : !lpgemm.buf<16x24xf6E2M3FN, shared>
  gpu.return
}
}

// -----

gpu.module @m {
// expected-error @+1 {{'gpu.func' op needs a target: set lpgemm.target on the module or its gpu.module}}
gpu.func @no_target() {
  %s = lpgemm.alloc : !lpgemm.buf<16x128xf8E4M3FN, shared>
  gpu.return
}
}

// -----

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_100a">} {
// expected-error @+1 {{'gpu.func' op has no lowering for sm_100a yet; there is one for gfx942, gfx950, sm_80, sm_89, sm_90a}}
gpu.func @no_lowering() {
  %s = lpgemm.alloc : !lpgemm.buf<16x128xf8E4M3FN, shared>
  gpu.return
}
}

// -----

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @apply(%x: f32) kernel {
    %f = lpgemm.splat %x : f32 to !lpgemm.frag<16x32xf32>
    // expected-error @+1 {{'lpgemm.apply' op expects a tile of a matrix product}}
    %0 = lpgemm.apply %f {
      ^bb0(%t: f32):
        lpgemm.yield %t : f32
    } : !lpgemm.frag<16x32xf32> -> !lpgemm.frag<16x32xf32>
    gpu.return
  }
}
