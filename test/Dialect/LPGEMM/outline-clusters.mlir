// RUN: lpgemm-opt %s --split-input-file --lpgemm-outline --canonicalize --cse | FileCheck %s

// Three warpgroups, one of which loads; whole clusters of 2 x 1 workgroups; of
// persistent ones as many as the device holds at once.

// CHECK: #[[TILES:.*]] = affine_map<(d0, d1, d2) -> ((d0 ceildiv 256) * 2, d1 ceildiv 256)>
// CHECK-LABEL: gpu.func @clusters_kernel(
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 384, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>,
// CHECK-SAME: cluster = 2 : i64, extents = ["M", "N", "K"]
// CHECK-SAME: persistent, tiles = #[[TILES]]}
// CHECK-LABEL: func.func @clusters(
// CHECK: %[[TM:.*]] = arith.ceildivui %{{.*}}, %c256
// CHECK: %[[WM:.*]] = arith.muli %[[TM]], %c2
// CHECK: %[[TN:.*]] = arith.ceildivui %{{.*}}, %c256
// CHECK: %[[GRID:.*]] = arith.muli %[[WM]], %[[TN]]
// CHECK: scf.if
// CHECK: %[[COUNT:.*]] = func.call @lpgemmGetMultiprocessorCount() : () -> i32
// CHECK: %[[KNOWN:.*]] = arith.cmpi sgt, %[[COUNT]], %c0_i32
// CHECK: cf.assert %[[KNOWN]], "lpgemm.matmul: the multiprocessors of the device are not known"
// CHECK: %[[SM:.*]] = arith.index_cast %[[COUNT]] : i32 to index
// CHECK: %[[REST:.*]] = arith.remui %[[SM]], %c2
// CHECK: %[[WHOLE:.*]] = arith.subi %[[SM]], %[[REST]]
// CHECK: %[[HELD:.*]] = arith.maxui %[[WHOLE]], %c2
// CHECK: %[[LAUNCHED:.*]] = arith.minui %[[GRID]], %[[HELD]]
// CHECK: gpu.launch_func @clusters_kernel::@clusters_kernel clusters in (%c2, %c1, %c1) blocks in (%[[LAUNCHED]], %c1, %c1) threads in (%c384, %c1, %c1)
// CHECK: func.func private @lpgemmGetMultiprocessorCount() -> i32
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @clusters(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                    %sa: memref<f32>, %sb: memref<f32>, %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<f32>, #lpgemm.scale<tensor>)
      rhs_scale(%sb : memref<f32>, #lpgemm.scale<tensor>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [128, 256, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4,
                roles = <load_regs = 40, mma_regs = 232>, cluster = [2, 1],
                persistent = true>)
  return
}
}

// -----

// Without persistent workgroups there is one for each tile, and nothing is
// asked of the device; a batch has whole clusters in each of its entries.

// CHECK: #[[TILES:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 ceildiv 128, (d2 ceildiv 512) * 4)>
// CHECK-LABEL: gpu.func @batch_kernel(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>,
// CHECK-SAME: tiles = #[[TILES]]}
// CHECK: %[[ID:.*]] = gpu.block_id x
// CHECK: %[[TM:.*]] = arith.ceildivui %{{.*}}, %c128
// CHECK: %[[E:.*]] = arith.divui %[[ID]], %[[TM]]
// CHECK: %[[TN:.*]] = arith.ceildivui %{{.*}}, %c512
// CHECK: %[[WN:.*]] = arith.muli %[[TN]], %c4
// CHECK: arith.divui %[[E]], %[[WN]]
// CHECK-NOT: lpgemmGetMultiprocessorCount
// CHECK: gpu.launch_func @batch_kernel::@batch_kernel clusters in (%c4, %c1, %c1) blocks in (%{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @batch(%a: memref<?x?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>, %d: memref<?x?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?x?xbf16>) transpose_b
      schedule(<tile = [128, 128, 128], waves = [2, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4, cluster = [1, 4]>)
  return
}
}

// -----

// The workgroups of a cluster share a tile: as many for each.

// CHECK: #[[TILES:.*]] = affine_map<(d0, d1, d2) -> (d0 ceildiv 64, (d1 ceildiv 128) * 4)>
// CHECK-LABEL: gpu.func @split_kernel(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>,
// CHECK-SAME: cluster = 4 : i64,
// CHECK-SAME: tiles = #[[TILES]]}
// CHECK: gpu.launch_func @split_kernel::@split_kernel clusters in (%c4, %c1, %c1) blocks in (%{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1)
module attributes {lpgemm.target = #lpgemm.target<"sm_90a">} {
func.func @split(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>, %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      outs(%d : memref<?x?xbf16>) transpose_b
      schedule(<tile = [64, 128, 128], waves = [1, 1], instr = wgmma_m64k32_f32_fp8,
                home = <a = shared, b = shared>, stages = 4,
                roles = <load_regs = 40, mma_regs = 248>, split_k = 4>)
  return
}
}
