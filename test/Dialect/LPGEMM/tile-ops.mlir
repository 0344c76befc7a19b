// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Every tile op, with layouts undecided and decided.

!a = !lpgemm.frag<32x128xf8E4M3FN>
!c = !lpgemm.frag<32x32xf32>
!s = !lpgemm.frag<32x4xf8E8M0FNU>
!g = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>

// CHECK-LABEL: func @memory(
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[M:.*]]: index, %[[K:.*]]: index, %[[PITCH:.*]]: i64,
// CHECK-SAME: %[[W:.*]]: index, %[[C:.*]]: !lpgemm.frag<32x32xf32>)
// GENERIC-LABEL: func{{.*}}sym_name = "memory"
func.func @memory(%p: !llvm.ptr, %m: index, %k: index, %pitch: i64,
                  %w: index, %c: !c) {
  // CHECK: %[[G:.*]] = lpgemm.bind %[[P]][%[[M]], %[[K]]] pitch %[[PITCH]] : !llvm.ptr to <?x?xf8E4M3FN>
  // GENERIC: "lpgemm.bind"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, index, index, i64) -> !lpgemm.global<?x?xf8E4M3FN>
  %g = lpgemm.bind %p[%m, %k] pitch %pitch : !llvm.ptr to !g
  // CHECK: %[[D:.*]] = lpgemm.bind {{.*}} to <64x?xf32>
  %d = lpgemm.bind %p[%m, %k] pitch %pitch
      : !llvm.ptr to !lpgemm.global<64x?xf32>
  // CHECK: lpgemm.dim %[[G]], 1 : <?x?xf8E4M3FN>
  // GENERIC: "lpgemm.dim"(%{{.*}}) <{dim = 1 : i64}> : (!lpgemm.global<?x?xf8E4M3FN>) -> index
  %n = lpgemm.dim %g, 1 : !g
  // CHECK: %[[A:.*]] = lpgemm.load %[[G]][%[[M]], %[[K]]] at[%[[W]], %[[M]]] : <?x?xf8E4M3FN> to <32x128xf8E4M3FN>
  // GENERIC: "lpgemm.load"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{row_block = 1 : i64}> : (!lpgemm.global<?x?xf8E4M3FN>, index, index, index, index) -> !lpgemm.frag<32x128xf8E4M3FN>
  %a = lpgemm.load %g[%m, %k] at [%w, %m] : !g to !a
  // CHECK: lpgemm.load %[[G]][%[[M]], %[[K]]] at[%[[W]], %[[M]]] transpose : <?x?xf8E4M3FN> to <32x128xf8E4M3FN>
  // GENERIC: "lpgemm.load"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{row_block = 1 : i64, transpose}> :
  %at = lpgemm.load %g[%m, %k] at [%w, %m] transpose : !g to !a
  // CHECK: lpgemm.load %[[G]][%[[M]], %[[K]]] at[%[[W]], %[[M]]] transpose whole(%[[W]]) : <?x?xf8E4M3FN> to <32x128xf8E4M3FN>
  // GENERIC: "lpgemm.load"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{row_block = 1 : i64, transpose}> :
  %aw = lpgemm.load %g[%m, %k] at [%w, %m] transpose whole(%w) : !g to !a
  // CHECK: lpgemm.reach %[[G]] step [0, 128] {alignment = 4 : i64} : <?x?xf8E4M3FN>
  // GENERIC: "lpgemm.reach"(%{{.*}}) <{alignment = 4 : i64, piece = 1 : i64, step = array<i64: 0, 128>}> : (!lpgemm.global<?x?xf8E4M3FN>) -> index
  %r0 = lpgemm.reach %g step [0, 128] {alignment = 4 : i64} : !g
  // CHECK: lpgemm.reach %[[G]] step [64, 0] {alignment = 4 : i64, piece = 16 : i64} : <?x?xf8E4M3FN>
  %r1 = lpgemm.reach %g step [64, 0] {alignment = 4 : i64, piece = 16 : i64} : !g
  // CHECK: lpgemm.store %[[C]], %[[D]][%[[M]], %[[K]]] at[%[[W]], %[[M]]] : <32x32xf32> to <64x?xf32>
  // GENERIC: "lpgemm.store"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!lpgemm.frag<32x32xf32>, !lpgemm.global<64x?xf32>, index, index, index, index) -> ()
  lpgemm.store %c, %d[%m, %k] at [%w, %m] : !c to !lpgemm.global<64x?xf32>
  // CHECK: %[[S:.*]] = lpgemm.alloc : <64x128xf8E4M3FN, shared>
  // GENERIC: "lpgemm.alloc"() : () -> !lpgemm.buf<64x128xf8E4M3FN, shared>
  %s = lpgemm.alloc : !buf
  // CHECK: lpgemm.alloc : <64x128xf8E4M3FN, shared, <pad = 16, unit = 16, mask = 7, shift = 1>>
  %s1 = lpgemm.alloc : !lpgemm.buf<64x128xf8E4M3FN, shared,
                                   <pad = 16, unit = 16, mask = 7, shift = 1>>
  // CHECK: %[[T:.*]] = lpgemm.copy %[[G]][%[[M]], %[[K]]] into %[[S]] : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>
  // GENERIC: "lpgemm.copy"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!lpgemm.global<?x?xf8E4M3FN>, index, index, !lpgemm.buf<64x128xf8E4M3FN, shared>) -> !lpgemm.token
  %t = lpgemm.copy %g[%m, %k] into %s : !g to !buf
  // CHECK: lpgemm.copy %[[G]][%[[M]], %[[K]]] into %[[S]] transpose : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>
  // GENERIC: "lpgemm.copy"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{transpose}> :
  %tt = lpgemm.copy %g[%m, %k] into %s transpose : !g to !buf
  // CHECK: lpgemm.copy %[[G]][%[[M]], %[[K]]] into %[[S]] whole(%[[W]]) : <?x?xf8E4M3FN> to <64x128xf8E4M3FN, shared>
  %tw = lpgemm.copy %g[%m, %k] into %s whole(%w) : !g to !buf
  // CHECK: %[[S2:.*]] = lpgemm.alloc : <2x64x128xf8E4M3FN, shared>
  %s2 = lpgemm.alloc : !lpgemm.buf<2x64x128xf8E4M3FN, shared>
  // CHECK: lpgemm.slot %[[S2]][%[[W]]] : <2x64x128xf8E4M3FN, shared> to <64x128xf8E4M3FN, shared>
  // GENERIC: "lpgemm.slot"(%{{.*}}, %{{.*}}) : (!lpgemm.buf<2x64x128xf8E4M3FN, shared>, index) -> !lpgemm.buf<64x128xf8E4M3FN, shared>
  %s3 = lpgemm.slot %s2[%w] : !lpgemm.buf<2x64x128xf8E4M3FN, shared> to !buf
  // CHECK: %[[T1:.*]] = lpgemm.commit ds
  // GENERIC: "lpgemm.commit"() <{counter = 1 : i32}> : () -> !lpgemm.token
  %t1 = lpgemm.commit ds
  // CHECK: %[[T2:.*]] = lpgemm.commit load
  %t2 = lpgemm.commit load
  // CHECK: lpgemm.wait %[[T]], %[[T1]], %[[T2]]
  // GENERIC: "lpgemm.wait"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 3, 0>}> : (!lpgemm.token, !lpgemm.token, !lpgemm.token) -> ()
  lpgemm.wait %t, %t1, %t2
  // CHECK: lpgemm.barrier
  // GENERIC: "lpgemm.barrier"() : () -> ()
  lpgemm.barrier
  // CHECK: lpgemm.read %[[S]][%[[W]], %[[M]]] : <64x128xf8E4M3FN, shared> to <32x128xf8E4M3FN>
  // GENERIC: "lpgemm.read"(%{{.*}}, %{{.*}}, %{{.*}}) <{row_block = 1 : i64, row_unit = 1 : i64}> : (!lpgemm.buf<64x128xf8E4M3FN, shared>, index, index) -> !lpgemm.frag<32x128xf8E4M3FN>
  %r = lpgemm.read %s[%w, %m] : !buf to !a
  // CHECK: lpgemm.wait{{$}}
  // GENERIC: "lpgemm.wait"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  lpgemm.wait
  return
}

// CHECK-LABEL: func @registers(
// CHECK-SAME: %[[A:.*]]: !lpgemm.frag<32x128xf8E4M3FN>, %[[S:.*]]: !lpgemm.frag<32x4xf8E8M0FNU>, %[[Z:.*]]: f32)
// GENERIC-LABEL: func{{.*}}sym_name = "registers"
func.func @registers(%a: !a, %s: !s, %z: f32) -> !c {
  // CHECK: %[[C:.*]] = lpgemm.splat %[[Z]] : f32 to <32x32xf32>
  // GENERIC: "lpgemm.splat"(%{{.*}}) : (f32) -> !lpgemm.frag<32x32xf32>
  %c = lpgemm.splat %z : f32 to !c
  // CHECK: %[[D:.*]] = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %[[A]], %[[A]], %[[C]] sa(%[[S]] : !lpgemm.frag<32x4xf8E8M0FNU>) sb(%[[S]] : !lpgemm.frag<32x4xf8E8M0FNU>) : <32x128xf8E4M3FN>, <32x128xf8E4M3FN>, <32x32xf32>
  // GENERIC: "lpgemm.mma"(%{{.*}}) <{exponent = 0 : i64, instr = #lpgemm.mma<mfma_scale_f32_16x16x128_f8f6f4>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}>
  %d = lpgemm.mma <mfma_scale_f32_16x16x128_f8f6f4> %a, %a, %c
      sa(%s : !s) sb(%s : !s) : !a, !a, !c
  // CHECK: %[[A1:.*]] = lpgemm.slice %[[A]][32] : <32x128xf8E4M3FN> to <32x32xf8E4M3FN>
  // GENERIC: "lpgemm.slice"(%{{.*}}) <{col = 32 : i64, row = 0 : i64}> : (!lpgemm.frag<32x128xf8E4M3FN>) -> !lpgemm.frag<32x32xf8E4M3FN>
  %a1 = lpgemm.slice %a[32] : !a to !lpgemm.frag<32x32xf8E4M3FN>
  // CHECK: %[[S1:.*]] = lpgemm.slice %[[S]][3] : <32x4xf8E8M0FNU> to <32x1xf8E8M0FNU>
  %s1 = lpgemm.slice %s[3] : !s to !lpgemm.frag<32x1xf8E8M0FNU>
  // CHECK: %[[PART:.*]] = lpgemm.mma <mfma_f32_16x16x32_fp8> %[[A1]], %[[A1]], %[[C]] : <32x32xf8E4M3FN>, <32x32xf8E4M3FN>, <32x32xf32>
  // GENERIC: "lpgemm.mma"(%{{.*}}) <{exponent = 0 : i64, instr = #lpgemm.mma<mfma_f32_16x16x32_fp8>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}>
  %part = lpgemm.mma <mfma_f32_16x16x32_fp8> %a1, %a1, %c
      : !lpgemm.frag<32x32xf8E4M3FN>, !lpgemm.frag<32x32xf8E4M3FN>, !c
  // CHECK: %[[E:.*]] = lpgemm.promote %[[PART]], %[[D]] sa(%[[S1]] : !lpgemm.frag<32x1xf8E8M0FNU>) sb(%[[S1]] : !lpgemm.frag<32x1xf8E8M0FNU>) : <32x32xf32>, <32x32xf32>
  // GENERIC: "lpgemm.promote"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{exponent = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!lpgemm.frag<32x32xf32>, !lpgemm.frag<32x32xf32>, !lpgemm.frag<32x1xf8E8M0FNU>, !lpgemm.frag<32x1xf8E8M0FNU>) -> !lpgemm.frag<32x32xf32>
  %e = lpgemm.promote %part, %d
      sa(%s1 : !lpgemm.frag<32x1xf8E8M0FNU>) sb(%s1 : !lpgemm.frag<32x1xf8E8M0FNU>) : !c, !c
  // CHECK: return %[[E]]
  return %e : !c
}

// Globals of fewer dimensions, and an elementwise function of what is loaded
// from them.

// CHECK-LABEL: func @apply(
// CHECK-SAME: %[[C:.*]]: !lpgemm.frag<32x16xf32>, %[[V:.*]]: !lpgemm.global<?xbf16>, %[[S:.*]]: !lpgemm.global<f32>, %[[I:.*]]: index, %[[X:.*]]: f32)
func.func @apply(%c: !lpgemm.frag<32x16xf32>, %v: !lpgemm.global<?xbf16>,
                 %s: !lpgemm.global<f32>, %i: index, %x: f32)
    -> !lpgemm.frag<32x16xbf16> {
  // CHECK: %[[COL:.*]] = lpgemm.load %[[V]][%[[I]], %[[I]]] at[%[[I]], %[[I]]] : <?xbf16> to <16x1xbf16>
  %col = lpgemm.load %v[%i, %i] at [%i, %i]
      : !lpgemm.global<?xbf16> to !lpgemm.frag<16x1xbf16>
  // CHECK: %[[ROW:.*]] = lpgemm.load %[[S]][%[[I]], %[[I]]] at[%[[I]], %[[I]]] : <f32> to <32x1xf32>
  %row = lpgemm.load %s[%i, %i] at [%i, %i]
      : !lpgemm.global<f32> to !lpgemm.frag<32x1xf32>
  // CHECK: %[[D:.*]] = lpgemm.apply %[[C]], %[[C]] rows(%[[ROW]] : !lpgemm.frag<32x1xf32>) cols(%[[COL]] : !lpgemm.frag<16x1xbf16>) {
  // CHECK-NEXT: ^bb0(%[[T:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: bf16):
  // CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[T]], %[[X]] : f32
  // CHECK-NEXT: %[[Z:.*]] = arith.truncf %[[Y]] : f32 to bf16
  // CHECK-NEXT: lpgemm.yield %[[Z]] : bf16
  // CHECK-NEXT: } : !lpgemm.frag<32x16xf32>, !lpgemm.frag<32x16xf32> -> <32x16xbf16>
  // GENERIC: "lpgemm.apply"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1, 1>}> ({
  %d = lpgemm.apply %c, %c rows(%row : !lpgemm.frag<32x1xf32>)
      cols(%col : !lpgemm.frag<16x1xbf16>) {
    ^bb0(%t: f32, %u: f32, %r: f32, %k: bf16):
      %y = arith.mulf %t, %x : f32
      %z = arith.truncf %y : f32 to bf16
      lpgemm.yield %z : bf16
  } : !lpgemm.frag<32x16xf32>, !lpgemm.frag<32x16xf32>
      -> !lpgemm.frag<32x16xbf16>
  // CHECK: return %[[D]]
  return %d : !lpgemm.frag<32x16xbf16>
}

// Lanes of every role.

// CHECK-LABEL: func private @lanes(
// CHECK-SAME: !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>,
// CHECK-SAME: !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>,
// CHECK-SAME: !lpgemm.frag<32x32xf32, <mfma_f32_16x16x32_fp8, c>>,
// CHECK-SAME: !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>,
// CHECK-SAME: !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>,
// CHECK-SAME: !lpgemm.frag<32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>,
// CHECK-SAME: !lpgemm.frag<32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>)
func.func private @lanes(
    !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, a>>,
    !lpgemm.frag<32x128xf8E4M3FN, <mfma_scale_f32_16x16x128_f8f6f4, b>>,
    !lpgemm.frag<32x32xf32, <mfma_f32_16x16x32_fp8, c>>,
    !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sa>>,
    !lpgemm.frag<32x4xf8E8M0FNU, <mfma_scale_f32_16x16x128_f8f6f4, sb>>,
    !lpgemm.frag<32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_row>>,
    !lpgemm.frag<32x1xf8E8M0FNU, <mfma_f32_16x16x32_fp8, c_col>>)
