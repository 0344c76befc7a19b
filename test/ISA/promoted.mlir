// REQUIRES: numpy, amdgpu-registered-target

// Scales of 1x128 and 128x128 blocks in f32: partial sums of a block are scaled
// and added.

// RUN: sed -e 's/SCHEDULE//' -e 's/TYPE/f8E4M3FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2>)/' -e 's/TYPE/f8E5M2/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x384 | FileCheck %s
// RUN: sed -e 's/SCHEDULE//' -e 's/TYPE/f8E4M3FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [1, 2], instr = mfma_f32_32x32x16_fp8, home = <a = shared, b = shared>, stages = 1>)/' -e 's/TYPE/f8E4M3FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x270 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xTYPE>, %rhs: tensor<?x?xTYPE>,
                   %lhs_scale: tensor<?x?xf32>, %rhs_scale: tensor<?x?xf32>,
                   %init: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xTYPE>, tensor<?x?xTYPE>)
      lhs_scale(%lhs_scale : tensor<?x?xf32>, <1x128>)
      rhs_scale(%rhs_scale : tensor<?x?xf32>, <128x128>)
      outs(%init : tensor<?x?xbf16>) transpose_b SCHEDULE -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
