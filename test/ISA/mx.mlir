// REQUIRES: numpy, amdgpu-registered-target

// MX: on gfx950 scales are operands of the instruction, on gfx942 elements are
// decoded and scaled.

// RUN: sed -e 's/SCHEDULE//' -e 's/LHS/f8E4M3FN/g' -e 's/RHS/f4E2M1FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=65x70x140 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 1>)/' -e 's/LHS/f8E4M3FN/g' -e 's/RHS/f8E5M2/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x270 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [1, 2], instr = mfma_scale_f32_32x32x64_f8f6f4, home = <a = shared, b = shared>, stages = 2>)/' -e 's/LHS/f8E5M2/g' -e 's/RHS/f8E4M3FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x384 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 256], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = reg>, stages = 2>)/' -e 's/LHS/f6E2M3FN/g' -e 's/RHS/f4E2M1FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x384 | FileCheck %s
// RUN: sed -e 's/SCHEDULE//' -e 's/LHS/f8E4M3FN/g' -e 's/RHS/f4E2M1FN/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x270 | FileCheck %s
// RUN: sed -e 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_f32_16x16x16_bf16, home = <a = shared, b = reg>, stages = 2>)/' -e 's/LHS/f8E4M3FN/g' -e 's/RHS/f8E5M2/g' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=17x33x384 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xLHS>, %rhs: tensor<?x?xRHS>,
                   %lhs_scale: tensor<?x?xf8E8M0FNU>,
                   %rhs_scale: tensor<?x?xf8E8M0FNU>,
                   %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xLHS>, tensor<?x?xRHS>)
      lhs_scale(%lhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%rhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%init : tensor<?x?xf32>) transpose_b SCHEDULE -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
