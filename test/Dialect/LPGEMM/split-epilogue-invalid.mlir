// RUN: lpgemm-opt %s -lpgemm-split-epilogue --split-input-file --verify-diagnostics

// (G-12)
func.func @alpha_zero(%a: tensor<16x64xbf16>, %b: tensor<64x96xbf16>,
    %c: tensor<16x96xf32>, %d: tensor<16x96xf32>) -> tensor<16x96xf32> {
  // expected-error @below {{'lpgemm.matmul' op expects alpha other than the constant 0, with which lhs and rhs are not read, to split the epilogue off, but got 0}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x96xbf16>)
      alpha(0.0) c(%c : tensor<16x96xf32>)
      outs(%d : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}

// -----

// (C-8)
func.func @d_scale(%a: tensor<16x64xbf16>, %b: tensor<64x96xbf16>,
    %ds: tensor<f32>, %d: tensor<16x96xf4E2M1FN>, %s: tensor<16x6xf8E4M3FN>)
    -> (tensor<16x96xf4E2M1FN>, tensor<16x6xf8E4M3FN>) {
  // expected-error @below {{'lpgemm.matmul' op expects no d_scale with scale_outs to split the epilogue off, because d_scale * D_temp would be rounded in front of its quantization, but got both}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x96xbf16>)
      d_scale(%ds : tensor<f32>) outs(%d : tensor<16x96xf4E2M1FN>)
      scale_outs(%s : tensor<16x6xf8E4M3FN>, <nvfp4>, amax)
      -> tensor<16x96xf4E2M1FN>, tensor<16x6xf8E4M3FN>
  return %0#0, %0#1 : tensor<16x96xf4E2M1FN>, tensor<16x6xf8E4M3FN>
}

// -----

func.func @memrefs(%a: memref<16x64xbf16>, %b: memref<64x96xbf16>,
    %bias: memref<96xf32>, %d: memref<16x96xf32>) {
  // expected-error @below {{'lpgemm.matmul' op expects tensors to split the epilogue off, but got no result: split before bufferization}}
  lpgemm.matmul ins(%a, %b : memref<16x64xbf16>, memref<64x96xbf16>)
      bias(%bias : memref<96xf32>, n) outs(%d : memref<16x96xf32>)
  return
}

// -----

// A sum on its own has single columns.
func.func @pairs(%a: tensor<16x64xbf16>, %b: tensor<64x96xbf16>,
    %d: tensor<16x48xf32>) -> tensor<16x48xf32> {
  // expected-error @below {{'lpgemm.matmul' op expects an epilogue of single columns to split it off, but got one of pairs}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x96xbf16>)
      outs(%d : tensor<16x48xf32>)
      epilogue(%t, %u) {
        %difference = arith.subf %t, %u : f32
        lpgemm.yield %difference : f32
      } -> tensor<16x48xf32>
  return %0 : tensor<16x48xf32>
}
