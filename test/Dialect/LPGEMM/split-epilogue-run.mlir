// What is split off computes what the clauses say (G-2, G-14, G-16): the same
// bits as Inputs/epilogue.mlir, which says it element by element.

// RUN: lpgemm-opt %s -lpgemm-split-epilogue -o %t.mlir
// DEFINE: %{run} = lpgemm-run %t.mlir --init=exact:1 --compare=reference \
// DEFINE:   --reference=%S/Inputs/epilogue.mlir --tolerance=bits
// RUN: %{run} --entry=bf16 | FileCheck %s
// RUN: %{run} --entry=f32 | FileCheck %s
// CHECK: ok: 5x4 f32, 0 of 20 not bit-equal

func.func @bf16(%a: tensor<5x40xf8E4M3FN>, %b: tensor<4x40xf8E4M3FN>,
    %sa: tensor<5x2xf8E8M0FNU>, %sb: tensor<4x2xf8E8M0FNU>) -> tensor<5x4xf32> {
  %c = arith.constant dense<[[0.0625, -1.3125, 0.625, -2.125], [-1.9375, 1.75, -1.75, 0.375], [2.125, -2.0625, 1.5, -0.8125], [-2.25, -1.8125, 0.9375, 0.8125], [-2.0, -0.625, -1.8125, 1.875]]> : tensor<5x4xf16>
  %sc = arith.constant dense<1.3> : tensor<f32>
  %bias = arith.constant dense<[4.125, 4.25, 1.25, -4.25, -1.5]> : tensor<5xbf16>
  %r = arith.constant dense<[[1.25, 1.25, 1.0625, -1.03125]]> : tensor<1x4xf32>
  %d = tensor.empty() : tensor<5x4xbf16>
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<5x40xf8E4M3FN>, tensor<4x40xf8E4M3FN>)
      lhs_scale(%sa : tensor<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4x2xf8E8M0FNU>, <mx>)
      alpha(0.7) beta(-1.1) c(%c : tensor<5x4xf16>) c_scale(%sc : tensor<f32>)
      bias(%bias : tensor<5xbf16>, m)
      outs(%d : tensor<5x4xbf16>) transpose_b
      epilogue(%t, %x = %r : tensor<1x4xf32> by affine_map<(m, n) -> (0, n)>) {
        %y = arith.mulf %t, %x : f32
        lpgemm.yield %y : f32
      } -> tensor<5x4xbf16>
  %w = tensor.empty() : tensor<5x4xf32>
  %3 = linalg.map { arith.extf } ins(%0 : tensor<5x4xbf16>)
      outs(%w : tensor<5x4xf32>)
  return %3 : tensor<5x4xf32>
}

// amax in the place of the first element.
func.func @f32(%a: tensor<5x40xf8E4M3FN>, %b: tensor<4x40xf8E4M3FN>,
    %sa: tensor<5x2xf8E8M0FNU>, %sb: tensor<4x2xf8E8M0FNU>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %alpha = arith.constant 0.7 : f32
  %c = arith.constant dense<[[0.0625, -1.3125, 0.625, -2.125], [-1.9375, 1.75, -1.75, 0.375], [2.125, -2.0625, 1.5, -0.8125], [-2.25, -1.8125, 0.9375, 0.8125], [-2.0, -0.625, -1.8125, 1.875]]> : tensor<5x4xf16>
  %sc = arith.constant dense<1.3> : tensor<f32>
  %bias = arith.constant dense<[4.125, 4.25, 1.25, -4.25, -1.5]> : tensor<5xbf16>
  %r = arith.constant dense<[[1.25, 1.25, 1.0625, -1.03125]]> : tensor<1x4xf32>
  %d = tensor.empty() : tensor<5x4xf32>
  %m = tensor.empty() : tensor<f32>
  %0:2 = lpgemm.matmul
      ins(%a, %b : tensor<5x40xf8E4M3FN>, tensor<4x40xf8E4M3FN>)
      lhs_scale(%sa : tensor<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4x2xf8E8M0FNU>, <mx>)
      alpha(%alpha) c(%c : tensor<5x4xf16>)
      outs(%d : tensor<5x4xf32>) amax(%m : tensor<f32>) transpose_b
      -> tensor<5x4xf32>, tensor<f32>
  %amax = tensor.extract %0#1[] : tensor<f32>
  %1 = tensor.insert %amax into %0#0[%c0, %c0] : tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}
