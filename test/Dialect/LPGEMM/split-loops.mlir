// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-split-loops))" | FileCheck %s
// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-split-loops,lpgemm-split-loops))" | FileCheck %s

!g8 = !lpgemm.global<?x?xf8E4M3FNUZ>
!gs = !lpgemm.global<?x?xf32>
!buf = !lpgemm.buf<32x128xf8E4M3FNUZ, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!a = !lpgemm.frag<16x128xf8E4M3FNUZ, <mfma_f32_16x16x32_fp8, a>>
!b = !lpgemm.frag<16x128xf8E4M3FNUZ, <mfma_f32_16x16x32_fp8, b>>
!row = !lpgemm.frag<16x1xf32, <mfma_f32_16x16x32_fp8, c_row>>
!c = !lpgemm.frag<16x16xf32, <mfma_f32_16x16x32_fp8, c>>
#s = #lpgemm.schedule<tile = [32, 32, 128], waves = [2, 2],
  instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = reg>, stages = 2>

gpu.module @m {
// A copy along rows, a load of rows, a load of scales stored K first.

// CHECK-LABEL: gpu.func @all(
// CHECK-SAME: %[[A:[^:]*]]: !lpgemm.global<?x?xf8E4M3FNUZ>, %[[B:[^:]*]]: !lpgemm.global<?x?xf8E4M3FNUZ>, %[[S:[^:]*]]: !lpgemm.global<?x?xf32>, %{{[^:]*}}: !lpgemm.buf<{{.*}}>, %[[INIT:[^:]*]]: !lpgemm.frag<{{.*}}>, %[[I:[^:]*]]: index, %[[K:[^:]*]]: index)
// CHECK: %[[RA:.*]] = lpgemm.reach %[[A]] step [0, 128] {alignment = 4 : i64} : <?x?xf8E4M3FNUZ>
// CHECK: %[[RB:.*]] = lpgemm.reach %[[B]] step [0, 128] {alignment = 4 : i64} : <?x?xf8E4M3FNUZ>
// CHECK: %[[M0:.*]] = arith.minui %[[RA]], %[[RB]] : index
// CHECK: %[[RS:.*]] = lpgemm.reach %[[S]] step [1, 0] {alignment = 4 : i64, piece = 4 : i64} : <?x?xf32>
// CHECK: %[[REACH:.*]] = arith.minui %[[M0]], %[[RS]] : index
// CHECK: %[[LENGTH:.*]] = arith.subi %[[K]], %[[ZERO:.*]] : index
// CHECK: %[[WHOLE:.*]] = arith.divui %[[LENGTH]], %{{.*}} : index
// CHECK: %[[OK:.*]] = arith.cmpi ne, %[[REACH]], %{{.*}} : index
// CHECK: %[[TILES:.*]] = arith.select %[[OK]], %[[WHOLE]], %{{.*}} : index
// CHECK: %[[EACH:.*]] = arith.maxui %[[REACH]], %{{.*}} : index
// CHECK: %[[PARTS:.*]] = arith.ceildivui %[[TILES]], %[[EACH]] : index
// CHECK: %[[SUM:.*]] = scf.for %[[PART:.*]] = %{{.*}} to %[[PARTS]] step %{{.*}} iter_args(%[[ACC:.*]] = %[[INIT]])
// CHECK: %[[DONE:.*]] = arith.muli %[[PART]], %[[EACH]] : index
// CHECK: %[[POSITION:.*]] = arith.muli %[[DONE]], %{{.*}} : index
// CHECK: %[[START:.*]] = arith.addi %[[ZERO]], %[[POSITION]] : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[TILES]], %[[DONE]] : index
// CHECK: %[[COUNT:.*]] = arith.minui %[[LEFT]], %[[EACH]] : index
// CHECK: %[[SIZE:.*]] = arith.muli %[[COUNT]], %{{.*}} : index
// CHECK: %[[ONE:.*]] = arith.maxsi %[[SIZE]], %{{.*}} : index
// CHECK: %[[END:.*]] = arith.addi %[[START]], %[[ONE]] overflow<nsw> : index
// CHECK: %[[BLOCK:.*]] = arith.divui %[[START]], %{{.*}} : index
// CHECK: %[[FAST:.*]] = scf.for %[[FK:.*]] = %[[START]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[ACC]])
// CHECK: lpgemm.copy %[[A]][%[[I]], %[[FK]]] into %{{.*}} whole(%[[START]]) :
// CHECK: lpgemm.load %[[B]][%[[I]], %[[FK]]] at[%{{.*}}, %{{.*}}] whole(%[[START]]) :
// CHECK: %[[FB:.*]] = arith.divui %[[FK]]
// CHECK: lpgemm.load %[[S]][%[[FB]], %[[I]]] at[%{{.*}}, %{{.*}}] transpose whole(%[[BLOCK]]) :
// CHECK: scf.yield %[[FAST]]
// CHECK: %[[DONE2:.*]] = arith.muli %[[TILES]], %{{.*}} : index
// CHECK: %[[REST:.*]] = arith.addi %[[ZERO]], %[[DONE2]] : index
// CHECK: scf.for %[[RK:.*]] = %[[REST]] to %[[K]] step %{{.*}} iter_args(%{{.*}} = %[[SUM]])
// CHECK: lpgemm.copy %[[A]][%[[I]], %[[RK]]] into %{{[^ ]*}} :
// CHECK: } {lpgemm.rest}
gpu.func @all(%a: !g8, %b: !g8, %s: !gs, %buf: !buf, %init: !c, %i: index,
              %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %a[%i, %kk] into %buf : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %buf[%c0, %c0] : !buf to !a
    %y = lpgemm.load %b[%i, %kk] at [%c0, %c0] : !g8 to !b
    %kb = arith.divui %kk, %c128 : index
    %sa = lpgemm.load %s[%kb, %i] at [%c0, %c0] transpose : !gs to !row
    %none = lpgemm.splat %zero : f32 to !c
    %p = lpgemm.mma <mfma_f32_16x16x32_fp8> %x, %y, %none : !a, !b, !c
    %q = lpgemm.promote %p, %acc sa(%sa : !row) : !c, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %q : !c
  }
  gpu.return
}

// Bytes of a transposed copy are pieces of rows, which the end of a row must
// not cut; a lane's elements down a column are loaded one by one.

// CHECK-LABEL: gpu.func @k_first(
// CHECK: lpgemm.reach %{{.*}} step [128, 0] {alignment = 4 : i64, piece = 16 : i64} : <?x?xf8E4M3FNUZ>
// CHECK-NOT: lpgemm.reach
// CHECK: lpgemm.copy {{.*}} transpose whole(
// CHECK: lpgemm.load {{.*}} transpose :
// CHECK: lpgemm.copy {{.*}} transpose :
gpu.func @k_first(%a: !g8, %b: !g8, %buf: !buf, %init: !c, %i: index,
                  %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %t = lpgemm.copy %a[%kk, %i] into %buf transpose : !g8 to !buf
    lpgemm.wait %t
    lpgemm.barrier
    %x = lpgemm.read %buf[%c0, %c0] : !buf to !a
    %y = lpgemm.load %b[%kk, %i] at [%c0, %c0] transpose : !g8 to !b
    %p = lpgemm.mma <mfma_f32_16x16x32_fp8> %x, %y, %acc : !a, !b, !c
    lpgemm.wait
    lpgemm.barrier
    scf.yield %p : !c
  }
  gpu.return
}

// Nothing there that may be whole, and nothing to multiply.

// CHECK-LABEL: gpu.func @neither(
// CHECK-NOT: lpgemm.reach
// CHECK: gpu.return
gpu.func @neither(%b: !g8, %a: !a, %init: !c, %i: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #s} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %r = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %init) -> (!c) {
    %y = lpgemm.load %b[%kk, %i] at [%c0, %c0] transpose : !g8 to !b
    %p = lpgemm.mma <mfma_f32_16x16x32_fp8> %a, %y, %acc : !a, !b, !c
    scf.yield %p : !c
  }
  scf.for %kk = %c0 to %k step %c128 {
    %y = lpgemm.load %b[%i, %kk] at [%c0, %c0] : !g8 to !b
  }
  gpu.return
}
}
