// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --emit-bytecode | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @types_e4m3(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_e4m3(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_e5m2_e4m3(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E5M2>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_e5m2_e4m3(%a: tensor<?x?xf8E5M2>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E5M2>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_fnuz(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E5M2FNUZ>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_fnuz(%a: tensor<?x?xf8E4M3FNUZ>, %b: tensor<?x?xf8E5M2FNUZ>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E5M2FNUZ>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_fnuz_fn(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_fnuz_fn(%a: tensor<?x?xf8E4M3FNUZ>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_fp6(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf6E2M3FN>, tensor<?x?xf6E3M2FN>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_fp6(%a: tensor<?x?xf6E2M3FN>, %b: tensor<?x?xf6E3M2FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf6E2M3FN>, tensor<?x?xf6E3M2FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_fp4_fp8(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_fp4_fp8(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_i8(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xi8>, tensor<?x?xi8>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_i8(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_bf16(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_bf16(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @types_f16(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf16>, tensor<?x?xf16>) outs(%arg2 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @types_f16(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @result_i32(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xi8>, tensor<?x?xi8>) outs(%arg2 : tensor<?x?xi32>) -> tensor<?x?xi32>{{$}}
func.func @result_i32(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>,
    %d: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%d : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// CHECK-LABEL: func @result_bf16(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xbf16>) -> tensor<?x?xbf16>{{$}}
func.func @result_bf16(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHECK-LABEL: func @result_f16(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) outs(%arg2 : tensor<?x?xf16>) -> tensor<?x?xf16>{{$}}
func.func @result_f16(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// CHECK-LABEL: func @result_fp8(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) d_scale(%arg2 : tensor<f32>) outs(%arg3 : tensor<?x?xf8E5M2>) overflow = nosat -> tensor<?x?xf8E5M2>{{$}}
func.func @result_fp8(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %e: tensor<f32>, %d: tensor<?x?xf8E5M2>) -> tensor<?x?xf8E5M2> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      d_scale(%e : tensor<f32>) outs(%d : tensor<?x?xf8E5M2>) overflow = nosat
      -> tensor<?x?xf8E5M2>
  return %0 : tensor<?x?xf8E5M2>
}

// CHECK-LABEL: func @globals(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>) outs(%arg2 : !lpgemm.global<?x?xf32>){{$}}
func.func @globals(%a: !lpgemm.global<?x?xf8E4M3FN>,
    %b: !lpgemm.global<?x?xf8E4M3FN>, %d: !lpgemm.global<?x?xf32>) {
  lpgemm.matmul
      ins(%a, %b : !lpgemm.global<?x?xf8E4M3FN>, !lpgemm.global<?x?xf8E4M3FN>)
      outs(%d : !lpgemm.global<?x?xf32>)
  return
}

// CHECK-LABEL: func @memrefs(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, memref<64x?xf8E4M3FN>) lhs_scale(%arg2 : memref<f32, strided<[], offset: ?>>, <tensor>) outs(%arg3 : memref<?x?xf32, strided<[?, ?]>>){{$}}
func.func @memrefs(%a: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
    %b: memref<64x?xf8E4M3FN>, %sa: memref<f32, strided<[], offset: ?>>,
    %d: memref<?x?xf32, strided<[?, ?]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>, memref<64x?xf8E4M3FN>)
      lhs_scale(%sa : memref<f32, strided<[], offset: ?>>, <tensor>)
      outs(%d : memref<?x?xf32, strided<[?, ?]>>)
  return
}

// CHECK-LABEL: func @transposed(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<64x4xf8E4M3FN>, tensor<8x64xf8E4M3FN>) lhs_scale(%arg2 : tensor<2x4xf8E8M0FNU>, <mx>) rhs_scale(%arg3 : tensor<8x2xf8E8M0FNU>, <mx>) outs(%arg4 : tensor<4x8xf32>) transpose_a transpose_b -> tensor<4x8xf32>{{$}}
func.func @transposed(%a: tensor<64x4xf8E4M3FN>, %b: tensor<8x64xf8E4M3FN>,
    %sa: tensor<2x4xf8E8M0FNU>, %sb: tensor<8x2xf8E8M0FNU>, %d: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x4xf8E4M3FN>, tensor<8x64xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x4xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x2xf8E8M0FNU>, <mx>) outs(%d : tensor<4x8xf32>)
      transpose_a transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @zero_extents(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<0x0xf8E4M3FN>, tensor<0x8xf8E4M3FN>) lhs_scale(%arg2 : tensor<0x0xf8E8M0FNU>, <mx>) rhs_scale(%arg3 : tensor<0x8xf8E8M0FNU>, <mx>) outs(%arg4 : tensor<0x8xf32>) -> tensor<0x8xf32>{{$}}
func.func @zero_extents(%a: tensor<0x0xf8E4M3FN>, %b: tensor<0x8xf8E4M3FN>,
    %sa: tensor<0x0xf8E8M0FNU>, %sb: tensor<0x8xf8E8M0FNU>, %d: tensor<0x8xf32>)
    -> tensor<0x8xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<0x0xf8E4M3FN>, tensor<0x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<0x0xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<0x8xf8E8M0FNU>, <mx>) outs(%d : tensor<0x8xf32>)
      -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// CHECK-LABEL: func @batch(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<2x3x4x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>) lhs_scale(%arg2 : tensor<2x1x4x2xf8E8M0FNU>, <mx>) rhs_scale(%arg3 : tensor<2x8xf8E8M0FNU>, <mx>) c(%arg4 : tensor<1x4x8xf32>) bias(%arg5 : tensor<8xf32>, n) outs(%arg6 : tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32>{{$}}
func.func @batch(%a: tensor<2x3x4x64xf8E4M3FN>, %b: tensor<3x64x8xf8E4M3FN>,
    %sa: tensor<2x1x4x2xf8E8M0FNU>, %sb: tensor<2x8xf8E8M0FNU>,
    %c: tensor<1x4x8xf32>, %v: tensor<8xf32>, %d: tensor<2x3x4x8xf32>)
    -> tensor<2x3x4x8xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x3x4x64xf8E4M3FN>, tensor<3x64x8xf8E4M3FN>)
      lhs_scale(%sa : tensor<2x1x4x2xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<2x8xf8E8M0FNU>, <mx>) c(%c : tensor<1x4x8xf32>)
      bias(%v : tensor<8xf32>, n) outs(%d : tensor<2x3x4x8xf32>)
      -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// CHECK-LABEL: func @rank_7(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<1x?x3x?x5x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>) outs(%arg2 : tensor<?x?x3x?x5x4x8xf32>) -> tensor<?x?x3x?x5x4x8xf32>{{$}}
func.func @rank_7(%a: tensor<1x?x3x?x5x4x64xf8E4M3FN>,
    %b: tensor<64x8xf8E4M3FN>, %d: tensor<?x?x3x?x5x4x8xf32>)
    -> tensor<?x?x3x?x5x4x8xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<1x?x3x?x5x4x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>)
      outs(%d : tensor<?x?x3x?x5x4x8xf32>) -> tensor<?x?x3x?x5x4x8xf32>
  return %0 : tensor<?x?x3x?x5x4x8xf32>
}

// CHECK-LABEL: func @scale_tensor(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<f32>, <tensor>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_tensor(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<f32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<f32>, <tensor>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_row(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?xbf16>, <row>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_row(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?xbf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?xbf16>, <row>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_column(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) rhs_scale(%arg2 : tensor<?xf32>, <column>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_column(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      rhs_scale(%s : tensor<?xf32>, <column>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_1x128(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?xf32>, <1x128>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_1x128(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?xf32>, <1x128>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_1x128_e8m0(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?xf8E8M0FNU>, <1x128>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_1x128_e8m0(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E8M0FNU>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?xf8E8M0FNU>, <1x128>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_128x128(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) rhs_scale(%arg2 : tensor<?x?xbf16>, <128x128>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_128x128(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xbf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      rhs_scale(%s : tensor<?x?xbf16>, <128x128>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_nvfp4(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?xf8E4M3FN>, <nvfp4>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_nvfp4(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf8E4M3FN>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?xf8E4M3FN>, <nvfp4>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @scale_nvfp4_2d(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf4E2M1FN>) rhs_scale(%arg2 : tensor<?x?xf8E4M3FN>, <nvfp4_2d>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @scale_nvfp4_2d(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf4E2M1FN>,
    %s: tensor<?x?xf8E4M3FN>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf4E2M1FN>)
      rhs_scale(%s : tensor<?x?xf8E4M3FN>, <nvfp4_2d>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @layout_col(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?xf32>, <1x128, layout = col>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @layout_col(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?xf32>, <1x128, layout = col>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @layout_mn_tma(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?xbf16>, <1x128, layout = mn_tma>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @layout_mn_tma(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?xbf16>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?xbf16>, <1x128, layout = mn_tma>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @layout_mn_tma_ue8m0x4(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?x4xf8E8M0FNU>, <1x128, layout = mn_tma_ue8m0x4>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @layout_mn_tma_ue8m0x4(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %s: tensor<?x?x4xf8E8M0FNU>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?x4xf8E8M0FNU>, <1x128, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @layout_blk128x128(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) rhs_scale(%arg2 : tensor<?x?xf32>, <128x128, layout = blk128x128>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @layout_blk128x128(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %s: tensor<?x?xf32>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      rhs_scale(%s : tensor<?x?xf32>, <128x128, layout = blk128x128>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @layout_swz128x4(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @layout_swz128x4(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?x32x4x4xf8E8M0FNU>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?x32x4x4xf8E8M0FNU>, <mx, layout = swz128x4>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @layout_amd32x8(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>) outs(%arg3 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @layout_amd32x8(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %s: tensor<?x?x4x16x2x2xf8E8M0FNU>, %d: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%s : tensor<?x?x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @nvfp4_both(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>) lhs_scale(%arg2 : tensor<?x?xf8E4M3FN>, <nvfp4>) rhs_scale(%arg3 : tensor<?x?xf8E4M3FN>, <nvfp4>) lhs_tensor_scale(%arg4 : tensor<f32>) rhs_tensor_scale(%arg5 : tensor<f32>) outs(%arg6 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @nvfp4_both(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>,
    %sa: tensor<?x?xf8E4M3FN>, %sb: tensor<?x?xf8E4M3FN>, %ga: tensor<f32>,
    %gb: tensor<f32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?xf8E4M3FN>, <nvfp4>)
      rhs_scale(%sb : tensor<?x?xf8E4M3FN>, <nvfp4>)
      lhs_tensor_scale(%ga : tensor<f32>) rhs_tensor_scale(%gb : tensor<f32>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @s5_fine_and_coarse(
// CHECK: lpgemm.matmul ins(%arg0, %arg1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>) lhs_scale(%arg2 : tensor<?x?xf8E8M0FNU>, <mx>) rhs_scale(%arg3 : tensor<?x?xf32>, <128x128>) outs(%arg4 : tensor<?x?xf32>) -> tensor<?x?xf32>{{$}}
func.func @s5_fine_and_coarse(%a: tensor<?x?xf8E4M3FN>,
    %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf32>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf32>, <128x128>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
