// RUN: lpgemm-opt %s -convert-lpgemm-to-loops -canonicalize \
// RUN:   | FileCheck %s --implicit-check-not="{{scales ins|weights w16x16}}"

// L-7: padding of 0x7F, which is 1.0, around the scales.
// CHECK-LABEL: func.func @scales(
// CHECK-SAME: %[[S:.*]]: memref<?x?xf8E8M0FNU>, %[[P:.*]]: memref<?x?x4x16x2x2xf8E8M0FNU>)
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f8E8M0FNU
// CHECK: cf.assert {{.*}}, "lpgemm.pack_scales: dimension 0 of init is not ceil(rows / 256) * 8"
// CHECK: cf.assert {{.*}}, "lpgemm.pack_scales: dimension 1 of init is not ceil(K blocks / 8)"
// CHECK: memref.store %[[ONE]], %[[P]]
// CHECK: %[[s:.*]] = memref.load %[[S]]
// CHECK: memref.store %[[s]], %[[P]]
func.func @scales(%s: memref<?x?xf8E8M0FNU>,
    %p: memref<?x?x4x16x2x2xf8E8M0FNU>) {
  lpgemm.pack_scales ins(%s : memref<?x?xf8E8M0FNU>)
      outs(%p : memref<?x?x4x16x2x2xf8E8M0FNU>) <mx, layout = amd32x8>
  return
}

// CHECK-LABEL: func.func @weights(
// CHECK-SAME: %[[T:.*]]: memref<?x?x16x16xi8>, %[[W:.*]]: memref<?x?xi8>)
// CHECK: cf.assert {{.*}}, "lpgemm.unpack_weights: N of init is not a multiple of 16"
// CHECK: cf.assert {{.*}}, "lpgemm.unpack_weights: K of init is not a multiple of 32"
// CHECK: scf.for %[[n:.*]] = %
// CHECK: scf.for %[[k:.*]] = %
// CHECK: %[[w:.*]] = memref.load %[[T]]
// CHECK: memref.store %[[w]], %[[W]][%[[n]], %[[k]]]
func.func @weights(%t: memref<?x?x16x16xi8>, %w: memref<?x?xi8>) {
  lpgemm.unpack_weights w16x16 ins(%t : memref<?x?x16x16xi8>)
      outs(%w : memref<?x?xi8>)
  return
}
