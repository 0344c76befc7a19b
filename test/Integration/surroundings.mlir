// Products in a function with other work around them: a destination that is
// made and filled here, a loop, two kernels.
//
// RUN: lpgemm-run %s --chip=gfx950 --device=emulate --init=normal:1 --compare=reference | FileCheck %s

// CHECK: ok: 5x7 f32

func.func @matmul(%a: tensor<5x40xf8E4M3FN>, %b: tensor<7x40xf8E4M3FN>,
                  %sa: tensor<5x2xf8E8M0FNU>, %sb: tensor<7x2xf8E8M0FNU>)
    -> tensor<5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %empty = tensor.empty() : tensor<5x7xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x7xf32>)
      -> tensor<5x7xf32>
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<5x40xf8E4M3FN>, tensor<7x40xf8E4M3FN>)
      lhs_scale(%sa : tensor<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<7x2xf8E8M0FNU>, <mx>)
      outs(%filled : tensor<5x7xf32>) transpose_b -> tensor<5x7xf32>
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %0)
      -> tensor<5x7xf32> {
    %other = tensor.empty() : tensor<5x7xf32>
    %1 = lpgemm.matmul
        ins(%a, %b : tensor<5x40xf8E4M3FN>, tensor<7x40xf8E4M3FN>)
        lhs_scale(%sa : tensor<5x2xf8E8M0FNU>, <mx>)
        rhs_scale(%sb : tensor<7x2xf8E8M0FNU>, <mx>)
        outs(%other : tensor<5x7xf32>) transpose_b -> tensor<5x7xf32>
    %2 = linalg.add ins(%acc, %1 : tensor<5x7xf32>, tensor<5x7xf32>)
        outs(%acc : tensor<5x7xf32>) -> tensor<5x7xf32>
    scf.yield %2 : tensor<5x7xf32>
  }
  return %sum : tensor<5x7xf32>
}
