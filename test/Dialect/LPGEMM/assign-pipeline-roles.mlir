// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline))" | FileCheck %s
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-assign-pipeline))" | FileCheck %s

// Schedules with roles: what fills the ring is of role "load".

!g = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf32>
!ring = !lpgemm.buf<2x64x128xf8E4M3FN, shared>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>
!sring = !lpgemm.buf<2x1x1xf32, shared>
!sbuf = !lpgemm.buf<1x1xf32, shared>
!pipe = !lpgemm.pipe<2>
!slot = !lpgemm.slot
!c = !lpgemm.frag<64x64xf32>
!col = !lpgemm.frag<64x1xf32>
#plain = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>>

gpu.module @m {
// The sum goes on to the next product: the wait for it, and the release of the slot,
// may come an iteration later.

// CHECK-LABEL: gpu.func @sums(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: lpgemm.roles {
// CHECK: %[[START:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC0:.*]] = %[[START]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC1:.*]] = %{{.*}}, %[[ARG14:.*]] = %[[ACC0]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <2>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I1]]] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I1]]] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_commit %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <2>
// CHECK: lpgemm.pipe_await %{{.*}}[%[[ARG14]]] : <2>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %[[ACC1]] : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x64xf32> {lpgemm.stage = 1 : i32}
// CHECK: lpgemm.pipe_release %{{.*}}[%[[ARG14]]] {lpgemm.stage = 1 : i32} : <2>
// CHECK: %[[NEXT:.*]] = lpgemm.pipe_next %{{.*}}[%[[ARG14]]] : <2>
// CHECK: scf.yield %[[Q]], %[[NEXT]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: scf.yield %{{.*}}#1 : !lpgemm.slot
gpu.func @sums(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #plain} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ring_a = lpgemm.alloc : !ring
  %ring_b = lpgemm.alloc : !ring
  %p = lpgemm.pipe : !pipe
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %zero = arith.constant 0.0 : f32
      %init = lpgemm.splat %zero : f32 to !c
      %s0 = lpgemm.pipe_start : !slot
      %last = scf.for %i = %c0 to %tiles step %c1 iter_args(%s1 = %s0) -> (!slot) {
        %row = arith.muli %i, %c64 : index
        %sum:2 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init, %s = %s1) -> (!c, !slot) {
          lpgemm.pipe_acquire %p[%s] : !pipe
          %wa = lpgemm.view %ring_a[%s] at [%c0, 0] : !ring to !buf
          lpgemm.pipe_copy %a[%row, %kk] into %wa threads signal %p[%s] : !g to !buf, !pipe
          %wb = lpgemm.view %ring_b[%s] at [%c0, 0] : !ring to !buf
          lpgemm.pipe_copy %b[%c0, %kk] into %wb threads signal %p[%s] : !g to !buf, !pipe
          lpgemm.pipe_commit %p[%s] : !pipe
          lpgemm.pipe_await %p[%s] : !pipe
          %va = lpgemm.view %ring_a[%s] at [%c0, 0] : !ring to !buf
          %vb = lpgemm.view %ring_b[%s] at [%c0, 0] : !ring to !buf
          %q, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va, %vb, %acc : !buf, !buf, !c
          %n = lpgemm.wait %t for %q : !c
          lpgemm.pipe_release %p[%s] : !pipe
          %next = lpgemm.pipe_next %p[%s] : !pipe
          scf.yield %n, %next : !c, !slot
        }
        lpgemm.store %sum#0, %d[%row, %c0] at [%c0, %c0] : !c to !s
        scf.yield %sum#1 : !slot
      }
    }
  }
  gpu.return
}

// A sum that is scaled is needed in its own iteration.

// CHECK-LABEL: gpu.func @scaled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK-NOT: lpgemm.stage
// CHECK: lpgemm.roles {
// CHECK: %[[START:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC0:.*]] = %[[START]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC1:.*]] = %{{.*}}, %[[ARG14:.*]] = %[[ACC0]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <2>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I1]]] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I1]]] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[SB]][%c0, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load", row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <2>
// CHECK: lpgemm.pipe_commit %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <2>
// CHECK: lpgemm.pipe_await %{{.*}}[%[[ARG14]]] : <2>
// CHECK: %[[READ:.*]] = lpgemm.read %{{.*}}[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <1x1xf32, shared> to <64x1xf32>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %{{.*}} : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK-NOT: lpgemm.stage
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %{{.*}}[%[[ARG14]]] : <2>
// CHECK: %[[V19:.*]] = lpgemm.promote %[[Q]], %[[ACC1]] sb(%[[READ]] : !lpgemm.frag<64x1xf32>) : <64x64xf32>, <64x64xf32>
// CHECK: %[[NEXT:.*]] = lpgemm.pipe_next %{{.*}}[%[[ARG14]]] : <2>
// CHECK: scf.yield %[[V19]], %[[NEXT]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: scf.yield %{{.*}}#1 : !lpgemm.slot
gpu.func @scaled(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #plain} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ring_a = lpgemm.alloc : !ring
  %ring_b = lpgemm.alloc : !ring
  %ring_s = lpgemm.alloc : !sring
  %p = lpgemm.pipe : !pipe
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %zero = arith.constant 0.0 : f32
      %init = lpgemm.splat %zero : f32 to !c
      %s0 = lpgemm.pipe_start : !slot
      %last = scf.for %i = %c0 to %tiles step %c1 iter_args(%s1 = %s0) -> (!slot) {
        %row = arith.muli %i, %c64 : index
        %sum:2 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init, %s = %s1) -> (!c, !slot) {
          lpgemm.pipe_acquire %p[%s] : !pipe
          %wa = lpgemm.view %ring_a[%s] at [%c0, 0] : !ring to !buf
          lpgemm.pipe_copy %a[%row, %kk] into %wa threads signal %p[%s] : !g to !buf, !pipe
          %wb = lpgemm.view %ring_b[%s] at [%c0, 0] : !ring to !buf
          lpgemm.pipe_copy %b[%c0, %kk] into %wb threads signal %p[%s] : !g to !buf, !pipe
          %kb = arith.divui %kk, %c128 : index
          %ws = lpgemm.view %ring_s[%s] at [%c0, 0] : !sring to !sbuf
          lpgemm.pipe_copy %sb[%c0, %kb] into %ws threads signal %p[%s] {row_block = 128 : i64} : !s to !sbuf, !pipe
          lpgemm.pipe_commit %p[%s] : !pipe
          lpgemm.pipe_await %p[%s] : !pipe
          %va = lpgemm.view %ring_a[%s] at [%c0, 0] : !ring to !buf
          %vb = lpgemm.view %ring_b[%s] at [%c0, 0] : !ring to !buf
          %vs = lpgemm.view %ring_s[%s] at [%c0, 0] : !sring to !sbuf
          %col = lpgemm.read %vs[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : !sbuf to !col
          %q, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va, %vb, %init : !buf, !buf, !c
          %r = lpgemm.wait %t for %q : !c
          lpgemm.pipe_release %p[%s] : !pipe
          %n = lpgemm.promote %r, %acc sb(%col : !col) : !c, !c
          %next = lpgemm.pipe_next %p[%s] : !pipe
          scf.yield %n, %next : !c, !slot
        }
        lpgemm.store %sum#0, %d[%row, %c0] at [%c0, %c0] : !c to !s
        scf.yield %sum#1 : !slot
      }
    }
  }
  gpu.return
}

// A loop that has attributes keeps them.

// CHECK-LABEL: gpu.func @decided(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: lpgemm.roles {
// CHECK: %[[START:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC0:.*]] = %[[START]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC1:.*]] = %{{.*}}, %[[ARG14:.*]] = %[[ACC0]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <2>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I1]]] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I1]]] into %{{.*}} threads signal %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_commit %{{.*}}[%[[ARG14]]] {lpgemm.role = "load"} : <2>
// CHECK: lpgemm.pipe_await %{{.*}}[%[[ARG14]]] : <2>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %[[ACC1]] : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK-NOT: lpgemm.stage
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %{{.*}}[%[[ARG14]]] : <2>
// CHECK: %[[NEXT:.*]] = lpgemm.pipe_next %{{.*}}[%[[ARG14]]] : <2>
// CHECK: scf.yield %[[Q]], %[[NEXT]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: scf.yield %{{.*}}#1 : !lpgemm.slot
gpu.func @decided(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #plain} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ring_a = lpgemm.alloc : !ring
  %ring_b = lpgemm.alloc : !ring
  %p = lpgemm.pipe : !pipe
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %zero = arith.constant 0.0 : f32
      %init = lpgemm.splat %zero : f32 to !c
      %s0 = lpgemm.pipe_start : !slot
      %last = scf.for %i = %c0 to %tiles step %c1 iter_args(%s1 = %s0) -> (!slot) {
        %row = arith.muli %i, %c64 : index
        %sum:2 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init, %s = %s1) -> (!c, !slot) {
          lpgemm.pipe_acquire %p[%s] {lpgemm.role = "load"} : !pipe
          %wa = lpgemm.view %ring_a[%s] at [%c0, 0] : !ring to !buf
          lpgemm.pipe_copy %a[%row, %kk] into %wa threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !pipe
          %wb = lpgemm.view %ring_b[%s] at [%c0, 0] : !ring to !buf
          lpgemm.pipe_copy %b[%c0, %kk] into %wb threads signal %p[%s] {lpgemm.role = "load"} : !g to !buf, !pipe
          lpgemm.pipe_commit %p[%s] {lpgemm.role = "load"} : !pipe
          lpgemm.pipe_await %p[%s] : !pipe
          %va = lpgemm.view %ring_a[%s] at [%c0, 0] : !ring to !buf
          %vb = lpgemm.view %ring_b[%s] at [%c0, 0] : !ring to !buf
          %q, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %va, %vb, %acc : !buf, !buf, !c
          %n = lpgemm.wait %t for %q : !c
          lpgemm.pipe_release %p[%s] : !pipe
          %next = lpgemm.pipe_next %p[%s] : !pipe
          scf.yield %n, %next : !c, !slot
        }
        lpgemm.store %sum#0, %d[%row, %c0] at [%c0, %c0] : !c to !s
        scf.yield %sum#1 : !slot
      }
    }
  }
  gpu.return
}
}
