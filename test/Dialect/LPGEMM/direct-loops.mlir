// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline))" | FileCheck %s --check-prefix=ASSIGN
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-assign-pipeline))" | FileCheck %s --check-prefix=ASSIGN
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-expand-pipeline,canonicalize))" | FileCheck %s

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<32x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 1>>
!a = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>
!b = !lpgemm.frag<16x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>
!c = !lpgemm.frag<16x16xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
#s3 = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 3>

gpu.module @m {
// An engine copies the K tile that is two ahead of the one that is multiplied;
// one barrier behind the wait for this one, by which the slot of the tile before
// is free as well.

// ASSIGN-LABEL: gpu.func @three_slots(
// ASSIGN: %[[T:.*]] = lpgemm.copy {{.*}} lds_dma {lpgemm.cluster = [[COPIES:.*]] : i32, lpgemm.stage = 0 : i32}
// ASSIGN: lpgemm.wait %[[T]] {lpgemm.cluster = [[ARRIVAL:.*]] : i32, lpgemm.stage = 2 : i32}
// ASSIGN: lpgemm.barrier {lpgemm.cluster = [[ARRIVAL]] : i32, lpgemm.stage = 2 : i32}
// ASSIGN: lpgemm.sched_fence
// ASSIGN-NEXT: lpgemm.sched_fence
// ASSIGN-NOT: lpgemm.sched_fence
// ASSIGN: lpgemm.read {{.*}}lpgemm.stage = 2 : i32
// ASSIGN: lpgemm.mma {{.*}}lpgemm.stage = 2 : i32

// Two tiles in front of the loop, each in a slot of its own; in an iteration
// three, each with the copy of the tile two ahead, to the slot of the one before;
// what is left of three behind it.

// CHECK-LABEL: gpu.func @three_slots(
// CHECK-SAME: %[[G:[a-z0-9]+]]: !lpgemm.global<?x?xf8E4M3FN>
// CHECK-DAG: %[[S0:.*]] = lpgemm.alloc
// CHECK-DAG: %[[S1:.*]] = lpgemm.alloc
// CHECK-DAG: %[[S2:.*]] = lpgemm.alloc
// CHECK: %[[T0:.*]] = lpgemm.copy %[[G]]{{.*}} into %[[B0:.*]] whole
// CHECK: %[[T1:.*]] = lpgemm.copy %[[G]]{{.*}} into %[[B1:.*]] whole
// CHECK: %[[LOOP:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:.*]] = {{.*}}, %[[U0:.*]] = %[[T0]], %[[U1:.*]] = %[[T1]])
// CHECK: lpgemm.wait %[[U0]]
// CHECK-NEXT: lpgemm.barrier
// CHECK: %[[T2:.*]] = lpgemm.copy %[[G]]{{.*}} into %[[B2:.*]] whole
// CHECK: lpgemm.read %[[B0]]
// CHECK: lpgemm.wait %[[U1]]
// CHECK-NEXT: lpgemm.barrier
// CHECK: %[[T3:.*]] = lpgemm.copy %[[G]]{{.*}} into %[[B0]] whole
// CHECK: lpgemm.read %[[B1]]
// CHECK: lpgemm.wait %[[T2]]
// CHECK-NEXT: lpgemm.barrier
// CHECK: %[[T4:.*]] = lpgemm.copy %[[G]]{{.*}} into %[[B1]] whole
// CHECK: lpgemm.read %[[B2]]
// CHECK: scf.yield %{{.*}}, %[[T3]], %[[T4]]
// CHECK: lpgemm.wait %[[LOOP]]#1, %[[LOOP]]#2
// CHECK: lpgemm.barrier
// CHECK: scf.if
// CHECK: lpgemm.read %[[B0]]
// CHECK: scf.if
// CHECK: lpgemm.read %[[B1]]
// CHECK-NOT: scf.if
// CHECK-NOT: lpgemm.stage
gpu.func @three_slots(%g: !g8, %b: !b, %init: !c, %i: index, %k: index,
                      %dest: !lpgemm.global<?x?xf32>) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s3} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %s = lpgemm.alloc : !buf
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %g[%i, %kk] into %s whole(%c0) : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %s[%c0, %c0] : !buf to !a
    %p = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %x, %b, %acc : !a, !b, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  lpgemm.store %r, %dest[%i, %i] at [%c0, %c0] : !c to !lpgemm.global<?x?xf32>
  gpu.return
}
}
