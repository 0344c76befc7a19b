// RUN: lpgemm-opt %s -convert-lpgemm-to-loops -canonicalize \
// RUN:   | FileCheck %s --implicit-check-not="lpgemm.{{quantize|dequantize}} ins"

// CHECK-LABEL: func.func @mx(
// CHECK-SAME: %[[X:.*]]: memref<?x?xbf16>, %[[Q:.*]]: memref<?x?xi8>, %[[S:.*]]: memref<?x?x32x4x4xf8E8M0FNU>)
func.func @mx(%x: memref<?x?xbf16>, %q: memref<?x?xi8>,
    %s: memref<?x?x32x4x4xf8E8M0FNU>) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-DAG: %[[R:.*]] = memref.dim %[[X]], %[[C0]]
  // CHECK-DAG: %[[K:.*]] = memref.dim %[[X]], %[[C1]]
  // CHECK: cf.assert {{.*}}, "lpgemm.quantize: dimension 0 of init is not R"
  // CHECK: cf.assert {{.*}}, "lpgemm.quantize: dimension 1 of init is not ceil(K * 4 / 8)"
  // CHECK: cf.assert {{.*}}, "lpgemm.quantize: dimension 0 of scale_outs is not ceil(R / 128)"
  // CHECK: cf.assert {{.*}}, "lpgemm.quantize: dimension 1 of scale_outs is not ceil(ceil(K / 32) / 4)"

  // The padding of the scales, and that of the codes.
  // CHECK: memref.store {{.*}}, %[[S]]
  // CHECK: memref.store {{.*}}, %[[Q]]

  // For each block its largest magnitude, its scale, and its codes.
  // CHECK: %[[KB:.*]] = arith.ceildivui %[[K]], %[[C32]]
  // CHECK: scf.for %[[r:.*]] = %[[C0]] to %[[R]]
  // CHECK: scf.for %[[b:.*]] = %[[C0]] to %[[KB]]
  // CHECK: %[[AMAX:.*]] = scf.for
  // CHECK: memref.load %[[X]]
  // CHECK: arith.maximumf
  // CHECK: %[[CODE:.*]] = func.call @__lpgemm_scale_rceil_f4E2M1FN(%[[AMAX]])
  // CHECK: memref.store {{.*}}, %[[S]]
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: memref.load %[[X]]
  // CHECK: func.call @__lpgemm_encode_f4E2M1FN
  // CHECK: memref.store {{.*}}, %[[Q]]
  lpgemm.quantize ins(%x : memref<?x?xbf16>) outs(%q : memref<?x?xi8>)
      scale_outs(%s : memref<?x?x32x4x4xf8E8M0FNU>, rceil)
      <mx, layout = swz128x4> {init_packed = f4E2M1FN}
  return
}

// Scales that are given need no amax.
// CHECK-LABEL: func.func @given(
// CHECK-NOT: maximumf
// CHECK: arith.divf
// CHECK-NOT: maximumf
// CHECK: return
func.func @given(%x: memref<4x8xf32>, %s: memref<4xf32>,
    %q: memref<4x8xf8E5M2>) {
  lpgemm.quantize ins(%x : memref<4x8xf32>) scale(%s : memref<4xf32>)
      outs(%q : memref<4x8xf8E5M2>) <row>
  return
}

// One rounding, from f64.
// CHECK-LABEL: func.func @dequantize(
// CHECK-SAME: %[[Q:.*]]: memref<4x8xf8E5M2>, %[[S:.*]]: memref<4x1xf32>, %[[G:.*]]: memref<f32>, %[[X:.*]]: memref<4x8xf16>)
// CHECK: %[[g32:.*]] = memref.load %[[G]][]
// CHECK: %[[g:.*]] = arith.extf %[[g32]] : f32 to f64
// CHECK: %[[s32:.*]] = memref.load %[[S]]
// CHECK: %[[s:.*]] = arith.extf %[[s32]] : f32 to f64
// CHECK: %[[gs:.*]] = arith.mulf %[[g]], %[[s]] : f64
// CHECK: memref.load %[[Q]]
// CHECK: %[[x:.*]] = arith.mulf %[[gs]], %{{.*}} : f64
// CHECK: %[[h:.*]] = func.call @__lpgemm_encode_f16(%[[x]]) : (f64) -> f16
// CHECK: memref.store %[[h]], %[[X]]
func.func @dequantize(%q: memref<4x8xf8E5M2>, %s: memref<4x1xf32>,
    %g: memref<f32>, %x: memref<4x8xf16>) {
  lpgemm.dequantize ins(%q : memref<4x8xf8E5M2>) scale(%s : memref<4x1xf32>)
      tensor_scale(%g : memref<f32>) outs(%x : memref<4x8xf16>) <1x16>
  return
}
