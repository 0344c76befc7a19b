// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @matmul_nt
// CHECK: lpgemm.matmul ins({{.*}}) lhs_scale({{.*}}, <mx>) rhs_scale({{.*}}, <mx>) outs({{.*}}) transpose_b -> tensor<?x?xf32>
func.func @matmul_nt(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                     %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                     %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @matmul_nn_memref
// CHECK: schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>>)
func.func @matmul_nn_memref(%a: memref<5x40xf8E4M3FN>, %b: memref<40x7xf8E4M3FN>,
                            %sa: memref<5x2xf8E8M0FNU>, %sb: memref<2x7xf8E8M0FNU>,
                            %d: memref<5x7xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<5x40xf8E4M3FN>, memref<40x7xf8E4M3FN>)
      lhs_scale(%sa : memref<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<2x7xf8E8M0FNU>, <mx>)
      outs(%d : memref<5x7xf32>)
      schedule(<tile = [128, 128, 128], waves = [2, 2],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>>)
  return
}
