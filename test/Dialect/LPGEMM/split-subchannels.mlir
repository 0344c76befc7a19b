// RUN: lpgemm-opt %s --split-input-file --lpgemm-split-subchannels | FileCheck %s

// The scaled instruction applies the scales of blocks of 32 itself.

// CHECK-LABEL: gpu.func @scaled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[B:.*]]: !lpgemm.frag<16x128xf8E4M3FN>, %[[C:.*]]: !lpgemm.frag<32x16xf32>, %[[SA:.*]]: !lpgemm.frag<32x4xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.frag<16x4xf8E8M0FNU>
// CHECK-NEXT: lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[A]], %[[B]], %[[C]] sa(%[[SA]] : !lpgemm.frag<{{.*}}>) sb(%[[SB]] :
// CHECK-NEXT: gpu.return

// The unscaled one gets a chain from zero for each of the 4 blocks, and the
// sum is scaled. A and B have different extents here: not to be mixed up.

// CHECK-LABEL: gpu.func @unscaled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[B:.*]]: !lpgemm.frag<16x128xf8E4M3FN>, %[[C:.*]]: !lpgemm.frag<32x16xf32>, %[[SA:.*]]: !lpgemm.frag<32x4xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.frag<16x4xf8E8M0FNU>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[Z0:.*]] = lpgemm.splat %[[ZERO]] : f32 to <32x16xf32>
// CHECK-NEXT: %[[A0:.*]] = lpgemm.slice %[[A]][0] : <32x128xf8E4M3FN> to <32x32xf8E4M3FN>
// CHECK-NEXT: %[[B0:.*]] = lpgemm.slice %[[B]][0] : <16x128xf8E4M3FN> to <16x32xf8E4M3FN>
// CHECK-NEXT: %[[P0:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8> %[[A0]], %[[B0]], %[[Z0]] : <32x32xf8E4M3FN>, <16x32xf8E4M3FN>, <32x16xf32>
// CHECK-NEXT: %[[SA0:.*]] = lpgemm.slice %[[SA]][0] : <32x4xf8E8M0FNU> to <32x1xf8E8M0FNU>
// CHECK-NEXT: %[[SB0:.*]] = lpgemm.slice %[[SB]][0] : <16x4xf8E8M0FNU> to <16x1xf8E8M0FNU>
// CHECK-NEXT: %[[D0:.*]] = lpgemm.promote %[[P0]], %[[C]] sa(%[[SA0]] : !lpgemm.frag<32x1xf8E8M0FNU>) sb(%[[SB0]] : !lpgemm.frag<16x1xf8E8M0FNU>) : <32x16xf32>, <32x16xf32>

// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[Z1:.*]] = lpgemm.splat %[[ZERO]]
// CHECK-NEXT: %[[A1:.*]] = lpgemm.slice %[[A]][32]
// CHECK-NEXT: %[[B1:.*]] = lpgemm.slice %[[B]][32]
// CHECK-NEXT: %[[P1:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8> %[[A1]], %[[B1]], %[[Z1]] :
// CHECK-NEXT: %[[SA1:.*]] = lpgemm.slice %[[SA]][1]
// CHECK-NEXT: %[[SB1:.*]] = lpgemm.slice %[[SB]][1]
// CHECK-NEXT: %[[D1:.*]] = lpgemm.promote %[[P1]], %[[D0]] sa(%[[SA1]] : !lpgemm.frag<{{.*}}>) sb(%[[SB1]] :

// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[Z2:.*]] = lpgemm.splat %[[ZERO]]
// CHECK-NEXT: %[[A2:.*]] = lpgemm.slice %[[A]][64]
// CHECK-NEXT: %[[B2:.*]] = lpgemm.slice %[[B]][64]
// CHECK-NEXT: %[[P2:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8> %[[A2]], %[[B2]], %[[Z2]] :
// CHECK-NEXT: %[[SA2:.*]] = lpgemm.slice %[[SA]][2]
// CHECK-NEXT: %[[SB2:.*]] = lpgemm.slice %[[SB]][2]
// CHECK-NEXT: %[[D2:.*]] = lpgemm.promote %[[P2]], %[[D1]] sa(%[[SA2]] : !lpgemm.frag<{{.*}}>) sb(%[[SB2]] :

// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[Z3:.*]] = lpgemm.splat %[[ZERO]]
// CHECK-NEXT: %[[A3:.*]] = lpgemm.slice %[[A]][96]
// CHECK-NEXT: %[[B3:.*]] = lpgemm.slice %[[B]][96]
// CHECK-NEXT: %[[P3:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8> %[[A3]], %[[B3]], %[[Z3]] :
// CHECK-NEXT: %[[SA3:.*]] = lpgemm.slice %[[SA]][3]
// CHECK-NEXT: %[[SB3:.*]] = lpgemm.slice %[[SB]][3]
// CHECK-NEXT: %[[D3:.*]] = lpgemm.promote %[[P3]], %[[D2]] sa(%[[SA3]] : !lpgemm.frag<{{.*}}>) sb(%[[SB3]] :
// CHECK-NEXT: lpgemm.store %[[D3]], %{{.*}} : <32x16xf32>

// One scale for all of K: one chain of several instructions.

// CHECK-LABEL: gpu.func @one_block(
// CHECK-NOT: lpgemm.slice
// CHECK: lpgemm.mma <mfma_f32_16x16x32_fp8> {{.*}} : <32x128xf8E4M3FN>, <16x128xf8E4M3FN>, <32x16xf32>
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
      sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
  gpu.return
}
gpu.func @unscaled(%a: !a, %b: !b, %c: !c, %sa: !sa, %sb: !sb, %d: !d,
                   %i: index) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %c
      sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
  lpgemm.store %0, %d[%i, %i] at [%i, %i] : !c to !d
  gpu.return
}
gpu.func @one_block(%a: !a, %b: !b, %c: !c, %sa: !sa1, %sb: !sb1) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %c
      sa(%sa : !sa1) sb(%sb : !sb1) : !a, !b, !c
  gpu.return
}
gpu.func @no_scales(%a: !a, %b: !b, %c: !c) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %c : !a, !b, !c
  gpu.return
}
}

// -----

// One side alone in the instruction's own form: the other one gets ones.

!a = !lpgemm.frag<32x128xf8E4M3FN>
!b = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>

// CHECK-LABEL: gpu.func @mx_a(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[B:[a-z0-9]+]]: !lpgemm.frag<16x128xf8E4M3FN>, %[[C:[a-z0-9]+]]: !lpgemm.frag<32x16xf32>, %[[SA:[a-z0-9]+]]: !lpgemm.frag<32x4xf8E8M0FNU>)
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f8E8M0FNU
// CHECK-NEXT: %[[ONES:.*]] = lpgemm.splat %[[ONE]] : f8E8M0FNU to <16x4xf8E8M0FNU>
// CHECK-NEXT: lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[A]], %[[B]], %[[C]] sa(%[[SA]] : !lpgemm.frag<32x4xf8E8M0FNU>) sb(%[[ONES]] : !lpgemm.frag<16x4xf8E8M0FNU>) :
// CHECK-NEXT: gpu.return

// CHECK-LABEL: gpu.func @mx_b(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[B:[a-z0-9]+]]: !lpgemm.frag<16x128xf8E4M3FN>, %[[C:[a-z0-9]+]]: !lpgemm.frag<32x16xf32>, %[[SB:[a-z0-9]+]]: !lpgemm.frag<16x4xf8E8M0FNU>)
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f8E8M0FNU
// CHECK-NEXT: %[[ONES:.*]] = lpgemm.splat %[[ONE]] : f8E8M0FNU to <32x4xf8E8M0FNU>
// CHECK-NEXT: lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[A]], %[[B]], %[[C]] sa(%[[ONES]] : !lpgemm.frag<32x4xf8E8M0FNU>) sb(%[[SB]] : !lpgemm.frag<16x4xf8E8M0FNU>) :
// CHECK-NEXT: gpu.return
gpu.module @m {
gpu.func @mx_a(%a: !a, %b: !b, %c: !c, %s: !lpgemm.frag<32x4xf8E8M0FNU>) {
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%s : !lpgemm.frag<32x4xf8E8M0FNU>) : !a, !b, !c
  gpu.return
}
gpu.func @mx_b(%a: !a, %b: !b, %c: !c, %s: !lpgemm.frag<16x4xf8E8M0FNU>) {
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sb(%s : !lpgemm.frag<16x4xf8E8M0FNU>) : !a, !b, !c
  gpu.return
}
}

// -----

// One side in the instruction, blocks of 128 in f32 on the other promoted: a
// chain for each of the longer blocks.

!a = !lpgemm.frag<32x256xf8E4M3FN>
!b = !lpgemm.frag<16x256xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x8xf8E8M0FNU>
!sb = !lpgemm.frag<16x2xf32>

// CHECK-LABEL: gpu.func @mx_by_f32(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !lpgemm.frag<32x256xf8E4M3FN>, %[[B:[a-z0-9]+]]: !lpgemm.frag<16x256xf8E4M3FN>, %[[C:[a-z0-9]+]]: !lpgemm.frag<32x16xf32>, %[[SA:[a-z0-9]+]]: !lpgemm.frag<32x8xf8E8M0FNU>, %[[SB:[a-z0-9]+]]: !lpgemm.frag<16x2xf32>
// CHECK: %[[Z0:.*]] = lpgemm.splat %{{.*}} : f32 to <32x16xf32>
// CHECK-NEXT: %[[SA0:.*]] = lpgemm.slice %[[SA]][0] : <32x8xf8E8M0FNU> to <32x4xf8E8M0FNU>
// CHECK: %[[ONES:.*]] = lpgemm.splat %{{.*}} : f8E8M0FNU to <16x4xf8E8M0FNU>
// CHECK-DAG: %[[A0:.*]] = lpgemm.slice %[[A]][0] : <32x256xf8E4M3FN> to <32x128xf8E4M3FN>
// CHECK-DAG: %[[B0:.*]] = lpgemm.slice %[[B]][0] : <16x256xf8E4M3FN> to <16x128xf8E4M3FN>
// CHECK: %[[P0:.*]] = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[A0]], %[[B0]], %[[Z0]] sa(%[[SA0]] : !lpgemm.frag<32x4xf8E8M0FNU>) sb(%[[ONES]] : !lpgemm.frag<16x4xf8E8M0FNU>) :
// CHECK-NEXT: %[[SB0:.*]] = lpgemm.slice %[[SB]][0] : <16x2xf32> to <16x1xf32>
// CHECK-NEXT: %[[D0:.*]] = lpgemm.promote %[[P0]], %[[C]] sb(%[[SB0]] : !lpgemm.frag<16x1xf32>) : <32x16xf32>, <32x16xf32>
// CHECK: %[[SA1:.*]] = lpgemm.slice %[[SA]][4] : <32x8xf8E8M0FNU> to <32x4xf8E8M0FNU>
// CHECK: %[[P1:.*]] = lpgemm.mma {{.*}} sa(%[[SA1]] :
// CHECK-NEXT: %[[SB1:.*]] = lpgemm.slice %[[SB]][1] : <16x2xf32> to <16x1xf32>
// CHECK-NEXT: %[[D1:.*]] = lpgemm.promote %[[P1]], %[[D0]] sb(%[[SB1]] :
// CHECK-NEXT: lpgemm.store %[[D1]]
gpu.module @m {
gpu.func @mx_by_f32(%a: !a, %b: !b, %c: !c, %sa: !sa, %sb: !sb,
                    %d: !lpgemm.global<?x?xf32>, %i: index) {
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
  lpgemm.store %0, %d[%i, %i] at [%i, %i] : !c to !lpgemm.global<?x?xf32>
  gpu.return
}
}

// -----

// Parts of i8 add up in i32. Blocks of 64 and 128: the shorter ones decide, and
// two parts share a scale of the longer ones.

!a = !lpgemm.frag<32x128xi8>
!b = !lpgemm.frag<16x128xi8>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x2xf32>
!sb = !lpgemm.frag<16x1xbf16>

// CHECK-LABEL: gpu.func @i8(
// CHECK-SAME: %[[C:[a-z0-9]+]]: !lpgemm.frag<32x16xf32>, %[[SA:[a-z0-9]+]]: !lpgemm.frag<32x2xf32>, %[[SB:[a-z0-9]+]]: !lpgemm.frag<16x1xbf16>
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[Z0:.*]] = lpgemm.splat %[[ZERO]] : i32 to <32x16xi32>
// CHECK: %[[P0:.*]] = lpgemm.mma <mfma_i32_16x16x32_i8> %{{.*}}, %{{.*}}, %[[Z0]] : <32x64xi8>, <16x64xi8>, <32x16xi32>
// CHECK-NEXT: %[[SA0:.*]] = lpgemm.slice %[[SA]][0] : <32x2xf32> to <32x1xf32>
// CHECK-NEXT: %[[D0:.*]] = lpgemm.promote %[[P0]], %[[C]] sa(%[[SA0]] : !lpgemm.frag<32x1xf32>) sb(%[[SB]] : !lpgemm.frag<16x1xbf16>) : <32x16xi32>, <32x16xf32>
// CHECK: %[[P1:.*]] = lpgemm.mma <mfma_i32_16x16x32_i8> {{.*}} : <32x64xi8>, <16x64xi8>, <32x16xi32>
// CHECK-NEXT: %[[SA1:.*]] = lpgemm.slice %[[SA]][1] :
// CHECK-NEXT: lpgemm.promote %[[P1]], %[[D0]] sa(%[[SA1]] : !lpgemm.frag<32x1xf32>) sb(%[[SB]] : !lpgemm.frag<16x1xbf16>) :
// CHECK-NEXT: gpu.return
gpu.module @m {
gpu.func @i8(%a: !a, %b: !b, %c: !c, %sa: !sa, %sb: !sb) {
  %0 = lpgemm.mma <mfma_i32_16x16x32_i8> %a, %b, %c sa(%sa : !sa) sb(%sb : !sb)
      : !a, !b, !c
  gpu.return
}
}

// -----

// A block that the tile lies in, and an exponent: both are the promotion's.

!a = !lpgemm.frag<32x64xf8E4M3FNUZ>
!b = !lpgemm.frag<16x64xf8E4M3FNUZ>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x1xf8E8M0FNU>

// CHECK-LABEL: gpu.func @exponent(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !lpgemm.frag<32x64xf8E4M3FNUZ>, %[[B:[a-z0-9]+]]: !lpgemm.frag<16x64xf8E4M3FNUZ>, %[[C:[a-z0-9]+]]: !lpgemm.frag<32x16xf32>, %[[SA:[a-z0-9]+]]: !lpgemm.frag<32x1xf8E8M0FNU>
// CHECK: %[[P:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8> %[[A]], %[[B]], %{{[0-9]+}} : <32x64xf8E4M3FNUZ>, <16x64xf8E4M3FNUZ>, <32x16xf32>
// CHECK-NEXT: lpgemm.promote %[[P]], %[[C]] sa(%[[SA]] : !lpgemm.frag<32x1xf8E8M0FNU>) {exponent = 2 : i64} : <32x16xf32>, <32x16xf32>
// CHECK-NEXT: gpu.return

// Scales that the instruction applies, and an exponent that it does not.

// CHECK-LABEL: gpu.func @scaled_exponent(
// CHECK-SAME: %[[C:[a-z0-9]+]]: !lpgemm.frag<32x16xf32>,
// CHECK: %[[P:.*]] = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> {{.*}} sa({{.*}}) sb({{.*}}) :
// CHECK-NEXT: lpgemm.promote %[[P]], %[[C]] {exponent = -1 : i64} : <32x16xf32>, <32x16xf32>
// CHECK-NEXT: gpu.return
gpu.module @m {
gpu.func @exponent(%a: !a, %b: !b, %c: !c, %sa: !sa) {
  %0 = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %b, %c sa(%sa : !sa)
      {exponent = 2 : i64} : !a, !b, !c
  gpu.return
}
gpu.func @scaled_exponent(%a: !lpgemm.frag<32x128xf8E4M3FN>,
                          %b: !lpgemm.frag<16x128xf8E4M3FN>, %c: !c,
                          %sa: !lpgemm.frag<32x4xf8E8M0FNU>) {
  %0 = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %b, %c
      sa(%sa : !lpgemm.frag<32x4xf8E8M0FNU>) {exponent = -1 : i64}
      : !lpgemm.frag<32x128xf8E4M3FN>, !lpgemm.frag<16x128xf8E4M3FN>, !c
  gpu.return
}
}
