// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-layouts))" | FileCheck %s
// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-layouts,lpgemm-assign-layouts))" | FileCheck %s

// NVIDIA chips: rows of 128 bytes are swizzled, as matrix instructions and copy
// engines take them, in every view of a buffer; others lie in order. What
// follows a product has its lanes.

!a = !lpgemm.buf<64x128xf8E4M3FN, shared>
!b = !lpgemm.buf<96x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x96xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
// CHECK-LABEL: gpu.func @product(
// CHECK: %[[A:.*]] = lpgemm.alloc : <2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: %[[B:.*]] = lpgemm.alloc : <2x96x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: %[[SA:.*]] = lpgemm.alloc : <2x64x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
// CHECK: %[[SB:.*]] = lpgemm.alloc : <2x2x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
// CHECK: %[[STAGE:.*]] = lpgemm.alloc : <128x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: %[[ZERO:.*]] = lpgemm.splat %{{.*}} : f32 to <64x96xf32, <wgmma_m64k32_f32_fp8, c>>
// CHECK: lpgemm.view %[[A]]{{.*}} to <64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: lpgemm.view %[[B]]{{.*}} to <96x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: lpgemm.view %[[SA]]{{.*}} to <64x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
// CHECK: lpgemm.view %[[SB]]{{.*}} to <2x1xf32, shared, <pad = 0, unit = 4, mask = 0, shift = 0>>
// CHECK: lpgemm.read {{.*}} to <64x1xf32, <wgmma_m64k32_f32_fp8, c_row>>
// CHECK: lpgemm.read {{.*}} to <96x1xf32, <wgmma_m64k32_f32_fp8, c_col>>
// CHECK: lpgemm.async_mma {{.*}}, <64x96xf32, <wgmma_m64k32_f32_fp8, c>>
// CHECK: lpgemm.wait {{.*}} : !lpgemm.frag<64x96xf32, <wgmma_m64k32_f32_fp8, c>>
// CHECK: lpgemm.promote {{.*}} : <64x96xf32, <wgmma_m64k32_f32_fp8, c>>, <64x96xf32, <wgmma_m64k32_f32_fp8, c>>
// CHECK: lpgemm.apply
// CHECK: } : !lpgemm.frag<64x96xf32, <wgmma_m64k32_f32_fp8, c>> -> <64x96xbf16, <wgmma_m64k32_f32_fp8, c>>
// CHECK: lpgemm.staged_store {{.*}} through %[[STAGE]] : <64x96xbf16, <wgmma_m64k32_f32_fp8, c>> to <?x?xbf16>, <128x64xbf16, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
gpu.func @product(%acc: !c, %g: !lpgemm.global<?x?xbf16>, %s: !lpgemm.slot) kernel {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %ring_a = lpgemm.alloc : !lpgemm.buf<2x64x128xf8E4M3FN, shared>
  %ring_b = lpgemm.alloc : !lpgemm.buf<2x96x128xf8E4M3FN, shared>
  %ring_sa = lpgemm.alloc : !lpgemm.buf<2x64x1xf32, shared>
  %ring_sb = lpgemm.alloc : !lpgemm.buf<2x2x1xf32, shared>
  %stage = lpgemm.alloc : !lpgemm.buf<128x64xbf16, shared>
  %z = lpgemm.splat %zero : f32 to !c
  %a = lpgemm.view %ring_a[%s] at [%c0, 0] : !lpgemm.buf<2x64x128xf8E4M3FN, shared> to !a
  %b = lpgemm.view %ring_b[%s] at [%c0, 0] : !lpgemm.buf<2x96x128xf8E4M3FN, shared> to !b
  %vsa = lpgemm.view %ring_sa[%s] at [%c0, 0] : !lpgemm.buf<2x64x1xf32, shared> to !lpgemm.buf<64x1xf32, shared>
  %vsb = lpgemm.view %ring_sb[%s] at [%c0, 0] : !lpgemm.buf<2x2x1xf32, shared> to !lpgemm.buf<2x1xf32, shared>
  %sa = lpgemm.read %vsa[%c0, %c0] : !lpgemm.buf<64x1xf32, shared> to !lpgemm.frag<64x1xf32>
  %sb = lpgemm.read %vsb[%c0, %c0] {row_block = 128 : i64, row_unit = 32 : i64} : !lpgemm.buf<2x1xf32, shared> to !lpgemm.frag<96x1xf32>
  %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %z : !a, !b, !c
  %q = lpgemm.wait %t for %p : !c
  %d = lpgemm.promote %q, %acc sa(%sa : !lpgemm.frag<64x1xf32>) sb(%sb : !lpgemm.frag<96x1xf32>) : !c, !c
  %e = lpgemm.apply %d {
    ^bb0(%x: f32):
      %y = arith.truncf %x : f32 to bf16
      lpgemm.yield %y : bf16
  } : !c -> !lpgemm.frag<64x96xbf16>
  lpgemm.staged_store %e, %g[%c0, %c0] at [%c0, %c0] through %stage : !lpgemm.frag<64x96xbf16> to !lpgemm.global<?x?xbf16>, !lpgemm.buf<128x64xbf16, shared>
  gpu.return
}

// Sums of a cluster have the lanes of what is added, on both sides.

// CHECK-LABEL: gpu.func @exchange(
// CHECK: %[[SUMS:.*]]:2, %{{.*}} = lpgemm.cluster_reduce %{{.*}}, %{{.*}} : (!lpgemm.frag<64x96xf32, <wgmma_m64k32_f32_fp8, c>>, !lpgemm.frag<64x96xf32, <wgmma_m64k32_f32_fp8, c>>)
// CHECK: lpgemm.store %[[SUMS]]#1, {{.*}} : <64x96xf32, <wgmma_m64k32_f32_fp8, c>> to
// CHECK: lpgemm.async_mma {{.*}}, %[[SUMS]]#0 : {{.*}}, <64x96xf32, <wgmma_m64k32_f32_fp8, c>>
gpu.func @exchange(%g: !lpgemm.global<?x?xf32>, %a: !a, %b: !b) kernel {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = lpgemm.splat %zero : f32 to !c
  %y = lpgemm.splat %zero : f32 to !c
  %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %y : !a, !b, !c
  %q = lpgemm.wait %t for %p : !c
  %s:3 = lpgemm.cluster_reduce %x, %q : (!c, !c)
  lpgemm.store %s#1, %g[%c0, %c0] at [%c0, %c0] : !c to !lpgemm.global<?x?xf32>
  %d, %u = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %s#0 : !a, !b, !c
  %e = lpgemm.wait %u for %d : !c
  gpu.return
}

// A layout that is there already, and rows of other lengths.

// CHECK-LABEL: gpu.func @rows(
// CHECK: lpgemm.alloc : <2x64x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 0, shift = 0>>
// CHECK: lpgemm.alloc : <2x64x32xf32, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
// CHECK: lpgemm.alloc : <2x64x256xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 0, shift = 0>>
// CHECK: lpgemm.alloc : <2x64x20xf4E2M1FN, shared, <pad = 0, unit = 2, mask = 0, shift = 0>>
gpu.func @rows() kernel {
  %0 = lpgemm.alloc : !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 0, shift = 0>>
  %1 = lpgemm.alloc : !lpgemm.buf<2x64x32xf32, shared>
  %2 = lpgemm.alloc : !lpgemm.buf<2x64x256xf8E4M3FN, shared>
  %3 = lpgemm.alloc : !lpgemm.buf<2x64x20xf4E2M1FN, shared>
  gpu.return
}
}

// -----

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
gpu.func @short_view(%s: !lpgemm.slot) kernel {
  %c0 = arith.constant 0 : index
  %0 = lpgemm.alloc : !lpgemm.buf<2x64x128xf8E4M3FN, shared>
  // expected-error @+1 {{'lpgemm.view' op expects the layout's mask (7) to be less than the units of a row (2)}}
  %1 = lpgemm.view %0[%s] at [%c0, 32] : !lpgemm.buf<2x64x128xf8E4M3FN, shared> to !lpgemm.buf<64x32xf8E4M3FN, shared>
  gpu.return
}
}
