// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --emit-bytecode | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @constants(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) alpha(2.000000e+00) beta(-5.000000e-01) c(%arg2 : tensor<?x?xbf16>) c_scale(%arg3 : tensor<f32>) outs(%arg4 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @constants(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %c: tensor<?x?xbf16>, %e: tensor<f32>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(2.0) beta(-0.5) c(%c : tensor<?x?xbf16>) c_scale(%e : tensor<f32>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @special_constants(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) alpha(0x7FC00000) beta(0xFF800000) c(%arg2 : tensor<?x?xf8E4M3FN>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @special_constants(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %c: tensor<?x?xf8E4M3FN>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(0x7FC00000) beta(0xFF800000) c(%c : tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @smallest_constants(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) alpha(1.401300e-45) beta(-0.000000e+00) c(%arg2 : tensor<?x?xf16>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @smallest_constants(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %c: tensor<?x?xf16>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(1.401298e-45) beta(-0.0) c(%c : tensor<?x?xf16>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @rounded_constant(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) alpha(1.000000e-01) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @rounded_constant(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(0.1) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @values(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) alpha(%arg4) beta(%arg5) c(%arg2 : tensor<?x?xf32>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @values(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %c: tensor<?x?xf32>, %d: tensor<?x?xf32>, %x: f32, %y: f32)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      alpha(%x) beta(%y) c(%c : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @bias_n(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) bias(%arg2 : tensor<?xbf16>, n) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @bias_n(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %v: tensor<?xbf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      bias(%v : tensor<?xbf16>, n) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @bias_m(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) bias(%arg2 : tensor<?xf16>, m) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @bias_m(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %v: tensor<?xf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      bias(%v : tensor<?xf16>, m) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @amax(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) amax(%arg3 : tensor<f32>) -> tensor<?x?xf32>, tensor<f32>{{$}}
func.func @amax(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>, %m: tensor<f32>) -> (tensor<?x?xf32>, tensor<f32>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) amax(%m : tensor<f32>)
      -> tensor<?x?xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<f32>
}

// CHECK-LABEL: func @scale_outs_mx(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf6E2M3FN>) scale_outs(%arg3 : tensor<?x?xf8E8M0FNU>, <mx>, floor) amax(%arg4 : tensor<f32>) -> tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>{{$}}
func.func @scale_outs_mx(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf6E2M3FN>, %s: tensor<?x?xf8E8M0FNU>, %m: tensor<f32>)
    -> (tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>) {
  %0:3 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf6E2M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, floor)
      amax(%m : tensor<f32>)
      -> tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>
  return %0#0, %0#1, %0#2 : tensor<?x?xf6E2M3FN>, tensor<?x?xf8E8M0FNU>, tensor<f32>
}

// CHECK-LABEL: func @scale_outs_nvfp4(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) d_scale(%arg2 : tensor<f32>) outs(%arg3 : tensor<?x?xf4E2M1FN>) scale_outs(%arg4 : tensor<?x?xf8E4M3FN>, <nvfp4>, amax) -> tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>{{$}}
func.func @scale_outs_nvfp4(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %e: tensor<f32>, %d: tensor<?x?xf4E2M1FN>, %s: tensor<?x?xf8E4M3FN>)
    -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      d_scale(%e : tensor<f32>) outs(%d : tensor<?x?xf4E2M1FN>)
      scale_outs(%s : tensor<?x?xf8E4M3FN>, <nvfp4>, amax)
      -> tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>
  return %0#0, %0#1 : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>
}

// CHECK-LABEL: func @scale_outs_1x128(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf8E4M3FN>) scale_outs(%arg3 : tensor<?x?xf32>, <1x128, layout = mn_tma>, pow2) -> tensor<?x?xf8E4M3FN>, tensor<?x?xf32>{{$}}
func.func @scale_outs_1x128(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf8E4M3FN>, %s: tensor<?x?xf32>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf32>, <1x128, layout = mn_tma>, pow2)
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}

// CHECK-LABEL: func @attributes(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) promote_k = 128 deterministic assume_finite -> tensor<?x?xf32>{{$}}
func.func @attributes(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) promote_k = 128 deterministic assume_finite
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @no_promotion(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) promote_k = 0 {test.note = "kept"} -> tensor<?x?xf32>{{$}}
func.func @no_promotion(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) promote_k = 0 {test.note = "kept"}
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @schedule(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>) outs(%arg2 : memref<4x8xf32>) schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 1>){{$}}
func.func @schedule(%a: memref<4x64xf8E4M3FN>, %b: memref<64x8xf8E4M3FN>,
    %d: memref<4x8xf32>) {
  lpgemm.matmul ins(%a, %b : memref<4x64xf8E4M3FN>, memref<64x8xf8E4M3FN>)
      outs(%d : memref<4x8xf32>)
      schedule(<tile = [128, 128, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 1>)
  return
}

// CHECK-LABEL: func @identity(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) epilogue(%arg3) {
// CHECK-NEXT: lpgemm.yield %arg3 : f32{{$}}
// CHECK-NEXT: } -> tensor<?x?xf32>{{$}}
func.func @identity(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) epilogue(%t) {
        lpgemm.yield %t : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @relu(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) epilogue(%arg3) {
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32{{$}}
// CHECK-NEXT: %1 = arith.maximumf %arg3, %cst : f32{{$}}
// CHECK-NEXT: lpgemm.yield %1 : f32{{$}}
// CHECK-NEXT: } -> tensor<?x?xf32>{{$}}
func.func @relu(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) epilogue(%t) {
        %zero = arith.constant 0.0 : f32
        %y = arith.maximumf %t, %zero : f32
        lpgemm.yield %y : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @operands(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xbf16>) epilogue(%arg8, %arg9 = %arg3 : tensor<?x?xbf16>, %arg10 = %arg4 : tensor<?xf32> by #map, %arg11 = %arg5 : tensor<?x1xi32> by #map1, %arg12 = %arg6 : tensor<f16> by #map2, %arg13 = %arg7 : tensor<?x?xi1> by #map3) {
// CHECK-NEXT: %1 = math.exp %arg8 : f32{{$}}
// CHECK-NEXT: %2 = arith.mulf %1, %arg10 : f32{{$}}
// CHECK-NEXT: lpgemm.yield %2 : f32{{$}}
// CHECK-NEXT: } -> tensor<?x?xbf16>{{$}}
func.func @operands(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xbf16>, %q: tensor<?x?xbf16>, %v: tensor<?xf32>,
    %o: tensor<?x1xi32>, %u: tensor<f16>, %p: tensor<?x?xi1>)
    -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>)
      epilogue(%t, %r = %q : tensor<?x?xbf16>, %w = %v : tensor<?xf32> by affine_map<(m, n) -> (n)>, %i = %o : tensor<?x1xi32> by affine_map<(m, n) -> (m, 0)>, %z = %u : tensor<f16> by affine_map<(m, n) -> ()>, %h = %p : tensor<?x?xi1> by affine_map<(m, n) -> (n, m)>) {
        %x = math.exp %t : f32
        %y = arith.mulf %x, %w : f32
        lpgemm.yield %y : f32
      } -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @same_value(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) c(%arg2 : tensor<?x?xf32>) outs(%arg3 : tensor<?x?xf32>) epilogue(%arg4, %arg5 = %arg2 : tensor<?x?xf32>, %arg6 = %arg2 : tensor<?x?xf32>) {
// CHECK-NEXT: lpgemm.yield %arg5 : f32{{$}}
// CHECK-NEXT: } -> tensor<?x?xf32>{{$}}
func.func @same_value(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %c: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      c(%c : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>)
      epilogue(%t, %r = %c : tensor<?x?xf32>, %s = %c : tensor<?x?xf32>) {
        lpgemm.yield %r : f32
      } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @packed(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<4x32xi8>, tensor<8x32xi8>) k(%arg3) outs(%arg2 : tensor<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN} -> tensor<4x8xf32>{{$}}
func.func @packed(%a: tensor<4x32xi8>, %b: tensor<8x32xi8>,
    %d: tensor<4x8xf32>, %k: index) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x32xi8>, tensor<8x32xi8>) k(%k)
      outs(%d : tensor<4x8xf32>)
      transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
      -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @packed_fp6(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x48xi8>, tensor<64x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) {lhs_packed = f6E2M3FN} -> tensor<?x?xf32>{{$}}
func.func @packed_fp6(%a: tensor<?x48xi8>, %b: tensor<64x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x48xi8>, tensor<64x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) {lhs_packed = f6E2M3FN} -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
