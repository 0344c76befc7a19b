// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Roles, rings and copy engines: every op, with and without what is optional.

!g8 = !lpgemm.global<?x?xf8E4M3FN>
!g32 = !lpgemm.global<?x?xf32>
!bf = !lpgemm.global<?x?xbf16>
!ring = !lpgemm.buf<4x128x128xf8E4M3FN, shared>
!tile = !lpgemm.buf<128x128xf8E4M3FN, shared>
!part = !lpgemm.buf<64x128xf8E4M3FN, shared>
!swizzled = !lpgemm.buf<4x128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!c = !lpgemm.frag<64x128xf32>
!lanes = !lpgemm.frag<64x128xf32, <wgmma_m64k32_f32_fp8, c>>

// What a schedule has by default is not printed.

// CHECK-LABEL: func private @attributes()
// CHECK-SAME: plain = #lpgemm.schedule<tile = [64, 8, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 16>,
// CHECK-SAME: roles = #lpgemm.roles<load_regs = 24, mma_regs = 256>,
// CHECK-SAME: schedule = #lpgemm.schedule<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1], raster = 8, persistent = true, unroll = 2>,
// CHECK-SAME: split = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4, split_k = 8>}
func.func private @attributes() attributes {
  schedule = #lpgemm.schedule<tile = [128, 256, 128], waves = [2, 1],
    instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4,
    roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1], raster = 8,
    persistent = true, unroll = 2>,
  split = #lpgemm.schedule<tile = [64, 64, 128], waves = [1, 1],
    instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 4,
    split_k = 8>,
  plain = #lpgemm.schedule<tile = [64, 8, 128], waves = [1, 1],
    instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>, stages = 16,
    raster = 1, persistent = false, unroll = 1, split_k = 1>,
  roles = #lpgemm.roles<load_regs = 24, mma_regs = 256>}

// CHECK-LABEL: func private @types(
// CHECK-SAME: !lpgemm.pipe<1>, !lpgemm.pipe<16>, !lpgemm.slot, !lpgemm.token, !lpgemm.buf<4x128x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>)
func.func private @types(!lpgemm.pipe<1>, !lpgemm.pipe<16>, !lpgemm.slot,
                         !lpgemm.token, !swizzled)

// CHECK-LABEL: func @roles(
// GENERIC-LABEL: func{{.*}}sym_name = "roles"
func.func @roles() {
  // CHECK: lpgemm.roles {
  // CHECK-NEXT: role mma(%[[W:.*]]) waves(2) regs(232) {
  // CHECK-NEXT: arith.addi %[[W]], %[[W]] : index
  // CHECK-NEXT: }
  // CHECK-NEXT: role load(%{{.*}}) waves(1) {
  // CHECK-NEXT: lpgemm.elect {
  // CHECK-NEXT: lpgemm.pipe_start : !lpgemm.slot
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: role idle(%{{.*}}) waves(1) regs(24) {
  // CHECK-NEXT: }
  // CHECK-NEXT: } {note = "kept"}
  // GENERIC: "lpgemm.roles"() <{names = ["mma", "load", "idle"], regs = array<i64: 232, 0, 24>, waves = array<i64: 2, 1, 1>}> ({
  // GENERIC-NEXT: ^bb0(%{{.*}}: index):
  // GENERIC: "lpgemm.elect"() ({
  lpgemm.roles {
    role mma(%wave) waves(2) regs(232) {
      %0 = arith.addi %wave, %wave : index
    }
    role load(%wave) waves(1) {
      lpgemm.elect {
        %s = lpgemm.pipe_start : !lpgemm.slot
      }
    }
    role idle(%wave) waves(1) regs(24) {
    }
  } {note = "kept"}
  return
}

// CHECK-LABEL: func @ring()
// GENERIC-LABEL: func{{.*}}sym_name = "ring"
func.func @ring() {
  // CHECK-NEXT: %[[P:.*]] = lpgemm.pipe : <4>
  // GENERIC: "lpgemm.pipe"() : () -> !lpgemm.pipe<4>
  %p = lpgemm.pipe : !lpgemm.pipe<4>
  // CHECK-NEXT: lpgemm.pipe cluster {offset = 1024 : i64} : <2>
  // GENERIC: "lpgemm.pipe"() <{cluster, offset = 1024 : i64}> : () -> !lpgemm.pipe<2>
  %q = lpgemm.pipe cluster {offset = 1024 : i64} : !lpgemm.pipe<2>
  // CHECK-NEXT: lpgemm.alloc {offset = 2048 : i64} : <4x128x128xf8E4M3FN, shared>
  %buf = lpgemm.alloc {offset = 2048 : i64} : !ring
  // CHECK-NEXT: %[[S:.*]] = lpgemm.pipe_start : !lpgemm.slot
  // GENERIC: "lpgemm.pipe_start"() : () -> !lpgemm.slot
  %s = lpgemm.pipe_start : !lpgemm.slot
  // CHECK-NEXT: lpgemm.pipe_acquire %[[P]][%[[S]]] : <4>
  // GENERIC: "lpgemm.pipe_acquire"(%{{.*}}, %{{.*}}) : (!lpgemm.pipe<4>, !lpgemm.slot) -> ()
  lpgemm.pipe_acquire %p[%s] : !lpgemm.pipe<4>
  // CHECK-NEXT: lpgemm.pipe_commit %[[P]][%[[S]]] : <4>
  // GENERIC: "lpgemm.pipe_commit"(%{{.*}}, %{{.*}}) : (!lpgemm.pipe<4>, !lpgemm.slot) -> ()
  lpgemm.pipe_commit %p[%s] : !lpgemm.pipe<4>
  // CHECK-NEXT: lpgemm.pipe_await %[[P]][%[[S]]] : <4>
  // GENERIC: "lpgemm.pipe_await"(%{{.*}}, %{{.*}}) : (!lpgemm.pipe<4>, !lpgemm.slot) -> ()
  lpgemm.pipe_await %p[%s] : !lpgemm.pipe<4>
  // CHECK-NEXT: lpgemm.pipe_release %[[P]][%[[S]]] : <4>
  // GENERIC: "lpgemm.pipe_release"(%{{.*}}, %{{.*}}) : (!lpgemm.pipe<4>, !lpgemm.slot) -> ()
  lpgemm.pipe_release %p[%s] : !lpgemm.pipe<4>
  // CHECK-NEXT: lpgemm.pipe_next %[[P]][%[[S]]] : <4>
  // GENERIC: "lpgemm.pipe_next"(%{{.*}}, %{{.*}}) : (!lpgemm.pipe<4>, !lpgemm.slot) -> !lpgemm.slot
  %n = lpgemm.pipe_next %p[%s] : !lpgemm.pipe<4>
  return
}

// CHECK-LABEL: func @exchange(
// CHECK-SAME: %[[X:.*]]: !lpgemm.frag<64x128xf32>, %[[Y:.*]]: !lpgemm.frag<64x128xf32>, %[[BUF:.*]]: !lpgemm.buf<128x128xf32, shared>)
// GENERIC-LABEL: func{{.*}}sym_name = "exchange"
func.func @exchange(%x: !c, %y: !c, %buf: !lpgemm.buf<128x128xf32, shared>) {
  // CHECK-NEXT: %[[P:.*]] = lpgemm.pipe exchange : <4>
  // GENERIC: "lpgemm.pipe"() <{exchange}> : () -> !lpgemm.pipe<4>
  %p = lpgemm.pipe exchange : !lpgemm.pipe<4>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = lpgemm.cluster_reduce %[[X]] : (!lpgemm.frag<64x128xf32>)
  // GENERIC: "lpgemm.cluster_reduce"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!lpgemm.frag<64x128xf32>) -> (!lpgemm.frag<64x128xf32>, i1)
  %s, %here = lpgemm.cluster_reduce %x : (!c)
  // CHECK-NEXT: %{{.*}}:2, %{{.*}} = lpgemm.cluster_reduce %[[X]], %[[Y]] through %[[BUF]] signal %[[P]] : (!lpgemm.frag<64x128xf32>, !lpgemm.frag<64x128xf32>), !lpgemm.buf<128x128xf32, shared>, !lpgemm.pipe<4>
  // GENERIC: "lpgemm.cluster_reduce"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1, 1>}>
  %t:3 = lpgemm.cluster_reduce %x, %y through %buf signal %p
      : (!c, !c), !lpgemm.buf<128x128xf32, shared>, !lpgemm.pipe<4>
  return
}

// CHECK-LABEL: func @copies(
// CHECK-SAME: %[[A:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[F:.*]]: !lpgemm.global<?x?xf32>, %[[MAP:.*]]: !llvm.ptr, %[[BUF:.*]]: !lpgemm.buf<4x128x128xf8E4M3FN, shared>, %[[SCALES:.*]]: !lpgemm.buf<1x1xf32, shared>, %[[P:.*]]: !lpgemm.pipe<4>, %[[S:.*]]: !lpgemm.slot, %[[I:.*]]: index)
// GENERIC-LABEL: func{{.*}}sym_name = "copies"
func.func @copies(%a: !g8, %f: !g32, %map: !llvm.ptr, %buf: !ring,
                  %scales: !lpgemm.buf<1x1xf32, shared>, %p: !lpgemm.pipe<4>,
                  %s: !lpgemm.slot, %i: index) {
  // CHECK: lpgemm.has_map %[[A]], %[[F]] : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf32>
  // GENERIC: "lpgemm.has_map"(%{{.*}}, %{{.*}}) : (!lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf32>) -> i1
  %ok = lpgemm.has_map %a, %f : !g8, !g32
  // CHECK: %[[T:.*]] = lpgemm.view %[[BUF]][%[[S]]] at[%[[I]], 0] : <4x128x128xf8E4M3FN, shared> to <128x128xf8E4M3FN, shared>
  // GENERIC: "lpgemm.view"(%{{.*}}, %{{.*}}, %{{.*}}) <{col = 0 : i64}> : (!lpgemm.buf<4x128x128xf8E4M3FN, shared>, !lpgemm.slot, index) -> !lpgemm.buf<128x128xf8E4M3FN, shared>
  %t = lpgemm.view %buf[%s] at [%i, 0] : !ring to !tile
  // The last columns of a slot.
  // CHECK: lpgemm.view %[[BUF]][%[[S]]] at[%[[I]], 96] : <4x128x128xf8E4M3FN, shared> to <64x32xf8E4M3FN, shared>
  %last = lpgemm.view %buf[%s] at [%i, 96]
      : !ring to !lpgemm.buf<64x32xf8E4M3FN, shared>
  // CHECK: lpgemm.pipe_copy %[[A]][%[[I]], %[[I]]] into %[[T]] threads signal %[[P]][%[[S]]] : <?x?xf8E4M3FN> to <128x128xf8E4M3FN, shared>, <4>
  // GENERIC: "lpgemm.pipe_copy"(%{{.*}}) <{engine = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>, row_block = 1 : i64}>
  lpgemm.pipe_copy %a[%i, %i] into %t threads signal %p[%s]
      : !g8 to !tile, !lpgemm.pipe<4>
  // CHECK: lpgemm.pipe_copy %[[F]][%[[I]], %[[I]]] into %[[SCALES]] threads signal %[[P]][%[[S]]] transpose {row_block = 128 : i64} : <?x?xf32> to <1x1xf32, shared>, <4>
  lpgemm.pipe_copy %f[%i, %i] into %scales threads signal %p[%s] transpose
      {row_block = 128 : i64}
      : !g32 to !lpgemm.buf<1x1xf32, shared>, !lpgemm.pipe<4>
  lpgemm.elect {
    // CHECK: lpgemm.pipe_copy %[[A]][%[[I]], %[[I]]] into %[[T]] tma signal %[[P]][%[[S]]] : <?x?xf8E4M3FN> to
    lpgemm.pipe_copy %a[%i, %i] into %t tma signal %p[%s]
        : !g8 to !tile, !lpgemm.pipe<4>
    // CHECK: lpgemm.pipe_copy %[[A]][%[[I]], %[[I]]] into %[[T]] tma signal %[[P]][%[[S]]] map %[[MAP]] : !llvm.ptr {multicast = 1 : i64} : <?x?xf8E4M3FN> to
    lpgemm.pipe_copy %a[%i, %i] into %t tma signal %p[%s] map %map : !llvm.ptr
        {multicast = 1 : i64} : !g8 to !tile, !lpgemm.pipe<4>
  }
  return
}

// CHECK-LABEL: func @products(
// CHECK-SAME: %[[A:.*]]: !lpgemm.buf<64x128xf8E4M3FN, shared>, %[[B:.*]]: !lpgemm.buf<128x128xf8E4M3FN, shared>, %[[C:.*]]: !lpgemm.frag<64x128xf32>, %[[L:.*]]: !lpgemm.frag<64x128xf32, <wgmma_m64k32_f32_fp8, c>>)
// GENERIC-LABEL: func{{.*}}sym_name = "products"
func.func @products(%a: !part, %b: !tile, %c: !c, %l: !lanes) {
  // CHECK: %[[D:.*]], %[[T:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[B]], %[[C]] : <64x128xf8E4M3FN, shared>, <128x128xf8E4M3FN, shared>, <64x128xf32>
  // GENERIC: "lpgemm.async_mma"(%{{.*}}, %{{.*}}, %{{.*}}) <{instr = #lpgemm.mma<wgmma_m64k32_f32_fp8>}> : (!lpgemm.buf<64x128xf8E4M3FN, shared>, !lpgemm.buf<128x128xf8E4M3FN, shared>, !lpgemm.frag<64x128xf32>) -> (!lpgemm.frag<64x128xf32>, !lpgemm.token)
  %d, %t = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %c
      : !part, !tile, !c
  // CHECK: %[[E:.*]], %[[U:.*]] = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %[[A]], %[[B]], %[[L]] zero : <64x128xf8E4M3FN, shared>, <128x128xf8E4M3FN, shared>, <64x128xf32, <wgmma_m64k32_f32_fp8, c>>
  // GENERIC: "lpgemm.async_mma"(%{{.*}}, %{{.*}}, %{{.*}}) <{instr = {{.*}}, zero}>
  %e, %u = lpgemm.async_mma <wgmma_m64k32_f32_fp8> %a, %b, %l zero
      : !part, !tile, !lanes
  // CHECK: lpgemm.wait %[[T]]{{$}}
  lpgemm.wait %t
  // CHECK: %{{.*}}:2 = lpgemm.wait %[[T]], %[[U]] for %[[D]], %[[E]] : !lpgemm.frag<64x128xf32>, !lpgemm.frag<64x128xf32, <wgmma_m64k32_f32_fp8, c>>
  // GENERIC: "lpgemm.wait"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 2>}>
  %r:2 = lpgemm.wait %t, %u for %d, %e : !c, !lanes
  // CHECK: lpgemm.wait for %[[D]] : !lpgemm.frag<64x128xf32>
  %q = lpgemm.wait for %d : !c
  return
}

// CHECK-LABEL: func @result(
// CHECK-SAME: %[[C:.*]]: !lpgemm.frag<64x128xbf16>, %[[G:.*]]: !lpgemm.global<?x?xbf16>, %[[STAGE:.*]]: !lpgemm.buf<128x64xbf16, shared>, %[[MAP:.*]]: !llvm.ptr, %[[I:.*]]: index, %[[J:.*]]: index, %[[K:.*]]: index, %[[L:.*]]: index)
// GENERIC-LABEL: func{{.*}}sym_name = "result"
func.func @result(%c: !lpgemm.frag<64x128xbf16>, %g: !bf,
                  %stage: !lpgemm.buf<128x64xbf16, shared>, %map: !llvm.ptr,
                  %i: index, %j: index, %k: index, %l: index) {
  // CHECK: lpgemm.staged_store %[[C]], %[[G]][%[[I]], %[[J]]] at[%[[K]], %[[L]]] through %[[STAGE]] : <64x128xbf16> to <?x?xbf16>, <128x64xbf16, shared>
  // GENERIC: "lpgemm.staged_store"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0>}> : (!lpgemm.frag<64x128xbf16>, !lpgemm.global<?x?xbf16>, index, index, index, index, !lpgemm.buf<128x64xbf16, shared>) -> ()
  lpgemm.staged_store %c, %g[%i, %j] at [%k, %l] through %stage
      : !lpgemm.frag<64x128xbf16> to !bf, !lpgemm.buf<128x64xbf16, shared>
  // CHECK: lpgemm.staged_store %[[C]], %[[G]][%[[I]], %[[J]]] at[%[[K]], %[[L]]] through %[[STAGE]] map %[[MAP]] : !llvm.ptr : <64x128xbf16> to
  lpgemm.staged_store %c, %g[%i, %j] at [%k, %l] through %stage
      map %map : !llvm.ptr
      : !lpgemm.frag<64x128xbf16> to !bf, !lpgemm.buf<128x64xbf16, shared>
  return
}

// A row of the source for each block of rows of the tile.

// CHECK-LABEL: func @row_blocks(
func.func @row_blocks(%g: !g32, %b: !lpgemm.buf<2x1xf32, shared>, %i: index) {
  // CHECK: lpgemm.load {{.*}} {row_block = 128 : i64} : <?x?xf32> to <192x1xf32>
  %0 = lpgemm.load %g[%i, %i] at [%i, %i] {row_block = 128 : i64}
      : !g32 to !lpgemm.frag<192x1xf32>
  // CHECK: lpgemm.read {{.*}} {row_block = 128 : i64, row_unit = 64 : i64} : <2x1xf32, shared> to <192x1xf32>
  // GENERIC: "lpgemm.read"(%{{.*}}) <{row_block = 128 : i64, row_unit = 64 : i64}> : (!lpgemm.buf<2x1xf32, shared>, index, index) -> !lpgemm.frag<192x1xf32>
  %1 = lpgemm.read %b[%i, %i] {row_block = 128 : i64, row_unit = 64 : i64}
      : !lpgemm.buf<2x1xf32, shared> to !lpgemm.frag<192x1xf32>
  return
}
