// RUN: lpgemm-opt %s --split-input-file --lpgemm-outline --lpgemm-tile --canonicalize --cse | FileCheck %s

#schedule = #lpgemm.schedule<tile = [16, 32, 128], waves = [1, 1],
  instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = reg, b = reg>, stages = 1>

// Workgroups go through the tiles of one entry of the batch after the other:
// a tile's place is that of the workgroup modulo the tiles of an entry.

// CHECK-LABEL: gpu.func @batch_kernel(
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[TM:.*]] = arith.ceildivui %[[M:.*]], %c16
// CHECK: %[[TN:.*]] = arith.ceildivui %[[N:.*]], %c32
// CHECK: %[[GA:.*]] = lpgemm.bind %{{.*}}[%[[M]], %[[K:.*]]] pitch
// CHECK: %[[GB:.*]] = lpgemm.bind %{{.*}}[%[[N]], %[[K]]] pitch
// CHECK: %[[GD:.*]] = lpgemm.bind %{{.*}}[%[[M]], %[[N]]] pitch
// CHECK: %[[TILES:.*]] = arith.muli %[[TM]], %[[TN]]
// CHECK: %[[TILE:.*]] = arith.remui %[[ID]], %[[TILES]]
// CHECK: %[[I:.*]] = arith.divui %[[TILE]], %[[TN]]
// CHECK: %[[J:.*]] = arith.remui %[[TILE]], %[[TN]]
// CHECK: %[[ROW:.*]] = arith.muli %[[I]], %c16
// CHECK: %[[COL:.*]] = arith.muli %[[J]], %c32
// CHECK: scf.for %[[KK:.*]] = %c0 to %[[K]] step %c128
// CHECK: lpgemm.load %[[GA]][%[[ROW]], %[[KK]]]
// CHECK: lpgemm.load %[[GB]][%[[COL]], %[[KK]]]
// CHECK: lpgemm.store %{{.*}}, %[[GD]][%[[ROW]], %[[COL]]]
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @batch(%a: memref<?x?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                 %d: memref<?x?x?xf32>) {
  lpgemm.matmul ins(%a, %b : memref<?x?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?x?xf32>) transpose_b schedule(#schedule)
  return
}
}

// -----

// Blocks of rows: the scales of 128 x 128 blocks are loaded for each row.

// CHECK-LABEL: gpu.func @row_blocks(
// CHECK-SAME: %[[SA:[a-z0-9]+]]: !lpgemm.global<?x?xf32>, %[[SB:[a-z0-9]+]]: !lpgemm.global<?x?xf32>, %{{[a-z0-9]+}}: !lpgemm.global<?x?xf32>)
// CHECK: scf.for %[[KK:.*]] = %c0 to
// CHECK: %[[BLOCK:.*]] = arith.divui %[[KK]], %c128
// CHECK: %[[FSA:.*]] = lpgemm.load %[[SA]][%{{.*}}, %[[BLOCK]]] at[%{{.*}}, %c0] {row_block = 128 : i64} : <?x?xf32> to <16x1xf32>
// CHECK: %[[FSB:.*]] = lpgemm.load %[[SB]][%[[BLOCK]], %{{.*}}] at[%c0, %{{.*}}] transpose {row_block = 128 : i64} : <?x?xf32> to <32x1xf32>
// CHECK: lpgemm.mma {{.*}} sa(%[[FSA]] : {{.*}}) sb(%[[FSB]] : {{.*}})
!a = !lpgemm.global<?x?xf8E4M3FN>
!s = !lpgemm.global<?x?xf32>
gpu.module @m attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
gpu.func @row_blocks(%a: !a, %b: !a, %sa: !s, %sb: !s, %d: !s) kernel {
  lpgemm.matmul ins(%a, %b : !a, !a)
      lhs_scale(%sa : !s, <128x128>) rhs_scale(%sb : !s, <128x128>)
      outs(%d : !s)
      schedule(<tile = [16, 32, 128], waves = [1, 1],
                instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = reg, b = reg>, stages = 1>)
  gpu.return
}
}
