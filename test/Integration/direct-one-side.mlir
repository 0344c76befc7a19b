// RUN: lpgemm-run %s --chip=gfx950 --device=emulate --init=normal:7 --size=130x70x640 --poison --compare=reference | FileCheck %s

// Only lhs has scales along K: those of rhs are made, not loaded, in a loop in
// which halves of the waves take turns.

// CHECK: ok: 130x70 f32
func.func @f(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
             %sa: memref<?x?xf8E8M0FNU>, %d: memref<?x?xf32>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?x?xf8E8M0FNU>, <mx>)
      outs(%d : memref<?x?xf32>) transpose_b
      schedule(<tile = [256, 256, 128], waves = [2, 4],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2,
                strategy = ping_pong>)
  return
}
