// RUN: lpgemm-opt %s --split-input-file --lpgemm-outline --lpgemm-tile --canonicalize --cse | FileCheck %s

// A gfx942 has eight dies, to which workgroups go in turn: those of each die get
// tiles that follow each other, in bands of four rows. The kernel is told how many
// workgroups there are, and each goes on with the tile that is so many further.

// CHECK-LABEL: gpu.func @persistent_kernel(
// CHECK-SAME: %[[COUNT:[a-z0-9]*]]: i32) kernel
// CHECK-SAME: {workgroups = "workgroups"}
// CHECK-SAME: persistent
// CHECK-DAG: %[[DIES:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[BAND_ROWS:.*]] = arith.constant 4 : index
// CHECK: %[[ROWS:.*]] = arith.ceildivui %{{.*}}, %{{.*}}
// CHECK: %[[TILES:.*]] = arith.muli
// CHECK: %[[STEP:.*]] = arith.index_cast %[[COUNT]] : i32 to index
// CHECK: scf.for %[[ID:.*]] = %{{.*}} to %[[TILES]] step %[[STEP]]
// CHECK-DAG: %[[DIE:.*]] = arith.remui %[[ID]], %[[DIES]]
// CHECK-DAG: %[[MORE:.*]] = arith.remui %[[TILES]], %[[DIES]]
// CHECK-DAG: %[[EACH:.*]] = arith.divui %[[TILES]], %[[DIES]]
// CHECK-DAG: %[[WHOLE:.*]] = arith.muli %[[DIE]], %[[EACH]]
// CHECK-DAG: %[[EXTRA:.*]] = arith.minui %[[DIE]], %[[MORE]]
// CHECK: %[[FIRST:.*]] = arith.addi %[[WHOLE]], %[[EXTRA]]
// CHECK: %[[PLACE:.*]] = arith.divui %[[ID]], %[[DIES]]
// CHECK: %[[TILE:.*]] = arith.addi %[[FIRST]], %[[PLACE]]
// CHECK: arith.divui %[[TILE]], %{{.*}}
// CHECK: arith.muli %{{.*}}, %[[BAND_ROWS]]
// CHECK: lpgemm.store

// CHECK-LABEL: func.func @persistent(
// CHECK: %[[ALL:.*]] = func.call @lpgemmGetMultiprocessorCount() : () -> i32
// CHECK: %[[LAUNCHED:.*]] = arith.minui
// CHECK: %[[ARGUMENT:.*]] = arith.index_cast %[[LAUNCHED]] : index to i32
// CHECK: gpu.launch_func @persistent_kernel::@persistent_kernel blocks in (%[[LAUNCHED]], %c1, %c1)
// CHECK-SAME: %[[ARGUMENT]] : i32)
module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @persistent(%a: memref<?x?xf8E4M3FNUZ>, %b: memref<?x?xf8E4M3FNUZ>, %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FNUZ>, memref<?x?xf8E4M3FNUZ>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 64], waves = [2, 2], instr = mfma_f32_16x16x32_fp8,
                home = <a = shared, b = shared>, stages = 2, raster = 4, persistent = true>)
  return
}
}

// -----

// The two workgroups that share a tile go to two of the eight dies of a gfx950, so
// that tiles go to four in turn. Without a raster they go to them as they come.

// CHECK-LABEL: gpu.func @split_kernel(
// CHECK: %[[ID:.*]] = arith.divui %{{.*}}, %c2
// CHECK: arith.remui %[[ID]], %c4
// CHECK-LABEL: gpu.func @plain_kernel(
// CHECK-NOT: %c8
// CHECK: lpgemm.store
module attributes {lpgemm.target = #lpgemm.target<"gfx950">} {
func.func @split(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>, %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2, raster = 2, split_k = 2>)
  return
}
func.func @plain(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>, %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 64, 128], waves = [2, 2], instr = mfma_scale_f32_16x16x128_f8f6f4,
                home = <a = shared, b = shared>, stages = 2>)
  return
}
}
