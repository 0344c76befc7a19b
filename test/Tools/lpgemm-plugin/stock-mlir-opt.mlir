// A stock mlir-opt that loads the plugin knows the dialect and its attributes'
// prefix, and refuses what the dialect does not have.
//
// REQUIRES: mlir-dylib
// UNSUPPORTED: sanitizer
// RUN: %stock_mlir_opt --load-dialect-plugin=%lpgemm_plugin --load-pass-plugin=%lpgemm_plugin --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not %stock_mlir_opt --load-dialect-plugin=%lpgemm_plugin --load-pass-plugin=%lpgemm_plugin %s 2>&1 | FileCheck %s

// DIALECTS: {{[:,]}}lpgemm,

// CHECK: error: unregistered operation 'lpgemm.no_such_op' found in dialect ('lpgemm')
"lpgemm.no_such_op"() : () -> ()
