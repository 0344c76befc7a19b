// lpgemm-run --init=normal:1 --size=5x14x40

// silu(gate) * up: rows of the weights of gate and up follow each other in turn,
// so that each two columns of the product are one of the result.
// silu(x) is x / (1 + exp(-x)).
func.func @f(%x: tensor<?x?xf8E4M3FN>, %w: tensor<?x?xf8E4M3FN>,
             %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %r = lpgemm.matmul
      ins(%x, %w : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>) transpose_b
      epilogue(%gate, %up) {
        %one = arith.constant 1.0 : f32
        %minus = arith.negf %gate : f32
        %e = math.exp %minus fastmath<afn> : f32
        %sum = arith.addf %e, %one : f32
        %silu = arith.divf %gate, %sum fastmath<arcp> : f32
        %result = arith.mulf %silu, %up : f32
        lpgemm.yield %result : f32
      } -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
