// REQUIRES: numpy, amdgpu-registered-target

// Parts of the sums in a workspace, NaN before, and the kernel that adds them.

// RUN: %python %S/run_kernel.py %s --chip=gfx950 --size=33x70x600 | FileCheck %s
// RUN: %python %S/run_kernel.py %s --chip=gfx950 --size=17x16x100 | FileCheck %s
// RUN: %python %S/run_kernel.py %s --chip=gfx950 --size=5x18x0 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xf8E4M3FN>, %rhs: tensor<?x?xf8E4M3FN>,
                   %lhs_scale: tensor<?x?xf8E8M0FNU>, %rhs_scale: tensor<?x?xf8E8M0FNU>,
                   %bias: tensor<?xbf16>, %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%lhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%rhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      bias(%bias : tensor<?xbf16>, n)
      outs(%init : tensor<?x?xf32>) transpose_b
      schedule(<tile = [32, 32, 128], waves = [2, 1], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, split_k = 4>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
