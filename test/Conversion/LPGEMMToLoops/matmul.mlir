// RUN: lpgemm-opt %s -convert-lpgemm-to-loops -canonicalize \
// RUN:   | FileCheck %s --implicit-check-not="lpgemm.matmul ins"

// One table for each format; byte 0 of f8E8M0FNU is 2^-127 and byte 255 NaN.
// CHECK: memref.global "private" constant @__lpgemm_decode_f8E8M0FNU : memref<256xf64> = dense<"0x0000000000000038000000000000103800
// CHECK-SAME: 000000000000F87F">
// CHECK-NOT: memref.global
// CHECK: memref.global "private" constant @__lpgemm_decode_f8E4M3FN : memref<256xf64> = dense<"0x0000000000000000000000000000603F
// CHECK-NOT: memref.global

// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, %[[B:.*]]: memref<?x?xf8E4M3FN>, %[[SA:.*]]: memref<?x?xf8E8M0FNU>, %[[SB:.*]]: memref<?x?xf8E8M0FNU>, %[[D:.*]]: memref<?x?xf32>)
func.func @transposed(
    %a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
    %b: memref<?x?xf8E4M3FN>, %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>, %d: memref<?x?xf32>) {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK-DAG: %[[TE:.*]] = memref.get_global @__lpgemm_decode_f8E4M3FN
  // CHECK-DAG: %[[TS:.*]] = memref.get_global @__lpgemm_decode_f8E8M0FNU
  // CHECK-DAG: %[[K:.*]] = memref.dim %[[A]], %[[C1]]
  // CHECK: %[[KB:.*]] = arith.ceildivui %[[K]], %[[C32]]
  // CHECK: cf.assert {{.*}}, "lpgemm.matmul: K of rhs differs from K of lhs"
  // CHECK: cf.assert {{.*}}, "lpgemm.matmul: rhs_scale is not ceil(K/32) wide"
  // CHECK: %[[M:.*]] = memref.dim %[[D]], %[[C0]]
  // CHECK: scf.for %[[m:.*]] = %[[C0]] to %[[M]]
  // CHECK: %[[N:.*]] = memref.dim %[[D]], %[[C1]]
  // CHECK: scf.for %[[n:.*]] = %[[C0]] to %[[N]]
  // CHECK: %[[ACC:.*]] = scf.for %[[kb:.*]] = %[[C0]] to %[[KB]] {{.*}} iter_args(%[[ACC0:.*]] = %[[ZERO]]) -> (f64)
  // CHECK: %[[LOWER:.*]] = arith.muli %[[kb]], %[[C32]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[LOWER]], %[[C32]]
  // CHECK: %[[UPPER:.*]] = arith.minsi %[[NEXT]], %[[K]]
  // CHECK: %[[P:.*]] = scf.for %[[k:.*]] = %[[LOWER]] to %[[UPPER]] {{.*}} iter_args(%[[P0:.*]] = %[[ZERO]]) -> (f64)
  // CHECK: %[[AQ:.*]] = memref.load %[[A]][%[[m]], %[[k]]]
  // CHECK: %[[AB:.*]] = arith.bitcast %[[AQ]] : f8E4M3FN to i8
  // CHECK: %[[AI:.*]] = arith.index_castui %[[AB]] : i8 to index
  // CHECK: %[[AV:.*]] = memref.load %{{.*}}[%[[AI]]] : memref<256xf64>
  // CHECK: memref.load %[[B]][%[[n]], %[[k]]]
  // CHECK: %[[BV:.*]] = memref.load %{{.*}} : memref<256xf64>
  // CHECK: %[[AV_BV:.*]] = arith.mulf %[[AV]], %[[BV]] : f64
  // CHECK: %[[P1:.*]] = arith.addf %[[P0]], %[[AV_BV]] : f64
  // CHECK: scf.yield %[[P1]]
  // CHECK: memref.load %[[SA]][%[[m]], %[[kb]]]
  // CHECK: %[[SAV:.*]] = memref.load %{{.*}} : memref<256xf64>
  // CHECK: memref.load %[[SB]][%[[n]], %[[kb]]]
  // CHECK: %[[SBV:.*]] = memref.load %{{.*}} : memref<256xf64>
  // CHECK: %[[S:.*]] = arith.mulf %[[SAV]], %[[SBV]] : f64
  // CHECK: %[[T:.*]] = arith.mulf %[[P]], %[[S]] : f64
  // CHECK: arith.addf %[[ACC0]], %[[T]] : f64
  // CHECK: %[[R:.*]] = arith.truncf %[[ACC]] : f64 to f32
  // CHECK: memref.store %[[R]], %[[D]][%[[m]], %[[n]]]
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
                   memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}

// B and its scales as they are stored. The second op uses the same tables.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %{{.*}}: memref<4x64xf8E4M3FN>, %[[B:.*]]: memref<64x8xf8E4M3FN>, %{{.*}}: memref<4x2xf8E8M0FNU>, %[[SB:.*]]: memref<2x8xf8E8M0FNU>
func.func @plain(
    %a: memref<4x64xf8E4M3FN>, %b: memref<64x8xf8E4M3FN>,
    %sa: memref<4x2xf8E8M0FNU>, %sb: memref<2x8xf8E8M0FNU>,
    %d: memref<4x8xf32>) {
  // CHECK: scf.for
  // CHECK: scf.for %[[n:[a-z0-9]*]]
  // CHECK: scf.for %[[kb:[a-z0-9]*]]
  // CHECK: scf.for %[[k:[a-z0-9]*]]
  // CHECK: memref.load %[[B]][%[[k]], %[[n]]]
  // CHECK: memref.load %[[SB]][%[[kb]], %[[n]]]
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<2x8xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>)
  return
}
