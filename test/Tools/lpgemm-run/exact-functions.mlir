// Functions that only come near are not exact, whatever their arguments are: with
// --init=exact results behind them, and those of products that take such results,
// are judged as with other data. All others are equal in each bit (G-9).

// DEFINE: %{entry} =
// DEFINE: %{run} = lpgemm-run %s --entry=%{entry} --chip=gfx950 --device=emulate --init=exact:3 --size=17x33x130 --compare=reference
// DEFINE: %{check} = FileCheck %s --check-prefix

// REDEFINE: %{entry} = functions
// RUN: %{run} | %{check}=NEAR
// RUN: not %{run} --tolerance=bits | %{check}=BITS
// NEAR: ok: 17x33 f32, max |err|/bound 0.{{[0-9]+}}, 0 of 561 outside the bound
// BITS: FAILED: 17x33 f32, {{[1-9][0-9]*}} of 561 not bit-equal

// REDEFINE: %{entry} = relu
// RUN: %{run} | %{check}=EXACT
// EXACT: ok: 17x33 f32, 0 of 561 not bit-equal

// REDEFINE: %{entry} = chain
// RUN: %{run} | %{check}=CHAIN
// CHAIN: ok: 17x33 f32, max |err|/bound 0.{{[0-9]+}}, 0 of 561 outside the bound
// CHAIN: ok: 17x33 f32, max |err|/bound 0.{{[0-9]+}}, 0 of 561 outside the bound
// CHAIN: ok: 17x33 f32, 0 of 561 not bit-equal

func.func @functions(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(0.01) outs(%d : tensor<?x?xf32>) transpose_b
      epilogue(%t) {
        %erf = math.erf %t : f32
        %tanh = math.tanh %t : f32
        %exp = math.exp %tanh : f32
        %sum = arith.addf %erf, %exp : f32
        lpgemm.yield %sum : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @relu(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) transpose_b
      epilogue(%t) {
        %zero = arith.constant 0.0 : f32
        %relu = arith.maximumf %t, %zero : f32
        %abs = math.absf %relu : f32
        lpgemm.yield %abs : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// The second product adds the first one; the third has nothing to do with it.
func.func @chain(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>, %e: tensor<?x?xf32>, %f: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(0.01) outs(%d : tensor<?x?xf32>) transpose_b
      epilogue(%t) {
        %exp = math.tanh %t : f32
        lpgemm.yield %exp : f32
      } -> tensor<?x?xf32>
  %1 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      c(%0 : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) transpose_b
      -> tensor<?x?xf32>
  %2 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%f : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
