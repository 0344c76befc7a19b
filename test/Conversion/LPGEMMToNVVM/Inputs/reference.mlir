// What the kernels compute.

#row = affine_map<(m, n) -> (m)>
#col = affine_map<(m, n) -> (n)>

func.func @tensor(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %s: tensor<f32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
        lhs_scale(%s : tensor<f32>, <tensor>)
        outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
func.func @block(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?xf32>, %sb: tensor<?x?xf32>, %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
        lhs_scale(%sa : tensor<?x?xf32>, <1x128, layout = mn_tma>) rhs_scale(%sb : tensor<?x?xf32>, <128x128>)
        outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
func.func @bf16(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %c: tensor<?x?xf32>, %r: tensor<?xf32>, %bias: tensor<?xbf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf32>) transpose_b
      epilogue(%p, %rr = %r : tensor<?xf32> by #row, %q = %c : tensor<?x?xf32>, %cc = %bias : tensor<?xbf16> by #col) {
        %c32 = arith.extf %cc : bf16 to f32
        %y0 = arith.mulf %p, %rr : f32
        %y1 = arith.addf %y0, %q : f32
        %y2 = arith.addf %y1, %c32 : f32
        lpgemm.yield %y2 : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @f16(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %c: tensor<?x?xf32>, %r: tensor<?xf32>, %bias: tensor<?xbf16>, %d: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>)
      outs(%d : tensor<?x?xf16>) transpose_b
      epilogue(%p, %rr = %r : tensor<?xf32> by #row, %q = %c : tensor<?x?xf32>, %cc = %bias : tensor<?xbf16> by #col) {
        %c32 = arith.extf %cc : bf16 to f32
        %y0 = arith.mulf %p, %rr : f32
        %y1 = arith.addf %y0, %q : f32
        %y2 = arith.addf %y1, %c32 : f32
        lpgemm.yield %y2 : f32
      } -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}
func.func @"fp8-mix"(%a: tensor<?x?xf8E5M2>, %b: tensor<?x?xf8E4M3FN>, %c: tensor<?x?xf32>, %r: tensor<?xf32>, %bias: tensor<?xbf16>, %d: tensor<?x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf8E4M3FN>) transpose_b
      epilogue(%p, %rr = %r : tensor<?xf32> by #row, %q = %c : tensor<?x?xf32>, %cc = %bias : tensor<?xbf16> by #col) {
        %c32 = arith.extf %cc : bf16 to f32
        %y0 = arith.mulf %p, %rr : f32
        %y1 = arith.addf %y0, %q : f32
        %y2 = arith.addf %y1, %c32 : f32
        lpgemm.yield %y2 : f32
      } -> tensor<?x?xf8E4M3FN>
  return %0 : tensor<?x?xf8E4M3FN>
}
