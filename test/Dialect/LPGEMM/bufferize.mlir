// RUN: lpgemm-opt %s --lpgemm-bufferize | FileCheck %s
// RUN: lpgemm-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=STOCK

// The destination is written in place; rows may have a pitch.

// CHECK-LABEL: func @in_place(
// CHECK-SAME: %[[A:arg0]]: memref<?x?xf8E4M3FN, strided<[?, 1], offset: ?>>,
// CHECK-SAME: %[[D:arg4]]: memref<?x?xf32, strided<[?, 1], offset: ?>>)
// CHECK-NOT: alloc
// CHECK-NOT: copy
// CHECK: lpgemm.matmul ins(%[[A]], {{.*}}) outs(%[[D]] : memref<?x?xf32, strided<[?, 1], offset: ?>>) transpose_b{{$}}
// CHECK: return %[[D]]
// STOCK-LABEL: func @in_place(
// STOCK: lpgemm.matmul ins(%{{.*}} : memref<?x?xf8E4M3FN, strided<[?, ?], offset: ?>>
func.func @in_place(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                    %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                    %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// What the destination held is still needed: it is not overwritten, and not
// copied either, since the product does not read it.

// CHECK-LABEL: func @destination_in_use(
// CHECK: %[[NEW:.*]] = memref.alloc
// CHECK-NOT: memref.copy
// CHECK: lpgemm.matmul {{.*}} outs(%[[NEW]] :
func.func @destination_in_use(
    %a: tensor<4x32xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>,
    %sa: tensor<4x1xf8E8M0FNU>, %sb: tensor<8x1xf8E8M0FNU>,
    %d: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x32xf8E4M3FN>, tensor<8x32xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x1xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0, %d : tensor<4x8xf32>, tensor<4x8xf32>
}
