// A stock mlir-opt that loads the plugin packs FP4 operands; its own
// bufferization and canonicalizer take the bytes.
//
// REQUIRES: mlir-dylib
// UNSUPPORTED: sanitizer
// RUN: %stock_mlir_opt --load-dialect-plugin=%lpgemm_plugin --load-pass-plugin=%lpgemm_plugin %s --pass-pipeline='builtin.module(lpgemm-materialize-storage,one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},canonicalize)' | FileCheck %s

// CHECK-LABEL: func @matmul(
// CHECK-SAME: %[[A:.*]]: memref<4x33xi8>, %[[D:.*]]: memref<4x8xf32>, {{.*}}) -> memref<4x8xf32>
// CHECK: %[[K:.*]] = arith.constant 65 : index
// CHECK: %[[B:.*]] = memref.get_global @{{.*}} : memref<8x33xi8>
// CHECK: lpgemm.matmul ins(%[[A]], %[[B]] : memref<4x33xi8>, memref<8x33xi8>) k(%[[K]])
// CHECK-SAME: outs(%[[D]] : memref<4x8xf32>) transpose_b {lhs_packed = f4E2M1FN, rhs_packed = f4E2M1FN}
func.func @matmul(%a: tensor<4x65xf4E2M1FN>, %d: tensor<4x8xf32>,
                  %sa: tensor<4x3xf8E8M0FNU>, %sb: tensor<8x3xf8E8M0FNU>)
    -> tensor<4x8xf32> {
  %b = arith.constant dense<1.5> : tensor<8x65xf4E2M1FN>
  %0 = lpgemm.matmul ins(%a, %b : tensor<4x65xf4E2M1FN>, tensor<8x65xf4E2M1FN>)
      lhs_scale(%sa : tensor<4x3xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x3xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
