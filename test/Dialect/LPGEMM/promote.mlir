// RUN: lpgemm-opt %s --lpgemm-promote | FileCheck %s

!g = !lpgemm.global<?x?xf8E4M3FN>
!gs = !lpgemm.global<?x?xf8E8M0FNU>
!a = !lpgemm.frag<32x128xf8E4M3FN>
!b = !lpgemm.frag<16x128xf8E4M3FN>
!c = !lpgemm.frag<32x16xf32>
!sa = !lpgemm.frag<32x4xf8E8M0FNU>
!sb = !lpgemm.frag<16x4xf8E8M0FNU>

gpu.module @m {

// Both operands: buffers of the workgroup's tile, copies in front of the first
// load, one wait for both and one barrier, reads of the wave's part in place
// of the loads; at the end of the iteration a wait for the reads and a
// barrier. Scales stay in registers.

// CHECK-LABEL: gpu.func @both(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[SB:.*]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[C:.*]]: !lpgemm.frag<32x16xf32>, %[[K:.*]]: index, %[[ROW:.*]]: index, %[[COL:.*]]: index, %[[WR:.*]]: index, %[[WC:.*]]: index)
// CHECK-DAG: %[[BUF_A:.*]] = lpgemm.alloc : <64x128xf8E4M3FN, shared>
// CHECK-DAG: %[[BUF_B:.*]] = lpgemm.alloc : <48x128xf8E4M3FN, shared>
// CHECK: scf.for %[[KK:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[C]])
// CHECK-NEXT: %[[TA:.*]] = lpgemm.copy %[[A]][%[[ROW]], %[[KK]]] into %[[BUF_A]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>
// CHECK-NEXT: %[[TB:.*]] = lpgemm.copy %[[B]][%[[COL]], %[[KK]]] into %[[BUF_B]] : <?x?xf8E4M3FN> to <48x128xf8E4M3FN, shared>
// CHECK-NEXT: lpgemm.wait %[[TA]], %[[TB]]
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: %[[FA:.*]] = lpgemm.read %[[BUF_A]][%[[WR]], %c0] : <64x128xf8E4M3FN, shared> to <32x128xf8E4M3FN>
// CHECK-NEXT: %[[FB:.*]] = lpgemm.read %[[BUF_B]][%[[WC]], %c0] : <48x128xf8E4M3FN, shared> to <16x128xf8E4M3FN>
// CHECK-NEXT: %[[FSA:.*]] = lpgemm.load %[[SA]]
// CHECK-NEXT: %[[FSB:.*]] = lpgemm.load %[[SB]]
// CHECK-NEXT: %[[D:.*]] = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[FA]], %[[FB]], %[[ACC]] sa(%[[FSA]] : !lpgemm.frag<{{.*}}>) sb(%[[FSB]] :
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: scf.yield %[[D]]
gpu.func @both(%a: !g, %b: !g, %sa: !gs, %sb: !gs, %c: !c, %k: index,
               %row: index, %col: index, %wr: index, %wc: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 1>} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %0 = scf.for %kk = %c0 to %k step %c128 iter_args(%acc = %c) -> (!c) {
    %ta = lpgemm.load %a[%row, %kk] at [%wr, %c0] : !g to !a
    %tb = lpgemm.load %b[%col, %kk] at [%wc, %c0] : !g to !b
    %tsa = lpgemm.load %sa[%row, %kk] at [%wr, %c0] : !gs to !sa
    %tsb = lpgemm.load %sb[%col, %kk] at [%wc, %c0] : !gs to !sb
    %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %acc
        sa(%tsa : !sa) sb(%tsb : !sb) : !a, !b, !c
    scf.yield %d : !c
  }
  gpu.return
}

// CHECK-LABEL: gpu.func @only_a(
// CHECK: %[[BUF:.*]] = lpgemm.alloc : <64x128xf8E4M3FN, shared>
// CHECK-NOT: lpgemm.alloc
// CHECK: %[[T:.*]] = lpgemm.copy
// CHECK-NEXT: lpgemm.wait %[[T]]{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: %[[FA:.*]] = lpgemm.read %[[BUF]]
// CHECK-NEXT: %[[FB:.*]] = lpgemm.load
// CHECK-NEXT: lpgemm.mma {{.*}} %[[FA]], %[[FB]],
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: gpu.return
gpu.func @only_a(%a: !g, %b: !g, %c: !c, %i: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = reg>, stages = 1>} {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %tb = lpgemm.load %b[%i, %i] at [%i, %i] : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}

// B is loaded behind A: its copy still goes in front of its own load only.

// CHECK-LABEL: gpu.func @only_b(
// CHECK: %[[BUF:.*]] = lpgemm.alloc : <48x128xf8E4M3FN, shared>
// CHECK: %[[FA:.*]] = lpgemm.load
// CHECK-NEXT: lpgemm.copy {{.*}} into %[[BUF]]
// CHECK-NEXT: lpgemm.wait
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: %[[FB:.*]] = lpgemm.read %[[BUF]]
// CHECK-NEXT: lpgemm.mma {{.*}} %[[FA]], %[[FB]],
gpu.func @only_b(%a: !g, %b: !g, %c: !c, %i: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = reg, b = shared>, stages = 1>} {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %tb = lpgemm.load %b[%i, %i] at [%i, %i] : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}

// A transposed load: the buffer has the tile as it is, and so has the read; the
// position of the wave in the source is the other way round.

// CHECK-LABEL: gpu.func @transposed(
// CHECK-SAME: %[[K:[a-z0-9]+]]: index, %[[COL:[a-z0-9]+]]: index, %[[WR:[a-z0-9]+]]: index, %[[WC:[a-z0-9]+]]: index)
// CHECK: %[[BUF:.*]] = lpgemm.alloc : <48x128xf8E4M3FN, shared>
// CHECK: lpgemm.load %{{.*}}[%[[COL]], %[[K]]] at[%[[WC]], %[[WR]]] :
// CHECK-NEXT: lpgemm.copy %{{.*}}[%[[K]], %[[COL]]] into %[[BUF]] transpose : <?x?xf8E4M3FN> to <48x128xf8E4M3FN, shared>
// CHECK: lpgemm.read %[[BUF]][%[[WC]], %[[WR]]] : <48x128xf8E4M3FN, shared> to <16x128xf8E4M3FN>
gpu.func @transposed(%a: !g, %b: !g, %c: !c, %k: index, %col: index,
                     %wr: index, %wc: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = reg, b = shared>, stages = 1>} {
  %ta = lpgemm.load %a[%col, %k] at [%wc, %wr] : !g to !a
  %tb = lpgemm.load %b[%k, %col] at [%wr, %wc] transpose : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}

// CHECK-LABEL: gpu.func @neither(
// CHECK-NEXT: lpgemm.load
// CHECK-NEXT: lpgemm.load
// CHECK-NEXT: lpgemm.mma
// CHECK-NEXT: gpu.return
gpu.func @neither(%a: !g, %b: !g, %c: !c, %i: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = reg, b = reg>, stages = 1>} {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %tb = lpgemm.load %b[%i, %i] at [%i, %i] : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}

// Slices of one load, as lpgemm-split-subchannels leaves them: one copy. The
// loads are in another order than the products name them.

// CHECK-LABEL: gpu.func @sliced(
// CHECK-COUNT-2: lpgemm.alloc
// CHECK-NOT: lpgemm.alloc
// CHECK: %[[TA:.*]] = lpgemm.copy %arg0
// CHECK-NEXT: %[[TB:.*]] = lpgemm.copy %arg1
// CHECK-NEXT: lpgemm.wait %[[TA]], %[[TB]]
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: %[[FB:.*]] = lpgemm.read %{{.*}} to <16x128xf8E4M3FN>
// CHECK-NEXT: %[[FA:.*]] = lpgemm.read %{{.*}} to <32x128xf8E4M3FN>
// CHECK-NEXT: lpgemm.slice %[[FA]][0]
// CHECK-NEXT: lpgemm.slice %[[FB]][0]
// CHECK-NOT: lpgemm.load
// CHECK-NOT: lpgemm.copy
// CHECK: gpu.return
gpu.func @sliced(%a: !g, %b: !g, %c: !c, %i: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_f32_16x16x32_fp8,
      home = <a = shared, b = shared>, stages = 1>} {
  %tb = lpgemm.load %b[%i, %i] at [%i, %i] : !g to !b
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %a0 = lpgemm.slice %ta[0] : !a to !lpgemm.frag<32x32xf8E4M3FN>
  %b0 = lpgemm.slice %tb[0] : !b to !lpgemm.frag<16x32xf8E4M3FN>
  %d = lpgemm.mma <mfma_f32_16x16x32_fp8> %a0, %b0, %c
      : !lpgemm.frag<32x32xf8E4M3FN>, !lpgemm.frag<16x32xf8E4M3FN>, !c
  %a1 = lpgemm.slice %ta[32] : !a to !lpgemm.frag<32x32xf8E4M3FN>
  %b1 = lpgemm.slice %tb[32] : !b to !lpgemm.frag<16x32xf8E4M3FN>
  %e = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %b1, %d
      : !lpgemm.frag<32x32xf8E4M3FN>, !lpgemm.frag<16x32xf8E4M3FN>, !c
  gpu.return
}

// What the position of a later load needs comes in front of its copy.

// CHECK-LABEL: gpu.func @position(
// CHECK: lpgemm.copy
// CHECK-NEXT: %[[J:.*]] = arith.addi
// CHECK-NEXT: lpgemm.copy %{{.*}}[%{{.*}}, %[[J]]]
// CHECK-NEXT: lpgemm.wait
// CHECK-NEXT: lpgemm.barrier
// CHECK-COUNT-2: lpgemm.read
gpu.func @position(%a: !g, %b: !g, %c: !c, %i: index) kernel
    attributes {lpgemm.schedule = #lpgemm.schedule<
      tile = [64, 48, 128], waves = [2, 3],
      instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 1>} {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %j = arith.addi %i, %i : index
  %tb = lpgemm.load %b[%i, %j] at [%i, %i] : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}

// Not tiled by this project's passes: no schedule, nothing to do.

// CHECK-LABEL: gpu.func @no_schedule(
// CHECK-NOT: lpgemm.alloc
gpu.func @no_schedule(%a: !g, %b: !g, %c: !c, %i: index) kernel {
  %ta = lpgemm.load %a[%i, %i] at [%i, %i] : !g to !a
  %tb = lpgemm.load %b[%i, %i] at [%i, %i] : !g to !b
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %ta, %tb, %c : !a, !b, !c
  gpu.return
}
}
