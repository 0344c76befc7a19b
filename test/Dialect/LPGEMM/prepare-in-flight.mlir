// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-expand-pipeline,canonicalize,cse))" | FileCheck %s

// What the next product of a wave needs is there when its sums are free.

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
// Of what is between two products a wait for another slot, and reads from it, come
// in front of the wait for the first one; promotions stay behind it.

// CHECK-LABEL: gpu.func @straight(
// CHECK: %[[FIRST:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma
// CHECK: %[[NEXT:.*]] = lpgemm.pipe_next %[[RING:.*]][%[[FIRST]]] : <2>
// CHECK: lpgemm.pipe_await %[[RING]][%[[NEXT]]] : <2>
// CHECK: lpgemm.read
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]]
// CHECK-NEXT: lpgemm.pipe_release %[[RING]][%[[FIRST]]] : <2>
// CHECK-NEXT: lpgemm.promote %[[Q0]]
// CHECK-NEXT: lpgemm.async_mma
gpu.func @straight(%sb: !s, %d: !s) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #plain} {
  %c0 = arith.constant 0 : index
  %ring = lpgemm.alloc : !ring
  %ring_s = lpgemm.alloc : !sring
  %p = lpgemm.pipe : !pipe
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %zero = arith.constant 0.0 : f32
      %init = lpgemm.splat %zero : f32 to !c
      %s0 = lpgemm.pipe_start : !slot
      lpgemm.pipe_await %p[%s0] : !pipe
      %v0 = lpgemm.view %ring[%s0] at [%c0, 0] : !ring to !buf
      %q0, %t0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v0, %v0, %init : !buf, !buf, !c
      %r0 = lpgemm.wait %t0 for %q0 : !c
      lpgemm.pipe_release %p[%s0] : !pipe
      %sum = lpgemm.promote %r0, %init : !c, !c
      %s1 = lpgemm.pipe_next %p[%s0] : !pipe
      lpgemm.pipe_await %p[%s1] : !pipe
      %vs = lpgemm.view %ring_s[%s1] at [%c0, 0] : !sring to !sbuf
      %col = lpgemm.read %vs[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : !sbuf to !col
      %v1 = lpgemm.view %ring[%s1] at [%c0, 0] : !ring to !buf
      %q1, %t1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v1, %v1, %init : !buf, !buf, !c
      %r1 = lpgemm.wait %t1 for %q1 : !c
      lpgemm.pipe_release %p[%s1] : !pipe
      %all = lpgemm.promote %r1, %sum sb(%col : !col) : !c, !c
      lpgemm.store %all, %d[%c0, %c0] at [%c0, %c0] : !c to !s
    }
  }
  gpu.return
}

// The only slot of a ring is filled again when it was released; and nothing
// overtakes a store.

// CHECK-LABEL: gpu.func @in_order(
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]]
// CHECK: lpgemm.pipe_release
// CHECK: lpgemm.pipe_await
// CHECK: lpgemm.read
// CHECK: %[[P1:.*]], %[[T1:.*]] = lpgemm.async_mma
// CHECK: %[[Q1:.*]] = lpgemm.wait %[[T1]] for %[[P1]]
// CHECK: lpgemm.store %[[Q1]]
// CHECK: lpgemm.read
// CHECK: lpgemm.async_mma
gpu.func @in_order(%sb: !s, %d: !s) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #plain} {
  %c0 = arith.constant 0 : index
  %ring = lpgemm.alloc : !lpgemm.buf<1x64x128xf8E4M3FN, shared>
  %ring_s = lpgemm.alloc : !lpgemm.buf<1x1x1xf32, shared>
  %p = lpgemm.pipe : !lpgemm.pipe<1>
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %zero = arith.constant 0.0 : f32
      %init = lpgemm.splat %zero : f32 to !c
      %s = lpgemm.pipe_start : !slot
      lpgemm.pipe_await %p[%s] : !lpgemm.pipe<1>
      %v = lpgemm.view %ring[%s] at [%c0, 0] : !lpgemm.buf<1x64x128xf8E4M3FN, shared> to !buf
      %vs = lpgemm.view %ring_s[%s] at [%c0, 0] : !lpgemm.buf<1x1x1xf32, shared> to !sbuf
      %q0, %t0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v, %v, %init : !buf, !buf, !c
      %r0 = lpgemm.wait %t0 for %q0 : !c
      lpgemm.pipe_release %p[%s] : !lpgemm.pipe<1>
      lpgemm.pipe_await %p[%s] : !lpgemm.pipe<1>
      %col0 = lpgemm.read %vs[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : !sbuf to !col
      %sum0 = lpgemm.promote %r0, %init sb(%col0 : !col) : !c, !c
      %q1, %t1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v, %v, %init : !buf, !buf, !c
      %r1 = lpgemm.wait %t1 for %q1 : !c
      lpgemm.store %r1, %d[%c0, %c0] at [%c0, %c0] : !c to !s
      %col1 = lpgemm.read %vs[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : !sbuf to !col
      %sum1 = lpgemm.promote %r1, %sum0 sb(%col1 : !col) : !c, !c
      %q2, %t2 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v, %v, %init : !buf, !buf, !c
      %r2 = lpgemm.wait %t2 for %q2 : !c
      %all = lpgemm.promote %r2, %sum1 sb(%col1 : !col) : !c, !c
      lpgemm.store %all, %d[%c0, %c0] at [%c0, %c0] : !c to !s
    }
  }
  gpu.return
}

// What the region of an op needs is not among its operands: it stays behind the
// wait.

// CHECK-LABEL: gpu.func @region(
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]]
// CHECK: %[[SUM:.*]] = scf.if
// CHECK-NEXT: lpgemm.promote %[[Q0]]
// CHECK: lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %[[SUM]]
gpu.func @region(%is_scaled: i1, %d: !s) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #plain} {
  %c0 = arith.constant 0 : index
  %ring = lpgemm.alloc : !ring
  %p = lpgemm.pipe : !pipe
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %zero = arith.constant 0.0 : f32
      %init = lpgemm.splat %zero : f32 to !c
      %s0 = lpgemm.pipe_start : !slot
      lpgemm.pipe_await %p[%s0] : !pipe
      %v0 = lpgemm.view %ring[%s0] at [%c0, 0] : !ring to !buf
      %q0, %t0 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v0, %v0, %init : !buf, !buf, !c
      %r0 = lpgemm.wait %t0 for %q0 : !c
      %sum = scf.if %is_scaled -> (!c) {
        %promoted = lpgemm.promote %r0, %init : !c, !c
        scf.yield %promoted : !c
      } else {
        scf.yield %init : !c
      }
      %q1, %t1 = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %v0, %v0, %sum : !buf, !buf, !c
      %r1 = lpgemm.wait %t1 for %q1 : !c
      lpgemm.pipe_release %p[%s0] : !pipe
      lpgemm.store %r1, %d[%c0, %c0] at [%c0, %c0] : !c to !s
    }
  }
  gpu.return
}
}
