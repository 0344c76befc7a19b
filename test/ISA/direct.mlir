// REQUIRES: numpy, amdgpu-registered-target

// Copies that an engine makes, on gfx950: to two slots in turn with both halves
// of the waves, to three with all waves together. 900 = 7 x 128 + 4: the last
// whole K tile is behind the unrolled loop, the rest in the general one; rows of
// 270 are not aligned to words.

// RUN: sed -e 's/TYPE/f8E4M3FN/g' -e 's/TILE/256, 256, 128/' -e 's/WAVES/2, 4/' -e 's/STAGES/stages = 2, strategy = ping_pong/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=130x70x900 | FileCheck %s
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x270 --modes=late:forward,early:reverse | FileCheck %s --check-prefix=TWO
// RUN: sed -e 's/TYPE/f4E2M1FN/g' -e 's/TILE/256, 256, 256/' -e 's/WAVES/2, 4/' -e 's/STAGES/stages = 2, strategy = ping_pong/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=130x70x900 | FileCheck %s
// RUN: sed -e 's/TYPE/f8E5M2/g' -e 's/TILE/128, 128, 128/' -e 's/WAVES/2, 2/' -e 's/STAGES/stages = 3/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=130x70x900 | FileCheck %s
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=17x33x640 --modes=random:random:1,random:random:2 | FileCheck %s --check-prefix=TWO

// CHECK:      late, forward: {{[1-9].*}} instructions
// CHECK-NEXT: late, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: early, forward: {{[1-9].*}} instructions
// CHECK-NEXT: early, reverse: {{[1-9].*}} instructions
// CHECK-NEXT: ok: {{.*}} 0 of {{.*}} outside the bound

// TWO-COUNT-2: {{[1-9].*}} instructions
// TWO-NEXT:    ok: {{.*}} 0 of {{.*}} outside the bound

func.func @product(%lhs: tensor<?x?xTYPE>, %rhs: tensor<?x?xTYPE>,
                   %lhs_scale: tensor<?x?x4x16x2x2xf8E8M0FNU>,
                   %rhs_scale: tensor<?x?x4x16x2x2xf8E8M0FNU>,
                   %init: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xTYPE>, tensor<?x?xTYPE>)
      lhs_scale(%lhs_scale : tensor<?x?x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>)
      rhs_scale(%rhs_scale : tensor<?x?x4x16x2x2xf8E8M0FNU>, <mx, layout = amd32x8>)
      outs(%init : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [TILE], waves = [WAVES], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>, STAGES>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
