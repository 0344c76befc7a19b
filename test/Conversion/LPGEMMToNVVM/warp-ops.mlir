// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(convert-lpgemm-to-nvvm,canonicalize,cse))" | FileCheck %s

// Instructions of a warp, and what brings their operands.

!g = !lpgemm.global<?x?xf8E4M3FN>
!gd = !lpgemm.global<?x?xf32>
!gi = !lpgemm.global<?x?xi32>
!ring = !lpgemm.buf<3x32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>
!slot = !lpgemm.buf<32x64xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 3, shift = 1>>
!a = !lpgemm.frag<32x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, a>>
!b = !lpgemm.frag<8x32xf8E4M3FN, <mma_m16n8k32_f32_fp8, b>>
!acc = !lpgemm.frag<32x8xf32, <mma_m16n8k32_f32_fp8, c>>
!a16 = !lpgemm.frag<16x16xf8E4M3FN, <mma_m16n8k16_f32_f16, a>>
!ah = !lpgemm.frag<16x16xf16, <mma_m16n8k16_f32_f16, a>>
!b16 = !lpgemm.frag<8x16xf8E5M2, <mma_m16n8k16_f32_f16, b>>
!bh = !lpgemm.frag<8x16xf16, <mma_m16n8k16_f32_f16, b>>
!acch = !lpgemm.frag<16x8xf32, <mma_m16n8k16_f32_f16, c>>
!ai = !lpgemm.frag<16x32xi8, <mma_m16n8k32_i32_i8, a>>
!bi = !lpgemm.frag<8x32xi8, <mma_m16n8k32_i32_i8, b>>
!acci = !lpgemm.frag<16x8xi32, <mma_m16n8k32_i32_i8, c>>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_89">} {
  // Pieces of 16 bytes by cp.async, of which the last ones may be short, where
  // base and pitch are aligned; else by registers. Four words of 16 rows, and
  // four of the next 16, are one ldmatrix each.
  // CHECK-LABEL: gpu.func @ring
  // CHECK: %[[SLOT:.*]] = arith.muli %{{.*}}, %c2048_i32
  // CHECK: scf.if
  // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg, %{{.*}}
  // CHECK: } else {
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr<3>
  // CHECK: lpgemm.commit cp_async
  // CHECK: lpgemm.wait
  // CHECK: nvvm.barrier
  // CHECK-COUNT-2: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"(
  // CHECK-NOT: llvm.call_intrinsic
  gpu.func @ring(%p: !llvm.ptr, %d: !llvm.ptr, %n: index, %pitch: i64, %i: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !g
    %gd = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !gd
    %ring = lpgemm.alloc {offset = 0 : i64} : !ring
    %slot = lpgemm.slot %ring[%i] : !ring to !slot
    %t = lpgemm.copy %g[%c0, %c0] into %slot : !g to !slot
    lpgemm.wait %t
    lpgemm.barrier
    %a = lpgemm.read %slot[%c0, %c0] : !slot to !a
    %b = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !g to !b
    %acc = lpgemm.splat %zero : f32 to !acc
    %r = lpgemm.mma <mma_m16n8k32_f32_fp8> %a, %b, %acc : !a, !b, !acc
    lpgemm.store %r, %gd[%c0, %c0] at [%c0, %c0] : !acc to !gd
    gpu.return
  }

  // (C-10) f8E5M2 is the upper half of f16; f8E4M3FN is multiplied by 2^8.
  // CHECK-LABEL: gpu.func @half
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<2xf16>
  // CHECK: nvvm.mma.sync
  // CHECK-SAME: #nvvm.shape<m = 16, n = 8, k = 16>
  // CHECK-SAME: (vector<2xf16>, vector<2xf16>, f32)
  gpu.func @half(%p: !llvm.ptr, %q: !llvm.ptr, %d: !llvm.ptr, %n: index, %pitch: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !g
    %h = lpgemm.bind %q[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xf8E5M2>
    %gd = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !gd
    %a = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !g to !a16
    %b = lpgemm.load %h[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xf8E5M2> to !b16
    %ah = lpgemm.cast %a : !a16 to !ah
    %bh = lpgemm.cast %b : !b16 to !bh
    %acc = lpgemm.splat %zero : f32 to !acch
    %r = lpgemm.mma <mma_m16n8k16_f32_f16> %ah, %bh, %acc : !ah, !bh, !acch
    lpgemm.store %r, %gd[%c0, %c0] at [%c0, %c0] : !acch to !gd
    gpu.return
  }

  // (G-3) Sums of i8 wrap.
  // CHECK-LABEL: gpu.func @bytes
  // CHECK: nvvm.mma.sync
  // CHECK-SAME: intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>
  // CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<s8>
  gpu.func @bytes(%p: !llvm.ptr, %d: !llvm.ptr, %n: index, %pitch: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !lpgemm.global<?x?xi8>
    %gd = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !gi
    %a = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xi8> to !ai
    %b = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !lpgemm.global<?x?xi8> to !bi
    %acc = lpgemm.splat %zero : i32 to !acci
    %r = lpgemm.mma <mma_m16n8k32_i32_i8> %a, %b, %acc : !ai, !bi, !acci
    lpgemm.store %r, %gd[%c0, %c0] at [%c0, %c0] : !acci to !gi
    gpu.return
  }

  // The second row of atoms of a tile: rows 16 and 24 of it.
  // CHECK-LABEL: gpu.func @part
  // CHECK: %[[PART:.*]]:4 = scf.if
  // CHECK: arith.addi %[[ROW:.*]], %c16_i32
  // CHECK-COUNT-2: llvm.load
  // CHECK: arith.addi %[[ROW]], %c24_i32
  // CHECK-COUNT-2: llvm.load
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store %[[PART]]#0
  // CHECK: llvm.store %[[PART]]#1
  // CHECK: llvm.store %[[PART]]#2
  // CHECK: llvm.store %[[PART]]#3
  gpu.func @part(%p: !llvm.ptr, %d: !llvm.ptr, %n: index, %pitch: i64) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %g = lpgemm.bind %p[%n, %n] pitch %pitch : !llvm.ptr to !gd
    %gd = lpgemm.bind %d[%n, %n] pitch %pitch : !llvm.ptr to !gd
    %t = lpgemm.load %g[%c0, %c0] at [%c0, %c0] : !gd to !acc
    %low = lpgemm.slice %t[0] {row = 16 : i64} : !acc to !lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>>
    lpgemm.store %low, %gd[%c0, %c0] at [%c0, %c0] : !lpgemm.frag<16x8xf32, <mma_m16n8k32_f32_fp8, c>> to !gd
    gpu.return
  }
}
