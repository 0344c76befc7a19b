// RUN: lpgemm-opt %s -convert-lpgemm-to-loops -split-input-file -verify-diagnostics

func.func @tensors(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %sa: tensor<4x2xf8E8M0FNU>, %sb: tensor<2x8xf8E8M0FNU>,
    %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @below {{'lpgemm.matmul' op expects memrefs, but got 'tensor<4x8xf32>': bufferize first}}
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<2x8xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
