// REQUIRES: numpy, amdgpu-registered-target

// Sums of 256 registers of a lane are in accumulation registers until they are
// stored, in words where rows are aligned, element by element where they are not;
// no register is spilled.

// RUN: lpgemm-compile %s --chip=gfx942 --emit=isa --quiet -o %t.s
// RUN: FileCheck %s --check-prefix=FIGURES --input-file=%t.s
// RUN: %python %S/run_kernel.py %s --assembly=%t.s --chip=gfx942 --size=17x260x330 --modes=late:reverse,early:forward | FileCheck %s
// RUN: %python %S/run_kernel.py %s --assembly=%t.s --chip=gfx942 --size=33x19x70 --modes=late:forward,early:reverse | FileCheck %s

// The emulator has what is pinned as well.
// RUN: lpgemm-opt %s --lpgemm-lower-to-rocdl=chip=gfx942 --mlir-print-op-on-diagnostic=false -o %t.low.mlir
// RUN: FileCheck %s --check-prefix=PINNED --input-file=%t.low.mlir
// RUN: lpgemm-run %t.low.mlir --chip=gfx942 --device=emulate --size=17x33x130 --init=normal:1 --poison --compare=reference --reference=%s | FileCheck %s --check-prefix=EMULATED

// FIGURES: .agpr_count: 256
// FIGURES: .vgpr_spill_count: 0

// CHECK-COUNT-2: {{[1-9].*}} instructions
// CHECK-NEXT:    ok: {{.*}} 0 of {{.*}} outside the bound

// PINNED: llvm.inline_asm "", "=a,0"
// EMULATED: ok:

func.func @product(%lhs: tensor<?x?xf8E4M3FNUZ>, %rhs: tensor<?x?xf8E4M3FNUZ>,
                   %init: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E4M3FNUZ>)
      outs(%init : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [256, 256, 64], waves = [2, 2], instr = mfma_f32_16x16x32_fp8, home = <a = shared, b = shared>, stages = 2>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
