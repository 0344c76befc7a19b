// RUN: lpgemm-opt %s --lpgemm-stage-results --split-input-file --verify-diagnostics | FileCheck %s

// A lane has four columns of a row, and its neighbour four of the next row: the
// rows leave by way of the largest buffer of the kernel, if they all fit it at
// once. Bank conflicts want pieces of 8 bytes exchanged: a lane writes so many.

!a = !lpgemm.buf<64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!b = !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!c = !lpgemm.frag<32x32xbf16, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!g = !lpgemm.global<?x?xbf16>
#staged = #lpgemm.schedule<tile = [64, 64, 128], waves = [2, 2],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
  stages = 2, epilogue = staged>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
// CHECK-LABEL: gpu.func @whole(
// CHECK-SAME: %[[C:.*]]: !lpgemm.frag<{{.*}}>, %[[G:.*]]: !lpgemm.global<?x?xbf16>, %[[M:.*]]: index, %[[N:.*]]: index, %[[WM:.*]]: index, %[[WN:.*]]: index)
// CHECK-NEXT: lpgemm.alloc
// CHECK-NEXT: %[[B:.*]] = lpgemm.alloc : <2x64x128
// CHECK-NEXT: %[[S:.*]] = lpgemm.reuse %[[B]] : <2x64x128{{.*}} to <64x64xbf16, shared, <pad = 0, unit = 8, mask = 15, shift = 0>>
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: %[[T:.*]] = lpgemm.write %[[C]], %[[S]][%[[WM]], %[[WN]]]
// CHECK-NEXT: lpgemm.wait %[[T]]
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: lpgemm.copy_out %[[S]], %[[G]][%[[M]], %[[N]]]
// CHECK-NEXT: gpu.return
gpu.func @whole(%c: !c, %g: !g, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #staged} {
  %a = lpgemm.alloc : !a
  %b = lpgemm.alloc : !b
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn] : !c to !g
  gpu.return
}

// Half of the rows of each wave at a time, one slot for each row of waves.
// CHECK-LABEL: gpu.func @rounds(
// CHECK-SAME: %[[C:.*]]: !lpgemm.frag<{{.*}}>, %[[G:.*]]: !lpgemm.global<?x?xf32>, %[[M:.*]]: index, %[[N:.*]]: index, %[[WM:.*]]: index, %[[WN:.*]]: index)
// CHECK: %[[S:.*]] = lpgemm.reuse %{{.*}} to <2x16x64xf32, shared, <pad = 0, unit = 16, mask = 15, shift = 0>>
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK: %[[C0:.*]] = lpgemm.slice %[[C]][0] : <32x32xf32, {{.*}}> to <16x32xf32
// CHECK: %[[WAVE:.*]] = arith.divui %[[WM]], %c32
// CHECK: %[[OWN:.*]] = lpgemm.slot %[[S]][%[[WAVE]]]
// CHECK: %[[T:.*]] = lpgemm.write %[[C0]], %[[OWN]][%c0{{.*}}, %[[WN]]]
// CHECK-NEXT: lpgemm.wait %[[T]]
// CHECK-NEXT: lpgemm.barrier
// CHECK: %[[M0:.*]] = arith.addi %[[M]], %c0
// CHECK: %[[S0:.*]] = lpgemm.slot %[[S]][%c0
// CHECK: lpgemm.copy_out %[[S0]], %[[G]][%[[M0]], %[[N]]]
// CHECK: %[[M1:.*]] = arith.addi %[[M]], %c32
// CHECK: %[[S1:.*]] = lpgemm.slot %[[S]][%c1
// CHECK: lpgemm.copy_out %[[S1]], %[[G]][%[[M1]], %[[N]]]
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK: lpgemm.slice %[[C]][0] {row = 16 : i64} : <32x32xf32
// CHECK: arith.addi %[[M]], %c16
// CHECK: arith.addi %[[M]], %c48
gpu.func @rounds(%c: !lpgemm.frag<32x32xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>,
    %g: !lpgemm.global<?x?xf32>, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #staged} {
  %a = lpgemm.alloc : !a
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn]
      : !lpgemm.frag<32x32xf32, <mfma_scale_f32_16x16x128_f8f6f4, c>>
      to !lpgemm.global<?x?xf32>
  gpu.return
}

// Of a workgroup that goes on with another tile the K tiles go to the same
// buffer.
// CHECK-LABEL: gpu.func @persistent(
// CHECK: scf.for
// CHECK: lpgemm.copy_out
// CHECK-NEXT: lpgemm.wait{{$}}
// CHECK-NEXT: lpgemm.barrier
// CHECK-NEXT: }
gpu.func @persistent(%c: !c, %g: !g, %m: index, %n: index, %wm: index,
                     %wn: index, %tiles: index, %groups: index)
    kernel attributes {lpgemm.schedule = #staged} {
  %b = lpgemm.alloc : !b
  scf.for %i = %m to %tiles step %groups {
    lpgemm.store %c, %g[%i, %n] at [%wm, %wn] : !c to !g
  }
  gpu.return
}

// Of a tile of pairs a lane has two columns of a row.
// CHECK-LABEL: gpu.func @pairs(
// CHECK: lpgemm.reuse %{{.*}} to <64x32xbf16, shared, <pad = 0, unit = 8, mask = 7, shift = 1>>
// CHECK: lpgemm.write
// CHECK: lpgemm.copy_out
gpu.func @pairs(%c: !lpgemm.frag<32x16xbf16, <mfma_scale_f32_16x16x128_f8f6f4, c_pair>>,
    %g: !g, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #staged} {
  %b = lpgemm.alloc : !b
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn]
      : !lpgemm.frag<32x16xbf16, <mfma_scale_f32_16x16x128_f8f6f4, c_pair>> to !g
  gpu.return
}

// The scales of a result are stored as they are.
// CHECK-LABEL: gpu.func @scales(
// CHECK: lpgemm.store
gpu.func @scales(%s: !lpgemm.frag<32x1xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, c_row>>,
    %g: !lpgemm.global<?x?xf8E8M0FNU>, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #staged} {
  lpgemm.store %s, %g[%m, %n] at [%wm, %wn]
      : !lpgemm.frag<32x1xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, c_row>>
      to !lpgemm.global<?x?xf8E8M0FNU>
  gpu.return
}

// CHECK-LABEL: gpu.func @direct(
// CHECK: lpgemm.store
gpu.func @direct(%c: !c, %g: !g, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128],
      waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2>} {
  %b = lpgemm.alloc : !b
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn] : !c to !g
  gpu.return
}
}

// -----

// Rows of 72 bytes: no number of pieces that is a power of two, so that none are
// exchanged.

!b = !lpgemm.buf<2x64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!c = !lpgemm.frag<16x32xf6E2M3FN, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!g = !lpgemm.global<?x?xf6E2M3FN>
gpu.module @six_bits attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
// CHECK-LABEL: gpu.func @fp6(
// CHECK: lpgemm.reuse %{{.*}} to <32x96xf6E2M3FN, shared, <pad = 0, unit = 8, mask = 0, shift = 0>>
gpu.func @fp6(%c: !c, %g: !g, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #lpgemm.schedule<tile = [32, 96, 128],
      waves = [2, 3], instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2, epilogue = staged>} {
  %b = lpgemm.alloc : !b
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn] : !c to !g
  gpu.return
}
}

// -----

// 32 banks, 16 lanes at once: the same layout.

!b = !lpgemm.buf<2x64x128xf8E4M3FNUZ, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!c = !lpgemm.frag<32x32xf8E4M3FNUZ, <mfma_f32_16x16x32_fp8, c>>
!g = !lpgemm.global<?x?xf8E4M3FNUZ>
gpu.module @gfx942 attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
// CHECK-LABEL: gpu.func @fp8(
// CHECK: lpgemm.reuse %{{.*}} to <64x64xf8E4M3FNUZ, shared, <pad = 0, unit = 8, mask = 7, shift = 1>>
gpu.func @fp8(%c: !c, %g: !g, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128],
      waves = [2, 2], instr = mfma_f32_16x16x32_fp8,
      home = <a = shared, b = shared>, stages = 2, epilogue = staged>} {
  %b = lpgemm.alloc : !b
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn] : !c to !g
  gpu.return
}
}

// -----

!a = !lpgemm.buf<16x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!c = !lpgemm.frag<32x32xbf16, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!g = !lpgemm.global<?x?xbf16>
gpu.module @small attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @f(%c: !c, %g: !g, %m: index, %n: index, %wm: index, %wn: index)
    kernel attributes {lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128],
      waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2, epilogue = staged>} {
  %a = lpgemm.alloc : !a
  // expected-error @+1 {{'lpgemm.store' op expects a buffer of at least 4096 bytes with epilogue = staged, but the largest one of the kernel has 2048}}
  lpgemm.store %c, %g[%m, %n] at [%wm, %wn] : !c to !g
  gpu.return
}
}

// -----

!a = !lpgemm.buf<64x128xf8E4M3FN, shared, <pad = 0, unit = 16, mask = 7, shift = 0>>
!c = !lpgemm.frag<32x32xbf16, <mfma_scale_f32_16x16x128_f8f6f4, c>>
!g = !lpgemm.global<?x?xbf16>
gpu.module @branch attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @f(%c: !c, %g: !g, %m: index, %n: index, %wm: index, %wn: index,
            %i: i1)
    kernel attributes {lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128],
      waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2, epilogue = staged>} {
  %a = lpgemm.alloc : !a
  scf.if %i {
    // expected-error @+1 {{'lpgemm.store' op expects to be executed by all waves, outside of branches, with epilogue = staged}}
    lpgemm.store %c, %g[%m, %n] at [%wm, %wn] : !c to !g
  }
  gpu.return
}
}

// -----

gpu.module @no_target {
// expected-error @+1 {{'gpu.func' op expects an AMD GPU as its target with epilogue = staged}}
gpu.func @f() kernel attributes {lpgemm.schedule = #lpgemm.schedule<tile = [64, 64, 128],
      waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
      home = <a = shared, b = shared>, stages = 2, epilogue = staged>} {
  gpu.return
}
}
