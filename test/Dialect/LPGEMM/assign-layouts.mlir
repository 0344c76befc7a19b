// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-assign-layouts | FileCheck %s

// Lanes follow the tiles from the products that use them: to loads, through
// the loop, to the zero that the sum starts from.

// CHECK-LABEL: gpu.func @loop(
// CHECK: %[[ZERO:.*]] = lpgemm.splat %{{.*}} : f32 to <32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
// CHECK: %[[SUM:.*]]:2 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]], %{{.*}}) -> (!lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>, index)
// CHECK: lpgemm.load {{.*}} to <32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
// CHECK: lpgemm.load {{.*}} to <16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
// CHECK: lpgemm.load {{.*}} to <32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>
// CHECK: lpgemm.load {{.*}} to <16x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>
// CHECK: %[[D:.*]] = lpgemm.mma {{.*}} %[[ACC]] sa({{.*}}) sb({{.*}}, <32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
// CHECK: scf.yield %[[D]], %{{.*}} : !lpgemm.frag<32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
// CHECK: lpgemm.store %[[SUM]]#0, {{.*}} : <32x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>> to

!g = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!gd = !lpgemm.global<?x?xf32>
!a = !lpgemm.frag<32x128xf8E4M3FN>
!b = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x4xf8E8M0FNU>
!sb = !lpgemm.frag<16x4xf8E8M0FNU>
gpu.module @m {
gpu.func @loop(%a: !g, %s: !gs, %d: !gd, %z: f32, %i: index, %x: index) {
  %zero = lpgemm.splat %z : f32 to !c
  // Another value that goes around with the tile.
  %0, %y = scf.for %k = %i to %i step %i iter_args(%acc = %zero, %n = %x)
      -> (!c, index) {
    %ta = lpgemm.load %a[%i, %k] at [%i, %i] : !g to !a
    %tb = lpgemm.load %a[%i, %k] at [%i, %i] : !g to !b
    %tsa = lpgemm.load %s[%i, %k] at [%i, %i] : !gs to !sa
    %tsb = lpgemm.load %s[%i, %k] at [%i, %i] : !gs to !sb
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %acc
        sa(%tsa : !sa) sb(%tsb : !sb) : !a, !b, !c
    scf.yield %p, %k : !c, index
  }
  lpgemm.store %0, %d[%i, %i] at [%i, %i] : !c to !gd
  gpu.return
}
}

// -----

// Through slices and promotions; the scales of a promotion follow rows and
// columns of its accumulator, also where they are slices.

// CHECK-LABEL: gpu.func @promote(
// CHECK: lpgemm.load {{.*}} to <32x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
// CHECK: lpgemm.load {{.*}} to <16x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
// CHECK: lpgemm.load {{.*}} to <32x2xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
// CHECK: lpgemm.load {{.*}} to <16x2xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>
// CHECK: %[[ZERO:.*]] = lpgemm.splat %{{.*}} : f32 to <32x16xf32, <mfma_f32_16x16x32_fp8, c>>
// CHECK: %[[ACC:.*]] = lpgemm.splat %{{.*}} : f32 to <32x16xf32, <mfma_f32_16x16x32_fp8, c>>
// CHECK: %[[A1:.*]] = lpgemm.slice {{.*}}[32] : <32x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>> to <32x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, a>>
// CHECK: %[[B1:.*]] = lpgemm.slice {{.*}}[32] : <16x64xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>> to <16x32xf8E4M3FN, <mfma_f32_16x16x32_fp8, b>>
// CHECK: %[[PART:.*]] = lpgemm.mma {{.*}} %[[A1]], %[[B1]], %[[ZERO]]
// CHECK: %[[SA1:.*]] = lpgemm.slice {{.*}}[1] : <32x2xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>> to <32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>
// CHECK: %[[SB1:.*]] = lpgemm.slice {{.*}}[1] : <16x2xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>> to <16x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>
// CHECK: lpgemm.promote %[[PART]], %[[ACC]] sa(%[[SA1]] : !lpgemm.frag<{{.*}}>) sb(%[[SB1]] :
!g = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!a = !lpgemm.frag<32x64xf8E4M3FN>
!b = !lpgemm.frag<16x64xf8E4M3FN>
!a1 = !lpgemm.frag<32x32xf8E4M3FN>
!b1 = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x2xf8E8M0FNU>
!sb = !lpgemm.frag<16x2xf8E8M0FNU>
!sa1 = !lpgemm.frag<32x1xf8E8M0FNU>
!sb1 = !lpgemm.frag<16x1xf8E8M0FNU>
gpu.module @m {
gpu.func @promote(%a: !g, %s: !gs, %z: f32, %i: index) {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %tb = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !b
  %tsa = lpgemm.load %s[%i, %i] at [%i, %i] : !gs to !sa
  %tsb = lpgemm.load %s[%i, %i] at [%i, %i] : !gs to !sb
  %zero = lpgemm.splat %z : f32 to !c
  %acc = lpgemm.splat %z : f32 to !c
  %a1 = lpgemm.slice %ta[32] : !a to !a1
  %b1 = lpgemm.slice %tb[32] : !b to !b1
  %part = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %b1, %zero
      : !a1, !b1, !c
  %sa1 = lpgemm.slice %tsa[1] : !sa to !sa1
  %sb1 = lpgemm.slice %tsb[1] : !sb to !sb1
  %d = lpgemm.promote %part, %acc sa(%sa1 : !sa1) sb(%sb1 : !sb1) : !c, !c
  gpu.return
}
}

// -----

// The layout of a buffer, by the bytes of its rows. All ops on it agree.

// CHECK-LABEL: gpu.func @rows_of_128(
// CHECK: lpgemm.alloc : <64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: lpgemm.copy {{.*}} to <64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: lpgemm.read {{.*}} : <64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>> to <16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!g = !lpgemm.global<?x?xf8E4M3FN>
!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_128(%g: !g, %z: f32, %i: index) {
  %zero = lpgemm.splat %z : f32 to !c
  %s = lpgemm.alloc : !buf
  %t = lpgemm.copy %g[%i, %i] into %s : !g to !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %b = lpgemm.load %g[%i, %i] at [%i, %i] : !g to !a
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// CHECK-LABEL: gpu.func @rows_of_32(
// CHECK: lpgemm.alloc : <64x32xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 0, shift = 0>>
!a = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x32xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_32(%b: !a, %zero: !c, %i: index) {
  %s = lpgemm.alloc : !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// CHECK-LABEL: gpu.func @rows_of_48(
// CHECK: lpgemm.alloc : <64x48xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
!a = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x48xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_48(%b: !a, %zero: !c, %i: index) {
  %s = lpgemm.alloc : !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// CHECK-LABEL: gpu.func @rows_of_64(
// CHECK: lpgemm.alloc : <64x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 2>>
!a = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x64xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_64(%b: !a, %zero: !c, %i: index) {
  %s = lpgemm.alloc : !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// CHECK-LABEL: gpu.func @rows_of_128_narrow_reads(
// CHECK: lpgemm.alloc : <64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_128_narrow_reads(%b: !a, %zero: !c, %i: index) {
  %s = lpgemm.alloc : !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// CHECK-LABEL: gpu.func @rows_of_256(
// CHECK: lpgemm.alloc : <64x256xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 15, shift = 0>>
!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x256xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_256(%b: !a, %zero: !c, %i: index) {
  %s = lpgemm.alloc : !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// CHECK-LABEL: gpu.func @rows_of_384(
// CHECK: lpgemm.alloc : <64x384xf8E4M3FN, shared, <pad = 32, unit = 16, mask = 0, shift = 0>>
!a = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x384xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @rows_of_384(%b: !a, %zero: !c, %i: index) {
  %s = lpgemm.alloc : !buf
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}

// -----

// Two readers with different wishes: wide reads are free of conflicts for an
// even number of 16-byte pieces from row to row, narrow ones for an odd one.

// CHECK-LABEL: gpu.func @no_free_layout(
// CHECK: lpgemm.alloc : <64x384xf8E4M3FN, shared, <pad = 32, unit = 16, mask = 0, shift = 0>>
!a = !lpgemm.frag<16x128xf8E4M3FN>
!n = !lpgemm.frag<16x32xf8E4M3FN>
!c = !lpgemm.frag<16x16xf32>
!buf = !lpgemm.buf<64x384xf8E4M3FN, shared>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @no_free_layout(%b: !a, %n: !n, %z: f32, %i: index) {
  // expected-remark @+1 {{no layout is free of bank conflicts; the best takes 2 extra phases for one atom of each reader}}
  %s = lpgemm.alloc : !buf
  %z0 = lpgemm.splat %z : f32 to !c
  %z1 = lpgemm.splat %z : f32 to !c
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %a1 = lpgemm.read %s[%i, %i] : !buf to !n
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %z0 : !a, !a, !c
  %e = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %n, %z1 : !n, !n, !c
  gpu.return
}
}

// -----

// A layout and lanes that are there already stay; a buffer that nobody reads
// lies in order. Without buffers no target is needed.

// CHECK-LABEL: gpu.func @decided(
// CHECK: lpgemm.alloc : <64x128xf8E4M3FN, shared, <pad = 48, unit = 16, mask = 0, shift = 0>>
// CHECK: lpgemm.alloc : <64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
// CHECK: lpgemm.read {{.*}} to <16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared,
                   <pad = 48, unit = 16, mask = 0, shift = 0>>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @decided(%i: index) {
  %s = lpgemm.alloc : !buf
  %s1 = lpgemm.alloc : !lpgemm.buf<64x128xf8E4M3FN, shared>
  %a = lpgemm.read %s[%i, %i] : !buf to !b
  gpu.return
}
}

// -----

// An elementwise function: tiles in lanes of the accumulator, also where only
// the function connects them to it, vectors in those of its rows and columns.

// CHECK-LABEL: gpu.func @apply(
// CHECK: lpgemm.load %{{.*}} : <?x?xf32> to <16x32xf32, <mfma_f32_16x16x32_fp8, c>>
// CHECK: lpgemm.load %{{.*}} : <?x?xf32> to <16x1xf32, <mfma_f32_16x16x32_fp8, c_row>>
// CHECK: lpgemm.load %{{.*}} : <?x?xf32> to <32x1xf32, <mfma_f32_16x16x32_fp8, c_col>>
// CHECK: lpgemm.apply
// CHECK: -> <16x32xbf16, <mfma_f32_16x16x32_fp8, c>>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
  gpu.func @apply(%a: !lpgemm.global<?x?xf8E4M3FN>,
                  %x: !lpgemm.global<?x?xf32>, %d: !lpgemm.global<?x?xbf16>,
                  %i: index, %zero: f32) kernel {
    %fa = lpgemm.load %a[%i, %i] at [%i, %i]
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<16x32xf8E4M3FN>
    %fb = lpgemm.load %a[%i, %i] at [%i, %i]
        : !lpgemm.global<?x?xf8E4M3FN> to !lpgemm.frag<32x32xf8E4M3FN>
    %c = lpgemm.splat %zero : f32 to !lpgemm.frag<16x32xf32>
    %sum = lpgemm.mma <mfma_f32_16x16x32_fp8> %fa, %fb, %c
        : !lpgemm.frag<16x32xf8E4M3FN>, !lpgemm.frag<32x32xf8E4M3FN>,
          !lpgemm.frag<16x32xf32>
    %t = lpgemm.load %x[%i, %i] at [%i, %i]
        : !lpgemm.global<?x?xf32> to !lpgemm.frag<16x32xf32>
    %r = lpgemm.load %x[%i, %i] at [%i, %i]
        : !lpgemm.global<?x?xf32> to !lpgemm.frag<16x1xf32>
    %k = lpgemm.load %x[%i, %i] at [%i, %i]
        : !lpgemm.global<?x?xf32> to !lpgemm.frag<32x1xf32>
    %y = lpgemm.apply %sum, %t rows(%r : !lpgemm.frag<16x1xf32>)
        cols(%k : !lpgemm.frag<32x1xf32>) {
      ^bb0(%0: f32, %1: f32, %2: f32, %3: f32):
        %4 = arith.truncf %0 : f32 to bf16
        lpgemm.yield %4 : bf16
    } : !lpgemm.frag<16x32xf32>, !lpgemm.frag<16x32xf32>
        -> !lpgemm.frag<16x32xbf16>
    lpgemm.store %y, %d[%i, %i] at [%i, %i]
        : !lpgemm.frag<16x32xbf16> to !lpgemm.global<?x?xbf16>
    gpu.return
  }
}

// -----

// Where pieces of 16 bytes leave banks idle, those of 8 are exchanged.

// CHECK-LABEL: gpu.func @narrow_pieces(
// CHECK: lpgemm.alloc : <32x128xf8E4M3FNUZ, shared, <pad = 0, unit = 8, mask = 15, shift = 0>>

!buf = !lpgemm.buf<32x128xf8E4M3FNUZ, shared>
!a = !lpgemm.frag<32x128xf8E4M3FNUZ>
!c = !lpgemm.frag<32x32xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
gpu.func @narrow_pieces(%z: f32, %i: index) {
  %s = lpgemm.alloc : !buf
  %zero = lpgemm.splat %z : f32 to !c
  %a = lpgemm.read %s[%i, %i] : !buf to !a
  %b = lpgemm.read %s[%i, %i] : !buf to !a
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %zero : !a, !a, !c
  gpu.return
}
}
