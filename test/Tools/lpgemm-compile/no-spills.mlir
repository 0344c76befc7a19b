// Default schedules leave enough registers for partial sums, their scales and
// the operands in flight, also where the blocks of scales are short.

// RUN: lpgemm-compile %s --chip=gfx942 --emit=binary -o %t.hsaco | FileCheck %s
// RUN: lpgemm-compile %s --chip=gfx950 --emit=binary -o %t.hsaco | FileCheck %s

// CHECK: short_blocks_kernel:
// CHECK: registers: {{.*}}, no spills
// CHECK: short_blocks_rhs_k_first_kernel:
// CHECK: registers: {{.*}}, no spills

func.func @short_blocks(
    %a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>,
    %sa: tensor<?x?xf32>,
    %sb: tensor<?x?xf32>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x16>)
      rhs_scale(%sb : tensor<?x?xf32>, <1x16>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @short_blocks_rhs_k_first(
    %a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>,
    %sa: tensor<?x?xf32>,
    %sb: tensor<?x?xf32>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x16>)
      rhs_scale(%sb : tensor<?x?xf32>, <1x16>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
