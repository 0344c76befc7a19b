// RUN: lpgemm-opt %s --lpgemm-tile --canonicalize --cse | FileCheck %s

// What follows the sum: factors in the order of the specification, FP8 on both
// ends, amax between two functions.

!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf8E8M0FNU>
!f = !lpgemm.global<f32>
!q = !lpgemm.global<?x?xf8E5M2>
!d = !lpgemm.global<?x?xf32>

gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
// CHECK-LABEL: gpu.func @fp8(
// CHECK-SAME: %[[ALPHA:[a-z0-9]+]]: f32
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[APPLIED:.*]] = lpgemm.apply %[[SUM]], %{{.*}} rows(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) cols(%{{.*}} : !lpgemm.frag<32x1xf16>) {
// CHECK-NEXT: ^bb0(%[[T:.*]]: f32, %[[C:.*]]: f8E5M2, %[[GA:.*]]: f32, %[[GB:.*]]: f32, %[[SC:.*]]: f32, %[[DS:.*]]: f32, %[[X:.*]]: f16):
// CHECK-NEXT: %[[F0:.*]] = arith.mulf %[[ALPHA]], %[[GA]] : f32
// CHECK-NEXT: %[[F1:.*]] = arith.mulf %[[F0]], %[[GB]] : f32
// CHECK-NEXT: %[[T0:.*]] = arith.mulf %[[F1]], %[[T]] : f32
// CHECK-NEXT: %[[BETA:.*]] = arith.mulf %[[SC]], %{{.*}} : f32
// CHECK-NEXT: %[[C0:.*]] = lpgemm.decode %[[C]] : f8E5M2 to f32
// CHECK-NEXT: %[[C1:.*]] = arith.mulf %[[BETA]], %[[C0]] : f32
// CHECK-NEXT: %[[T1:.*]] = arith.addf %[[T0]], %[[C1]] : f32
// CHECK-NEXT: %[[X0:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK-NEXT: %[[T2:.*]] = arith.subf %[[T1]], %[[X0]] : f32
// CHECK-NEXT: %[[D:.*]] = arith.mulf %[[DS]], %[[T2]] : f32
// CHECK-NEXT: %[[Q:.*]] = lpgemm.encode %[[D]] nosat : f32 to f8E5M2
// CHECK-NEXT: lpgemm.yield %[[Q]] : f8E5M2
// CHECK: lpgemm.store %[[APPLIED]]
gpu.func @fp8(%a: !a, %b: !a, %sa: !s, %sb: !s, %ga: !f, %gb: !f, %alpha: f32,
              %c: !q, %sc: !f, %ds: !f, %x: !lpgemm.global<?xf16>, %d: !q)
    kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <mx>) rhs_scale(%sb : !s, <mx>)
      lhs_tensor_scale(%ga : !f) rhs_tensor_scale(%gb : !f)
      alpha(%alpha) beta(0.5) c(%c : !q) c_scale(%sc : !f) d_scale(%ds : !f)
      outs(%d : !q) transpose_b overflow = nosat
      schedule(<tile = [32, 32, 128], waves = [1, 1],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
      epilogue(%t, %y = %x : !lpgemm.global<?xf16> by affine_map<(m, n) -> (n)>) {
        %0 = arith.extf %y : f16 to f32
        %1 = arith.subf %t, %0 : f32
        lpgemm.yield %1 : f32
      }
  gpu.return
}

// (G-14) amax is of what d_scale multiplies.
// CHECK-LABEL: gpu.func @amax(
// CHECK-SAME: %[[DS:[a-z0-9]+]]: !lpgemm.global<f32>, %[[D:[a-z0-9]+]]: !lpgemm.global<?x?xf8E4M3FN>, %[[AMAX:[a-z0-9]+]]: !lpgemm.global<f32>)
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: lpgemm.amax %[[SUM]], %[[AMAX]] within %[[D]][%[[ROW:.*]], %[[COL:.*]]] at[%[[WM:.*]], %[[WN:.*]]] : <32x32xf32>, <f32>, <?x?xf8E4M3FN>
// CHECK: %[[SCALED:.*]] = lpgemm.apply %[[SUM]] rows(
// CHECK: arith.mulf
// CHECK: lpgemm.encode %{{.*}} : f32 to f8E4M3FN
// CHECK: lpgemm.store %[[SCALED]], %[[D]][%[[ROW]], %[[COL]]] at[%[[WM]], %[[WN]]]
gpu.func @amax(%a: !a, %b: !a, %ds: !f, %d: !a, %amax: !f) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) d_scale(%ds : !f) outs(%d : !a)
      amax(%amax : !f) transpose_b
      schedule(<tile = [32, 32, 128], waves = [1, 1],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}

// CHECK-LABEL: gpu.func @amax_f32(
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: lpgemm.amax %[[SUM]]
// CHECK-NOT: lpgemm.apply
// CHECK: lpgemm.store %[[SUM]]
gpu.func @amax_f32(%a: !a, %b: !a, %d: !d, %amax: !f) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !d) amax(%amax : !f) transpose_b
      schedule(<tile = [32, 32, 128], waves = [1, 1],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}

// (G-13) Scales of blocks along N; amax is of what is quantized.
// CHECK-LABEL: gpu.func @blocks(
// CHECK-SAME: %[[D:[a-z0-9]+]]: !lpgemm.global<?x?xf8E4M3FN>, %[[DS:[a-z0-9]+]]: !lpgemm.global<?x?xf8E8M0FNU>, %[[AMAX:[a-z0-9]+]]: !lpgemm.global<f32>)
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: lpgemm.amax %[[SUM]]
// CHECK: %[[CODES:.*]], %[[SCALES:.*]] = lpgemm.encode_blocks even %[[SUM]] within %[[D]][%[[ROW:.*]], %[[COL:.*]]] at[%[[WM:.*]], %[[WN:.*]]] : <32x64xf32>, <?x?xf8E4M3FN> to <32x64xf8E4M3FN>, <32x2xf8E8M0FNU>
// CHECK: %[[BLOCK:.*]] = arith.divui %[[COL]], %c32
// CHECK: %[[WBLOCK:.*]] = arith.divui %[[WN]], %c32
// CHECK: lpgemm.store %[[SCALES]], %[[DS]][%[[ROW]], %[[BLOCK]]] at[%[[WM]], %[[WBLOCK]]]
// CHECK: lpgemm.store %[[CODES]], %[[D]][%[[ROW]], %[[COL]]] at[%[[WM]], %[[WN]]]
gpu.func @blocks(%a: !a, %b: !a, %d: !a, %ds: !s, %amax: !f) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) outs(%d : !a)
      scale_outs(%ds : !s, <mx>, even) amax(%amax : !f) transpose_b
      schedule(<tile = [64, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}

// (G-15) A pair of columns of T becomes one of D: bias has all columns, what the
// epilogue takes as many as D.
// CHECK-LABEL: gpu.func @pairs(
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: !lpgemm.global<?xf16>, %[[R:[a-z0-9]+]]: !lpgemm.global<?x?xf32>, %[[D:[a-z0-9]+]]: !lpgemm.global<?x?xf8E5M2>, %[[AMAX:[a-z0-9]+]]: !lpgemm.global<f32>)
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[X:.*]] = lpgemm.load %[[BIAS]][%[[COL:.*]], %c0] at[%[[WN:.*]], %c0] {{.*}} to <64x1xf16>
// CHECK: %[[HALF:.*]] = arith.divui %[[COL]], %c2
// CHECK: %[[WHALF:.*]] = arith.divui %[[WN]], %c2
// CHECK: %[[T:.*]] = lpgemm.apply %[[SUM]] cols(%[[X]]
// CHECK: %[[EVEN:.*]], %[[ODD:.*]] = lpgemm.unzip %[[T]] : <32x64xf32> to <32x32xf32>
// CHECK: %[[Y:.*]] = lpgemm.load %[[R]][%[[ROW:.*]], %[[HALF]]] at[%[[WM:.*]], %[[WHALF]]] {{.*}} to <32x32xf32>
// CHECK: %[[TEMP:.*]] = lpgemm.apply %[[EVEN]], %[[ODD]], %[[Y]] {
// CHECK-NEXT: ^bb0(%[[G:.*]]: f32, %[[U:.*]]: f32, %[[E:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[G]], %[[U]] : f32
// CHECK-NEXT: %[[Q:.*]] = arith.addf %[[P]], %[[E]] : f32
// CHECK-NEXT: lpgemm.yield %[[Q]] : f32
// CHECK: lpgemm.amax %[[TEMP]], %[[AMAX]] within %[[D]][%[[ROW]], %[[HALF]]]
// CHECK: %[[CODES:.*]] = lpgemm.apply %[[TEMP]]
// CHECK: lpgemm.store %[[CODES]], %[[D]][%[[ROW]], %[[HALF]]] at[%[[WM]], %[[WHALF]]]
gpu.func @pairs(%a: !a, %b: !a, %x: !lpgemm.global<?xf16>, %r: !d, %d: !q,
                %amax: !f) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a) bias(%x : !lpgemm.global<?xf16>, n)
      outs(%d : !q) amax(%amax : !f) transpose_b
      schedule(<tile = [64, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
      epilogue(%t, %u, %y = %r : !d) {
        %0 = arith.mulf %t, %u : f32
        %1 = arith.addf %0, %y : f32
        lpgemm.yield %1 : f32
      }
  gpu.return
}
}
