// RUN: lpgemm-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s

// The extents of results are those of the destinations.

// CHECK-LABEL: func @matmul(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[M:.*]] = tensor.dim %arg2, %[[C0]] : tensor<?x?xf8E4M3FN>
// CHECK-DAG: %[[KB:.*]] = tensor.dim %arg3, %[[C1]] : tensor<?x?xf8E8M0FNU>
// CHECK-NEXT: return %[[M]], %[[KB]]
func.func @matmul(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
    %d: tensor<?x?xf8E4M3FN>, %s: tensor<?x?xf8E8M0FNU>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      outs(%d : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, <mx>, rceil)
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  %m = tensor.dim %0#0, %c0 : tensor<?x?xf8E4M3FN>
  %kb = tensor.dim %0#1, %c1 : tensor<?x?xf8E8M0FNU>
  return %m, %kb : index, index
}

// CHECK-LABEL: func @grouped(
// CHECK-SAME: %[[N:[a-z0-9]*]]: index)
// CHECK-NEXT: return %[[N]]
func.func @grouped(%a: tensor<?x?xf8E4M3FN>, %b: tensor<8x?x?xf8E4M3FN>,
    %g: tensor<8xi32>, %n: index) -> index {
  %c1 = arith.constant 1 : index
  %d = tensor.empty(%n, %n) : tensor<?x?xf32>
  %0 = lpgemm.grouped_matmul contiguous
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<8x?x?xf8E4M3FN>)
      groups(%g : tensor<8xi32>) outs(%d : tensor<?x?xf32>)
      -> tensor<?x?xf32>
  %1 = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %1 : index
}

// CHECK-LABEL: func @quantize(
// CHECK-SAME: %[[B:[a-z0-9]*]]: index)
// CHECK-NEXT: return %[[B]]
func.func @quantize(%x: tensor<?x?xf32>, %q: tensor<?x?xf8E4M3FN>, %b: index)
    -> index {
  %c1 = arith.constant 1 : index
  %s = tensor.empty(%b, %b) : tensor<?x?xf8E8M0FNU>
  %0:2 = lpgemm.quantize ins(%x : tensor<?x?xf32>)
      outs(%q : tensor<?x?xf8E4M3FN>)
      scale_outs(%s : tensor<?x?xf8E8M0FNU>, rceil) <mx>
      -> tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
  %1 = tensor.dim %0#1, %c1 : tensor<?x?xf8E8M0FNU>
  return %1 : index
}

// CHECK-LABEL: func @others(
// CHECK-SAME: %[[R:[a-z0-9]*]]: index)
// CHECK-NEXT: return %[[R]], %[[R]], %[[R]], %[[R]], %[[R]]
func.func @others(%q: tensor<?x?xf8E4M3FN>, %s: tensor<?x?xf8E8M0FNU>,
    %p: tensor<?x?x32x4x4xf8E8M0FNU>, %t: tensor<?x?x16x16xf8E4M3FN>,
    %r: index) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %x0 = tensor.empty(%r, %r) : tensor<?x?xf32>
  %x = lpgemm.dequantize ins(%q : tensor<?x?xf8E4M3FN>)
      scale(%s : tensor<?x?xf8E8M0FNU>) outs(%x0 : tensor<?x?xf32>) <mx>
      -> tensor<?x?xf32>
  %0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %p0 = tensor.empty(%r, %r) : tensor<?x?x32x4x4xf8E8M0FNU>
  %p1 = lpgemm.pack_scales ins(%s : tensor<?x?xf8E8M0FNU>)
      outs(%p0 : tensor<?x?x32x4x4xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<?x?x32x4x4xf8E8M0FNU>
  %1 = tensor.dim %p1, %c0 : tensor<?x?x32x4x4xf8E8M0FNU>
  %s0 = tensor.empty(%r, %r) : tensor<?x?xf8E8M0FNU>
  %s1 = lpgemm.unpack_scales ins(%p : tensor<?x?x32x4x4xf8E8M0FNU>)
      outs(%s0 : tensor<?x?xf8E8M0FNU>) <mx, layout = swz128x4>
      -> tensor<?x?xf8E8M0FNU>
  %2 = tensor.dim %s1, %c0 : tensor<?x?xf8E8M0FNU>
  %t0 = tensor.empty(%r, %r) : tensor<?x?x16x16xf8E4M3FN>
  %t1 = lpgemm.pack_weights w16x16 ins(%q : tensor<?x?xf8E4M3FN>)
      outs(%t0 : tensor<?x?x16x16xf8E4M3FN>) -> tensor<?x?x16x16xf8E4M3FN>
  %3 = tensor.dim %t1, %c0 : tensor<?x?x16x16xf8E4M3FN>
  %q0 = tensor.empty(%r, %r) : tensor<?x?xf8E4M3FN>
  %q1 = lpgemm.unpack_weights w16x16 ins(%t : tensor<?x?x16x16xf8E4M3FN>)
      outs(%q0 : tensor<?x?xf8E4M3FN>) -> tensor<?x?xf8E4M3FN>
  %4 = tensor.dim %q1, %c0 : tensor<?x?xf8E4M3FN>
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}
