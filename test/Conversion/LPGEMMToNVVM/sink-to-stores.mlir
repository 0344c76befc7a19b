// RUN: lpgemm-opt %s --lpgemm-lower-to-nvvm=chip=sm_90a | FileCheck %s

// What stands where in a kernel with scales of rows and columns.

// Two scales of rows, and one of each 32 columns, are loaded in front of the K
// loop.
// CHECK: nvvm.setmaxregister increase 232
// CHECK-COUNT-6: llvm.load %{{.*}} -> {{f32|i32}}
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: llvm.load

// Behind it no element is multiplied in front of the first store: both ways of
// storing do that for themselves.
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK-NOT: llvm.fmul
// CHECK-NOT: nvvm.shfl

// Without K tiles the sums are 0. What makes the zeros is in a block of its own,
// which something keeps.
// CHECK: nvvm.bar.warp.sync %{{.*}} : i32
// CHECK-NEXT: llvm.br ^bb{{[0-9]+}}(%[[ZERO:.*]], %[[ZERO]], %[[ZERO]],
// CHECK-NOT: llvm.fmul
// CHECK-NOT: nvvm.shfl

// The copy engine: in front of 16 columns come their scales.
// CHECK: nvvm.barrier id =
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.stmatrix
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.stmatrix
// CHECK-COUNT-24: nvvm.shfl.sync idx
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta

// And threads.
// CHECK: nvvm.shfl.sync idx
// CHECK: llvm.store
func.func @rows(%a: memref<?x?xf8E4M3FN>, %b: memref<?x?xf8E4M3FN>,
                %sa: memref<?xf32>, %sb: memref<?xf32>,
                %d: memref<?x?xbf16>) {
  lpgemm.matmul ins(%a, %b : memref<?x?xf8E4M3FN>, memref<?x?xf8E4M3FN>)
      lhs_scale(%sa : memref<?xf32>, <row>)
      rhs_scale(%sb : memref<?xf32>, <column>)
      outs(%d : memref<?x?xbf16>) transpose_b promote_k = 0
      schedule(<tile = [64, 128, 128], waves = [1, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 2, roles = <load_regs = 40, mma_regs = 232>>)
  return
}
