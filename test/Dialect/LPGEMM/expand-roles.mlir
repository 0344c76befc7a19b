// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-assign-pipeline,lpgemm-expand-pipeline,canonicalize,cse))" | FileCheck %s --implicit-check-not="lpgemm.role =" --implicit-check-not="lpgemm.stage"

// Waves that load, and waves that multiply.

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
#unrolled = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>, unroll = 2>
#along_m = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1]>
#along_n = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>, cluster = [1, 2]>
#both = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
  instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 2,
  roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 2]>

gpu.module @m {
// The first product starts from zero; each wait follows the next product, and the
// last one gives the sum. Without an iteration that is the zero before the loop.
// One thread drives the copy engine, where it can address both operands.

// CHECK-LABEL: gpu.func @sums(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: %[[PIPE:.*]] = lpgemm.pipe : <2>
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE0:.*]]) waves(1) regs(232) {
// CHECK: %[[START0:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC0:.*]] = %[[START0]]) -> (!lpgemm.slot) {
// CHECK: %[[V13:.*]]:2 = scf.if %{{.*}} -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ACC0]]] : <2>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %{{.*}}[%[[ACC0]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %{{.*}}[%[[ACC0]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[VIEW0]], %[[VIEW1]], %{{.*}} zero : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[NEXT0:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC0]]] : <2>
// CHECK: %[[LOOP1:.*]]:4 = scf.for %[[I1:.*]] = %c128 to %[[ARG6]] step %c128 iter_args(%[[ACC1:.*]] = %[[P0]], %[[ARG22:.*]] = %[[NEXT0]], %[[ARG23:.*]] = %[[T0]], %[[ARG24:.*]] = %[[ACC0]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot, !lpgemm.token, !lpgemm.slot) {
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ARG22]]] : <2>
// CHECK: %[[VIEW2:.*]] = lpgemm.view %{{.*}}[%[[ARG22]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[VIEW3:.*]] = lpgemm.view %{{.*}}[%[[ARG22]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[P1:.*]], %[[T1:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[VIEW2]], %[[VIEW3]], %[[ACC1]] : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[NEXT1:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ARG22]]] : <2>
// CHECK: lpgemm.wait %[[ARG23]]
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[ARG24]]] : <2>
// CHECK: scf.yield %[[P1]], %[[NEXT1]], %[[T1]], %[[ARG22]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot, !lpgemm.token, !lpgemm.slot
// CHECK: %[[Q:.*]] = lpgemm.wait %[[LOOP1]]#2 for %[[LOOP1]]#0 : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[LOOP1]]#3] : <2>
// CHECK: scf.yield %[[Q]], %[[LOOP1]]#1 : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: } else {
// CHECK: scf.yield %{{.*}}, %[[ACC0]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: lpgemm.store %[[V13]]#0, %[[D]][%{{.*}}, %c0] at[%c0, %c0] : <64x64xf32> to <?x?xf32>
// CHECK: scf.yield %[[V13]]#1 : !lpgemm.slot
// CHECK: role load(%[[WAVE1:.*]]) waves(1) regs(40) {
// CHECK: %[[V32:.*]] = lpgemm.has_map %[[A]], %[[B]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
// CHECK: scf.if %[[V32]] {
// CHECK: lpgemm.elect {
// CHECK: %[[START1:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP2:.*]] = scf.for %[[I2:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC2:.*]] = %[[START1]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP3:.*]] = scf.for %[[I3:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC3:.*]] = %[[ACC2]]) -> (!lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC3]]] : <2>
// CHECK: %[[VIEW4:.*]] = lpgemm.view %{{.*}}[%[[ACC3]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I3]]] into %[[VIEW4]] tma signal %[[PIPE]][%[[ACC3]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: %[[VIEW5:.*]] = lpgemm.view %{{.*}}[%[[ACC3]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I3]]] into %[[VIEW5]] tma signal %[[PIPE]][%[[ACC3]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC3]]] : <2>
// CHECK: %[[NEXT2:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC3]]] : <2>
// CHECK: scf.yield %[[NEXT2]] : !lpgemm.slot
// CHECK: scf.yield %[[LOOP3]] : !lpgemm.slot
// CHECK: } else {
// CHECK: %[[START2:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP4:.*]] = scf.for %[[I4:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC4:.*]] = %[[START2]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP5:.*]] = scf.for %[[I5:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC5:.*]] = %[[ACC4]]) -> (!lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC5]]] : <2>
// CHECK: %[[VIEW6:.*]] = lpgemm.view %{{.*}}[%[[ACC5]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I5]]] into %[[VIEW6]] threads signal %[[PIPE]][%[[ACC5]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: %[[VIEW7:.*]] = lpgemm.view %{{.*}}[%[[ACC5]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I5]]] into %[[VIEW7]] threads signal %[[PIPE]][%[[ACC5]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC5]]] : <2>
// CHECK: %[[NEXT3:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC5]]] : <2>
// CHECK: scf.yield %[[NEXT3]] : !lpgemm.slot
// CHECK: scf.yield %[[LOOP5]] : !lpgemm.slot
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

// Two iterations at once, and a loop for what is left. While the products of one
// are in flight, the slot of the next one is waited for, and its scales are read. The
// copy engine cannot copy one scale: the thread that drives it does.

// CHECK-LABEL: gpu.func @scaled(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: %[[PIPE:.*]] = lpgemm.pipe : <2>
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE0:.*]]) waves(1) regs(232) {
// CHECK: %[[START0:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC0:.*]] = %[[START0]]) -> (!lpgemm.slot) {
// CHECK: %[[ADD:.*]] = arith.addi %[[ARG6]], %c127 : index
// CHECK: %[[DIV0:.*]] = arith.divui %[[ADD]], %c128 : index
// CHECK: %[[V15:.*]] = arith.remsi %[[DIV0]], %c2 : index
// CHECK: %[[LEFT:.*]] = arith.subi %[[DIV0]], %[[V15]] : index
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %{{.*}} step %c256 iter_args(%[[ACC1:.*]] = %{{.*}}, %[[ARG20:.*]] = %[[ACC0]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ARG20]]] : <2>
// CHECK: %[[READ0:.*]] = lpgemm.read %{{.*}}[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <1x1xf32, shared> to <64x1xf32>
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %{{.*}} : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[NEXT0:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ARG20]]] : <2>
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[NEXT0]]] : <2>
// CHECK: %[[READ1:.*]] = lpgemm.read %{{.*}}[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <1x1xf32, shared> to <64x1xf32>
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]] : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[ARG20]]] : <2>
// CHECK: %[[V25:.*]] = lpgemm.promote %[[Q0]], %[[ACC1]] sb(%[[READ0]] : !lpgemm.frag<64x1xf32>) : <64x64xf32>, <64x64xf32>
// CHECK: %[[P1:.*]], %[[T1:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %{{.*}} : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q1:.*]] = lpgemm.wait %[[T1]] for %[[P1]] : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[NEXT0]]] : <2>
// CHECK: %[[V31:.*]] = lpgemm.promote %[[Q1]], %[[V25]] sb(%[[READ1]] : !lpgemm.frag<64x1xf32>) : <64x64xf32>, <64x64xf32>
// CHECK: %[[NEXT1:.*]] = lpgemm.pipe_next %[[PIPE]][%[[NEXT0]]] : <2>
// CHECK: scf.yield %[[V31]], %[[NEXT1]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: %[[LOOP2:.*]]:2 = scf.for %[[I2:.*]] = %{{.*}} to %[[ARG6]] step %c128 iter_args(%[[ACC2:.*]] = %[[LOOP1]]#0, %[[ARG36:.*]] = %[[LOOP1]]#1) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ARG36]]] : <2>
// CHECK: %[[READ2:.*]] = lpgemm.read %{{.*}}[%c0, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <1x1xf32, shared> to <64x1xf32>
// CHECK: %[[P2:.*]], %[[T2:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %{{.*}}, %{{.*}}, %{{.*}} : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q2:.*]] = lpgemm.wait %[[T2]] for %[[P2]] : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[ARG36]]] : <2>
// CHECK: %[[V41:.*]] = lpgemm.promote %[[Q2]], %[[ACC2]] sb(%[[READ2]] : !lpgemm.frag<64x1xf32>) : <64x64xf32>, <64x64xf32>
// CHECK: %[[NEXT2:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ARG36]]] : <2>
// CHECK: scf.yield %[[V41]], %[[NEXT2]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: lpgemm.store %[[LOOP2]]#0, %[[D]][%{{.*}}, %c0] at[%c0, %c0] : <64x64xf32> to <?x?xf32>
// CHECK: scf.yield %[[LOOP2]]#1 : !lpgemm.slot
// CHECK: role load(%[[WAVE1:.*]]) waves(1) regs(40) {
// CHECK: %[[V44:.*]] = lpgemm.has_map %[[A]], %[[B]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
// CHECK: scf.if %[[V44]] {
// CHECK: lpgemm.elect {
// CHECK: %[[START1:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP3:.*]] = scf.for %[[I3:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC3:.*]] = %[[START1]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP4:.*]] = scf.for %[[I4:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC4:.*]] = %[[ACC3]]) -> (!lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC4]]] : <2>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I4]]] into %{{.*}} tma signal %[[PIPE]][%[[ACC4]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I4]]] into %{{.*}} tma signal %[[PIPE]][%[[ACC4]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: %[[DIV1:.*]] = arith.divui %[[I4]], %c128 : index
// CHECK: lpgemm.pipe_copy %[[SB]][%c0, %[[DIV1]]] into %{{.*}} threads signal %[[PIPE]][%[[ACC4]]] {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <2>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC4]]] : <2>
// CHECK: %[[NEXT3:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC4]]] : <2>
// CHECK: scf.yield %[[NEXT3]] : !lpgemm.slot
// CHECK: scf.yield %[[LOOP4]] : !lpgemm.slot
// CHECK: %[[START2:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP5:.*]] = scf.for %[[I5:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC5:.*]] = %[[START2]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP6:.*]] = scf.for %[[I6:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC6:.*]] = %[[ACC5]]) -> (!lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC6]]] : <2>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I6]]] into %{{.*}} threads signal %[[PIPE]][%[[ACC6]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I6]]] into %{{.*}} threads signal %[[PIPE]][%[[ACC6]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: %[[DIV2:.*]] = arith.divui %[[I6]], %c128 : index
// CHECK: lpgemm.pipe_copy %[[SB]][%c0, %[[DIV2]]] into %{{.*}} threads signal %[[PIPE]][%[[ACC6]]] {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <2>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC6]]] : <2>
// CHECK: %[[NEXT4:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC6]]] : <2>
// CHECK: scf.yield %[[NEXT4]] : !lpgemm.slot
// CHECK: scf.yield %[[LOOP6]] : !lpgemm.slot
gpu.func @scaled(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #unrolled} {
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

// Workgroups that differ along M need the same tile of rhs.

// CHECK-LABEL: gpu.func @along_m(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE0:.*]]) waves(1) regs(232) {
// CHECK: } else {
// CHECK: role load(%[[WAVE1:.*]]) waves(1) regs(40) {
// CHECK: %[[V9:.*]] = lpgemm.has_map %[[A]], %[[B]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
// CHECK: lpgemm.elect {
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} tma signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %{{.*}}] into %{{.*}} tma signal %{{.*}}[%{{.*}}] {multicast = 0 : i64} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: } else {
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
gpu.func @along_m(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #along_m} {
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

// Workgroups that differ along N need the same tile of lhs.

// CHECK-LABEL: gpu.func @along_n(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE0:.*]]) waves(1) regs(232) {
// CHECK: } else {
// CHECK: role load(%[[WAVE1:.*]]) waves(1) regs(40) {
// CHECK: %[[V9:.*]] = lpgemm.has_map %[[A]], %[[B]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
// CHECK: lpgemm.elect {
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} tma signal %{{.*}}[%{{.*}}] {multicast = 1 : i64} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %{{.*}}] into %{{.*}} tma signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: } else {
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
gpu.func @along_n(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #along_n} {
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

// Scales are copied by each workgroup.

// CHECK-LABEL: gpu.func @both(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE0:.*]]) waves(1) regs(232) {
// CHECK: role load(%[[WAVE1:.*]]) waves(1) regs(40) {
// CHECK: %[[V9:.*]] = lpgemm.has_map %[[A]], %[[B]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
// CHECK: lpgemm.elect {
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} tma signal %{{.*}}[%{{.*}}] {multicast = 1 : i64} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %{{.*}}] into %{{.*}} tma signal %{{.*}}[%{{.*}}] {multicast = 0 : i64} : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[SB]][%c0, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <2>
// CHECK: } else {
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_copy %[[SB]][%c0, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <2>
gpu.func @both(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
    attributes {known_block_size = array<i32: 256, 1, 1>, lpgemm.schedule = #both} {
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

// Roles without stages: each wait stays where it is.

// CHECK-LABEL: gpu.func @by_hand(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xf32>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: index)
// CHECK: %[[PIPE:.*]] = lpgemm.pipe : <2>
// CHECK: lpgemm.roles {
// CHECK: role mma(%[[WAVE0:.*]]) waves(1) regs(232) {
// CHECK: %[[START0:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC0:.*]] = %[[START0]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC1:.*]] = %{{.*}}, %[[ARG16:.*]] = %[[ACC0]]) -> (!lpgemm.frag<64x64xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ARG16]]] : <2>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %{{.*}}[%[[ARG16]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %{{.*}}[%[[ARG16]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[VIEW0]], %[[VIEW1]], %[[ACC1]] : <64x128xf8E4M3FN, shared>, <64x128xf8E4M3FN, shared>, <64x64xf32>
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x64xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[ARG16]]] : <2>
// CHECK: %[[NEXT0:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ARG16]]] : <2>
// CHECK: scf.yield %[[Q]], %[[NEXT0]] : !lpgemm.frag<64x64xf32>, !lpgemm.slot
// CHECK: lpgemm.store %[[LOOP1]]#0, %[[D]][%{{.*}}, %c0] at[%c0, %c0] : <64x64xf32> to <?x?xf32>
// CHECK: scf.yield %[[LOOP1]]#1 : !lpgemm.slot
// CHECK: role load(%[[WAVE1:.*]]) waves(1) regs(40) {
// CHECK: %[[V24:.*]] = lpgemm.has_map %[[A]], %[[B]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>
// CHECK: scf.if %[[V24]] {
// CHECK: lpgemm.elect {
// CHECK: %[[START1:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP2:.*]] = scf.for %[[I2:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC2:.*]] = %[[START1]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP3:.*]] = scf.for %[[I3:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC3:.*]] = %[[ACC2]]) -> (!lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC3]]] : <2>
// CHECK: %[[VIEW2:.*]] = lpgemm.view %{{.*}}[%[[ACC3]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I3]]] into %[[VIEW2]] tma signal %[[PIPE]][%[[ACC3]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: %[[VIEW3:.*]] = lpgemm.view %{{.*}}[%[[ACC3]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I3]]] into %[[VIEW3]] tma signal %[[PIPE]][%[[ACC3]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC3]]] : <2>
// CHECK: %[[NEXT1:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC3]]] : <2>
// CHECK: scf.yield %[[NEXT1]] : !lpgemm.slot
// CHECK: scf.yield %[[LOOP3]] : !lpgemm.slot
// CHECK: } else {
// CHECK: %[[START2:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP4:.*]] = scf.for %[[I4:.*]] = %c0 to %[[ARG5]] step %c1 iter_args(%[[ACC4:.*]] = %[[START2]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP5:.*]] = scf.for %[[I5:.*]] = %c0 to %[[ARG6]] step %c128 iter_args(%[[ACC5:.*]] = %[[ACC4]]) -> (!lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC5]]] : <2>
// CHECK: %[[VIEW4:.*]] = lpgemm.view %{{.*}}[%[[ACC5]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I5]]] into %[[VIEW4]] threads signal %[[PIPE]][%[[ACC5]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: %[[VIEW5:.*]] = lpgemm.view %{{.*}}[%[[ACC5]]] at[%c0, 0] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%c0, %[[I5]]] into %[[VIEW5]] threads signal %[[PIPE]][%[[ACC5]]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>, <2>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC5]]] : <2>
// CHECK: %[[NEXT2:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC5]]] : <2>
// CHECK: scf.yield %[[NEXT2]] : !lpgemm.slot
// CHECK: scf.yield %[[LOOP5]] : !lpgemm.slot
gpu.func @by_hand(%a: !g, %b: !g, %sb: !s, %d: !s, %tiles: index, %k: index) kernel
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
