// lpgemm-run --init=normal:1 --size=5x7x40

// silu(x * wg) * (x * wu): the product with the gate's weights first, then that
// with the others, whose epilogue takes the gate. silu(x) is x / (1 + exp(-x)).
func.func @f(%x: tensor<?x?xf8E4M3FN>, %wg: tensor<?x?xf8E4M3FN>,
             %wu: tensor<?x?xf8E4M3FN>, %gate: tensor<?x?xf32>,
             %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %g = lpgemm.matmul
      ins(%x, %wg : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%gate : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  %r = lpgemm.matmul
      ins(%x, %wu : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      epilogue(%t, %y = %g : tensor<?x?xf32>) {
        %one = arith.constant 1.0 : f32
        %minus = arith.negf %y : f32
        %e = math.exp %minus fastmath<afn> : f32
        %sum = arith.addf %e, %one : f32
        %silu = arith.divf %y, %sum fastmath<arcp> : f32
        %result = arith.mulf %silu, %t : f32
        lpgemm.yield %result : f32
      } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
