// RUN: lpgemm-opt %s --lpgemm-split-subchannels | FileCheck %s

// The scaled instruction applies the scales of blocks of 32 itself.

// CHECK-LABEL: gpu.func @scaled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[B:.*]]: !lpgemm.frag<16x128xf8E4M3FN>, %[[C:.*]]: !lpgemm.frag<32x16xf32>, %[[SA:.*]]: !lpgemm.frag<32x4xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.frag<16x4xf8E8M0FNU>
// CHECK-NEXT: lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[A]], %[[B]], %[[C]] scale(%[[SA]], %[[SB]] :
// CHECK-NEXT: gpu.return

// The unscaled one gets a chain from zero for each of the 4 blocks, and the
// sum is scaled. A and B have different extents here: not to be mixed up.

// CHECK-LABEL: gpu.func @unscaled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[B:.*]]: !lpgemm.frag<16x128xf8E4M3FN>, %[[C:.*]]: !lpgemm.frag<32x16xf32>, %[[SA:.*]]: !lpgemm.frag<32x4xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.frag<16x4xf8E8M0FNU>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32

// CHECK-NEXT: %[[A0:.*]] = lpgemm.slice %[[A]][0] : <32x128xf8E4M3FN> to <32x32xf8E4M3FN>
// CHECK-NEXT: %[[B0:.*]] = lpgemm.slice %[[B]][0] : <16x128xf8E4M3FN> to <16x32xf8E4M3FN>
// CHECK-NEXT: %[[Z0:.*]] = lpgemm.splat %[[ZERO]] : f32 to <32x16xf32>
// CHECK-NEXT: %[[P0:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %[[A0]], %[[B0]], %[[Z0]] : <32x32xf8E4M3FN>, <16x32xf8E4M3FN>, <32x16xf32>
// CHECK-NEXT: %[[SA0:.*]] = lpgemm.slice %[[SA]][0] : <32x4xf8E8M0FNU> to <32x1xf8E8M0FNU>
// CHECK-NEXT: %[[SB0:.*]] = lpgemm.slice %[[SB]][0] : <16x4xf8E8M0FNU> to <16x1xf8E8M0FNU>
// CHECK-NEXT: %[[D0:.*]] = lpgemm.promote %[[P0]], %[[C]] scale(%[[SA0]], %[[SB0]] : <32x1xf8E8M0FNU>, <16x1xf8E8M0FNU>) : <32x16xf32>

// CHECK-NEXT: %[[A1:.*]] = lpgemm.slice %[[A]][32]
// CHECK-NEXT: %[[B1:.*]] = lpgemm.slice %[[B]][32]
// CHECK-NEXT: %[[Z1:.*]] = lpgemm.splat %[[ZERO]]
// CHECK-NEXT: %[[P1:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %[[A1]], %[[B1]], %[[Z1]] :
// CHECK-NEXT: %[[SA1:.*]] = lpgemm.slice %[[SA]][1]
// CHECK-NEXT: %[[SB1:.*]] = lpgemm.slice %[[SB]][1]
// CHECK-NEXT: %[[D1:.*]] = lpgemm.promote %[[P1]], %[[D0]] scale(%[[SA1]], %[[SB1]] :

// CHECK-NEXT: %[[A2:.*]] = lpgemm.slice %[[A]][64]
// CHECK-NEXT: %[[B2:.*]] = lpgemm.slice %[[B]][64]
// CHECK-NEXT: %[[Z2:.*]] = lpgemm.splat %[[ZERO]]
// CHECK-NEXT: %[[P2:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %[[A2]], %[[B2]], %[[Z2]] :
// CHECK-NEXT: %[[SA2:.*]] = lpgemm.slice %[[SA]][2]
// CHECK-NEXT: %[[SB2:.*]] = lpgemm.slice %[[SB]][2]
// CHECK-NEXT: %[[D2:.*]] = lpgemm.promote %[[P2]], %[[D1]] scale(%[[SA2]], %[[SB2]] :

// CHECK-NEXT: %[[A3:.*]] = lpgemm.slice %[[A]][96]
// CHECK-NEXT: %[[B3:.*]] = lpgemm.slice %[[B]][96]
// CHECK-NEXT: %[[Z3:.*]] = lpgemm.splat %[[ZERO]]
// CHECK-NEXT: %[[P3:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %[[A3]], %[[B3]], %[[Z3]] :
// CHECK-NEXT: %[[SA3:.*]] = lpgemm.slice %[[SA]][3]
// CHECK-NEXT: %[[SB3:.*]] = lpgemm.slice %[[SB]][3]
// CHECK-NEXT: %[[D3:.*]] = lpgemm.promote %[[P3]], %[[D2]] scale(%[[SA3]], %[[SB3]] :
// CHECK-NEXT: lpgemm.store %[[D3]], %{{.*}} : <32x16xf32>

// One scale for all of K: one chain of several instructions.

// CHECK-LABEL: gpu.func @one_block(
// CHECK: lpgemm.slice %{{.*}}[0] : <32x128xf8E4M3FN> to <32x128xf8E4M3FN>
// CHECK: lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> {{.*}} : <32x128xf8E4M3FN>, <16x128xf8E4M3FN>, <32x16xf32>
// CHECK-COUNT-1: lpgemm.promote
// CHECK-NOT: lpgemm.promote

// A product without scales is left as it is.

// CHECK-LABEL: gpu.func @no_scales(
// CHECK-NEXT: lpgemm.mma
// CHECK-NEXT: gpu.return

!a = !lpgemm.frag<32x128xf8E4M3FN>
!b = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x4xf8E8M0FNU>
!sb = !lpgemm.frag<16x4xf8E8M0FNU>
!sa1 = !lpgemm.frag<32x1xf8E8M0FNU>
!sb1 = !lpgemm.frag<16x1xf8E8M0FNU>
!d = !lpgemm.global<?x?xf32>
gpu.module @m {
gpu.func @scaled(%a: !a, %b: !b, %c: !c, %sa: !sa, %sb: !sb) {
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      scale(%sa, %sb : !sa, !sb) : !a, !b, !c
  gpu.return
}
gpu.func @unscaled(%a: !a, %b: !b, %c: !c, %sa: !sa, %sb: !sb, %d: !d,
                   %i: index) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %a, %b, %c
      scale(%sa, %sb : !sa, !sb) : !a, !b, !c
  lpgemm.store %0, %d[%i, %i] at [%i, %i] : !c to !d
  gpu.return
}
gpu.func @one_block(%a: !a, %b: !b, %c: !c, %sa: !sa1, %sb: !sb1) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %a, %b, %c
      scale(%sa, %sb : !sa1, !sb1) : !a, !b, !c
  gpu.return
}
gpu.func @no_scales(%a: !a, %b: !b, %c: !c) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8_fp8> %a, %b, %c : !a, !b, !c
  gpu.return
}
}
