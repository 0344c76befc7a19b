// RUN: lpgemm-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// A product moves into the loop over tiles of what uses it.

// CHECK-LABEL: func @producer
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 3)
// CHECK: %[[P:.*]] = lpgemm.matmul
// CHECK-SAME: outs(%{{.*}} : tensor<32x32xf32>)
// CHECK: linalg.exp ins(%[[P]] :
func.func @producer(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>,
    %d: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x96xbf16>)
      outs(%d : tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = linalg.exp ins(%0 : tensor<64x96xf32>) outs(%d : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [32, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2, %3 = transform.structured.fuse_into_containing_op %p into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A result with scales of its own is cut at their blocks.

// CHECK-LABEL: func @whole_blocks
// CHECK: scf.forall
// CHECK: lpgemm.matmul {{.*}} outs(%{{.*}} : tensor<64x32xf8E4M3FN>)
func.func @whole_blocks(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>,
    %q: tensor<64x96xf8E4M3FN>, %s: tensor<64x3xf8E8M0FNU>, %one: tensor<f32>,
    %d: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<64x128xbf16>, tensor<128x96xbf16>)
      outs(%q : tensor<64x96xf8E4M3FN>)
      scale_outs(%s : tensor<64x3xf8E8M0FNU>, <mx>, rceil)
      -> tensor<64x96xf8E4M3FN>, tensor<64x3xf8E8M0FNU>
  %1 = lpgemm.dequantize ins(%0#0 : tensor<64x96xf8E4M3FN>)
      scale(%one : tensor<f32>) outs(%d : tensor<64x96xf32>) <tensor>
      -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["lpgemm.dequantize"]} in %m : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.match ops{["lpgemm.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.tile_using_forall %0 tile_sizes [0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2, %3 = transform.structured.fuse_into_containing_op %p into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
