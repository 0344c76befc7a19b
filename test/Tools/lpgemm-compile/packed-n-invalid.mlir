// RUN: not lpgemm-compile %s --chip=gfx950 -o %t.hsaco --manifest=%t.json 2>&1 | FileCheck %s

// (L-11) Kernels take N from what they are given, and here that is rows of packed
// codes alone.

func.func @f(%a: tensor<8x64xf8E4M3FN>, %b: tensor<64x576xf4E2M1FN>, %d: tensor<8x576xf4E2M1FN>,
             %s: tensor<8x18xf8E8M0FNU>) -> (tensor<8x576xf4E2M1FN>, tensor<8x18xf8E8M0FNU>) {
  // CHECK: packed-n-invalid.mlir:[[@LINE+1]]:10: error: 'lpgemm.matmul' op has no lowering to kernels yet where only packed rows have N, be it static or not: only with transpose_b, or with c, bias or a scale of columns
  %r:2 = lpgemm.matmul
      ins(%a, %b : tensor<8x64xf8E4M3FN>, tensor<64x576xf4E2M1FN>)
      outs(%d : tensor<8x576xf4E2M1FN>)
      scale_outs(%s : tensor<8x18xf8E8M0FNU>, <mx>, rceil)
      -> tensor<8x576xf4E2M1FN>, tensor<8x18xf8E8M0FNU>
  return %r#0, %r#1 : tensor<8x576xf4E2M1FN>, tensor<8x18xf8E8M0FNU>
}
