// REQUIRES: numpy, amdgpu-registered-target

// Factors, C, bias, a region, a result of FP8 and its amax, which a kernel in
// front of the product sets to 0 and workgroups raise by atomic operations.

// RUN: sed -e 's/SCHEDULE//' -e 's/TYPE/f8E4M3FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x130 | FileCheck %s
// RUN: sed -e 's/SCHEDULE//' -e 's/TYPE/f8E4M3FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x130 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 2>)/' -e 's/TYPE/f8E4M3FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x48x128 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} f8E4M3FN,
// CHECK:      ok: scalar f32,

func.func @product(
    %lhs: tensor<?x?xTYPE>, %rhs: tensor<?x?xTYPE>, %lhs_scale: tensor<?xbf16>,
    %rhs_scale: tensor<?xf32>, %alpha: f32, %beta: f32, %c: tensor<?x?xf16>,
    %bias: tensor<?xbf16>, %d_scale: tensor<f32>, %epilogue_0: tensor<?x?xbf16>,
    %init: tensor<?x?xf8E4M3FN>, %amax: tensor<f32>)
    -> (tensor<?x?xf8E4M3FN>, tensor<f32>) {
  %0:2 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xTYPE>, tensor<?x?xTYPE>)
      lhs_scale(%lhs_scale : tensor<?xbf16>, <row>)
      rhs_scale(%rhs_scale : tensor<?xf32>, <column>)
      alpha(%alpha) beta(%beta) c(%c : tensor<?x?xf16>)
      bias(%bias : tensor<?xbf16>, m) d_scale(%d_scale : tensor<f32>)
      outs(%init : tensor<?x?xf8E4M3FN>) amax(%amax : tensor<f32>)
      transpose_b SCHEDULE
      epilogue(%t, %x = %epilogue_0 : tensor<?x?xbf16>) {
        %zero = arith.constant 0.0 : f32
        %relu = arith.maximumf %t, %zero : f32
        %x32 = arith.extf %x : bf16 to f32
        %sum = arith.addf %relu, %x32 : f32
        lpgemm.yield %sum : f32
      } -> tensor<?x?xf8E4M3FN>, tensor<f32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<f32>
}
