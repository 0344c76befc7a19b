// K = 7 of FP4 and FP6: with dynamic extents 4 and 6 bytes tell 8, and the
// result is that of 7, bit by bit (L-11).
//
// RUN: %python -c "import numpy as n; r = n.random.default_rng(7); [n.save('%t.' + f + '.npy', (r.standard_normal(s) * 8).astype('f4')) for f, s in (('x', (3, 7)), ('w', (5, 7)))]"
// RUN: lpgemm-run %s --entry=static --arg=%t.x.npy --arg=%t.w.npy -o %t.npy
// RUN: lpgemm-run %s --entry=dynamic --arg=%t.x.npy --arg=%t.w.npy --compare=%t.npy --tolerance=bits | FileCheck %s

// CHECK: ok: 3x5 f32

func.func private @quantize(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>)
    -> (tensor<3x7xf4E2M1FN>, tensor<3x4xf32>, tensor<5x7xf6E3M2FN>, tensor<5x4xf32>) {
  %a0 = tensor.empty() : tensor<3x7xf4E2M1FN>
  %b0 = tensor.empty() : tensor<5x7xf6E3M2FN>
  %sa0 = tensor.empty() : tensor<3x4xf32>
  %sb0 = tensor.empty() : tensor<5x4xf32>
  %a, %sa = lpgemm.quantize ins(%x : tensor<3x7xf32>)
      outs(%a0 : tensor<3x7xf4E2M1FN>) scale_outs(%sa0 : tensor<3x4xf32>, amax)
      <1x2> -> tensor<3x7xf4E2M1FN>, tensor<3x4xf32>
  %b, %sb = lpgemm.quantize ins(%w : tensor<5x7xf32>)
      outs(%b0 : tensor<5x7xf6E3M2FN>) scale_outs(%sb0 : tensor<5x4xf32>, amax)
      <1x2> -> tensor<5x7xf6E3M2FN>, tensor<5x4xf32>
  return %a, %sa, %b, %sb : tensor<3x7xf4E2M1FN>, tensor<3x4xf32>,
      tensor<5x7xf6E3M2FN>, tensor<5x4xf32>
}

func.func @static(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>) -> tensor<3x5xf32> {
  %a, %sa, %b, %sb = call @quantize(%x, %w)
      : (tensor<3x7xf32>, tensor<5x7xf32>)
      -> (tensor<3x7xf4E2M1FN>, tensor<3x4xf32>, tensor<5x7xf6E3M2FN>, tensor<5x4xf32>)
  %d = tensor.empty() : tensor<3x5xf32>
  %0 = lpgemm.matmul ins(%a, %b : tensor<3x7xf4E2M1FN>, tensor<5x7xf6E3M2FN>)
      lhs_scale(%sa : tensor<3x4xf32>, <1x2>)
      rhs_scale(%sb : tensor<5x4xf32>, <1x2>)
      outs(%d : tensor<3x5xf32>) transpose_b -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func private @product(
    %a: tensor<?x?xf4E2M1FN>, %sa: tensor<?x?xf32>, %b: tensor<?x?xf6E3M2FN>,
    %sb: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf6E3M2FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x2>)
      rhs_scale(%sb : tensor<?x?xf32>, <1x2>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @dynamic(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>) -> tensor<3x5xf32> {
  %a, %sa, %b, %sb = call @quantize(%x, %w)
      : (tensor<3x7xf32>, tensor<5x7xf32>)
      -> (tensor<3x7xf4E2M1FN>, tensor<3x4xf32>, tensor<5x7xf6E3M2FN>, tensor<5x4xf32>)
  %a_any = tensor.cast %a : tensor<3x7xf4E2M1FN> to tensor<?x?xf4E2M1FN>
  %sa_any = tensor.cast %sa : tensor<3x4xf32> to tensor<?x?xf32>
  %b_any = tensor.cast %b : tensor<5x7xf6E3M2FN> to tensor<?x?xf6E3M2FN>
  %sb_any = tensor.cast %sb : tensor<5x4xf32> to tensor<?x?xf32>
  %d = tensor.empty() : tensor<3x5xf32>
  %d_any = tensor.cast %d : tensor<3x5xf32> to tensor<?x?xf32>
  %0 = call @product(%a_any, %sa_any, %b_any, %sb_any, %d_any)
      : (tensor<?x?xf4E2M1FN>, tensor<?x?xf32>, tensor<?x?xf6E3M2FN>,
         tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}
