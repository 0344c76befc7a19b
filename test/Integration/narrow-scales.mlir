// Columns of scales that are shorter than the 128 bytes at which the copy engine
// may begin go into the ring by threads.

// RUN: lpgemm-run %s --chip=sm_90a --device=emulate --init=normal:1 --size=70x20x400 --poison --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --chip=sm_90a --device=emulate --init=exact:1 --size=64x16x257 --poison --compare=reference | FileCheck %s
// CHECK: ok: {{.*}} f32

func.func @f(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>, %sa: tensor<?x?xf32>,
             %sb: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = lpgemm.matmul ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x128, layout = col>)
      rhs_scale(%sb : tensor<?x?xf32>, <1x128, layout = col>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [64, 8, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 2,
                roles = <load_regs = 40, mma_regs = 216>>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
