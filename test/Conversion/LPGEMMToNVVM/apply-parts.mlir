// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-nvvm,canonicalize,cse))" | FileCheck %s

// Large functions of the elements go through a tile by columns.

!g = !lpgemm.global<?x?xf32>
!gc = !lpgemm.global<?x?xbf16>
!acc = !lpgemm.frag<32x32xf32, <mma_m16n8k32_f32_fp8, c>>
!c = !lpgemm.frag<32x32xbf16, <mma_m16n8k32_f32_fp8, c>>
!v = !lpgemm.frag<32x1xf32, <mma_m16n8k32_f32_fp8, c_col>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  // Of two times four atoms an iteration has the first two columns: 16 elements
  // of C and 4 of the vector. The others move up, and its results are the last.
  // CHECK-LABEL: gpu.func @parts
  // CHECK-NOT: llvm.load
  // CHECK: %[[D:.*]]:32 = scf.for %[[COL:.*]] = %c0_i32 to %c32_i32 step %c16_i32 iter_args(%[[FIRST:[a-z0-9]+]] = %{{[a-z0-9]+}}, {{(%[a-z0-9]+ = %[a-z0-9]+, ){15}[ ]?}}%[[NEXT:[a-z0-9]+]] = {{.*}} : i32
  // CHECK-COUNT-16: llvm.load %{{.*}} -> i16
  // CHECK-COUNT-4: llvm.load %{{.*}} -> i32
  // CHECK-NOT: llvm.load
  // CHECK: %[[C:.*]] = arith.extf %{{.*}} : bf16 to f32
  // CHECK-NEXT: %[[ADDED:.*]] = arith.addf %[[FIRST]], %[[C]] : f32
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[ADDED]], %{{.*}} : f32
  // CHECK-COUNT-15: arith.extf
  // CHECK-NOT: arith.extf
  // CHECK: scf.yield %[[NEXT]], {{(%[a-z0-9]+, ){15}[ ]?}}%[[SUM]], {{(%[0-9]+, ){14}[ ]?}}%{{[0-9]+}} : f32
  // CHECK: scf.for %{{.*}} = %c0_i32 to %c32_i32 step %c16_i32 iter_args(%{{.*}} = %[[D]]#0, %{{.*}} = %[[D]]#1,
  // CHECK-COUNT-16: llvm.store
  // CHECK-NOT: llvm.store
  // CHECK: gpu.return
  gpu.func @parts(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr, %d: !llvm.ptr, %n: index, %pitch: i64, %x: f32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %gs = lpgemm.bind %r[%n, %n] pitch %pitch : !llvm.ptr to !g
    %gc = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !gc
    %gv = lpgemm.bind %q[%n, %c1] pitch %pitch : !llvm.ptr to !g
    %gd = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !g
    %sum = lpgemm.splat %x : f32 to !acc
    %c = lpgemm.load %gc[%c0, %c0] at [%c0, %c0] : !gc to !c
    %v = lpgemm.load %gv[%c0, %c0] at [%c0, %c0] : !g to !v
    %t = lpgemm.apply %sum, %c cols(%v : !v) {
    ^bb0(%s: f32, %e: bf16, %b: f32):
      %w = arith.extf %e : bf16 to f32
      %added = arith.addf %s, %w : f32
      %all = arith.addf %added, %b : f32
      lpgemm.yield %all : f32
    } : !acc, !c -> !acc
    lpgemm.store %t, %gd[%c0, %c0] at [%c0, %c0] : !acc to !g
    gpu.return
  }
}
