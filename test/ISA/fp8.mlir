// REQUIRES: numpy, amdgpu-registered-target

// FP8 without scales: both shapes of the instruction, one stage and two, each
// operand from shared memory and from registers.

// RUN: sed -e 's/SCHEDULE//' -e 's/TYPE/f8E4M3FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 1>)/' -e 's/TYPE/f8E5M2/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x270 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [1, 2], instr = mfma_scale_f32_32x32x64_f8f6f4, home = <a = shared, b = reg>, stages = 2>)/' -e 's/TYPE/f8E5M2/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x384 | FileCheck %s
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x384 --modes=random:random:1,random:random:2 | FileCheck %s --check-prefix=RANDOM
// RUN: sed -e 's/SCHEDULE//' -e 's/TYPE/f8E4M3FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 1>)/' -e 's/TYPE/f8E5M2FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x270 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [1, 2], instr = mfma_f32_32x32x16_fp8, home = <a = reg, b = shared>, stages = 2>)/' -e 's/TYPE/f8E5M2FNUZ/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x384 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

// RANDOM:      random, random: {{[1-9].*}} instructions
// RANDOM-NEXT: random, random: {{[1-9].*}} instructions
// RANDOM-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xTYPE>, %rhs: tensor<?x?xTYPE>,
                   %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xTYPE>, tensor<?x?xTYPE>)
      outs(%init : tensor<?x?xf32>) transpose_b SCHEDULE -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
