// RUN: lpgemm-opt %s --split-input-file --lpgemm-select-schedule --verify-diagnostics

// What has no lowering to kernels is named, and the nearest form that has one.

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @scale(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                 %sa: memref<?x?xf32>, %sb: memref<?x?xf32>,
                 %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for lhs with scale #lpgemm.scale<1x128> yet: only for <mx>, <tensor>, <row> and <column>}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf32>, <1x128>)
      rhs_scale(%sb : memref<?x?xf32>, <128x128>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @pair(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %sa: memref<?x?xf8E8M0FNU>, %sb: memref<?xf32>,
                %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for lhs with scale <mx> and rhs with scale <column> yet: only for <mx> on both}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<?xf32>, <column>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @pair_none(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                     %sb: memref<?x?xf8E8M0FNU>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for lhs with no scale and rhs with scale <mx> yet: only for <mx> on both}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      rhs_scale(%sb : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @lhs(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>,
               %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for lhs of 'bf16' yet: only for 'f8E4M3FN' and 'f8E5M2'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xbf16>, memref<?x?xbf16>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @init(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %d: memref<?x?xf8E5M2>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for init of 'f8E5M2' yet: only for 'f32', 'bf16' and 'f16'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf8E5M2>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @c(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
             %c: memref<?x?xf8E4M3FN>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for c of 'f8E4M3FN' yet: only for 'f32', 'bf16' and 'f16'}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      c(%c : memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @amax(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %d: memref<?x?xf32>, %amax: memref<f32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels with amax yet: only the reference runs it}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) amax(%amax : memref<f32>) transpose_b
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @map(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
               %x: memref<?x1xf32>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for the map of epilogue operand 0, affine_map<(d0, d1) -> (d0, 0)>, yet: only for a row and a column, each at most once}}
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t, %y = %x : memref<?x1xf32> by affine_map<(m, n) -> (m, 0)>) {
        %0 = arith.addf %t, %y : f32
        lpgemm.yield %0 : f32
      }
  return
}
}

// -----

module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @bits(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %x: memref<?x?xf64>, %d: memref<?x?xf32>) {
  // expected-error @+1 {{'lpgemm.matmul' op has no lowering to kernels for epilogue operand 0 of 'f64' yet: only for 8, 16 and 32 bits}}
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
func.func @math(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %d: memref<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b
      epilogue(%t) {
        // expected-error @+1 {{'lpgemm.matmul' epilogue: has no lowering to kernels with 'math.tanh' yet: only with ops of arith and math.absf, math.ceil, math.copysign, math.exp, math.floor, math.fma, math.log, math.sqrt}}
        %0 = math.tanh %t : f32
        lpgemm.yield %0 : f32
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
