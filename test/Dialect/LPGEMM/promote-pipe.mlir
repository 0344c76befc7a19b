// RUN: lpgemm-opt %s --pass-pipeline="builtin.module(gpu.module(lpgemm-tile,lpgemm-split-subchannels,lpgemm-promote,canonicalize,cse))" | FileCheck %s

// Operands of instructions that read shared memory go through a ring of slots.

!a = !lpgemm.global<?x?xf8E4M3FN>
!h = !lpgemm.global<?x?xbf16>
!s = !lpgemm.global<?x?xf32>
!t = !lpgemm.global<f32>
!d = !lpgemm.global<?x?xbf16>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
// The slot goes through both loops. Scales of tensors are the epilogue's. The
// result goes through what the buffers leave of shared memory: two chunks of 16
// rows of 128 bytes for each of eight warps.

// CHECK-LABEL: gpu.func @tensor(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<f32>, %[[SB:.*]]: !lpgemm.global<f32>, %[[D:.*]]: !lpgemm.global<?x?xbf16>)
// CHECK: %[[BUF0:.*]] = lpgemm.alloc : <256x64xbf16, shared>
// CHECK: %[[BUF1:.*]] = lpgemm.alloc : <4x128x128xf8E4M3FN, shared>
// CHECK: %[[BUF2:.*]] = lpgemm.alloc : <4x256x128xf8E4M3FN, shared>
// CHECK: %[[PIPE:.*]] = lpgemm.pipe cluster : <4>
// CHECK: %[[START:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP0:.*]] = scf.for %[[I0:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S0:.*]] = %[[START]]) -> (!lpgemm.slot) {
// CHECK: %[[LOOP1:.*]]:2 = scf.for %[[I1:.*]] = %c0 to %{{.*}} step %c128 iter_args(%[[ACC:.*]] = %{{.*}}, %[[ARG17:.*]] = %[[S0]]) -> (!lpgemm.frag<64x256xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ARG17]]] : <4>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %[[BUF1]][%[[ARG17]]] at[%c0, 0] : <4x128x128xf8E4M3FN, shared> to <128x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I1]]] into %[[VIEW0]] threads signal %[[PIPE]][%[[ARG17]]] : <?x?xf8E4M3FN> to <128x128xf8E4M3FN, shared>, <4>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %[[BUF2]][%[[ARG17]]] at[%c0, 0] : <4x256x128xf8E4M3FN, shared> to <256x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%{{.*}}, %[[I1]]] into %[[VIEW1]] threads signal %[[PIPE]][%[[ARG17]]] : <?x?xf8E4M3FN> to <256x128xf8E4M3FN, shared>, <4>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ARG17]]] : <4>
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ARG17]]] : <4>
// CHECK: %[[VIEW2:.*]] = lpgemm.view %[[BUF1]][%[[ARG17]]] at[%{{.*}}, 0] : <4x128x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[VIEW2]], %[[VIEW1]], %[[ACC]] : <64x128xf8E4M3FN, shared>, <256x128xf8E4M3FN, shared>, <64x256xf32>
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x256xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[ARG17]]] : <4>
// CHECK: %[[NEXT:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ARG17]]] : <4>
// CHECK: scf.yield %[[Q]], %[[NEXT]] : !lpgemm.frag<64x256xf32>, !lpgemm.slot
// CHECK: scf.if %{{.*}} {
// CHECK: lpgemm.staged_store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] through %[[BUF0]] : <64x256xbf16> to <?x?xbf16>, <256x64xbf16, shared>
// CHECK: lpgemm.store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] : <64x256xbf16> to <?x?xbf16>
// CHECK: scf.yield %[[LOOP1]]#1 : !lpgemm.slot
gpu.func @tensor(%a: !a, %b: !a, %sa: !t, %sb: !t, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !t, <tensor>) rhs_scale(%sb : !t, <tensor>)
      outs(%d : !d) transpose_b promote_k = 0
      schedule(<tile = [128, 256, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 4, roles = <load_regs = 40, mma_regs = 232>,
        cluster = [2, 1], persistent = true>)
  gpu.return
}

// A column of scales that is contiguous in memory, and one scale for a whole
// block of columns, go through the ring as well; both rows of atoms of a wave read
// the same tiles. All that a wave stores has a chunk of its own.

// CHECK-LABEL: gpu.func @blocks(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<?x?xf32>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xbf16>)
// CHECK: %[[BUF0:.*]] = lpgemm.alloc : <512x64xbf16, shared>
// CHECK: %[[BUF1:.*]] = lpgemm.alloc : <3x256x128xf8E4M3FN, shared>
// CHECK: %[[BUF2:.*]] = lpgemm.alloc : <3x128x128xf8E4M3FN, shared>
// CHECK: %[[BUF3:.*]] = lpgemm.alloc : <3x256x1xf32, shared>
// CHECK: %[[BUF4:.*]] = lpgemm.alloc : <3x1x1xf32, shared>
// CHECK: %[[PIPE:.*]] = lpgemm.pipe : <3>
// CHECK: %[[START:.*]] = lpgemm.pipe_start : !lpgemm.slot
// CHECK: %[[LOOP:.*]]:3 = scf.for %[[I:.*]] = %c0 to %{{.*}} step %c128 iter_args(%[[KK:.*]] = %{{.*}}, %[[ACC0:.*]] = %{{.*}}, %[[ACC1:.*]] = %[[START]]) -> (!lpgemm.frag<64x128xf32>, !lpgemm.frag<64x128xf32>, !lpgemm.slot) {
// CHECK: lpgemm.pipe_acquire %[[PIPE]][%[[ACC1]]] : <3>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %[[BUF1]][%[[ACC1]]] at[%c0, 0] : <3x256x128xf8E4M3FN, shared> to <256x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %[[I]]] into %[[VIEW0]] threads signal %[[PIPE]][%[[ACC1]]] : <?x?xf8E4M3FN> to <256x128xf8E4M3FN, shared>, <3>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %[[BUF2]][%[[ACC1]]] at[%c0, 0] : <3x128x128xf8E4M3FN, shared> to <128x128xf8E4M3FN, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%{{.*}}, %[[I]]] into %[[VIEW1]] threads signal %[[PIPE]][%[[ACC1]]] : <?x?xf8E4M3FN> to <128x128xf8E4M3FN, shared>, <3>
// CHECK: %[[VIEW2:.*]] = lpgemm.view %[[BUF3]][%[[ACC1]]] at[%c0, 0] : <3x256x1xf32, shared> to <256x1xf32, shared>
// CHECK: lpgemm.pipe_copy %[[SA]][%{{.*}}, %{{.*}}] into %[[VIEW2]] threads signal %[[PIPE]][%[[ACC1]]] transpose : <?x?xf32> to <256x1xf32, shared>, <3>
// CHECK: %[[VIEW3:.*]] = lpgemm.view %[[BUF4]][%[[ACC1]]] at[%c0, 0] : <3x1x1xf32, shared> to <1x1xf32, shared>
// CHECK: lpgemm.pipe_copy %[[SB]][%{{.*}}, %{{.*}}] into %[[VIEW3]] threads signal %[[PIPE]][%[[ACC1]]] {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <3>
// CHECK: lpgemm.pipe_commit %[[PIPE]][%[[ACC1]]] : <3>
// CHECK: lpgemm.pipe_await %[[PIPE]][%[[ACC1]]] : <3>
// CHECK: %[[READ0:.*]] = lpgemm.read %[[VIEW2]][%{{.*}}, %c0] : <256x1xf32, shared> to <64x1xf32>
// CHECK: %[[READ1:.*]] = lpgemm.read %[[VIEW3]][%c0, %c0] {row_block = 128 : i64, row_unit = 128 : i64} : <1x1xf32, shared> to <128x1xf32>
// CHECK: %[[VIEW4:.*]] = lpgemm.view %[[BUF1]][%[[ACC1]]] at[%{{.*}}, 0] : <3x256x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[P0:.*]], %[[T0:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[VIEW4]], %[[VIEW1]], %{{.*}} : <64x128xf8E4M3FN, shared>, <128x128xf8E4M3FN, shared>, <64x128xf32>
// CHECK: %[[Q0:.*]] = lpgemm.wait %[[T0]] for %[[P0]] : !lpgemm.frag<64x128xf32>
// CHECK: %[[V28:.*]] = lpgemm.promote %[[Q0]], %[[KK]] sa(%[[READ0]] : !lpgemm.frag<64x1xf32>) sb(%[[READ1]] : !lpgemm.frag<128x1xf32>) : <64x128xf32>, <64x128xf32>
// CHECK: %[[ADD0:.*]] = arith.addi %{{.*}}, %c64 : index
// CHECK: %[[ROW1:.*]] = lpgemm.read %[[VIEW2]][%[[ADD0]], %c0] : <256x1xf32, shared> to <64x1xf32>
// CHECK: %[[VIEW5:.*]] = lpgemm.view %[[BUF1]][%[[ACC1]]] at[%[[ADD0]], 0] : <3x256x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
// CHECK: %[[P1:.*]], %[[T1:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[VIEW5]], %[[VIEW1]], %{{.*}} : <64x128xf8E4M3FN, shared>, <128x128xf8E4M3FN, shared>, <64x128xf32>
// CHECK: %[[Q1:.*]] = lpgemm.wait %[[T1]] for %[[P1]] : !lpgemm.frag<64x128xf32>
// CHECK: lpgemm.pipe_release %[[PIPE]][%[[ACC1]]] : <3>
// CHECK: %[[V35:.*]] = lpgemm.promote %[[Q1]], %[[ACC0]] sa(%[[ROW1]] : !lpgemm.frag<64x1xf32>) sb(%[[READ1]] : !lpgemm.frag<128x1xf32>) : <64x128xf32>, <64x128xf32>
// CHECK: %[[NEXT:.*]] = lpgemm.pipe_next %[[PIPE]][%[[ACC1]]] : <3>
// CHECK: scf.yield %[[V28]], %[[V35]], %[[NEXT]] : !lpgemm.frag<64x128xf32>, !lpgemm.frag<64x128xf32>, !lpgemm.slot
// CHECK: scf.if %{{.*}} {
// CHECK: lpgemm.staged_store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] through %[[BUF0]] : <64x128xbf16> to <?x?xbf16>, <512x64xbf16, shared>
// CHECK: lpgemm.store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] : <64x128xbf16> to <?x?xbf16>
// CHECK: %[[ADD1:.*]] = arith.addi %{{.*}}, %c64 : index
// CHECK: scf.if %{{.*}} {
// CHECK: lpgemm.staged_store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%[[ADD1]], %c0] through %[[BUF0]] : <64x128xbf16> to <?x?xbf16>, <512x64xbf16, shared>
// CHECK: lpgemm.store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%[[ADD1]], %c0] : <64x128xbf16> to <?x?xbf16>
gpu.func @blocks(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <1x128, layout = mn_tma>)
      rhs_scale(%sb : !s, <128x128>)
      outs(%d : !d) transpose_b
      schedule(<tile = [256, 128, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 3, roles = <load_regs = 40, mma_regs = 232>>)
  gpu.return
}

// A tile of 192 columns has parts of two blocks of 128, and may start in the
// middle of one. Scales that are not contiguous are loaded as before.

// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<?x?xf32>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xbf16>)
// CHECK: %[[BUF0:.*]] = lpgemm.alloc : <384x64xbf16, shared>
// CHECK: %[[BUF1:.*]] = lpgemm.alloc : <3x128x128xf8E4M3FN, shared>
// CHECK: %[[BUF2:.*]] = lpgemm.alloc : <3x192x128xf8E4M3FN, shared>
// CHECK: %[[BUF3:.*]] = lpgemm.alloc : <3x2x1xf32, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <128x128xf8E4M3FN, shared>, <3>
// CHECK: lpgemm.pipe_copy %[[B]][%{{.*}}, %{{.*}}] into %{{.*}} threads signal %{{.*}}[%{{.*}}] : <?x?xf8E4M3FN> to <192x128xf8E4M3FN, shared>, <3>
// CHECK: %[[VIEW:.*]] = lpgemm.view %[[BUF3]][%{{.*}}] at[%c0, 0] : <3x2x1xf32, shared> to <2x1xf32, shared>
// CHECK: lpgemm.pipe_copy %[[SB]][%{{.*}}, %{{.*}}] into %[[VIEW]] threads signal %{{.*}}[%{{.*}}] {row_block = 128 : i64} : <?x?xf32> to <2x1xf32, shared>, <3>
// CHECK: %[[LOAD:.*]] = lpgemm.load %[[SA]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] : <?x?xf32> to <64x1xf32>
// CHECK: %[[REM:.*]] = arith.remui %{{.*}}, %c128 : index
// CHECK: %[[READ:.*]] = lpgemm.read %[[VIEW]][%[[REM]], %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <2x1xf32, shared> to <192x1xf32>
// CHECK: lpgemm.pipe_release %{{.*}}[%{{.*}}] : <3>
// CHECK: %[[V14:.*]] = lpgemm.promote %{{.*}}, %{{.*}} sa(%[[LOAD]] : !lpgemm.frag<64x1xf32>) sb(%[[READ]] : !lpgemm.frag<192x1xf32>) : <64x192xf32>, <64x192xf32>
// CHECK: lpgemm.staged_store %{{.*}}, %[[D]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] through %[[BUF0]] : <64x192xbf16> to <?x?xbf16>, <384x64xbf16, shared>
gpu.func @rows(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <1x128>)
      rhs_scale(%sb : !s, <128x128>)
      outs(%d : !d) transpose_b
      schedule(<tile = [128, 192, 128], waves = [2, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 3, roles = <load_regs = 40, mma_regs = 232>>)
  gpu.return
}

// Blocks of rows, of which a tile has one and a half and a wave a half.

// CHECK-LABEL: gpu.func @both(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[B:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[SA:.*]]: !lpgemm.global<?x?xf32>, %[[SB:.*]]: !lpgemm.global<?x?xf32>, %[[D:.*]]: !lpgemm.global<?x?xbf16>)
// CHECK: %[[BUF0:.*]] = lpgemm.alloc : <2x2x1xf32, shared>
// CHECK: %[[BUF1:.*]] = lpgemm.alloc : <2x1x1xf32, shared>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %[[BUF0]][%{{.*}}] at[%c0, 0] : <2x2x1xf32, shared> to <2x1xf32, shared>
// CHECK: lpgemm.pipe_copy %[[SA]][%{{.*}}, %{{.*}}] into %[[VIEW0]] threads signal %{{.*}}[%{{.*}}] {row_block = 128 : i64} : <?x?xf32> to <2x1xf32, shared>, <2>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %[[BUF1]][%{{.*}}] at[%c0, 0] : <2x1x1xf32, shared> to <1x1xf32, shared>
// CHECK: lpgemm.pipe_copy %[[SB]][%{{.*}}, %{{.*}}] into %[[VIEW1]] threads signal %{{.*}}[%{{.*}}] {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <2>
// CHECK: %[[INBLOCK:.*]] = arith.remui %{{.*}}, %c128 : index
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[INBLOCK]] : index
// CHECK: %[[READ0:.*]] = lpgemm.read %[[VIEW0]][%[[ROW]], %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <2x1xf32, shared> to <64x1xf32>
// CHECK: %[[READ1:.*]] = lpgemm.read %[[VIEW1]][%{{.*}}, %c0] {row_block = 128 : i64, row_unit = 64 : i64} : <1x1xf32, shared> to <64x1xf32>
gpu.func @both(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !d) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <128x128>)
      rhs_scale(%sb : !s, <128x128>)
      outs(%d : !d) transpose_b
      schedule(<tile = [192, 128, 128], waves = [3, 2],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 40, mma_regs = 232>>)
  gpu.return
}

// Rows of the result that are too short for chunks are stored by threads.

// CHECK-LABEL: gpu.func @bf16(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK-NOT: lpgemm.alloc
// CHECK: %[[BUF0:.*]] = lpgemm.alloc : <2x64x64xbf16, shared>
// CHECK: %[[BUF1:.*]] = lpgemm.alloc : <2x16x64xbf16, shared>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %[[BUF0]][%{{.*}}] at[%c0, 0] : <2x64x64xbf16, shared> to <64x64xbf16, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %[[VIEW0]] threads signal %{{.*}}[%{{.*}}] : <?x?xbf16> to <64x64xbf16, shared>, <2>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %[[BUF1]][%{{.*}}] at[%c0, 0] : <2x16x64xbf16, shared> to <16x64xbf16, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%{{.*}}, %{{.*}}] into %[[VIEW1]] threads signal %{{.*}}[%{{.*}}] : <?x?xbf16> to <16x64xbf16, shared>, <2>
// CHECK: lpgemm.pipe_await %{{.*}}[%{{.*}}] : <2>
// CHECK: %[[VIEW2:.*]] = lpgemm.view %[[BUF0]][%{{.*}}] at[%{{.*}}, 0] : <2x64x64xbf16, shared> to <64x64xbf16, shared>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k16_f32_bf16> %[[VIEW2]], %[[VIEW1]], %{{.*}} : <64x64xbf16, shared>, <16x64xbf16, shared>, <64x16xf32>
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x16xf32>
// CHECK-NOT: lpgemm.staged_store
// CHECK: lpgemm.store %{{.*}}#0, %[[D]][%{{.*}}, %{{.*}}] at[%{{.*}}, %c0] : <64x16xf32> to <?x?xf32>
gpu.func @bf16(%a: !h, %b: !h, %d: !s) kernel {
  lpgemm.matmul ins(%a, %b : !h, !h) outs(%d : !s) transpose_b
      schedule(<tile = [64, 16, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 40, mma_regs = 232>>)
  gpu.return
}

// Rows of the result of 96 bytes are a chunk.

// CHECK-LABEL: gpu.func @bf16_chunk(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xbf16>, %[[B:.*]]: !lpgemm.global<?x?xbf16>, %[[D:.*]]: !lpgemm.global<?x?xf32>)
// CHECK: %[[STAGE:.*]] = lpgemm.alloc : <64x24xf32, shared>
// CHECK-NEXT: %[[BUF0:.*]] = lpgemm.alloc : <2x64x64xbf16, shared>
// CHECK: %[[BUF1:.*]] = lpgemm.alloc : <2x24x64xbf16, shared>
// CHECK: %[[VIEW0:.*]] = lpgemm.view %[[BUF0]][%{{.*}}] at[%c0, 0] : <2x64x64xbf16, shared> to <64x64xbf16, shared>
// CHECK: lpgemm.pipe_copy %[[A]][%{{.*}}, %{{.*}}] into %[[VIEW0]] threads signal %{{.*}}[%{{.*}}] : <?x?xbf16> to <64x64xbf16, shared>, <2>
// CHECK: %[[VIEW1:.*]] = lpgemm.view %[[BUF1]][%{{.*}}] at[%c0, 0] : <2x24x64xbf16, shared> to <24x64xbf16, shared>
// CHECK: lpgemm.pipe_copy %[[B]][%{{.*}}, %{{.*}}] into %[[VIEW1]] threads signal %{{.*}}[%{{.*}}] : <?x?xbf16> to <24x64xbf16, shared>, <2>
// CHECK: lpgemm.pipe_await %{{.*}}[%{{.*}}] : <2>
// CHECK: %[[VIEW2:.*]] = lpgemm.view %[[BUF0]][%{{.*}}] at[%{{.*}}, 0] : <2x64x64xbf16, shared> to <64x64xbf16, shared>
// CHECK: %[[P:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k16_f32_bf16> %[[VIEW2]], %[[VIEW1]], %{{.*}} : <64x64xbf16, shared>, <24x64xbf16, shared>, <64x24xf32>
// CHECK: %[[Q:.*]] = lpgemm.wait %[[T]] for %[[P]] : !lpgemm.frag<64x24xf32>
// CHECK: %[[HAS_MAP:.*]] = lpgemm.has_map %[[D]] : !lpgemm.global<?x?xf32>
// CHECK-NEXT: scf.if %[[HAS_MAP]] {
// CHECK-NEXT: lpgemm.staged_store %[[SUM:.*]]#0, %[[D]][%[[ROW:.*]], %[[COL:.*]]] at[%[[WAVE:.*]], %c0] through %[[STAGE]] : <64x24xf32> to <?x?xf32>, <64x24xf32, shared>
// CHECK-NEXT: } else {
// CHECK-NEXT: lpgemm.store %[[SUM]]#0, %[[D]][%[[ROW]], %[[COL]]] at[%[[WAVE]], %c0] : <64x24xf32> to <?x?xf32>
gpu.func @bf16_chunk(%a: !h, %b: !h, %d: !s) kernel {
  lpgemm.matmul ins(%a, %b : !h, !h) outs(%d : !s) transpose_b
      schedule(<tile = [64, 24, 64], waves = [1, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 40, mma_regs = 232>>)
  gpu.return
}

// Sums of a cluster pass through memory of their own, with a slot for each warp;
// the ring is that of the workgroup.

// CHECK-LABEL: gpu.func @split(
// CHECK: %[[STAGE:.*]] = lpgemm.alloc : <384x32xf32, shared>
// CHECK: %[[BUF:.*]] = lpgemm.alloc : <128x96xf32, shared>
// CHECK: %[[X:.*]] = lpgemm.pipe exchange : <8>
// CHECK: lpgemm.pipe : <2>
// CHECK: %[[SUM:.*]], %[[HERE:.*]] = lpgemm.cluster_reduce %{{.*}}#0 through %[[BUF]] signal %[[X]] : (!lpgemm.frag<64x96xf32>), !lpgemm.buf<128x96xf32, shared>, !lpgemm.pipe<8>
// CHECK: scf.if %[[HERE]] {
// CHECK: lpgemm.has_map
// CHECK: lpgemm.staged_store %[[SUM]]
// CHECK: lpgemm.store %[[SUM]]
gpu.func @split(%a: !h, %b: !h, %d: !s) kernel {
  lpgemm.matmul ins(%a, %b : !h, !h) outs(%d : !s) transpose_b
      schedule(<tile = [128, 96, 64], waves = [2, 1],
        instr = wgmma_m64k16_f32_bf16, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 40, mma_regs = 232>, split_k = 2>)
  gpu.return
}

// A part of what is loaded starts at its own row and column of the slot.

// CHECK-LABEL: gpu.func @part(
// CHECK: %[[BUF_A:.*]] = lpgemm.alloc : <2x64x64xbf16, shared>
// CHECK: %[[BUF_B:.*]] = lpgemm.alloc : <2x32x64xbf16, shared>
// CHECK: lpgemm.pipe_await
// CHECK: lpgemm.view %[[BUF_A]][%{{.*}}] at[%{{.*}}, 32] : <2x64x64xbf16, shared> to <64x32xbf16, shared>
// CHECK: %[[ROW:.*]] = arith.addi %[[WAVE:.*]], %c16{{.*}} : index
// CHECK: %[[PART:.*]] = lpgemm.view %[[BUF_B]][%{{.*}}] at[%[[ROW]], 32] : <2x32x64xbf16, shared> to <16x32xbf16, shared>
// CHECK: lpgemm.async_mma <wgmma_m64k16_f32_bf16> %{{.*}}, %[[PART]],
gpu.func @part(%a: !h, %b: !h, %d: !s, %k: index) kernel attributes {lpgemm.schedule =
    #lpgemm.schedule<tile = [64, 32, 64], waves = [1, 1], instr = wgmma_m64k16_f32_bf16,
      home = <a = shared, b = shared>, stages = 2, roles = <load_regs = 40, mma_regs = 232>>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  lpgemm.roles {
    role mma(%wave) waves(1) regs(232) {
      %row = arith.muli %wave, %c64 : index
      %init = lpgemm.splat %zero : f32 to !lpgemm.frag<64x16xf32>
      %sum = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %init) -> (!lpgemm.frag<64x16xf32>) {
        %ta = lpgemm.load %a[%c0, %i] at [%row, %c0] : !h to !lpgemm.frag<64x64xbf16>
        %tb = lpgemm.load %b[%c0, %i] at [%wave, %c0] : !h to !lpgemm.frag<32x64xbf16>
        %pa = lpgemm.slice %ta[32] : !lpgemm.frag<64x64xbf16> to !lpgemm.frag<64x32xbf16>
        %pb = lpgemm.slice %tb[32] {row = 16 : i64} : !lpgemm.frag<32x64xbf16> to !lpgemm.frag<16x32xbf16>
        %next = lpgemm.mma <wgmma_m64k16_f32_bf16> %pa, %pb, %acc
            : !lpgemm.frag<64x32xbf16>, !lpgemm.frag<16x32xbf16>, !lpgemm.frag<64x16xf32>
        scf.yield %next : !lpgemm.frag<64x16xf32>
      }
      lpgemm.store %sum, %d[%c0, %c0] at [%row, %c0] : !lpgemm.frag<64x16xf32> to !s
    }
  }
  gpu.return
}
}
