// Rows of rhs that overlap: row 2, outside, begins inside row 1. With a NaN at
// the end of row 1 its place in a column before is seen, also under a zero.

// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save('%t/a', np.full((4, 2), 0x38, np.uint8)); np.save('%t/s', np.full((1, 8), 127, np.uint8)); np.save('%t/t', np.full((4, 1), 127, np.uint8)); np.save('%t/b', np.array([[0x38] * 8 + [0x7f]], np.uint8)); np.save('%t/d', np.zeros((4, 8), np.float32))"
// RUN: lpgemm-run %s --chip=gfx950 --device=emulate --compare=reference \
// RUN:   --arg=%t/a.npy --arg=%t/b.npy --arg=%t/t.npy --arg=%t/s.npy --arg=%t/d.npy \
// RUN:   | FileCheck %s
// RUN: sed 's/outs(\(.*\))$/outs(\1) schedule(<tile = [16, 16, 128], waves = [1, 1], instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>)/' %s > %t/reg.mlir
// RUN: lpgemm-run %t/reg.mlir --chip=gfx950 --device=emulate --compare=reference \
// RUN:   --arg=%t/a.npy --arg=%t/b.npy --arg=%t/t.npy --arg=%t/s.npy --arg=%t/d.npy \
// RUN:   | FileCheck %s
// CHECK: ok: 4x8 f32
func.func @overlap(%a: memref<4x2xf8E4M3FN>, %row: memref<1x9xf8E4M3FN>,
                   %sa: memref<4x1xf8E8M0FNU>, %sb: memref<1x8xf8E8M0FNU>,
                   %d: memref<4x8xf32>) {
  %b = memref.reinterpret_cast %row to offset: [0], sizes: [2, 8], strides: [1, 1]
      : memref<1x9xf8E4M3FN> to memref<2x8xf8E4M3FN, strided<[1, 1]>>
  lpgemm.matmul
      ins(%a, %b : memref<4x2xf8E4M3FN>, memref<2x8xf8E4M3FN, strided<[1, 1]>>)
      lhs_scale(%sa : memref<4x1xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : memref<1x8xf8E8M0FNU>, <mx>)
      outs(%d : memref<4x8xf32>)
  return
}
