// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// What follows the sum and has no lowering to kernels is named, and the nearest
// form that has one.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @map(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
               %x: memref<?x?xf32>,
               %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for the map of epilogue operand 0, affine_map<(d0, d1) -> (d0, d0)>, yet: only for a row and a column, each at most once, and behind both no batch dimension}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t, %y = %x : memref<?x?xf32> by affine_map<(m, n) -> (m, m)>) {
        lpgemm.yield %t : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @bits_f64(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                    %x: memref<?x?xf64>,
                    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for epilogue operand 0 of 'f64' yet: only for 'f32', 'bf16', 'f16', 'i32', 'i16' and 'i8'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t, %y = %x : memref<?x?xf64>) {
        lpgemm.yield %t : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @bits_i64(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                    %x: memref<?x?xi64>,
                    %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for epilogue operand 0 of 'i64' yet: only for 'f32', 'bf16', 'f16', 'i32', 'i16' and 'i8'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t, %y = %x : memref<?x?xi64>) {
        lpgemm.yield %t : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @math(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'math.sin' yet: only with ops of arith and math.absf, math.copysign, math.erf, math.exp, math.exp2, math.expm1, math.fma, math.log, math.log10, math.log1p, math.log2, math.round, math.roundeven, math.rsqrt, math.sqrt, math.tanh, math.trunc}}
        %0 = math.sin %t : f32
        lpgemm.yield %t : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @math_f64(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                    %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        %0 = arith.extf %t : f32 to f64
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'math.tanh' of 'f64' yet: only of 'f32', 'bf16' and 'f16'}}
        %1 = math.tanh %0 : f64
        lpgemm.yield %t : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @index(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                 %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'index' yet: only with integers and floats}}
        %0 = arith.constant 1 : index
        lpgemm.yield %t : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @ceil(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
              %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'math.ceil' yet: only with ops of arith and math.absf, math.copysign, math.erf, math.exp, math.exp2, math.expm1, math.fma, math.log, math.log10, math.log1p, math.log2, math.round, math.roundeven, math.rsqrt, math.sqrt, math.tanh, math.trunc}}
        %y = math.ceil %t : f32
        lpgemm.yield %y : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @exp_f16(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
              %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        %x = arith.truncf %t : f32 to f16
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'math.exp' of 'f16' yet: only of 'f32'}}
        %e = math.exp %x : f16
        %y = arith.extf %e : f16 to f32
        lpgemm.yield %y : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @remf(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
              %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'arith.remf' yet}}
        %y = arith.remf %t, %t : f32
        lpgemm.yield %y : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @tf32(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
              %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'tf32' yet: only with integers and floats of 16, 32 and 64 bits}}
        %x = arith.truncf %t : f32 to tf32
        %y = arith.extf %x : tf32 to f32
        lpgemm.yield %y : f32
      }
  return
}
}
