// REQUIRES: numpy, amdgpu-registered-target

// i8 with sums of 32 bits.

// RUN: sed -e 's/SCHEDULE//' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_i32_16x16x32_i8, home = <a = shared, b = shared>, stages = 1>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x270 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [1, 2], instr = mfma_i32_32x32x16_i8, home = <a = shared, b = shared>, stages = 2>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x384 | FileCheck %s
// RUN: sed -e 's/SCHEDULE//' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_i32_16x16x32_i8, home = <a = shared, b = shared>, stages = 1>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x270 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [1, 2], instr = mfma_i32_32x32x16_i8, home = <a = shared, b = shared>, stages = 2>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x384 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}}

func.func @product(%lhs: tensor<?x?xi8>, %rhs: tensor<?x?xi8>,
                   %init: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xi8>, tensor<?x?xi8>)
      outs(%init : tensor<?x?xi32>) transpose_b SCHEDULE -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
