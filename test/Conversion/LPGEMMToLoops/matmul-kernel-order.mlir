// RUN: lpgemm-opt %s -convert-lpgemm-to-loops=accumulate=hopper -canonicalize -cse | FileCheck %s

// Of a product with a schedule, sums are formed in the order of its kernel: a
// chain is a K tile, shorter than promote_k, and four parts of K, of which those
// two apart are added first.

// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[A:.*]]: memref<?x?xf8E4M3FN>
func.func @split(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                 %d: memref<?x?xf32>) {
  // CHECK: %[[TILES:.*]] = arith.ceildivui %{{.*}}, %c128
  // CHECK: %[[EACH:.*]] = arith.ceildivui %[[TILES]], %c4
  // CHECK: %[[PART:.*]] = arith.muli %[[EACH]], %c128
  // CHECK: %[[FIRST:.*]] = scf.for {{.*}} step %c1 iter_args
  // CHECK: scf.for {{.*}} step %c128 iter_args
  // CHECK: scf.for {{.*}} step %c32 iter_args
  // CHECK: %[[THIRD:.*]] = scf.for {{.*}} step %c1 iter_args
  // CHECK: %[[EVEN:.*]] = arith.addf %[[FIRST]], %[[THIRD]]
  // CHECK: %[[SECOND:.*]] = scf.for {{.*}} step %c1 iter_args
  // CHECK: %[[FOURTH:.*]] = scf.for {{.*}} step %c1 iter_args
  // CHECK: %[[ODD:.*]] = arith.addf %[[SECOND]], %[[FOURTH]]
  // CHECK: arith.addf %[[EVEN]], %[[ODD]]
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xf32>) transpose_b promote_k = 256
      schedule(<tile = [64, 64, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 3,
                roles = <load_regs = 40, mma_regs = 248>, split_k = 4>)
  return
}
