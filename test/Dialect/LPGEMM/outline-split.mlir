// RUN: lpgemm-opt %s --lpgemm-outline | FileCheck %s
// RUN: lpgemm-opt %s --lpgemm-outline --lpgemm-tile | FileCheck %s --check-prefix=TILE

// K that is split without clusters makes two kernels: workgroups store what
// they have of the sums in a workspace, and what adds it does the rest.

// CHECK-LABEL: gpu.module @split_kernel
// CHECK: gpu.func @split_kernel_sum(
// CHECK-SAME: %[[WORKSPACE:arg13]]: !llvm.ptr) kernel attributes
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-SAME: {element = f32, shape = #{{.*}}, workspace = "workspace"}
// CHECK-SAME: lpgemm.schedule = #lpgemm.schedule<tile = [16, 64, 32], waves = [1, 4], instr = mfma_f32_16x16x32_fp8, home = <a = reg, b = reg>, stages = 1>

// In their order.
// CHECK: llvm.getelementptr %[[WORKSPACE]]
// CHECK: llvm.getelementptr %[[WORKSPACE]]
// CHECK: %[[P0:.*]] = lpgemm.load
// CHECK: %[[P1:.*]] = lpgemm.load
// CHECK: lpgemm.apply %[[P0]], %[[P1]] {
// CHECK-NEXT: ^{{.*}}(%[[X0:.*]]: f32, %[[X1:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X0]], %[[X1]]
// CHECK-NEXT: lpgemm.yield %[[SUM]]
// CHECK: lpgemm.apply
// CHECK: lpgemm.store
// CHECK-NOT: lpgemm.matmul
// CHECK: gpu.return

// The other kernel knows neither bias nor scales that are constant along K.
// CHECK: gpu.func @split_kernel(
// CHECK: %[[RANK:.*]] = arith.remui %{{.*}}, %c2
// CHECK: %[[PART:.*]] = lpgemm.bind
// CHECK: lpgemm.matmul ins(
// CHECK-NOT: scale(
// CHECK-NOT: bias(
// CHECK-SAME: outs(%[[PART]] : !lpgemm.global<?x?xf32>)
// CHECK-SAME: split_k = 2

// CHECK-LABEL: func.func @split
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: N is above 16776704"
// CHECK: scf.if
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: the result has more than 16777215 tiles to add"
// CHECK: %[[MEMORY:.*]] = gpu.alloc {{ *}}(%{{.*}}) : memref<?xf32>
// CHECK: gpu.launch_func @split_kernel::@split_kernel blocks
// CHECK: gpu.launch_func @split_kernel::@split_kernel_sum blocks
// CHECK: gpu.dealloc {{ *}}%[[MEMORY]] : memref<?xf32>

// A part is as many whole K tiles as another, or less.
// TILE-LABEL: gpu.func @split_kernel(
// TILE: %[[TILES:.*]] = arith.ceildivui %{{.*}}, %c64
// TILE: %[[EACH:.*]] = arith.ceildivui %[[TILES]], %c2
// TILE: %[[LENGTH:.*]] = arith.muli %[[EACH]], %c64
// TILE: %[[PART:.*]] = arith.remui %{{.*}}, %c2
// TILE: %[[FIRST:.*]] = arith.muli %[[PART]], %[[LENGTH]]
// TILE: %[[LAST:.*]] = arith.addi %[[FIRST]], %[[LENGTH]]
// TILE-NOT: lpgemm.cluster_reduce
// TILE: lpgemm.store

module attributes {lpgemm.target = #lpgemm.target<"gfx942">} {
func.func @split(%a: memref<?x?xf8E4M3FNUZ, strided<[?, 1]>>, %b: memref<?x?xf8E4M3FNUZ, strided<[?, 1]>>,
    %sa: memref<?xf32>, %bias: memref<?xf32>, %d: memref<?x?xbf16, strided<[?, 1]>>) {
  lpgemm.matmul
      ins(%a, %b : memref<?x?xf8E4M3FNUZ, strided<[?, 1]>>, memref<?x?xf8E4M3FNUZ, strided<[?, 1]>>)
      lhs_scale(%sa : memref<?xf32>, <row>)
      bias(%bias : memref<?xf32>, n)
      outs(%d : memref<?x?xbf16, strided<[?, 1]>>) transpose_b
      schedule(<tile = [32, 32, 64], waves = [2, 2], instr = mfma_f32_16x16x32_fp8,
                home = <a = shared, b = shared>, stages = 2, split_k = 2>)
  return
}
}
