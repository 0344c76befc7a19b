// REQUIRES: numpy, amdgpu-registered-target

// Three workgroups go through 12 tiles, which are dealt to eight dies in bands of
// two rows; buffers are used again, by other waves as well.

// RUN: sed 's/SCHEDULE/schedule(<tile = [32, 32, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, raster = 2, persistent = true>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=65x100x416 | FileCheck %s
// RUN: sed 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 3, raster = 2, persistent = true>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=130x70x416 | FileCheck %s

// Stream-K: 26 K tiles of two tiles for three workgroups, then added.

// RUN: sed 's/SCHEDULE/schedule(<tile = [32, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, stages = 2, persistent = true, split_k = 4>)/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=33x50x1600 | FileCheck %s

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xf8E4M3FN>, %rhs: tensor<?x?xf8E4M3FN>,
                   %lhs_scale: tensor<?x?xf8E8M0FNU>, %rhs_scale: tensor<?x?xf8E8M0FNU>,
                   %init: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%lhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%rhs_scale : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%init : tensor<?x?xf32>) transpose_b SCHEDULE -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
