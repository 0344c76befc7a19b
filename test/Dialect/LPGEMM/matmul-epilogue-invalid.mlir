// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics

// The names say which constraint of docs/spec.md is broken.

func.func @matmul_c22_shape(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<8x4xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue operand 0 dimension 0 to be 4, M of lhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t, %r = %q : tensor<8x4xf32>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_rank(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0) -> (d0)>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t, %r = %q : tensor<8xf32>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_vector(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<4xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue operand 0 dimension 0 to be 8, N of rhs, but got 4}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<4xf32> by affine_map<(m, n) -> (n)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_zero(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue operand 0 dimension 1 to be 1, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<4x8xf32> by affine_map<(m, n) -> (m, 0)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_constant(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0, d1) -> (1)>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<8xf32> by affine_map<(m, n) -> (1)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_negative(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0, d1) -> (-1)>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<8xf32> by affine_map<(m, n) -> (-1)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_sum(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>,
    %d: tensor<4x8xf32>, %q: tensor<12xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0, d1) -> (d0 + d1)>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<12xf32> by affine_map<(m, n) -> (m + n)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_symbol(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0, d1)[s0] -> (d0, s0)>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<4x8xf32> by affine_map<(m, n)[s] -> (m, s)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_dims(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects the map of epilogue operand 0 to pick among the 2 dimensions of the result, or 0, such as affine_map<(d0, d1) -> (d1)>, but got affine_map<(d0, d1, d2) -> (d1, d2)>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<4x8xf32> by affine_map<(b, m, n) -> (m, n)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_results(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue operand 0 to have rank 1 (M), but got 'tensor<4x8xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>)
      epilogue(%t, %r = %q : tensor<4x8xf32> by affine_map<(m, n) -> (m)>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<4x8xf8E4M3FN>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue operand 0 to hold integers or floats of at least 16 bits, but got 'tensor<4x8xf8E4M3FN>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t, %r = %q : tensor<4x8xf8E4M3FN>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_form(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: memref<4x8xf32>)
    -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects an epilogue operand to be a tensor like lhs, but got 'memref<4x8xf32>'}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t, %r = %q : memref<4x8xf32>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_scalar(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: f32)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.matmul' expects a tensor, memref or global, but got 'f32'}}
      outs(%d : tensor<4x8xf32>) epilogue(%t, %r = %q : f32) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_unranked(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %q: tensor<*xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+1 {{custom op 'lpgemm.matmul' expects a tensor, memref or global, but got 'tensor<*xf32>'}}
      outs(%d : tensor<4x8xf32>) epilogue(%t, %r = %q : tensor<*xf32>) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_terminator(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects lpgemm.yield of an 'f32' at its end, but got 'arith.addf' of ('f32', 'f32')}}
        %x = arith.addf %t, %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_yield_type(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        %x = arith.truncf %t : f32 to bf16
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects lpgemm.yield of an 'f32' at its end, but got 'lpgemm.yield' of ('bf16')}}
        lpgemm.yield %x : bf16
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_dialect(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects ops of arith and math on scalars, but got 'llvm.fadd'}}
        %x = llvm.fadd %t, %t : f32
        lpgemm.yield %x : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_region(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        %c = arith.constant true
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects ops of arith and math on scalars, but got 'scf.if'}}
        %x = scf.if %c -> f32 {
          scf.yield %t : f32
        } else {
          scf.yield %t : f32
        }
        lpgemm.yield %x : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_call(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects ops of arith and math on scalars, but got 'func.call'}}
        %x = func.call @f(%t) : (f32) -> f32
        lpgemm.yield %x : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_vector(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects integers and floats of at least 16 bits, but got 'vector<4xf32>' in 'arith.constant'}}
        %c = arith.constant dense<1.0> : vector<4xf32>
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_narrow(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: expects integers and floats of at least 16 bits, but got 'f8E4M3FN' in 'arith.truncf'}}
        %x = arith.truncf %t : f32 to f8E4M3FN
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_outside(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>, %y: f32)
    -> tensor<4x8xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t) {
        // expected-error @+1 {{'arith.addf' op using value defined outside the region}}
        %x = arith.addf %t, %y : f32
        lpgemm.yield %x : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_yield_elsewhere(%t: f32) {
  // expected-error @+1 {{'lpgemm.yield' op expects parent op to be one of 'lpgemm.apply, lpgemm.grouped_matmul, lpgemm.matmul'}}
  lpgemm.yield %t : f32
}

// -----

func.func @matmul_c22_no_maps(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %q: tensor<4x8xbf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects 1 epilogue maps, one for each operand, but got 0}}
  %0 = "lpgemm.matmul"(%a, %b, %q, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>}> ({
  ^bb0(%t: f32, %r: bf16):
    "lpgemm.yield"(%t) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_maps_without_operands(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects 0 epilogue maps, one for each operand, but got 1}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (m, n)>]}> ({
  ^bb0(%t: f32):
    "lpgemm.yield"(%t) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_none_for_operands(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %q: tensor<4x8xbf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects an epilogue for its operands, but got none}}
  %0 = "lpgemm.matmul"(%a, %b, %q, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (m, n)>]}> ({
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_no_arguments(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue arguments of types ('f32'), but got ()}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>}> ({
  ^bb0:
    %t = "arith.constant"() <{value = 1.0 : f32}> : () -> f32
    "lpgemm.yield"(%t) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_argument_type(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %q: tensor<4x8xbf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue arguments of types ('f32', 'bf16'), but got ('f32', 'f32')}}
  %0 = "lpgemm.matmul"(%a, %b, %q, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (m, n)>]}> ({
  ^bb0(%t: f32, %r: f32):
    "lpgemm.yield"(%t) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_argument_count(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %q: tensor<4x8xbf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue arguments of types ('f32', 'bf16'), but got ('f32')}}
  %0 = "lpgemm.matmul"(%a, %b, %q, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>, epilogue_maps = [affine_map<(m, n) -> (m, n)>]}> ({
  ^bb0(%t: f32):
    "lpgemm.yield"(%t) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xbf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_blocks(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects region #0 to have 0 or 1 blocks}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>}> ({
  ^bb0(%t: f32):
    "lpgemm.yield"(%t) : (f32) -> ()
  ^bb1(%u: f32):
    "lpgemm.yield"(%u) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_empty(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects a non-empty block}}
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>}> ({
  ^bb0(%t: f32):
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c23_two_yields(
    %a: tensor<4x64xf8E4M3FN>, %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "lpgemm.matmul"(%a, %b, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0>}> ({
  ^bb0(%t: f32):
    // expected-error @+1 {{'lpgemm.matmul' epilogue: expects ops of arith and math on scalars, but got 'lpgemm.yield'}}
    "lpgemm.yield"(%t) : (f32) -> ()
    "lpgemm.yield"(%t) : (f32) -> ()
  }) : (tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c4_pairs(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects init dimension 1 to be 4, floor(N / 2) with N = 8 of rhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x8xf32>) epilogue(%t, %u) {
        lpgemm.yield %t : f32
      } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @matmul_c22_pairs(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x4xf32>, %q: tensor<4x8xf32>)
    -> tensor<4x4xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects epilogue operand 0 dimension 1 to be 4, floor(N / 2) with N = 8 of rhs, but got 8}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x4xf32>) epilogue(%t, %u, %r = %q : tensor<4x8xf32>) {
        lpgemm.yield %t : f32
      } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @matmul_c23_three(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      // expected-error @+1 {{expected '='}}
      outs(%d : tensor<4x4xf32>) epilogue(%t, %u, %v) {
        lpgemm.yield %t : f32
      } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @matmul_c26_odd(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x9xf8E4M3FN>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects an even N where the epilogue takes pairs of columns, but got 9}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x9xf8E4M3FN>)
      outs(%d : tensor<4x4xf32>) epilogue(%t, %u) {
        lpgemm.yield %t : f32
      } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @matmul_c26_none(%a: tensor<4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects an epilogue for pairs, but got none}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<4x4xf32>) {pairs} -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
