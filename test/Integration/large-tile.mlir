// A schedule whose kernel needs large frames on the host.
//
// RUN: lpgemm-run %s --chip=gfx950 --device=emulate --init=exact:3 --size=17x33x300 --compare=reference | FileCheck %s

// CHECK: ok: 17x33 f32, 0 of 561 not bit-equal

func.func @matmul(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E4M3FN>,
                  %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                  %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E4M3FN>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b
      schedule(<tile = [256, 128, 160], waves = [2, 2],
                instr = mfma_f32_16x16x32_fp8,
                home = <a = shared, b = shared>, stages = 1>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
