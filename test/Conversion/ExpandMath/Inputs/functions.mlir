// A product and every function that an epilogue may have, in f32 and bf16.
func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %x: tensor<?x?xbf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) transpose_b
      epilogue(%t, %y = %x : tensor<?x?xbf16>) {
    %w = arith.extf %y : bf16 to f32
    %0 = math.exp %t : f32
    %1 = math.exp2 %w : f32
    %2 = math.log %0 : f32
    %3 = math.log2 %1 : f32
    %4 = math.log10 %0 : f32
    %5 = math.log1p %1 : f32
    %6 = math.expm1 %t : f32
    %7 = math.tanh %t : f32
    %8 = math.erf %t : f32
    %9 = math.rsqrt %0 : f32
    %10 = math.sqrt %1 : f32
    %11 = math.absf %t : f32
    %12 = math.copysign %11, %w : f32
    %13 = math.fma %t, %w, %12 : f32
    %14 = math.round %13 : f32
    %15 = math.roundeven %t : f32
    %16 = math.trunc %w : f32
    %17 = arith.maxnumf %14, %15 : f32
    %18 = arith.minnumf %17, %16 : f32
    %19 = math.absf %y : bf16
    %20 = math.sqrt %19 : bf16
    %21 = arith.extf %20 : bf16 to f32
    %22 = arith.addf %2, %3 : f32
    %23 = arith.addf %4, %5 : f32
    %24 = arith.addf %6, %7 : f32
    %25 = arith.addf %8, %9 : f32
    %26 = arith.addf %10, %18 : f32
    %27 = arith.addf %22, %23 : f32
    %28 = arith.addf %24, %25 : f32
    %29 = arith.addf %26, %21 : f32
    %30 = arith.addf %27, %28 : f32
    %31 = arith.addf %29, %30 : f32
    lpgemm.yield %31 : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
