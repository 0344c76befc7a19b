!e4m3 = tensor<?x?xf8E4M3FN>
!f32 = tensor<?x?xf32>
func.func @cancellation(%a: !e4m3, %b: !e4m3, %y: !f32, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : !e4m3, !e4m3) outs(%d : !f32) transpose_b
      epilogue(%t, %y0 = %y : !f32) {
        %one = arith.constant 1.0 : f32 // one
        %two = arith.constant -2.0 : f32
        %size = math.absf %y0 : f32
        %x = arith.subf %two, %size : f32
        %erf = math.erf %x : f32
        %small = arith.addf %erf, %one : f32
        %r = arith.mulf %small, %t : f32
        lpgemm.yield %r : f32
      } -> !f32
  return %0 : !f32
}
