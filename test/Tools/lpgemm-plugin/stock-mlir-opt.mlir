// A stock mlir-opt that loads the plugin parses and verifies the dialect, and
// runs a pass on it.
//
// REQUIRES: mlir-dylib
// UNSUPPORTED: sanitizer
// RUN: %stock_mlir_opt --load-dialect-plugin=%lpgemm_plugin --load-pass-plugin=%lpgemm_plugin %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(lpgemm-attach-target{chip=gfx950})' | FileCheck %s

// CHECK: module attributes {lpgemm.target = #lpgemm.target<
// CHECK-LABEL: func @matmul
// CHECK: lpgemm.matmul ins(
// CHECK-SAME: lhs_scale({{.*}}, <mx>)
func.func @matmul(%a: tensor<4x32xf8E4M3FN>, %b: tensor<8x32xf8E4M3FN>,
                  %sa: tensor<4x1xf8E8M0FNU>, %sb: tensor<8x1xf8E8M0FNU>,
                  %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<4x32xf8E4M3FN>, tensor<8x32xf8E4M3FN>)
      lhs_scale(%sa : tensor<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<8x1xf8E8M0FNU>, <mx>)
      outs(%d : tensor<4x8xf32>) transpose_b -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{unregistered operation 'lpgemm.no_such_op' found in dialect ('lpgemm')}}
"lpgemm.no_such_op"() : () -> ()
