// RUN: lpgemm-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// M and N, with blocks of 128x128 and one scale for each row and 128 of K.

// CHECK-LABEL: func @blocks
// CHECK: scf.for %[[M:.*]] = %c0 to %c512 step %c64
// CHECK: scf.for %[[N:.*]] = %c0 to %c384 step %c128
// CHECK-DAG: %[[BN:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[M]], 0] [64, 1024] [1, 1] : tensor<512x1024xf8E4M3FN>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[N]], 0] [128, 1024] [1, 1] : tensor<384x1024xf8E4M3FN>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[M]], 0] [64, 8] [1, 1] : tensor<512x8xf32>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[BN]], 0] [1, 8] [1, 1] : tensor<3x8xf32>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[N]]] [128] [1] : tensor<384xbf16>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[M]], %[[N]]] [64, 128] [1, 1] : tensor<512x384xbf16>
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %[[N]]] [1, 128] [1, 1] : tensor<1x384xf16>
// CHECK: lpgemm.matmul
// CHECK-SAME: outs(%{{.*}} : tensor<64x128xbf16>) transpose_b
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%[[M]], %[[N]]] [64, 128] [1, 1]
func.func @blocks(%a: tensor<512x1024xf8E4M3FN>, %b: tensor<384x1024xf8E4M3FN>,
    %sa: tensor<512x8xf32>, %sb: tensor<3x8xf32>, %bias: tensor<384xbf16>,
    %r: tensor<1x384xf16>, %d: tensor<512x384xbf16>) -> tensor<512x384xbf16> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<512x1024xf8E4M3FN>, tensor<384x1024xf8E4M3FN>)
      lhs_scale(%sa : tensor<512x8xf32>, <1x128>)
      rhs_scale(%sb : tensor<3x8xf32>, <128x128>)
      bias(%bias : tensor<384xbf16>, n)
      outs(%d : tensor<512x384xbf16>) transpose_b
      epilogue(%t, %x = %r : tensor<1x384xf16> by
          affine_map<(m, n) -> (0, n)>) {
        %x32 = arith.extf %x : f16 to f32
        %sum = arith.addf %t, %x32 : f32
        lpgemm.yield %sum : f32
      } -> tensor<512x384xbf16>
  return %0 : tensor<512x384xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [64, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A swizzled scale is cut at 128 rows; what is dynamic ends with the extent.

// CHECK-DAG: #[[START:.*]] = affine_map<(d0) -> (d0 * 128)>
// CHECK-DAG: #[[MIN:.*]] = affine_map<(d0)[s0] -> (d0 * -128 + s0, 128)>
// CHECK-DAG: #[[ATOMS:.*]] = affine_map<(d0) -> (d0 ceildiv 128)>
// CHECK-LABEL: func @swizzled
// CHECK: scf.forall (%[[I:.*]]) in (%{{.*}}) shared_outs(%[[D:.*]] = %{{.*}})
// CHECK-DAG: %[[M:.*]] = affine.apply #[[START]](%[[I]])
// CHECK-DAG: %[[SIZE:.*]] = affine.min #[[MIN]](%[[I]])
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[M]], 0] [%[[SIZE]], %{{.*}}] [1, 1] : tensor<?x?xf4E2M1FN>
// CHECK-DAG: %[[COUNT:.*]] = affine.apply #[[ATOMS]](%[[SIZE]])
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[I]], 0, 0, 0, 0] [%[[COUNT]], %{{.*}}, 32, 4, 4]
// CHECK: lpgemm.matmul
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[D]][%[[M]], 0] [%[[SIZE]], %{{.*}}]
func.func @swizzled(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>,
    %sa: tensor<?x?x32x4x4xf8E4M3FN>, %sb: tensor<?x?x32x4x4xf8E4M3FN>,
    %g: tensor<f32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>)
      rhs_scale(%sb : tensor<?x?x32x4x4xf8E4M3FN>, <nvfp4, layout = swz128x4>)
      lhs_tensor_scale(%g : tensor<f32>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A batch; rhs has none and C has 1. The scales of the result are cut with it.

// CHECK-LABEL: func @batch
// CHECK: scf.for %[[B:.*]] = %c0 to %c6 step %c2
// CHECK: scf.for %[[N:.*]] = %c0 to %c96 step %c32
// CHECK-DAG: %[[NB:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[B]], 0, 0] [2, 40, 64] [1, 1, 1] : tensor<6x40x64xbf16>
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %[[N]]] [64, 32] [1, 1] : tensor<64x96xbf16>
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, 0, %[[N]]] [1, 40, 32] [1, 1, 1] : tensor<1x40x96xf16>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[B]], 0, %[[N]]] [2, 40, 32] [1, 1, 1] : tensor<6x40x96xf8E4M3FN>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[B]], 0, %[[NB]]] [2, 40, 1] [1, 1, 1] : tensor<6x40x3xf8E8M0FNU>
// CHECK: %[[T:.*]]:2 = lpgemm.matmul
// CHECK-DAG: tensor.insert_slice %[[T]]#0 into %{{.*}}[%[[B]], 0, %[[N]]] [2, 40, 32]
// CHECK-DAG: tensor.insert_slice %[[T]]#1 into %{{.*}}[%[[B]], 0, %[[NB]]] [2, 40, 1]
func.func @batch(%a: tensor<6x40x64xbf16>, %b: tensor<64x96xbf16>,
    %c: tensor<1x40x96xf16>, %d: tensor<6x40x96xf8E4M3FN>,
    %s: tensor<6x40x3xf8E8M0FNU>)
    -> (tensor<6x40x96xf8E4M3FN>, tensor<6x40x3xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<6x40x64xbf16>, tensor<64x96xbf16>)
      beta(0.5) c(%c : tensor<1x40x96xf16>)
      outs(%d : tensor<6x40x96xf8E4M3FN>)
      scale_outs(%s : tensor<6x40x3xf8E8M0FNU>, <mx>, rceil)
      -> tensor<6x40x96xf8E4M3FN>, tensor<6x40x3xf8E8M0FNU>
  return %0#0, %0#1 : tensor<6x40x96xf8E4M3FN>, tensor<6x40x3xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [2, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// One value in two places is cut in two ways.

// CHECK-LABEL: func @square
// CHECK: scf.for %[[M:.*]] = %c0 to
// CHECK: scf.for %[[N:.*]] = %c0 to
// CHECK-DAG: %[[A:.*]] = tensor.extract_slice %arg0[%[[M]], 0] [16, 64]
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %arg0[%[[N]], 0] [32, 64]
// CHECK: lpgemm.matmul ins(%[[A]], %[[B]] :
func.func @square(%a: tensor<64x64xf16>, %d: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %0 = lpgemm.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>)
      outs(%d : tensor<64x64xf16>) transpose_b -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [16, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// (C12) K: the sum starts from zero and goes on as C.

// CHECK-LABEL: func @k
// CHECK: %[[ZERO:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%arg4 :
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %{{.*}} step %c256 iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK-DAG: tensor.extract_slice %arg0[0, %[[K]]] [%{{.*}}, %{{.*}}] [1, 1] : tensor<?x?xf8E4M3FN>
// CHECK-DAG: tensor.extract_slice %arg1[%[[K]], 0] [%{{.*}}, %{{.*}}] [1, 1] : tensor<?x?xf8E4M3FN>
// CHECK-DAG: tensor.extract_slice %arg2[0, %{{.*}}] [%{{.*}}, %{{.*}}] [1, 1] : tensor<?x?xf8E8M0FNU>
// CHECK-DAG: tensor.extract_slice %arg3[%{{.*}}, 0, 0] [%{{.*}}, %{{.*}}, 4] [1, 1, 1] : tensor<?x?x4xf8E8M0FNU>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[ACC]][0, 0] [%[[M:.*]], %[[N:.*]]] [1, 1]
// CHECK: %[[NEXT:.*]] = lpgemm.matmul
// CHECK-SAME: c(%[[PART]] : tensor<?x?xf32>) outs(%[[PART]] : tensor<?x?xf32>)
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[NEXT]] into %[[ACC]][0, 0] [%[[M]], %[[N]]] [1, 1]
// CHECK: scf.yield %[[ALL]]
// CHECK: return %[[SUM]]
func.func @k(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?x4xf8E8M0FNU>,
    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?x4xf8E8M0FNU>, <1x64, layout = mn_tma_ue8m0x4>)
      outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 256] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Products of i8 add in i32.

// CHECK-LABEL: func @k_i32
// CHECK: linalg.fill ins(%c0_i32 : i32)
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}})
// CHECK: %[[P:.*]] = lpgemm.matmul ins({{.*}} : tensor<32x32xi8>, tensor<32x24xi8>) outs({{.*}} : tensor<32x24xi32>)
// CHECK: linalg.add ins(%[[P]], %[[ACC]] : {{.*}}) outs(%[[ACC]]
func.func @k_i32(%a: tensor<32x64xi8>, %b: tensor<64x24xi8>, %d: tensor<32x24xi32>) -> tensor<32x24xi32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<32x64xi8>, tensor<64x24xi8>)
      outs(%d : tensor<32x24xi32>) -> tensor<32x24xi32>
  return %0 : tensor<32x24xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %f, %1, %2, %c, %l = transform.structured.tile_reduction_using_for %0 by tile_sizes = [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Tiles of tiles: K inside of M, and N inside of K, where the running sum is C
// and destination.

// CHECK-LABEL: func @nested
// CHECK: scf.forall (%[[M:.*]]) in (4)
// CHECK: scf.for %[[K:.*]] = %c0 to %c256 step %c64
// CHECK: scf.for %[[N:.*]] = %c0 to %c48 step %c16
// CHECK: %[[C:.*]] = tensor.extract_slice %{{.*}}[0, %[[N]]] [32, 16]
// CHECK: %[[D:.*]] = tensor.extract_slice %{{.*}}[0, %[[N]]] [32, 16]
// CHECK: lpgemm.matmul ins(%{{.*}} : tensor<32x64xbf16>, tensor<64x16xbf16>) c(%[[C]] : tensor<32x16xf32>) outs(%[[D]] : tensor<32x16xf32>)
func.func @nested(%a: tensor<128x256xbf16>, %b: tensor<256x48xbf16>, %d: tensor<128x48xf32>) -> tensor<128x48xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<128x256xbf16>, tensor<256x48xbf16>)
      outs(%d : tensor<128x48xf32>) -> tensor<128x48xf32>
  return %0 : tensor<128x48xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l1 = transform.structured.tile_using_forall %0 tile_sizes [32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %2, %c, %l2 = transform.structured.tile_reduction_using_for %1 by tile_sizes = [0, 0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %3, %l3 = transform.structured.tile_using_for %2 tile_sizes [0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Groups: N is cut in all of them, the groups of mode masked one by one.

// CHECK-LABEL: func @contiguous
// CHECK: scf.for %[[N:.*]] = %c0 to %c384 step %c128
// CHECK-DAG: %[[NB:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK-DAG: tensor.extract_slice %arg1[0, %[[N]], 0] [4, 128, 256] [1, 1, 1]
// CHECK-DAG: tensor.extract_slice %arg4[0, %[[NB]], 0] [4, 1, 2] [1, 1, 1]
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %[[N]]] [512, 128] [1, 1] : tensor<512x384xbf16>
// CHECK: lpgemm.grouped_matmul contiguous ins(%arg0,
// CHECK-SAME: groups(%arg2 : tensor<4xi32>) lhs_scale(%arg3 : tensor<512x2xf32>
func.func @contiguous(%a: tensor<512x256xf8E4M3FN>,
    %b: tensor<4x384x256xf8E4M3FN>, %ends: tensor<4xi32>,
    %sa: tensor<512x2xf32>, %sb: tensor<4x3x2xf32>, %d: tensor<512x384xbf16>)
    -> tensor<512x384xbf16> {
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<512x256xf8E4M3FN>, tensor<4x384x256xf8E4M3FN>)
      groups(%ends : tensor<4xi32>)
      lhs_scale(%sa : tensor<512x2xf32>, <1x128>)
      rhs_scale(%sb : tensor<4x3x2xf32>, <128x128>)
      outs(%d : tensor<512x384xbf16>) transpose_b -> tensor<512x384xbf16>
  return %0 : tensor<512x384xbf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @masked
// CHECK: scf.forall (%[[G:.*]]) in (4)
// CHECK-DAG: tensor.extract_slice %arg2[%[[G]]] [1] [1] : tensor<4xi32>
// CHECK-DAG: tensor.extract_slice %arg0[%[[G]], 0, 0] [1, 64, 128] [1, 1, 1]
// CHECK-DAG: tensor.extract_slice %arg1[%[[G]], 0, 0] [1, 128, 96] [1, 1, 1]
// CHECK: lpgemm.grouped_matmul masked {{.*}} outs(%{{.*}} : tensor<1x64x96xf32>)
func.func @masked(%a: tensor<4x64x128xf16>, %b: tensor<4x128x96xf16>,
    %counts: tensor<4xi32>, %d: tensor<4x64x96xf32>) -> tensor<4x64x96xf32> {
  %0 = lpgemm.grouped_matmul masked
      ins(%a, %b : tensor<4x64x128xf16>, tensor<4x128x96xf16>)
      groups(%counts : tensor<4xi32>)
      outs(%d : tensor<4x64x96xf32>) -> tensor<4x64x96xf32>
  return %0 : tensor<4x64x96xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Blocks along K that start anew with each group are not cut.

// CHECK-LABEL: func @k_grouped
// CHECK: scf.for %[[M:.*]] = %c0 to %c64 step %c32
// CHECK-DAG: tensor.extract_slice %arg0[%[[M]], 0] [32, 512] [1, 1]
// CHECK-DAG: tensor.extract_slice %arg3[%[[M]], 0] [32, 7] [1, 1] : tensor<64x7xf32>
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %[[M]], 0] [4, 32, 96] [1, 1, 1]
// CHECK: lpgemm.grouped_matmul k_grouped
func.func @k_grouped(%a: tensor<64x512xf8E5M2>, %b: tensor<512x96xf8E5M2>,
    %ends: tensor<4xi32>, %sa: tensor<64x7xf32>, %sb: tensor<7x96xf32>,
    %d: tensor<4x64x96xf32>) -> tensor<4x64x96xf32> {
  %0 = lpgemm.grouped_matmul k_grouped
      ins(%a, %b : tensor<64x512xf8E5M2>, tensor<512x96xf8E5M2>)
      groups(%ends : tensor<4xi32>)
      lhs_scale(%sa : tensor<64x7xf32>, <1x128>)
      rhs_scale(%sb : tensor<7x96xf32>, <1x128>)
      outs(%d : tensor<4x64x96xf32>) -> tensor<4x64x96xf32>
  return %0 : tensor<4x64x96xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.grouped_matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Quantization along K in blocks, of a matrix that is stored K x R.

// CHECK-LABEL: func @quantize
// CHECK: scf.for %[[R:.*]] = %c0 to %c256 step %c128
// CHECK: scf.for %[[K:.*]] = %c0 to %c512 step %c128
// CHECK-DAG: tensor.extract_slice %arg0[%[[K]], %[[R]]] [128, 128] [1, 1] : tensor<512x256xbf16>
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[K]], %[[R]]] [128, 128] [1, 1] : tensor<512x256xf8E4M3FN>
// CHECK-DAG: %[[RA:.*]] = affine.apply #{{.*}}(%[[R]])
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[RA]], %{{.*}}, 0, 0, 0] [1, 1, 32, 4, 4] [1, 1, 1, 1, 1] : tensor<2x4x32x4x4xf8E8M0FNU>
// CHECK: lpgemm.quantize
func.func @quantize(%x: tensor<512x256xbf16>, %q: tensor<512x256xf8E4M3FN>,
    %s: tensor<2x4x32x4x4xf8E8M0FNU>)
    -> (tensor<512x256xf8E4M3FN>, tensor<2x4x32x4x4xf8E8M0FNU>) {
  %0:2 = lpgemm.quantize ins(%x : tensor<512x256xbf16>)
      outs(%q : tensor<512x256xf8E4M3FN>)
      scale_outs(%s : tensor<2x4x32x4x4xf8E8M0FNU>, rceil)
      <mx, layout = swz128x4> transposed
      -> tensor<512x256xf8E4M3FN>, tensor<2x4x32x4x4xf8E8M0FNU>
  return %0#0, %0#1 : tensor<512x256xf8E4M3FN>, tensor<2x4x32x4x4xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.quantize"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [128, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @dequantize
// CHECK: scf.for %[[B:.*]] = %c0 to %c4 step %c1
// CHECK: scf.for %[[R:.*]] = %c0 to %c48 step %c16
// CHECK-DAG: %[[RB:.*]] = affine.apply #{{.*}}(%[[R]])
// CHECK-DAG: tensor.extract_slice %arg1[%[[B]], %[[RB]], 0] [1, 1, 4] [1, 1, 1] : tensor<4x3x4xf8E4M3FN>
// CHECK: lpgemm.dequantize {{.*}} outs(%{{.*}} : tensor<1x16x64xf16>) <nvfp4_2d>
func.func @dequantize(%q: tensor<4x48x64xf4E2M1FN>, %s: tensor<4x3x4xf8E4M3FN>,
    %x: tensor<4x48x64xf16>) -> tensor<4x48x64xf16> {
  %0 = lpgemm.dequantize ins(%q : tensor<4x48x64xf4E2M1FN>)
      scale(%s : tensor<4x3x4xf8E4M3FN>) outs(%x : tensor<4x48x64xf16>)
      <nvfp4_2d> -> tensor<4x48x64xf16>
  return %0 : tensor<4x48x64xf16>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.dequantize"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l:2 = transform.structured.tile_using_for %0 tile_sizes [1, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Scales of the result, of which the last block is short (S-7).

// CHECK-LABEL: func @remainder
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[COUNT:.*]] = affine.apply #{{.*}}(%[[SIZE]])
// CHECK: %[[T:.*]]:2 = lpgemm.matmul
// CHECK: insert_slice %[[T]]#0 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[SIZE]]] [1, 1]
// CHECK: insert_slice %[[T]]#1 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[COUNT]]] [1, 1]
func.func @remainder(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>,
    %d: tensor<?x?xf8E4M3FN>, %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, rceil)
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @remainder_static
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[COUNT:.*]] = affine.apply #{{.*}}(%[[SIZE]])
// CHECK: %[[T:.*]]:2 = lpgemm.matmul
// CHECK: insert_slice %[[T]]#0 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[SIZE]]] [1, 1]
// CHECK: insert_slice %[[T]]#1 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[COUNT]]] [1, 1]
func.func @remainder_static(%a: tensor<40x64xbf16>, %b: tensor<64x100xbf16>,
    %d: tensor<40x100xf8E4M3FN>, %s: tensor<40x4xf8E8M0FNU>)
    -> (tensor<40x100xf8E4M3FN>, tensor<40x4xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<40x64xbf16>, tensor<64x100xbf16>)
      outs(%d : tensor<40x100xf8E4M3FN>)
      scale_outs(%s : tensor<40x4xf8E8M0FNU>, <mx>, rceil)
      -> tensor<40x100xf8E4M3FN>, tensor<40x4xf8E8M0FNU>
  return %0#0, %0#1 : tensor<40x100xf8E4M3FN>, tensor<40x4xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_for %0 tile_sizes [0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @remainder_forall
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[COUNT:.*]] = affine.apply #{{.*}}(%[[SIZE]])
// CHECK: %[[T:.*]]:2 = lpgemm.matmul
// CHECK: insert_slice %[[T]]#0 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[SIZE]]] [1, 1]
// CHECK: insert_slice %[[T]]#1 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[COUNT]]] [1, 1]
func.func @remainder_forall(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>,
    %d: tensor<?x?xf8E4M3FN>, %s: tensor<?x?xf8E8M0FNU>)
    -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%d : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, rceil)
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @remainder_forall_static
// CHECK: %[[SIZE:.*]] = affine.min
// CHECK: %[[COUNT:.*]] = affine.apply #{{.*}}(%[[SIZE]])
// CHECK: %[[T:.*]]:2 = lpgemm.matmul
// CHECK: insert_slice %[[T]]#0 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[SIZE]]] [1, 1]
// CHECK: insert_slice %[[T]]#1 into %{{.*}}[0, %{{.*}}] [{{.*}}, %[[COUNT]]] [1, 1]
func.func @remainder_forall_static(%a: tensor<40x64xbf16>, %b: tensor<64x100xbf16>,
    %d: tensor<40x100xf8E4M3FN>, %s: tensor<40x4xf8E8M0FNU>)
    -> (tensor<40x100xf8E4M3FN>, tensor<40x4xf8E8M0FNU>) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<40x64xbf16>, tensor<64x100xbf16>)
      outs(%d : tensor<40x100xf8E4M3FN>)
      scale_outs(%s : tensor<40x4xf8E8M0FNU>, <mx>, rceil)
      -> tensor<40x100xf8E4M3FN>, tensor<40x4xf8E8M0FNU>
  return %0#0, %0#1 : tensor<40x100xf8E4M3FN>, tensor<40x4xf8E8M0FNU>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [0, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
