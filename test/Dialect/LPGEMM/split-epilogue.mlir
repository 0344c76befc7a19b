// RUN: lpgemm-opt %s -lpgemm-split-epilogue --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[N:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[M:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[BMN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[CMN:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2) -> (0, d1, d2)>

// CHECK-LABEL: func @bf16
// CHECK: %[[ACC:.*]] = lpgemm.matmul
// CHECK-SAME: rhs_scale(%{{.*}} : tensor<?x?xf8E8M0FNU>, <mx>) outs(%{{.*}} : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
// CHECK: %[[TEMP:.*]] = linalg.generic {indexing_maps = [#[[MN]], #[[MN]], #[[NONE]], #[[N]], #[[MN]], #[[MN]]], iterator_types = ["parallel", "parallel"]} ins(%[[ACC]],
// CHECK: %[[T:.*]] = arith.mulf %{{.*}}, %arg4
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: %[[SC:.*]] = arith.mulf
// CHECK: %[[C:.*]] = arith.mulf %[[SC]], %{{.*}}
// CHECK: arith.addf %[[T]], %[[C]]
// CHECK: %[[D:.*]] = linalg.generic {{.*}} ins(%[[TEMP]] : tensor<?x?xf32>) outs(%arg9 :
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%arg10 : tensor<f32>)
// CHECK: %[[AMAX:.*]] = linalg.generic {{.*}}iterator_types = ["reduction", "reduction"]} ins(%[[TEMP]] : tensor<?x?xf32>) outs(%[[ZERO]] : tensor<f32>)
// CHECK: arith.maximumf
// CHECK: return %[[D]], %[[AMAX]]
func.func @bf16(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>, %alpha: f32,
    %c: tensor<?x?xf16>, %sc: tensor<f32>, %bias: tensor<?xbf16>,
    %r: tensor<?x?xbf16>, %d: tensor<?x?xbf16>, %amax: tensor<f32>)
    -> (tensor<?x?xbf16>, tensor<f32>) {
  %0:2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      alpha(%alpha) beta(0.5) c(%c : tensor<?x?xf16>) c_scale(%sc : tensor<f32>)
      bias(%bias : tensor<?xbf16>, n)
      outs(%d : tensor<?x?xbf16>) amax(%amax : tensor<f32>) transpose_b
      epilogue(%t, %x = %r : tensor<?x?xbf16>) {
        %x32 = arith.extf %x : bf16 to f32
        %y = arith.addf %t, %x32 : f32
        lpgemm.yield %y : f32
      } -> tensor<?x?xbf16>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xbf16>, tensor<f32>
}

// (C-8, C-14) FP8 by ops of the dialect; d_scale is not rounded twice.

// CHECK-LABEL: func @fp8
// CHECK-NOT: arith.extf %{{.*}} : f8
// CHECK: %[[ACC:.*]] = lpgemm.matmul
// CHECK: %[[SC:.*]] = tensor.extract %arg3[]
// CHECK: %[[SCALE:.*]] = linalg.fill ins(%[[SC]] : f32)
// CHECK: %[[C:.*]] = lpgemm.dequantize ins(%arg2 : tensor<16x32xf8E5M2>) scale(%[[SCALE]] :
// CHECK: %[[TEMP:.*]] = linalg.generic {indexing_maps = [#[[BMN]], #[[CMN]], #[[BMN]]]{{.*}} ins(%[[ACC]], %[[C]] :
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[TEMP]], %arg4 :
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: %[[ONE:.*]] = linalg.fill ins(%cst : f32) outs(%{{.*}} : tensor<2xf32>)
// CHECK: lpgemm.quantize ins(%[[SCALED]] : tensor<2x16x32xf32>) scale(%[[ONE]] : tensor<2xf32>) outs(%arg5 : tensor<2x16x32xf8E4M3FN>) <tensor> overflow = nosat
// CHECK-NOT: arith.truncf %{{.*}} to f8
func.func @fp8(%a: tensor<2x16x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>,
    %c: tensor<16x32xf8E5M2>, %sc: tensor<f32>, %ds: tensor<f32>,
    %d: tensor<2x16x32xf8E4M3FN>) -> tensor<2x16x32xf8E4M3FN> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<2x16x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>)
      c(%c : tensor<16x32xf8E5M2>) c_scale(%sc : tensor<f32>)
      d_scale(%ds : tensor<f32>) outs(%d : tensor<2x16x32xf8E4M3FN>)
      overflow = nosat -> tensor<2x16x32xf8E4M3FN>
  return %0 : tensor<2x16x32xf8E4M3FN>
}

// CHECK-LABEL: func @block_scaled
// CHECK: %[[ACC:.*]] = lpgemm.matmul {{.*}} -> tensor<16x96xf32>
// CHECK: lpgemm.quantize ins(%[[ACC]] : tensor<16x96xf32>) outs(%arg2 : tensor<16x96xf4E2M1FN>) scale_outs(%arg3 : tensor<16x3xf8E8M0FNU>, rceil) <mx>
func.func @block_scaled(%a: tensor<16x64xbf16>, %b: tensor<64x96xbf16>,
    %d: tensor<16x96xf4E2M1FN>, %s: tensor<16x3xf8E8M0FNU>)
    -> (tensor<16x96xf4E2M1FN>, tensor<16x3xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x96xbf16>)
      outs(%d : tensor<16x96xf4E2M1FN>)
      scale_outs(%s : tensor<16x3xf8E8M0FNU>, <mx>, rceil)
      -> tensor<16x96xf4E2M1FN>, tensor<16x3xf8E8M0FNU>
  return %0#0, %0#1 : tensor<16x96xf4E2M1FN>, tensor<16x3xf8E8M0FNU>
}

// (C-9) Scales without blocks leave the sum of i8 in i32.

// CHECK-LABEL: func @i8
// CHECK: %[[ACC:.*]] = lpgemm.matmul ins(%arg0, %arg1 : tensor<16x64xi8>, tensor<64x96xi8>) outs(%{{.*}} : tensor<16x96xi32>) -> tensor<16x96xi32>
// CHECK: linalg.generic {indexing_maps = [#[[MN]], #[[M]], #[[N]], #[[MN]]]{{.*}} ins(%[[ACC]], %arg2, %arg3 :
// CHECK: arith.sitofp %{{.*}} : i32 to f32
func.func @i8(%a: tensor<16x64xi8>, %b: tensor<64x96xi8>, %sa: tensor<16xbf16>,
    %sb: tensor<96xf32>, %d: tensor<16x96xf16>) -> tensor<16x96xf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x64xi8>, tensor<64x96xi8>)
      lhs_scale(%sa : tensor<16xbf16>, <row>)
      rhs_scale(%sb : tensor<96xf32>, <column>)
      outs(%d : tensor<16x96xf16>) -> tensor<16x96xf16>
  return %0 : tensor<16x96xf16>
}

// CHECK-LABEL: func @i8_blocks
// CHECK: %[[ACC:.*]] = lpgemm.matmul {{.*}} lhs_scale(%arg2 : tensor<16x2xf32>, <1x32>) outs(%{{.*}} : tensor<16x96xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[ACC]] : tensor<16x96xf32>) outs(%arg3 : tensor<16x96xf16>)
func.func @i8_blocks(%a: tensor<16x64xi8>, %b: tensor<64x96xi8>,
    %sa: tensor<16x2xf32>, %d: tensor<16x96xf16>) -> tensor<16x96xf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x64xi8>, tensor<64x96xi8>)
      lhs_scale(%sa : tensor<16x2xf32>, <1x32>)
      outs(%d : tensor<16x96xf16>) -> tensor<16x96xf16>
  return %0 : tensor<16x96xf16>
}

// (G-12) C behind a constant beta of 0 is not read; a batch of 1 is broadcast.

// CHECK-LABEL: func @beta_zero
// CHECK: %[[ACC:.*]] = lpgemm.matmul ins(%arg0, %arg1 :
// CHECK: linalg.generic {indexing_maps = [#[[BMN]], #[[ROW]], #[[BMN]]]{{.*}} ins(%[[ACC]], %arg3 :
// CHECK-NOT: %arg2
// CHECK: return
func.func @beta_zero(%a: tensor<3x16x64xf16>, %b: tensor<64x96xf16>,
    %c: tensor<16x96xf32>, %r: tensor<1x16x96xf32>, %d: tensor<3x16x96xf32>)
    -> tensor<3x16x96xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<3x16x64xf16>, tensor<64x96xf16>)
      beta(0.0) c(%c : tensor<16x96xf32>)
      outs(%d : tensor<3x16x96xf32>)
      epilogue(%t, %x = %r : tensor<1x16x96xf32> by
          affine_map<(b, m, n) -> (0, m, n)>) {
        %y = arith.addf %t, %x : f32
        lpgemm.yield %y : f32
      } -> tensor<3x16x96xf32>
  return %0 : tensor<3x16x96xf32>
}

// A plain sum stays as it is.

// CHECK-LABEL: func @plain
// CHECK-NEXT: lpgemm.matmul {{.*}} outs(%arg2 :
// CHECK-NEXT: return
func.func @plain(%a: tensor<16x64xbf16>, %b: tensor<64x96xbf16>,
    %d: tensor<16x96xf32>) -> tensor<16x96xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x96xbf16>)
      outs(%d : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %0 : tensor<16x96xf32>
}
