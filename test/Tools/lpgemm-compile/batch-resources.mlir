// Kernels for batches, whose workgroups keep where their entry begins, spill
// nothing either: the schedule that is chosen has fewer K tiles in an iteration.

// REQUIRES: ptxas
// RUN: lpgemm-compile %s --chip=sm_90a -o %t.cubin --manifest=%t.json 2>&1 | FileCheck %s

// CHECK: column_kernel: {{.*}}unroll = 2
// CHECK-NEXT: registers: {{[0-9]+}}, no spills
func.func @column(%a: tensor<3x?x?xf8E5M2>, %b: tensor<3x?x?xf8E5M2>, %sa: tensor<f32>,
                  %sb: tensor<3x?xf32>, %d: tensor<3x?x?xf8E4M3FN>) -> tensor<3x?x?xf8E4M3FN> {
  %r = lpgemm.matmul ins(%a, %b : tensor<3x?x?xf8E5M2>, tensor<3x?x?xf8E5M2>)
    lhs_scale(%sa : tensor<f32>, <tensor>) rhs_scale(%sb : tensor<3x?xf32>, <column>)
    outs(%d : tensor<3x?x?xf8E4M3FN>) transpose_b -> tensor<3x?x?xf8E4M3FN>
  return %r : tensor<3x?x?xf8E4M3FN>
}

// CHECK: blocks_kernel: {{.*}}unroll = 2
// CHECK-NEXT: registers: {{[0-9]+}}, no spills
func.func @blocks(%a: tensor<3x?x768xf8E4M3FN>, %b: tensor<3x?x768xf8E4M3FN>,
                  %sa: tensor<3x?x6xf32>, %sb: tensor<3x?x6xf32>, %d: tensor<3x?x?xbf16>) -> tensor<3x?x?xbf16> {
  %r = lpgemm.matmul ins(%a, %b : tensor<3x?x768xf8E4M3FN>, tensor<3x?x768xf8E4M3FN>)
    lhs_scale(%sa : tensor<3x?x6xf32>, <128x128>) rhs_scale(%sb : tensor<3x?x6xf32>, <128x128>)
    outs(%d : tensor<3x?x?xbf16>) transpose_b -> tensor<3x?x?xbf16>
  return %r : tensor<3x?x?xbf16>
}
