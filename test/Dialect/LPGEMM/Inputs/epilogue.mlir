// The products of split-epilogue-run.mlir, element by element.
func.func @bf16(%a: tensor<5x40xf8E4M3FN>, %b: tensor<4x40xf8E4M3FN>,
    %sa: tensor<5x2xf8E8M0FNU>, %sb: tensor<4x2xf8E8M0FNU>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %alpha = arith.constant 0.7 : f32
  %beta = arith.constant -1.1 : f32
  %c = arith.constant dense<[[0.0625, -1.3125, 0.625, -2.125], [-1.9375, 1.75, -1.75, 0.375], [2.125, -2.0625, 1.5, -0.8125], [-2.25, -1.8125, 0.9375, 0.8125], [-2.0, -0.625, -1.8125, 1.875]]> : tensor<5x4xf16>
  %sc = arith.constant dense<1.3> : tensor<f32>
  %bias = arith.constant dense<[4.125, 4.25, 1.25, -4.25, -1.5]> : tensor<5xbf16>
  %r = arith.constant dense<[[1.25, 1.25, 1.0625, -1.03125]]> : tensor<1x4xf32>
  %factor = tensor.extract %sc[] : tensor<f32>
  %e = tensor.empty() : tensor<5x4xf32>
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<5x40xf8E4M3FN>, tensor<4x40xf8E4M3FN>)
      lhs_scale(%sa : tensor<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4x2xf8E8M0FNU>, <mx>)
      outs(%e : tensor<5x4xf32>) transpose_b -> tensor<5x4xf32>
  %d = tensor.empty() : tensor<5x4xbf16>
  %1:2 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%d1 = %d, %m1 = %zero) -> (tensor<5x4xbf16>, f32) {
    %2:2 = scf.for %j = %c0 to %c4 step %c1
        iter_args(%d2 = %d1, %m2 = %m1) -> (tensor<5x4xbf16>, f32) {
      %p = tensor.extract %0[%i, %j] : tensor<5x4xf32>
      %cij = tensor.extract %c[%i, %j] : tensor<5x4xf16>
      %c32 = arith.extf %cij : f16 to f32
      %t0 = arith.mulf %p, %alpha : f32
      %bi = tensor.extract %bias[%i] : tensor<5xbf16>
      %b32 = arith.extf %bi : bf16 to f32
      %rj = tensor.extract %r[%c0, %j] : tensor<1x4xf32>
      %t1 = arith.mulf %c32, %factor : f32
      %t2 = arith.mulf %t1, %beta : f32
      %t3 = arith.addf %t0, %t2 : f32
      %t4 = arith.addf %t3, %b32 : f32
      %y = arith.mulf %t4, %rj : f32
      %m3 = arith.addf %m2, %zero : f32
      %y16 = arith.truncf %y : f32 to bf16
      %d3 = tensor.insert %y16 into %d2[%i, %j] : tensor<5x4xbf16>
      scf.yield %d3, %m3 : tensor<5x4xbf16>, f32
    }
    scf.yield %2#0, %2#1 : tensor<5x4xbf16>, f32
  }
  %w = tensor.empty() : tensor<5x4xf32>
  %3 = linalg.map { arith.extf } ins(%1#0 : tensor<5x4xbf16>)
      outs(%w : tensor<5x4xf32>)
  return %3 : tensor<5x4xf32>
}
func.func @f32(%a: tensor<5x40xf8E4M3FN>, %b: tensor<4x40xf8E4M3FN>,
    %sa: tensor<5x2xf8E8M0FNU>, %sb: tensor<4x2xf8E8M0FNU>) -> tensor<5x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %alpha = arith.constant 0.7 : f32
  %beta = arith.constant -1.1 : f32
  %c = arith.constant dense<[[0.0625, -1.3125, 0.625, -2.125], [-1.9375, 1.75, -1.75, 0.375], [2.125, -2.0625, 1.5, -0.8125], [-2.25, -1.8125, 0.9375, 0.8125], [-2.0, -0.625, -1.8125, 1.875]]> : tensor<5x4xf16>
  %sc = arith.constant dense<1.3> : tensor<f32>
  %bias = arith.constant dense<[4.125, 4.25, 1.25, -4.25, -1.5]> : tensor<5xbf16>
  %r = arith.constant dense<[[1.25, 1.25, 1.0625, -1.03125]]> : tensor<1x4xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<5x40xf8E4M3FN>, tensor<4x40xf8E4M3FN>)
      lhs_scale(%sa : tensor<5x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<4x2xf8E8M0FNU>, <mx>)
      outs(%e : tensor<5x4xf32>) transpose_b -> tensor<5x4xf32>
  %d = tensor.empty() : tensor<5x4xf32>
  %1:2 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%d1 = %d, %m1 = %zero) -> (tensor<5x4xf32>, f32) {
    %2:2 = scf.for %j = %c0 to %c4 step %c1
        iter_args(%d2 = %d1, %m2 = %m1) -> (tensor<5x4xf32>, f32) {
      %p = tensor.extract %0[%i, %j] : tensor<5x4xf32>
      %cij = tensor.extract %c[%i, %j] : tensor<5x4xf16>
      %c32 = arith.extf %cij : f16 to f32
      %t0 = arith.mulf %p, %alpha : f32
      %y = arith.addf %t0, %c32 : f32
      %abs = math.absf %y : f32
      %m3 = arith.maximumf %m2, %abs : f32
      %d3 = tensor.insert %y into %d2[%i, %j] : tensor<5x4xf32>
      scf.yield %d3, %m3 : tensor<5x4xf32>, f32
    }
    scf.yield %2#0, %2#1 : tensor<5x4xf32>, f32
  }
  %3 = tensor.insert %1#1 into %1#0[%c0, %c0] : tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}
