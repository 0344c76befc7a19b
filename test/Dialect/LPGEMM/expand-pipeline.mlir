// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-expand-pipeline,canonicalize))" | FileCheck %s

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
// The first tile is fetched in front of the loop, the next one behind the
// barrier, so that it is on its way while this one is multiplied.

// CHECK-LABEL: gpu.func @two_stages(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !lpgemm.global<?x?xf8E4M3FN>, %[[S:[a-z0-9]+]]: !lpgemm.global<?x?xf8E8M0FNU>,
// CHECK: %[[F0:.*]] = lpgemm.fetch %[[A]][%[[I:.*]], %c0] for
// CHECK: %[[SA0:.*]] = lpgemm.load %[[S]][%[[I]], %c0]
// CHECK: scf.for %[[K:.*]] = %c0 to %{{.*}} step %c128 iter_args(%[[ACC:.*]] = %{{.*}}, %[[F:.*]] = %[[F0]], %[[SA:.*]] = %[[SA0]])
// CHECK-NEXT: %[[T:.*]] = lpgemm.put %[[F]] into
// CHECK-NEXT: lpgemm.wait %[[T]]
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[K]], %c128
// CHECK-NEXT: %[[F1:.*]] = lpgemm.fetch %[[A]][%[[I]], %[[NEXT]]]
// CHECK: %[[KB:.*]] = arith.divui %{{.*}}, %c32
// CHECK-NEXT: %[[SA1:.*]] = lpgemm.load %[[S]][%[[I]], %[[KB]]]
// CHECK-NEXT: %[[X:.*]] = lpgemm.read
// CHECK-NEXT: %[[P:.*]] = lpgemm.mma {{.*}} %[[X]], %{{.*}}, %[[ACC]] sa(%[[SA]] :
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: scf.yield %[[P]], %[[F1]], %[[SA1]]
// CHECK-NOT: lpgemm.stage
gpu.func @two_stages(%a: !g8, %s: !gs, %buf: !buf, %b: !b, %sb: !sb,
                %init: !c, %i: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s2} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %a[%i, %kk] into %buf : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %buf[%c0, %c0] : !buf to !a
    %kb = arith.divui %kk, %c32 : index
    %sa = lpgemm.load %s[%i, %kb] at [%c0, %c0] : !gs to !sa
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc
        sa(%sa : !sa) sb(%sb : !sb) : !a, !b, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  gpu.return
}
}
