// A product in FP8, relu on its codes, and a product of that with blocks of 128:
// the code of an f8E4M3FN that is not negative is an i8 that is not. The schedule of
// the second product is chosen.

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @mlp(%x: tensor<?x?xf8E4M3FN>, %w: tensor<?x?xf8E4M3FN>,
               %sx: tensor<?x?xf8E8M0FNU>, %sw: tensor<?x?xf8E8M0FNU>,
               %h: tensor<?x?xf8E4M3FN>, %v: tensor<?x?xf8E4M3FN>,
               %sh: tensor<?x?xf32>, %sv: tensor<?x?xf32>,
               %y: tensor<?x?xbf16>) -> tensor<?x?xbf16>
    attributes {llvm.emit_c_interface} {
  %0 = lpgemm.matmul ins(%x, %w : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sx : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sw : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%h : tensor<?x?xf8E4M3FN>) transpose_b
      schedule(<tile = [128, 128, 64], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf8E4M3FN>
  %1 = linalg.generic {indexing_maps = [#id],
                       iterator_types = ["parallel", "parallel"]}
      outs(%0 : tensor<?x?xf8E4M3FN>) {
    ^bb0(%e: f8E4M3FN):
      %c0 = arith.constant 0 : i8
      %code = arith.bitcast %e : f8E4M3FN to i8
      %max = arith.maxsi %code, %c0 : i8
      %relu = arith.bitcast %max : i8 to f8E4M3FN
      linalg.yield %relu : f8E4M3FN
  } -> tensor<?x?xf8E4M3FN>
  %2 = lpgemm.matmul ins(%1, %v : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sh : tensor<?x?xf32>, <1x128>)
      rhs_scale(%sv : tensor<?x?xf32>, <128x128>)
      outs(%y : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %2 : tensor<?x?xbf16>
}
