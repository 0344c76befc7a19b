// Results by way of shared memory, with rows that are whole pieces of 16 bytes,
// which they leave in, and with others.

// REQUIRES: numpy, amdgpu-registered-target
// RUN: sed -e 's/TYPE/f8E4M3FN/g' -e 's/INSTR/mfma_scale_f32_16x16x128_f8f6f4/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx950 --size=50x128x140 | FileCheck %s
// RUN: lpgemm-compile %t.mlir --chip=gfx950 --emit=isa -o %t.s
// RUN: FileCheck %s --check-prefix=ISA < %t.s
// RUN: sed -e 's/TYPE/f8E4M3FNUZ/g' -e 's/INSTR/mfma_f32_16x16x32_fp8/' %s > %t.mlir
// RUN: %python %S/run_kernel.py %t.mlir --chip=gfx942 --size=50x123x140 | FileCheck %s
// RUN: lpgemm-compile %t.mlir --chip=gfx942 --emit=isa -o %t.s
// RUN: FileCheck %s --check-prefix=ISA < %t.s

// CHECK: early, reverse:
// CHECK-NEXT: ok: {{.*}} bf16

// ISA: ds_write_b64
// ISA: s_barrier
// ISA: ds_read
// ISA: buffer_store_dwordx4
// ISA: .vgpr_spill_count: 0

func.func @product(%lhs: tensor<?x?xTYPE>, %rhs: tensor<?x?xTYPE>,
    %bias: tensor<?xf32>, %init: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%lhs, %rhs : tensor<?x?xTYPE>, tensor<?x?xTYPE>)
      bias(%bias : tensor<?xf32>, n) outs(%init : tensor<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = INSTR,
                home = <a = shared, b = shared>, stages = 2, epilogue = staged>)
      -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}
