// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-pin-accumulators,cse))" | FileCheck %s
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-pin-accumulators,lpgemm-pin-accumulators,cse))" | FileCheck %s

// A product that starts from zero takes the registers of the one before it.

!a = !lpgemm.buf<64x128xf8E4M3FN, shared>
!c = !lpgemm.frag<64x64xf32>
!n = !lpgemm.frag<64x128xf32>
!b = !lpgemm.buf<128x128xf8E4M3FN, shared>

gpu.module @m {
// One product after the other, and the first one after the last one of the
// iteration before: each sum of its shape has its own registers.

// CHECK-LABEL: gpu.func @unrolled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.buf<64x128xf8E4M3FN, shared>, %[[B:.*]]: !lpgemm.buf<128x128xf8E4M3FN, shared>, %[[INIT:.*]]: !lpgemm.frag<64x64xf32>, %[[ARG4:.*]]: index)
// CHECK-DAG: %[[ZERO0:.*]] = lpgemm.splat %{{.*}} : f32 to <64x64xf32>
// CHECK-DAG: %[[ZERO1:.*]] = lpgemm.splat %{{.*}} : f32 to <64x128xf32>
// CHECK: %[[LOOP:.*]]:4 = scf.for %[[I:.*]] = %c0 to %[[ARG4]] step %c128 iter_args(%[[ACC:.*]] = %[[INIT]], %[[ARG10:.*]] = %[[ZERO1]], %[[ARG11:.*]] = %[[ZERO0]], %[[ARG12:.*]] = %[[ZERO1]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.frag<64x128xf32>, !lpgemm.frag<64x64xf32>, !lpgemm.frag<64x128xf32>) {
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[A]], %[[ARG11]] zero : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]] : !lpgemm.frag<64x64xf32>
// CHECK: %[[V16:.*]] = lpgemm.promote %[[Q0]], %[[ACC]] : <64x64xf32>, <64x64xf32>
// CHECK: %[[P1:.*]], %[[T1:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[B]], %[[ARG12]] zero : <64x128xf8E4M3FN, shared>, <128x128xf8E4M3FN, shared>, <64x128xf32>
// CHECK: %[[Q1:.*]] = lpgemm.wait %[[T1]] for %[[P1]] : !lpgemm.frag<64x128xf32>
// CHECK: %[[P2:.*]], %[[T2:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[A]], %[[Q0]] zero : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q2:.*]] = lpgemm.wait %[[T2]] for %[[P2]] : !lpgemm.frag<64x64xf32>
// CHECK: %[[V23:.*]] = lpgemm.promote %[[Q2]], %[[V16]] : <64x64xf32>, <64x64xf32>
// CHECK: scf.yield %[[V23]], %[[Q1]], %[[Q2]], %[[Q1]] : !lpgemm.frag<64x64xf32>, !lpgemm.frag<64x128xf32>, !lpgemm.frag<64x64xf32>, !lpgemm.frag<64x128xf32>
gpu.func @unrolled(%a: !a, %b: !b, %init: !c, %k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %z = lpgemm.splat %zero : f32 to !c
  %z1 = lpgemm.splat %zero : f32 to !n
  %r:2 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init, %e = %z1) -> (!c, !n) {
    %p0, %t0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q0 = lpgemm.wait %t0 for %p0 : !c
    %s0 = lpgemm.promote %q0, %acc : !c, !c
    %p1, %t1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %z1 : !a, !b, !n
    %q1 = lpgemm.wait %t1 for %p1 : !n
    %p2, %t2 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q2 = lpgemm.wait %t2 for %p2 : !c
    %s1 = lpgemm.promote %q2, %s0 : !c, !c
    scf.yield %s1, %q1 : !c, !n
  }
  gpu.return
}

// The registers of a loop go on to the next one.

// CHECK-LABEL: gpu.func @behind(
// CHECK-SAME: %[[A:.*]]: !lpgemm.buf<64x128xf8E4M3FN, shared>, %[[INIT:.*]]: !lpgemm.frag<64x64xf32>, %[[ARG3:.*]]: index)
// CHECK: %[[ZERO:.*]] = lpgemm.splat %{{.*}} : f32 to <64x64xf32>
// CHECK: %[[LOOP0:.*]]:2 = scf.for %[[I0:.*]] = %c0 to %[[ARG3]] step %c128 iter_args(%[[ACC0:.*]] = %[[INIT]], %[[ARG8:.*]] = %[[ZERO]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.frag<64x64xf32>) {
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[A]], %[[ARG8]] zero : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]] : !lpgemm.frag<64x64xf32>
// CHECK: scf.yield %{{.*}}, %[[Q0]] : !lpgemm.frag<64x64xf32>, !lpgemm.frag<64x64xf32>
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %[[ARG3]] step %c128 iter_args(%[[ACC1:.*]] = %[[LOOP0]]#0, %[[ARG15:.*]] = %[[LOOP0]]#1) -> (!lpgemm.frag<64x64xf32>, !lpgemm.frag<64x64xf32>) {
// CHECK: %[[P1:.*]], %[[T1:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[A]], %[[ARG15]] zero : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q1:.*]] = lpgemm.wait %[[T1]] for %[[P1]] : !lpgemm.frag<64x64xf32>
// CHECK: scf.yield %{{.*}}, %[[Q1]] : !lpgemm.frag<64x64xf32>, !lpgemm.frag<64x64xf32>
gpu.func @behind(%a: !a, %init: !c, %k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %z = lpgemm.splat %zero : f32 to !c
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q = lpgemm.wait %t for %p : !c
    %s = lpgemm.promote %q, %acc : !c, !c
    scf.yield %s : !c
  }
  %r1 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %r) -> (!c) {
    %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q = lpgemm.wait %t for %p : !c
    %s = lpgemm.promote %q, %acc : !c, !c
    scf.yield %s : !c
  }
  gpu.return
}

// The zero may be in the loop.

// CHECK-LABEL: gpu.func @inside(
// CHECK: %[[CST:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %[[ZERO:.*]] = lpgemm.splat %[[CST]] : f32 to <64x64xf32>
// CHECK-NEXT: %{{.*}}:2 = scf.for %{{.*}} = %c0 to %{{.*}} step %c128 iter_args(%{{.*}} = %{{.*}}, %[[REGS:.*]] = %[[ZERO]])
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %[[REGS]] zero :
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]]
// CHECK: scf.yield %{{.*}}, %[[Q]] :
gpu.func @inside(%a: !a, %init: !c, %k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %zero = arith.constant 0.0 : f32
    %z = lpgemm.splat %zero : f32 to !c
    %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q = lpgemm.wait %t for %p : !c
    %s = lpgemm.promote %q, %acc : !c, !c
    scf.yield %s : !c
  }
  gpu.return
}

// Two sums at once have registers of their own.

// CHECK-LABEL: gpu.func @together(
// CHECK: %[[ZERO:.*]] = lpgemm.splat
// CHECK-NEXT: %{{.*}}:3 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[R0:.*]] = %[[ZERO]], %[[R1:.*]] = %[[ZERO]])
// CHECK-NEXT: %{{.*}}, %{{.*}} = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %[[R0]] zero :
// CHECK-NEXT: %{{.*}}, %{{.*}} = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %[[R1]] zero :
// CHECK-NEXT: %[[Q:.*]]:2 = lpgemm.wait
// CHECK: scf.yield %{{.*}}, %[[Q]]#0, %[[Q]]#1 :
gpu.func @together(%a: !a, %init: !c, %k: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %z = lpgemm.splat %zero : f32 to !c
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %p0, %t0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %p1, %t1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q:2 = lpgemm.wait %t0, %t1 for %p0, %p1 : !c, !c
    %s0 = lpgemm.promote %q#0, %acc : !c, !c
    %s1 = lpgemm.promote %q#1, %s0 : !c, !c
    scf.yield %s1 : !c
  }
  gpu.return
}

// A sum that goes on, one that does not start from zero, and one that is waited
// for elsewhere.

// CHECK-LABEL: gpu.func @nothing(
// CHECK-NOT: zero :
// CHECK: gpu.return
gpu.func @nothing(%a: !a, %init: !c, %k: index, %q1: i1) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1.0 : f32
  %z = lpgemm.splat %one : f32 to !c
  %zero = arith.constant 0.0 : f32
  %z0 = lpgemm.splat %zero : f32 to !c
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %acc : !a, !a, !c
    %q = lpgemm.wait %t for %p : !c
    scf.yield %q : !c
  }
  %r1 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %r) -> (!c) {
    %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z : !a, !a, !c
    %q = lpgemm.wait %t for %p : !c
    %s = lpgemm.promote %q, %acc : !c, !c
    scf.yield %s : !c
  }
  scf.for %kk = %c0 to %k step %c128 {
    %p, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %a, %z0 : !a, !a, !c
    scf.if %q1 {
      %q = lpgemm.wait %t for %p : !c
    }
  }
  gpu.return
}
}
