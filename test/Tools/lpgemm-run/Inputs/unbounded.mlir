!e4m3 = tensor<?x?xf8E4M3FN>
!f32 = tensor<?x?xf32>
// Where y is not negative the error of the divisor may be as large as it is.
func.func @unbounded(%a: !e4m3, %b: !e4m3, %y: !f32, %d: !f32) -> !f32 {
  %0 = lpgemm.matmul ins(%a, %b : !e4m3, !e4m3) outs(%d : !f32) transpose_b
      epilogue(%t, %y0 = %y : !f32) {
        %zero = arith.constant 0.0 : f32
        %least = arith.constant 0.0 : f32 // least
        %one = arith.constant 1.0 : f32
        %huge = arith.constant 1.0e+30 : f32
        %size = math.absf %y0 : f32
        %large = arith.mulf %t, %huge : f32
        %bounded = arith.minimumf %large, %one : f32
        %divisor = arith.maximumf %bounded, %least : f32
        %quotient = arith.divf %size, %divisor : f32
        %negative = arith.cmpf olt, %y0, %zero : f32
        %r = arith.select %negative, %size, %quotient : f32
        lpgemm.yield %r : f32
      } -> !f32
  return %0 : !f32
}
