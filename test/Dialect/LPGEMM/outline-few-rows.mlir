// RUN: lpgemm-opt %s --lpgemm-lower-to-nvvm=chip=sm_90a | FileCheck %s

// There is one row of tiles, of which 20 rows are known. In whole swizzles 24 are
// copied, and the host checks that the matrix has no more.

// CHECK-LABEL: llvm.func @few_rows_kernel(
// CHECK-SAME: {at_most = 24 : i64, extent = "M"}
// CHECK-SAME: {box = array<i64: 128, 24>, swizzle = 128 : i64, tensor_map = "lhs"}
// CHECK-SAME: {box = array<i64: 128, 32>, swizzle = 128 : i64, tensor_map = "rhs"}

// The other 40 rows of the slots are zero before anything is copied.
// CHECK: llvm.mlir.constant(3072 : i32)
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.barrier{{ *$}}

// CHECK-LABEL: func.func @few_rows(
// CHECK: cf.assert %{{.*}}, "lpgemm.matmul: M is above 24"
func.func @few_rows(%a: tensor<20x272xf8E4M3FN>, %b: tensor<80x272xf8E4M3FN>,
                    %d: tensor<20x80xbf16>) -> tensor<20x80xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<20x272xf8E4M3FN>, tensor<80x272xf8E4M3FN>)
      outs(%d : tensor<20x80xbf16>) transpose_b
      schedule(<tile = [64, 32, 128], waves = [1, 1],
        instr = wgmma_m64k32_f32_fp8, home = <a = shared, b = shared>,
        stages = 3, roles = <load_regs = 40, mma_regs = 232>>)
      -> tensor<20x80xbf16>
  return %0 : tensor<20x80xbf16>
}
