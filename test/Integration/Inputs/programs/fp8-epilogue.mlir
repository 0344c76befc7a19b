// lpgemm-run --init=normal:1 --size=5x7x40

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa:
            tensor<f32>, %sb: tensor<f32>, %bias: tensor<?xbf16>, %residual:
            tensor<?x?xbf16>, %d: tensor<?x?xbf16>)
    -> tensor<?x?xbf16> {
  %r = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<f32>, <tensor>)
      rhs_scale(%sb : tensor<f32>, <tensor>)
      bias(%bias : tensor<?xbf16>, n)
      outs(%d : tensor<?x?xbf16>) transpose_b
      epilogue(%t, %x = %residual : tensor<?x?xbf16>) {
        %zero = arith.constant 0.0 : f32
        %relu = arith.maximumf %t, %zero : f32
        %x32 = arith.extf %x : bf16 to f32
        %sum = arith.addf %relu, %x32 : f32
        lpgemm.yield %sum : f32
      } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
