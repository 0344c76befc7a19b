// RUN: lpgemm-opt %s -convert-lpgemm-to-loops -canonicalize \
// RUN:   | FileCheck %s --implicit-check-not="lpgemm.matmul ins"
// RUN: lpgemm-opt %s -convert-lpgemm-to-loops=accumulate=f32 -canonicalize \
// RUN:   | FileCheck %s --check-prefix=F32
// RUN: lpgemm-opt %s -convert-lpgemm-to-loops=accumulate=hopper -canonicalize \
// RUN:   | FileCheck %s --check-prefix=HOPPER

// One table for each format, shared by the functions; byte 0 of f8E8M0FNU is
// 2^-127 and byte 255 NaN.
// CHECK: memref.global "private" constant @__lpgemm_decode_f8E8M0FNU_f64 : memref<256xf64> = dense<"0x0000000000000038000000000000103800
// CHECK-SAME: 000000000000F87F">
// CHECK-NOT: memref.global
// CHECK: memref.global "private" constant @__lpgemm_decode_f8E4M3FN_f64 : memref<256xf64> = dense<"0x0000000000000000000000000000603F
// CHECK-NOT: memref.global

// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, %[[B:.*]]: memref<?x?xf8E4M3FN>, %[[SA:.*]]: memref<?x?xf8E8M0FNU>, %[[SB:.*]]: memref<?x?xf8E8M0FNU>, %[[D:.*]]: memref<?x?xf32>)
// F32-LABEL: func.func @transposed(
// HOPPER-LABEL: func.func @transposed(
func.func @transposed(
    %a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
    %b: memref<?x?xf8E4M3FN>, %sa: memref<?x?xf8E8M0FNU>,
    %sb: memref<?x?xf8E8M0FNU>, %d: memref<?x?xf32>) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 1 of rhs is not K"
  // CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 1 of rhs_scale is not ceil(K / 32)"
  // CHECK: cf.assert {{.*}}, "lpgemm.matmul: dimension 1 of init is not N"

  // Each operand is decoded once; rhs becomes K x N.
  // CHECK: %[[PA:.*]] = memref.alloc
  // CHECK: scf.for %[[m:.*]] = %[[C0]]
  // CHECK: scf.for %[[k:.*]] = %[[C0]]
  // CHECK: memref.load %[[A]][%[[m]], %[[k]]]
  // CHECK: arith.bitcast {{.*}} : f8E4M3FN to i8
  // CHECK: memref.store {{.*}}, %[[PA]][%[[m]], %[[k]]]
  // CHECK: %[[PB:.*]] = memref.alloc
  // CHECK: scf.for %[[k:.*]] = %[[C0]]
  // CHECK: scf.for %[[n:.*]] = %[[C0]]
  // CHECK: memref.load %[[B]][%[[n]], %[[k]]]
  // CHECK: memref.store {{.*}}, %[[PB]][%[[k]], %[[n]]]
  // CHECK: %[[ACC:.*]] = memref.alloc
  // CHECK: %[[PSA:.*]] = memref.alloc
  // CHECK: memref.load %[[SA]]
  // CHECK: %[[PSB:.*]] = memref.alloc
  // CHECK: memref.load %[[SB]][%[[n:.*]], %[[kb:.*]]]
  // CHECK: memref.store {{.*}}, %[[PSB]][%[[kb]], %[[n]]]

  // One sum for each block, scaled and added.
  // CHECK: %[[P:.*]] = memref.alloc
  // CHECK: scf.for %[[kb:.*]] = %[[C0]]
  // CHECK: %[[LOWER:.*]] = arith.muli %[[kb]], %[[C32]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[LOWER]], %[[C32]]
  // CHECK: %[[UPPER:.*]] = arith.minui %[[NEXT]]
  // CHECK: scf.for %[[m:.*]] = %[[C0]]
  // CHECK: memref.store %{{.*}}, %[[P]]
  // CHECK: scf.for %[[k:.*]] = %[[LOWER]] to %[[UPPER]]
  // CHECK: %[[AV:.*]] = memref.load %[[PA]][%[[m]], %[[k]]]
  // CHECK: scf.for %[[n:.*]] = %[[C0]]
  // CHECK: %[[BV:.*]] = memref.load %[[PB]][%[[k]], %[[n]]]
  // CHECK: %[[OLD:.*]] = memref.load %[[P]][%[[n]]]
  // CHECK: %[[PRODUCT:.*]] = arith.mulf %[[AV]], %[[BV]] : f64
  // CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[PRODUCT]] : f64
  // CHECK: memref.store %[[SUM]], %[[P]][%[[n]]]
  // CHECK: %[[SAV:.*]] = memref.load %[[PSA]]
  // CHECK: %[[SBV:.*]] = memref.load %[[PSB]]
  // CHECK: %[[S:.*]] = arith.mulf %[[SAV]], %[[SBV]] : f64
  // CHECK: %[[TERM:.*]] = arith.mulf %{{.*}}, %[[S]] : f64
  // CHECK: arith.addf %{{.*}}, %[[TERM]] : f64
  // CHECK: memref.store %{{.*}}, %[[ACC]]

  // CHECK: %[[R:.*]] = arith.truncf {{.*}} : f64 to f32
  // CHECK: memref.store %[[R]], %[[D]]

  // In f32 the scaled sum of a block is added by one rounding.
  // F32: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32

  // 32 products at a time.
  // HOPPER: func.call @__lpgemm_accumulate_hopper_f8E4M3FN_f8E4M3FN
  // HOPPER-SAME: : (f32, memref<32xf64, strided<[1], offset: ?>>, memref<32xf64, strided<[1], offset: ?>>) -> f32
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
  // CHECK: memref.load %[[B]][%[[k:.*]], %[[n:.*]]]
  // CHECK: memref.store {{.*}}[%[[k]], %[[n]]]
  // CHECK: memref.load %[[SB]][%[[kb:.*]], %[[n:.*]]]
  // CHECK: memref.store {{.*}}[%[[kb]], %[[n]]]
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      lhs_scale(%sa : memref<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<2x8xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>)
  return
}

// (G-12) A constant alpha of zero: neither operands nor their scales are read,
// and C is not under a constant beta of zero.
// CHECK-LABEL: func.func @zero_factors(
// CHECK-NOT: memref.load
// CHECK: memref.store
func.func @zero_factors(
    %a: memref<4x64xf8E4M3FN>, %b: memref<64x8xf8E4M3FN>, %c: memref<4x8xf32>,
    %sa: memref<4xf32>, %d: memref<4x8xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      lhs_scale(%sa : memref<4xf32>, <row>) alpha(0.0) beta(0.0)
      c(%c : memref<4x8xf32>) outs(%d : memref<4x8xf32>)
  return
}
