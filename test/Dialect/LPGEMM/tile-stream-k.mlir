// RUN: lpgemm-opt %s --lpgemm-outline --lpgemm-tile --canonicalize --cse | FileCheck %s

// Stream-K: all K tiles are one sequence. The second kernel finds how many parts
// its tile has, and has no rows of the others.

// CHECK-LABEL: gpu.func @stream_kernel_sum(
// CHECK-SAME: %[[COUNT:[a-z0-9]*]]: i32) kernel
// CHECK: %[[WORKGROUPS:.*]] = arith.index_cast %[[COUNT]] : i32 to index
// CHECK: %[[TILES:.*]] = arith.ceildivui %{{.*}}, %c128
// CHECK: %[[KTILES:.*]] = arith.maxui %[[TILES]], %c1
// CHECK: %[[ALL:.*]] = arith.muli %{{.*}}, %[[KTILES]]
// CHECK: %[[EVEN:.*]] = arith.ceildivui %[[ALL]], %[[WORKGROUPS]]
// CHECK: %[[LEAST:.*]] = arith.ceildivui %[[KTILES]], %c3
// CHECK: %[[EACH:.*]] = arith.maxui %[[EVEN]], %[[LEAST]]
// CHECK: %[[PARTS:.*]] = arith.addi %{{.*}}, %c1
// CHECK: %[[HAS3:.*]] = arith.cmpi ugt, %[[PARTS]], %c3
// CHECK: %[[ROWS:.*]] = arith.select %[[HAS3]], %{{.*}}, %c0
// CHECK: lpgemm.bind %{{.*}}[%[[ROWS]], %{{.*}}]

// CHECK-LABEL: gpu.func @stream_kernel(
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[FIRST:.*]] = arith.muli %[[ID]], %[[OWN:.*]] : index
// CHECK: %[[LAST:.*]] = arith.minui
// CHECK: %[[BEGIN:.*]] = arith.divui %[[FIRST]]
// CHECK: %[[END:.*]] = arith.ceildivui %[[LAST]]
// CHECK: scf.for %[[TILE:.*]] = %[[BEGIN]] to %[[END]] step %c1
// CHECK: %[[PART:.*]] = arith.subi %[[ID]]
// CHECK: %[[RESULT:.*]] = lpgemm.bind
// CHECK: lpgemm.store %{{.*}}, %[[RESULT]]

// CHECK-LABEL: func.func @stream(
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: the parts of the result have more than 2147483647 K tiles"
// CHECK: gpu.launch_func @stream_kernel::@stream_kernel blocks in (%[[LAUNCHED:[^,]*]],
// CHECK: gpu.launch_func @stream_kernel::@stream_kernel_sum blocks in (%[[SUM:[^,]*]],
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @stream(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>, %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, persistent = true, split_k = 4>)
  return
}
}
