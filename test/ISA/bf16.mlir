// REQUIRES: numpy, amdgpu-registered-target

// bf16, lhs stored K x M and rhs K x N.

// RUN: sed -e 's/SCHEDULE//' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 64], waves = [2, 2], instr = mfma_f32_16x16x16_bf16, home = <a = shared, b = shared>, stages = 1>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x130 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 64], waves = [1, 2], instr = mfma_f32_32x32x8_bf16, home = <a = shared, b = reg>, stages = 2>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=64x48x130 | FileCheck %s
// RUN: sed -e 's/SCHEDULE//' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 64], waves = [2, 2], instr = mfma_f32_16x16x16_bf16, home = <a = shared, b = shared>, stages = 1>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x130 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 64], waves = [1, 2], instr = mfma_f32_32x32x8_bf16, home = <a = shared, b = reg>, stages = 2>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=64x48x130 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xbf16>, %rhs: tensor<?x?xbf16>,
                   %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xbf16>, tensor<?x?xbf16>)
      outs(%init : tensor<?x?xf32>) transpose_a SCHEDULE -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
